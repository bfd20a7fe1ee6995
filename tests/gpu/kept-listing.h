/* SPDX-License-Identifier: MIT
 *
 * Listings of compiler_list(), which take seconds, kept from one run of the suite to the next.
 */
#pragma once

#include "app/backend/cuda/compiler.h"

/* Log and PTX of compiler_list() for capability `major`.0; the rest of the listing is empty. They
 * are kept in $SEAMSCOPE_TEST_CACHE if $SEAMSCOPE_TEST_COMPILER names the file that defines
 * compiler_list(). */
void kept_listing_get (const char *source, int major, CompilerFlags flags, CompilerListing *found);
