/* SPDX-License-Identifier: MIT
 *
 * Two kernels side by side, in NVIDIA's words: throughput, launch and occupancy, each with the name
 * of its metric, and what follows from them in at most two sentences. app/explain/occupancy.h has
 * the limits of the occupancy, app/figure/limits-figure.h their picture.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/explain/occupancy.h"

#define SEAM_MAX_KERNEL_ROWS  24
#define SEAM_MAX_KERNEL_RULES 2
/* In the title of a number that is not measured, before its unit. */
#define SEAM_MODELLED ", modelled"

typedef enum {
  SEAM_KERNEL_THROUGHPUT,
  SEAM_KERNEL_LAUNCH, /* and occupancy */
  SEAM_KERNEL_LIMITS, /* of the occupancy; the figure has them */
} SeamKernelBox;

typedef struct {
  const char *plan_a, *plan_b, *kernel_a, *kernel_b; /* NULL: none */
  SeamNumber number;
  const char *metric; /* NVIDIA's name, or how the number was made */
  double delta;       /* B - A */
  SeamKernelBox box;  /* in which it is shown */
} SeamKernelDetail;

/* All but the rules and `missing` is borrowed from the result, which has to outlive the details. */
typedef struct {
  const SeamResult *result;
  int plans[2];
  const SeamKernel *kernels[2]; /* NULL: none */
  char letters[2];
  const SeamOccupancy *occupancy[2]; /* NULL: unknown */
  SeamOccupancy occupancies[2];
  int n_rows, n_rules;
  SeamKernelDetail rows[SEAM_MAX_KERNEL_ROWS];
  struct {
    gboolean is_caution;
    char *lead, *text; /* the lead is bold; either may be empty */
  } rules[SEAM_MAX_KERNEL_RULES];
  char *missing;      /* why counters were not read; NULL: they were */
  const char *remedy; /* a command against that; NULL: none */
} SeamKernelDetails;

/* Kernel `kernels[0]` of plan `plans[0]` beside kernel `kernels[1]` of `plans[1]`; -1: none. */
SeamKernelDetails *seam_kernel_details_new (const SeamResult *result, const int plans[2],
                                            const int kernels[2]);
void seam_kernel_details_free (SeamKernelDetails *details);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamKernelDetails, seam_kernel_details_free)

/* The kernel of plan `other` to stand beside a kernel of `plan`: the one that runs the matrix op
 * like this one, else the one with most of its ops; -1: that plan has none. */
int seam_kernel_details_find_partner (const SeamResult *result, int plan, int kernel, int other);
/* All numbers in C locale, times in ns and sizes in bytes, empty where unknown; tabs between them.
 */
char *seam_kernel_details_to_tsv (const SeamKernelDetails *details);
/* Every kernel of plan `a` beside its partner of plan `b`; -1: alone. */
char *seam_kernel_details_to_csv (const SeamResult *result, int a, int b);
