// getxattr(2) reads a program's file capabilities; Swift's Glibc module leaves this header out.
#include <sys/xattr.h>
