/* SPDX-License-Identifier: MIT
 *
 * Implementations of a group: the words after “@” in a plan. Each backend lists those that it has
 * (SeamDeviceInfo.implementations); other code knows only the few names below.
 */
#pragma once

#include "app/record/record.h"

/* The backend chooses; a plan has NULL instead. */
#define SEAM_IMPLEMENTATION_AUTO "auto"
/* The backend's choice without its hand-written kernels. */
#define SEAM_IMPLEMENTATION_LIBRARY   "library"
#define SEAM_IMPLEMENTATION_GENERATED "generated"
/* Generated or hand-written, with the person's own text in its place (SeamEdit). */
#define SEAM_IMPLEMENTATION_EDITED "edited"
/* On a CPU. */
#define SEAM_IMPLEMENTATION_ONEDNN "onednn"

typedef struct {
  const char *name;
  const char *title;  /* in a menu: "Hand-written, for this GPU"; NULL: not in menus */
  gboolean groupnorm; /* only for a group with conv2d and GroupNorm */
} SeamImplementation;

/* How near to the full rate of a device a matrix product comes. */
typedef enum {
  SEAM_MAKER_OTHER,   /* generated loops, a library, or unknown */
  SEAM_MAKER_HAND,    /* the hand-written kernel for this device: near the full rate */
  SEAM_MAKER_VERSION, /* another version of one */
} SeamMaker;

/* From the word in a result or an estimate, also of a target that this computer lacks. NULL:
 * OTHER. */
SeamMaker seam_implementation_get_maker (const char *executed);

extern const SeamRecordType seam_implementation_type;

/* Whether `name` (NULL: AUTO) is in the list; if not, `reason` receives a sentence for people,
 * newly allocated, that names all `n` entries. */
gboolean seam_implementations_check (const SeamImplementation *list, int n, const char *target,
                                     const char *name, char **reason);
