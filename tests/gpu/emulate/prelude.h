/* The source of the precompiled header: g++ compiles tests/gpu/emulate.h to the file beside this
 * one. */
#include "tests/gpu/emulate.h"
