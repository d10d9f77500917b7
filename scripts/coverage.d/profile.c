// Where an instrumented program leaves its counts, unless LLVM_PROFILE_FILE says otherwise: tests start the command with an
// environment of their own, which has no such variable.
const char __llvm_profile_filename[] = COUNTS "/%m-%p.profraw";
