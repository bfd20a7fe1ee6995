/* SPDX-License-Identifier: MIT */
#include <adwaita.h>
