#define X
