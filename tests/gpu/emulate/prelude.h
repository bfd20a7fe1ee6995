/* Made from this: tests/gpu/emulate.h, which g++ has compiled to the file beside this one. */
#include "tests/gpu/emulate.h"
