#define _GNU_SOURCE
#include "CTerminal.h"

#include <locale.h>
#include <pthread.h>
#include <termios.h>
#include <wchar.h>

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t utf8 = (locale_t)0;

static void make_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int cterminal_width(uint32_t scalar) {
    pthread_once(&locale_once, make_locale);
    if (utf8 == (locale_t)0) return -1;
    locale_t before = uselocale(utf8);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width;
}

int cterminal_is_slow(int descriptor) {
    struct termios modes;
    if (tcgetattr(descriptor, &modes) != 0) return 0;
    switch (cfgetospeed(&modes)) {
    case B50: case B75: case B110: case B134: case B150: case B200: case B300: case B600:
    case B1200: case B1800: case B2400: case B4800: case B9600: case B19200:
        return 1;
    default:
        // A pseudo-terminal says 38400, or 0.
        return 0;
    }
}
