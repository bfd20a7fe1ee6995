/* SPDX-License-Identifier: MIT
 *
 * The choice of a hand-written version for a group, and the ops that it executes: the part of
 * hand.h that the scheme of a group needs.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"

struct Preparation;

#define HAND_MAX_VECTORS 6

/* The ops that a version should execute: the library op and the elementwise ops after it, with or
 * without the GroupNorm that follows them. */
typedef struct {
  const SeamGroupSpec *spec;
  gboolean convolution;
  int first, last;        /* ops */
  int last_elementwise;   /* equal to first if there are none */
  int groupnorm;          /* op, or -1 */
  SeamMathMode math_mode; /* base of the run's math mode, so never tf32x */
  gboolean may_scale;     /* the mode asks for FP16 with powers of two where a version can */
} HandProblem;

/* The tail: the elementwise ops of the problem as the source of `struct Tail`, and the tensors of
 * its vectors. If there is a GroupNorm, its weight and bias follow them. */
typedef struct {
  char *source;
  int n_vectors; /* without those of GroupNorm */
  int vectors[HAND_MAX_VECTORS + 2];
} HandTail;

/* Stands for the best version for the GPU and the shape; also the name of versions that need no
 * name of their own. */
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

/* A version is one entry of a list (hand.h): menus, messages and choices loop over the lists. */
typedef struct {
  SeamImplementation implementation; /* name in plans; `groupnorm`: only groups with one */
  const char *header;                /* the kernel's file */
  gboolean specific;     /* needs instructions that only this architecture has (wgmma, TMA) */
  gboolean only_by_name; /* slower than others: AUTO and “@hand” skip it */
  gboolean explains;     /* in place of a better version, the plan says why that does not run */
  int mode;              /* for functions that several versions share */
  const char *split;     /* how it multiplies in math mode fp32: "FP16x3" */
  /* Whether it runs on this GPU for this problem; if not, `reason` is a sentence (newly
   * allocated). */
  gboolean (*fits) (const CudaDevice *device, const HandProblem *problem, int mode, char **reason);
  /* Appends struct Config and the kernels, after the tail and the header. */
  void (*write) (const CudaDevice *device, const HandProblem *problem, int mode, GString *text);
  /* Adds the launches of the compiled kernels. */
  gboolean (*add) (struct Preparation *p, const HandProblem *problem, int mode,
                   const HandTail *tail, cudaLibrary_t module, GError **error);
  int n_kernels, n_groupnorm_kernels; /* launches without and with GroupNorm */
  int n_split_kernels;                /* launches in math mode fp32, if they are others */
  /* Whether it multiplies FP16 with powers of two, if the math mode asks for it; NULL: never. Then
   * how, and with how many launches. */
  gboolean (*scales) (const CudaDevice *device, const HandProblem *problem);
  const char *scaled_split;
  int n_scaled_kernels;
} HandVersion;

typedef struct {
  const HandVersion *version; /* NULL: none */
  HandProblem problem;
  gboolean scaled; /* multiplies FP16 with powers of two */
} HandChoice;
