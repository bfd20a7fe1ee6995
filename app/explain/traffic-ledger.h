/* SPDX-License-Identifier: MIT
 *
 * The traffic ledger of one plan or of two: for each tensor and each group the bytes that must move
 * by the model, the bytes that counters measured, and why the two differ. Pure data and sentences;
 * app/report/ledger-table.h and groups-table.h make tables of it.
 */
#pragma once

#include "app/base/owner.h"
#include "app/plan/ledger.h"
#include "app/result/result.h"

typedef enum {
  SEAM_LEDGER_INPUT,
  SEAM_LEDGER_ACTIVATION, /* the output of an op */
  SEAM_LEDGER_PARAMETER,  /* a single large one, or all small ones together */
  SEAM_LEDGER_COPIES,     /* copies of operands or layouts, and split launches, which the model of a
                           * plan does not include */
} SeamLedgerRowKind;

typedef struct {
  SeamLedgerRowKind kind;
  int tensor;         /* number in the first plan's chain; -1: several parameters, or copies */
  SeamOpKind op_kind; /* of the op that writes it; only for ACTIVATION */
  char *label;  /* "input", "conv2d", "parameter gemm.weight", "5 parameters", "operand, layout
                   copies" */
  char *shape;  /* "[128, 32, 254, 254]", or "" */
  double bytes; /* of the tensor or tensors; NaN for copies */
  SeamTransfers sides[2];
  double sums[2]; /* of all transfers of a side; for copies the only number */
} SeamLedgerRow;

typedef struct {
  int side;           /* 0: A, 1: B */
  int group;          /* index in the plan */
  SeamOpKind op_kind; /* of the matrix op or groupnorm, else of the first op */
  char *ops;          /* "conv_bias + bias + scale" */
  SeamTransfers modelled;
  double copies;                        /* bytes that launches move beyond the model; 0: none */
  int n_kernels;                        /* per execution; -1: not traced */
  double time_ns;                       /* sum of the kernels' medians; NaN: not traced */
  double measured_read, measured_write; /* by counters; NaN: not measured */
  double apart;                         /* measured over modelled, minus 1; NaN: not measured */
  char *remark; /* why they differ by more than SEAM_LEDGER_APART, a sentence; NULL */
} SeamLedgerGroup;

/* Model and counters may differ by this share without a remark. */
#define SEAM_LEDGER_APART 0.05

typedef struct {
  int n_sides;     /* 1 or 2 */
  char letters[2]; /* of the plans: seam_plan_get_letter() */
  int n_rows;
  SeamLedgerRow *rows;
  int n_groups;
  SeamLedgerGroup *groups;         /* of A, then of B, in order of execution */
  double modelled[2], measured[2]; /* whole plans; measured NaN: not measured, or not for every
                                    * kernel */
  const char *not_measured;        /* text instead of a number that no counter gave; static */
} SeamTrafficLedger;

/* The bytes that the groups of a plan will probably move in a run, beyond its model. */
typedef struct {
  double bytes[SEAM_MAX_OPS]; /* by group */
} SeamExpectedCopies;

/* `plan_b` NULL: one plan. `result` NULL: only the model, with the `copies` of each side (NULL:
 * none); else `a` and `b` are the indices of the plans in the result, which provides copies, times
 * and counters. */
SeamTrafficLedger *seam_traffic_ledger_new (const SeamProblem *problem, const SeamPlan *plan_a,
                                            const SeamPlan *plan_b, const SeamResult *result, int a,
                                            int b, const SeamExpectedCopies *copies);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTrafficLedger, seam_owner_free)

/* Whether side A makes a transfer that side B does not make, so that it is struck through. */
gboolean seam_ledger_is_gone (double bytes_a, double bytes_b);
/* The sentences under the table: what is struck through, which groups read twice, where B moves
 * more, how model and counters agree. Newly allocated. */
char *seam_traffic_ledger_describe (const SeamTrafficLedger *ledger);
/* Why counters differ from the model of a group: a sentence, or NULL within SEAM_LEDGER_APART or if
 * nothing was measured. */
char *seam_ledger_explain (double modelled, double measured, double cache_bytes,
                           gboolean has_matrix_op, gboolean has_reread);
