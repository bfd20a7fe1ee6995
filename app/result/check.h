/* SPDX-License-Identifier: MIT
 *
 * One row of the doctor's report: a cause, its state, and the remedy. Plain data, shown by
 * `seamscope-cli doctor` and by the window's start page alike.
 */
#pragma once

#include <glib.h>

typedef enum { SEAM_CHECK_OK, SEAM_CHECK_FAILED, SEAM_CHECK_UNKNOWN } SeamCheckState;

typedef struct {
  char *title;  /* "NVIDIA driver is missing" */
  char *detail; /* "libcuda.so.1 was not found, so no GPU can be opened." */
  char *remedy; /* a command to copy, or NULL */
  SeamCheckState state;
} SeamCheck;

SeamCheck *seam_check_new (SeamCheckState state, const char *title, const char *detail,
                           const char *remedy);
void seam_check_free (SeamCheck *check);
GPtrArray *seam_checks_new (void); /* frees its elements with seam_check_free() */
GVariant *seam_checks_to_variant (GPtrArray *checks); /* aa{sv}, floating */
GPtrArray *seam_checks_from_variant (GVariant *variant, GError **error);
