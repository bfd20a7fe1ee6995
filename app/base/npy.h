/* SPDX-License-Identifier: MIT
 *
 * NumPy .npy files (format 1.0 and 2.0, little-endian <f4 and <f8, C order) as flat arrays.
 * app/base/file.h says how they are written.
 */
#pragma once

#include "app/base/file.h"

#define SEAM_NPY_MAX_DIMS 8

typedef struct {
  int n_dims;
  gint64 dims[SEAM_NPY_MAX_DIMS]; /* slowest first */
  gint64 n_elements;
  gboolean is_double; /* element type of `data` */
  gpointer data;      /* float or double, n_elements of them; owned */
} SeamNpy;

/* Reads a whole file. SEAM_ERROR_FILE with the path and what is wrong (truncated, big-endian,
 * Fortran order, other type, size not matching the header). Free with seam_npy_free(). */
SeamNpy *seam_npy_read (const char *path, GError **error);
/* Copies the elements as FP32. A number beyond its range is SEAM_ERROR_FILE with the path and the
 * element. Whole numbers that FP32 does not have, and small ones that become 0, are told in
 * `changed`, a sentence to be freed or NULL. */
gboolean seam_npy_get_floats (const SeamNpy *npy, const char *path, float *values, char **changed,
                              GError **error);
void seam_npy_free (SeamNpy *npy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamNpy, seam_npy_free)

/* What is before the elements, of `type` "<f4" or "<f8". */
GString *seam_npy_make_header (const char *type, const gint64 *dims, int n_dims);
gboolean seam_npy_write_floats (const char *path, const float *data, const gint64 *dims, int n_dims,
                                GError **error);
gboolean seam_npy_write_doubles (const char *path, const double *data, const gint64 *dims,
                                 int n_dims, GError **error);
