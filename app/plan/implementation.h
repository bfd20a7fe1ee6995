/* SPDX-License-Identifier: MIT
 *
 * Implementations of a group: the words after “@” in a plan. Each backend lists those that it has
 * (SeamDeviceInfo.implementations); other code knows only the few names below.
 */
#pragma once

#include "app/record/record.h"

G_BEGIN_DECLS

/* The backend chooses; a plan has NULL instead. */
#define SEAM_IMPLEMENTATION_AUTO "auto"
/* The backend's choice without its hand-written kernels. */
#define SEAM_IMPLEMENTATION_LIBRARY   "library"
#define SEAM_IMPLEMENTATION_GENERATED "generated"
/* A hand-written kernel; a version of it that is not the backend's choice for every group follows
 * after a hyphen: "hand-portable". */
#define SEAM_IMPLEMENTATION_HAND "hand"
/* Generated or hand-written, with the person's own text in its place (SeamEdit). */
#define SEAM_IMPLEMENTATION_EDITED "edited"

typedef struct {
  const char *name;
  const char *title;  /* in a menu: "Hand-written, for this GPU"; NULL: not in menus */
  gboolean groupnorm; /* only for a group with conv2d and GroupNorm */
} SeamImplementation;

extern const SeamRecordType seam_implementation_type;

/* Whether `name` (NULL: AUTO) is in the list; if not, `reason` receives a sentence for people,
 * newly allocated, that names all `n` entries. */
gboolean seam_implementations_check (const SeamImplementation *list, int n, const char *target,
                                     const char *name, char **reason);

G_END_DECLS
