/* SPDX-License-Identifier: MIT
 *
 * Who executes a group: a word after “@” in a plan. A backend owns the list of those it has
 * (SeamDeviceInfo.implementations); plans, menus and messages know no others than these few.
 */
#pragma once

#include "app/record/record.h"

G_BEGIN_DECLS

/* The backend chooses; a plan has NULL for it. */
#define SEAM_IMPLEMENTATION_AUTO "auto"
/* What the backend would choose without its hand-written kernels. */
#define SEAM_IMPLEMENTATION_LIBRARY   "library"
#define SEAM_IMPLEMENTATION_GENERATED "generated"
/* Generated or hand-written, with the person's own text in its place (SeamEdit). */
#define SEAM_IMPLEMENTATION_EDITED "edited"

typedef struct {
  const char *name;
  const char *title;  /* in a menu: "Hand-written, for this GPU"; NULL: in none */
  gboolean groupnorm; /* only for a group with conv2d and GroupNorm */
} SeamImplementation;

extern const SeamRecordType seam_implementation_type;

/* Whether `name` (NULL: AUTO) is in the list; if not, `reason` receives a sentence for people,
 * newly allocated, that names the `n` there are. */
gboolean seam_implementations_check (const SeamImplementation *list, int n, const char *target,
                                     const char *name, char **reason);

G_END_DECLS
