/* SPDX-License-Identifier: MIT
 *
 * The bounds of an output on the CPU: the FP64 reference's, from what the matrix op made of the
 * operands and of their squares.
 */
#include "app/backend/cpu/backend-cpu.h"

#include <math.h>
#include <string.h>

#define BLOCK 4096

gboolean
seam_cpu_spread (SeamDevice *base, SeamBuffer *to, SeamBuffer *from, SeamOperandType type,
                 gint64 first, gint64 n, double least, double scale, GError **error)
{
  const SeamCpuDevice *device = (const SeamCpuDevice *)base;
  float *x = to->data;

#pragma omp parallel for num_threads(device->n_threads)
  for (gint64 start = 0; start < n; start += BLOCK) {
    const gint64 end = MIN (n, start + BLOCK);

    if (type == SEAM_OPERAND_FP32)
      memcpy (x + start, (const float *)from->data + first + start,
              (gsize)(end - start) * sizeof *x);
    else
      device->loops->unpack (type, x + start, (const unsigned short *)from->data + first + start,
                             end - start);
    for (gint64 i = start; scale > 0 && i < end; i++) {
      const float size = (fabsf (x[i]) + (float)least) * (float)scale;
      x[i] = size * size;
    }
  }
  return TRUE;
}

gboolean
seam_cpu_bound (SeamDevice *base, const SeamProblem *problem, const SeamChain *chain, int matrix,
                int last, SeamBuffer *const *tensors, const SeamBoundRule *rule,
                SeamBuffer *squares, double unscale, SeamBuffer *bounds, gint64 first,
                SeamCancel *cancel, GError **error)
{
  const SeamReferenceSums given = { tensors[SEAM_TENSOR_OUTPUT (matrix)]->data, squares->data,
                                    unscale };
  float *data[SEAM_MAX_TENSORS] = { NULL };

  for (int i = 0; i < problem->n_tensors; i++)
    if (tensors[i] != NULL)
      data[i] = tensors[i]->data;
  return seam_reference_bound (problem, chain, matrix, last, data, rule, &given,
                               (float *)bounds->data + first, cancel, error);
}
