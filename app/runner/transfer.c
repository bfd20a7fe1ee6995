/* SPDX-License-Identifier: MIT
 *
 * Memory on host and device, and transfers between them in pieces, so that Stop can act between
 * pieces. The host works in FP32: a 16-bit tensor is rounded on its way to the device and widened
 * on its way back.
 */
#include "app/runner/run-private.h"

#include "app/base/text.h"

/* Stop is checked between pieces of this size: 0.05 s at 1.2 GB/s, the rate of memory that is
 * touched for the first time on a busy machine, or of a slow bus. */
#define PIECE_BYTES ((gint64)64 << 20)
/* Elements of a 16-bit tensor that are converted at a time. */
#define PIECE_ELEMENTS ((gint64)8 << 20)

gpointer
seam_runner_host_memory (gint64 bytes, GError **error)
{
  gpointer memory = g_try_malloc ((gsize)MAX (bytes, 1));

  if (memory == NULL) {
    g_autofree char *text = seam_text_bytes ((double)bytes);
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                 "There are not %s of main memory left for a copy: choose a smaller shape.", text);
  }
  return memory;
}

SeamBuffer *
seam_runner_allocate (SeamRunner *runner, gint64 bytes, GError **error)
{
  SeamBuffer *buffer = runner->device->backend->allocate (runner->device, bytes, error);

  if (buffer != NULL)
    runner->bytes_held += (double)bytes;
  return buffer;
}

gboolean
seam_runner_upload (SeamRunner *runner, SeamBuffer *buffer, gint64 first_byte, const void *data,
                    gint64 bytes, SeamCancel *cancel, GError **error)
{
  SeamDevice *device = runner->device;

  for (gint64 offset = 0; offset < bytes; offset += PIECE_BYTES) {
    if (seam_cancel_check (cancel, error))
      return FALSE;
    if (!device->backend->upload (device, buffer, first_byte + offset, (const char *)data + offset,
                                  MIN (PIECE_BYTES, bytes - offset), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
download (SeamRunner *runner, void *data, SeamBuffer *buffer, gint64 first_byte, gint64 bytes,
          SeamCancel *cancel, GError **error)
{
  SeamDevice *device = runner->device;

  for (gint64 offset = 0; offset < bytes; offset += PIECE_BYTES) {
    if (seam_cancel_check (cancel, error))
      return FALSE;
    if (!device->backend->download (device, (char *)data + offset, buffer, first_byte + offset,
                                    MIN (PIECE_BYTES, bytes - offset), error))
      return FALSE;
  }
  return TRUE;
}

gboolean
seam_runner_carry (SeamRunner *runner, SeamBuffer *here, SeamDevice *other, SeamBuffer *there,
                   gint64 bytes, gboolean back, SeamCancel *cancel, GError **error)
{
  SeamDevice *from = back ? other : runner->device, *to = back ? runner->device : other;
  g_autofree void *piece = seam_runner_host_memory (MIN (bytes, PIECE_BYTES), error);

  for (gint64 offset = 0; piece != NULL && offset < bytes; offset += PIECE_BYTES) {
    const gint64 n = MIN (PIECE_BYTES, bytes - offset);
    if (seam_cancel_check (cancel, error)
        || !from->backend->download (from, piece, back ? there : here, offset, n, error)
        || !to->backend->upload (to, back ? here : there, offset, piece, n, error))
      return FALSE;
  }
  return piece != NULL;
}

static void
pack (SeamOperandType type, unsigned short *packed, const float *values, gint64 n)
{
  if (type == SEAM_OPERAND_BF16)
    for (gint64 i = 0; i < n; i++)
      packed[i] = seam_operand_pack_bf16 (values[i]);
  else
    for (gint64 i = 0; i < n; i++)
      packed[i] = seam_operand_pack_fp16 (values[i]);
}

static void
unpack (SeamOperandType type, float *values, const unsigned short *packed, gint64 n)
{
  if (type == SEAM_OPERAND_BF16)
    for (gint64 i = 0; i < n; i++)
      values[i] = seam_operand_unpack_bf16 (packed[i]);
  else
    for (gint64 i = 0; i < n; i++)
      values[i] = seam_operand_unpack_fp16 (packed[i]);
}

gboolean
seam_runner_upload_values (SeamRunner *runner, SeamBuffer *buffer, SeamOperandType type,
                           gint64 first, const float *values, gint64 n, SeamCancel *cancel,
                           GError **error)
{
  const gint64 size = seam_storage_get_element_bytes (type);

  if (type == SEAM_OPERAND_FP32)
    return seam_runner_upload (runner, buffer, first * size, values, n * size, cancel, error);
  g_autofree unsigned short *packed =
      seam_runner_host_memory (MIN (n, PIECE_ELEMENTS) * size, error);
  if (packed == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i += PIECE_ELEMENTS) {
    gint64 piece = MIN (PIECE_ELEMENTS, n - i);
    pack (type, packed, values + i, piece);
    if (!seam_runner_upload (runner, buffer, (first + i) * size, packed, piece * size, cancel,
                             error))
      return FALSE;
  }
  return TRUE;
}

gboolean
seam_runner_download_values (SeamRunner *runner, float *values, SeamBuffer *buffer,
                             SeamOperandType type, gint64 first, gint64 n, SeamCancel *cancel,
                             GError **error)
{
  const gint64 size = seam_storage_get_element_bytes (type);

  if (type == SEAM_OPERAND_FP32)
    return download (runner, values, buffer, first * size, n * size, cancel, error);
  g_autofree unsigned short *packed =
      seam_runner_host_memory (MIN (n, PIECE_ELEMENTS) * size, error);
  if (packed == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i += PIECE_ELEMENTS) {
    gint64 piece = MIN (PIECE_ELEMENTS, n - i);
    if (!download (runner, packed, buffer, (first + i) * size, piece * size, cancel, error))
      return FALSE;
    unpack (type, values + i, packed, piece);
  }
  return TRUE;
}
