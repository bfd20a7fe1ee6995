/* SPDX-License-Identifier: MIT
 *
 * Arrays of numbers as the file's BLOBs, compressed if that makes them smaller. A BLOB is eight
 * bytes, then the data:
 *
 *   0      codec: 0 uncompressed; 1 zlib; 2 zlib over shuffled bytes
 *   1      bytes an element: 1, 4 or 8
 *   2-3    0
 *   4-7    bytes of the whole array, little-endian
 *
 * Elements are little-endian. Shuffled: first the first byte of every element, then the second of
 * every element, and so on; neighbouring floats share their exponents, which then lie together.
 */
#pragma once

#include <glib.h>

/* `size` is a multiple of `element_size` and under 1 GB. */
GByteArray *seam_blob_encode (const void *data, gsize size, guint element_size);
/* Returns the array, newly allocated (never NULL for an empty one). It has at most `*budget` bytes,
 * which are subtracted from the budget. SEAM_ERROR_MEMORY if that is not enough; SEAM_ERROR_FILE
 * with half a sentence ("… is damaged"). */
gpointer seam_blob_decode (const void *blob, gsize blob_size, guint element_size, gsize *budget,
                           gsize *size, GError **error);
