/* SPDX-License-Identifier: MIT
 *
 * Compressed arrays; blob.h describes the format.
 */
#include "app/session/blob.h"

#include "app/base/error.h"

#include <string.h>
#include <zlib.h>

#define HEADER_SIZE 8
/* zlib's usual level. Level 9 makes a run of 8.4 million outputs 8 % smaller but takes 3.1 s
 * instead of 0.15 s, and the window writes every run into its history the moment it ends. */
#define LEVEL 6

typedef enum { CODEC_PLAIN, CODEC_ZLIB, CODEC_SHUFFLED } Codec;

/* Shuffles: moves byte j of element i from i * element_size + j to j * n + i. With `back` it
 * reverses that. */
static void
shuffle (const guint8 *from, guint8 *to, gsize n, guint element_size, gboolean back)
{
  for (gsize i = 0; i < n; i++)
    for (guint j = 0; j < element_size; j++) {
      gsize together = i * element_size + j, apart = j * n + i;
      to[back ? together : apart] = from[back ? apart : together];
    }
}

/* Replaces the data after the header by a compressed copy if that is smaller. */
static void
try_zlib (GByteArray *blob, Codec codec, const guint8 *data, gsize size)
{
  uLongf length = compressBound (size);
  g_autofree guint8 *packed = g_malloc (length);

  if (compress2 (packed, &length, data, size, LEVEL) != Z_OK || length >= blob->len - HEADER_SIZE)
    return;
  g_byte_array_set_size (blob, HEADER_SIZE);
  g_byte_array_append (blob, packed, (guint)length);
  blob->data[0] = (guint8)codec;
}

GByteArray *
seam_blob_encode (const void *data, gsize size, guint element_size)
{
  GByteArray *blob = g_byte_array_sized_new ((guint)(HEADER_SIZE + size));
  guint8 header[HEADER_SIZE] = { CODEC_PLAIN, (guint8)element_size };
  guint32 length = GUINT32_TO_LE ((guint32)size);

  memcpy (header + 4, &length, sizeof length);
  g_byte_array_append (blob, header, sizeof header);
  if (size == 0)
    return blob;
  g_byte_array_append (blob, data, (guint)size);
  if (element_size > 1) {
    g_autofree guint8 *shuffled = g_malloc (size);
    shuffle (data, shuffled, size / element_size, element_size, FALSE);
    try_zlib (blob, CODEC_SHUFFLED, shuffled, size);
  }
  try_zlib (blob, CODEC_ZLIB, data, size);
  return blob;
}

gpointer
seam_blob_decode (const void *blob, gsize blob_size, guint element_size, gsize *budget, gsize *size,
                  GError **error)
{
  const guint8 *header = blob;
  guint32 length = 0;

  *size = 0;
  if (blob_size >= HEADER_SIZE)
    memcpy (&length, header + 4, sizeof length);
  length = GUINT32_FROM_LE (length);
  if (blob_size < HEADER_SIZE || header[0] > CODEC_SHUFFLED || header[1] != element_size
      || length % element_size != 0
      || (header[0] == CODEC_PLAIN && length != blob_size - HEADER_SIZE))
    return seam_fail_null (error, SEAM_ERROR_FILE, "a list of numbers is damaged");
  if (length > *budget)
    return seam_fail_null (error, SEAM_ERROR_MEMORY, "it is too large");
  *budget -= length;
  g_autofree guint8 *data = g_malloc (MAX (length, 1));
  *size = length;
  if (header[0] == CODEC_PLAIN) {
    memcpy (data, header + HEADER_SIZE, length);
    return g_steal_pointer (&data);
  }
  uLongf unpacked = length;
  if (uncompress (data, &unpacked, header + HEADER_SIZE, blob_size - HEADER_SIZE) != Z_OK
      || unpacked != length)
    return seam_fail_null (error, SEAM_ERROR_FILE, "a list of numbers cannot be unpacked");
  if (header[0] == CODEC_SHUFFLED) {
    guint8 *whole = g_malloc (MAX (length, 1));
    shuffle (data, whole, length / element_size, element_size, TRUE);
    return whole;
  }
  return g_steal_pointer (&data);
}
