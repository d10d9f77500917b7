// What AddressSanitizer does in every program that is built with it, whatever environment the program is started with.
//
// Leaks aren't searched for: Swift keeps flags in the spare bits of pointers, and the search takes what only such a pointer
// leads to for lost, such as the contents of constants.
const char *__asan_default_options(void);

const char *__asan_default_options(void) { return "detect_leaks=0"; }
