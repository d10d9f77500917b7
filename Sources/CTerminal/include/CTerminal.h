#define Y
