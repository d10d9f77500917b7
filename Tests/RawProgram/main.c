// The programs in plain C that the command is measured against.
#include "RawSuite.h"

#include <string.h>

// raw-program SUITE APP            the same read as `doorstep needs`, and the same exit statuses
// raw-program import SUITE FILE    the same rows as `doorstep import`, nothing checked
int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "import") == 0) return raw_import(arguments[2], arguments[3]) == 0 ? 0 : 74;
    if (count != 3) return 64;
    int unanswered = raw_needs(arguments[1], arguments[2]);
    return unanswered < 0 ? 74 : unanswered == 0;
}
