/* SPDX-License-Identifier: MIT
 *
 * The pitfall lab: the plans A and B (or A alone) measured honestly, and once more with each
 * mistake, in alternation; and how much faster than the truth each mistake makes B look. It says
 * which run comes next and keeps what came of it; command line and window do the running.
 */
#pragma once

#include "app/runner/runner.h"

G_BEGIN_DECLS

#define SEAM_LAB_HONEST  0
#define SEAM_LAB_N_CASES (1 + SEAM_N_PITFALLS)
/* Each case is measured this often, once on the way forth and once on the way back, so that a
 * drift of the machine is no pitfall's effect. */
#define SEAM_LAB_ROUNDS 2

typedef struct {
  SeamPitfall pitfall; /* 0: honest */
  gboolean wanted;
  char *why_not;                       /* it cannot be made here, or failed: a sentence; NULL */
  SeamResult *rounds[SEAM_LAB_ROUNDS]; /* owned; NULL: not measured */
} SeamLabCase;

typedef struct {
  SeamRunRequest *request; /* owned; with one or two plans */
  int n_plans;
  SeamLabCase cases[SEAM_LAB_N_CASES];
  int position; /* runs done or passed over */
} SeamLab;

/* Copies the request, of which the first two plans are taken. `wanted`: SeamPitfall bits. */
SeamLab *seam_lab_new (const SeamRunRequest *request, guint wanted);
void seam_lab_free (SeamLab *lab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamLab, seam_lab_free)
/* Takes `why_not`: this one is not measured. */
void seam_lab_refuse (SeamLab *lab, SeamPitfall pitfall, char *why_not);

/* The request of the next run, newly allocated, and which case it is; NULL: all are done. */
SeamRunRequest *seam_lab_next (SeamLab *lab, int *index);
/* What came of it. `failure`, where there is no result, becomes the case's sentence; FALSE where
 * nothing can go on: Stop, a lost device, or the honest run failed. Takes neither. */
gboolean seam_lab_take (SeamLab *lab, int index, SeamResult *result, const GError *failure);
/* Runs there are in all, and how many are over. */
void seam_lab_count (const SeamLab *lab, int *n_done, int *n_all);

/* What all rounds together found; NaN unknown. */
typedef struct {
  double time_ns[2], low_ns[2], high_ns[2]; /* medians with 95 % intervals */
  int n_samples[2];
  double ratio, ratio_low, ratio_high; /* A over B: more than 1 where B looks faster */
} SeamLabNumbers;

void seam_lab_get_numbers (const SeamLab *lab, int index, SeamLabNumbers *numbers);

/* What the mistake does here, in a sentence; for the honest case what is true. Newly allocated. */
char *seam_lab_describe (const SeamLab *lab, int index);
/* "Honest", "Zeros as input", … */
const char *seam_lab_get_title (const SeamLab *lab, int index);
/* Provenance of the honest run, and that pitfalls are beside it. Newly allocated. */
char *seam_lab_get_provenance (const SeamLab *lab);

G_END_DECLS
