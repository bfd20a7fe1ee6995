/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab measures the plans A and B (or A alone) honestly and once more with each mistake,
 * in alternation, and tells how much faster than it is each mistake makes B look. The lab decides
 * which run comes next and keeps the results; the command line and the window run them.
 */
#pragma once

#include "app/runner/runner.h"

#define SEAM_LAB_HONEST  0
#define SEAM_LAB_N_CASES (1 + SEAM_N_PITFALLS)
/* Rounds of measurement. The second round has the reverse order, so that a drift of the machine is
 * not taken for the effect of a pitfall. */
#define SEAM_LAB_ROUNDS 2

typedef struct {
  SeamPitfall pitfall; /* 0: honest */
  gboolean wanted;
  char *why_not;                       /* why it cannot be made here or failed, a sentence; NULL */
  SeamResult *rounds[SEAM_LAB_ROUNDS]; /* owned; NULL: not measured */
} SeamLabCase;

typedef struct {
  SeamRunRequest *request; /* owned; with one or two plans */
  int n_plans;
  SeamLabCase cases[SEAM_LAB_N_CASES];
  int position; /* runs that are done or skipped */
} SeamLab;

/* Copies the request and uses its first two plans. `wanted`: SeamPitfall bits. */
SeamLab *seam_lab_new (const SeamRunRequest *request, guint wanted);
void seam_lab_free (SeamLab *lab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamLab, seam_lab_free)
/* The case of `pitfall` is not measured. Takes `why_not`. */
void seam_lab_refuse (SeamLab *lab, SeamPitfall pitfall, char *why_not);

/* The request of the next run, newly allocated, and which case it is; NULL: all are done. */
SeamRunRequest *seam_lab_next (SeamLab *lab, int *index);
/* Keeps the outcome of a run: its result, or without one `failure` as the case's sentence. FALSE if
 * the lab cannot go on: Stop, a lost device, or a failure of the honest run. Takes neither. */
gboolean seam_lab_take (SeamLab *lab, int index, SeamResult *result, const GError *failure);
/* Runs in all, and runs that are over. */
void seam_lab_count (const SeamLab *lab, int *n_done, int *n_all);

/* One case over all its rounds; NaN: unknown. */
typedef struct {
  double time_ns[2], low_ns[2], high_ns[2]; /* medians with 95 % intervals */
  int n_samples[2];
  double ratio, ratio_low, ratio_high; /* A over B: above 1, B looks faster */
} SeamLabNumbers;

void seam_lab_get_numbers (const SeamLab *lab, int index, SeamLabNumbers *numbers);

/* A sentence on what the mistake does here, or for the honest case on what is true. Newly
 * allocated. */
char *seam_lab_describe (const SeamLab *lab, int index);
/* "Honest", "Zeros as input", … */
const char *seam_lab_get_title (const SeamLab *lab, int index);
/* The provenance of the honest run, with a note that pitfalls are shown beside it. Newly
 * allocated. */
char *seam_lab_get_provenance (const SeamLab *lab);
