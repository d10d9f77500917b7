// A launch gate in plain C: the same read of the suite as `doorstep needs`, and the same exit statuses.
#include "RawSuite.h"

int main(int count, char **arguments) {
    if (count != 3) return 64;
    int unanswered = raw_needs(arguments[1], arguments[2]);
    return unanswered < 0 ? 74 : unanswered == 0;
}
