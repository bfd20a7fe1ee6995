/* SPDX-License-Identifier: MIT
 *
 * Which hand-written version executes how much of a group: what the scheme of a group knows of
 * hand.h.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"

G_BEGIN_DECLS

struct Preparation;

#define HAND_MAX_VECTORS 6

/* What a version is asked to execute: the library op and the elementwise ops after it, with or
 * without the GroupNorm that follows them. */
typedef struct {
  const SeamGroupSpec *spec;
  gboolean convolution;
  int first, last;        /* ops */
  int last_elementwise;   /* = first when there are none */
  int groupnorm;          /* op, or -1 */
  SeamMathMode math_mode; /* the base of the run's, so never tf32x … */
  gboolean may_scale;     /* … which allows FP16 with one power of two a row */
} HandProblem;

/* Tail: the elementwise ops of the problem as the source of `struct Tail`, and which tensors its
 * vectors are; GroupNorm's weight and bias follow them when it has one. */
typedef struct {
  char *source;
  int n_vectors; /* without GroupNorm's */
  int vectors[HAND_MAX_VECTORS + 2];
} HandTail;

/* The best there is for the GPU and the shape, and what versions are called that nobody needs to
 * tell apart. */
#define HAND_BEST "hand"
/* Names that versions of convolution and matmul share. */
#define HAND_IMPLEMENTATION_BEST                                                                   \
  {                                                                                                \
    HAND_BEST, "Hand-written, for this GPU", FALSE                                                 \
  }
#define HAND_IMPLEMENTATION_PORTABLE                                                               \
  {                                                                                                \
    "hand-portable", "Hand-written, for every GPU since 2020", FALSE                               \
  }
#define HAND_IMPLEMENTATION_SIMT                                                                   \
  {                                                                                                \
    "hand-simt", "Hand-written, plain FP32 without tensor cores", FALSE                            \
  }

/* A version is one entry of a list (hand.h): menus, messages and choices loop over these. */
typedef struct {
  SeamImplementation implementation; /* what a plan calls it; `groupnorm` where it executes nothing
                                        else */
  const char *header;                /* the kernel's file */
  gboolean specific;     /* needs the instructions of this very architecture (wgmma, TMA) */
  gboolean only_by_name; /* slower than others: AUTO and “@hand” pass it over */
  gboolean explains;     /* in place of a better one: the plan says why that does not run */
  /* How it multiplies in math mode fp32, without and with GroupNorm: "BF16x3". */
  const char *split, *groupnorm_split;
  /* Whether it runs on this GPU for this problem; if not, a sentence (newly allocated). */
  gboolean (*fits) (const CudaDevice *device, const HandProblem *problem, char **reason);
  /* Appends struct Config and the kernels, which come after the tail and the header. */
  void (*write) (const CudaDevice *device, const HandProblem *problem, GString *text);
  /* Adds the launches of the compiled kernels. */
  gboolean (*add) (struct Preparation *p, const HandProblem *problem, const HandTail *tail,
                   cudaLibrary_t module, GError **error);
  int n_kernels, n_groupnorm_kernels; /* launches without and with GroupNorm */
  /* Whether it multiplies FP16 with one power of two a row where the problem allows it, from copies
   * that a launch before it makes; NULL: never. */
  gboolean (*scales) (const HandProblem *problem);
} HandVersion;

typedef struct {
  const HandVersion *version; /* NULL: none */
  HandProblem problem;
} HandChoice;

G_END_DECLS
