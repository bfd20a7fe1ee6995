/* SPDX-License-Identifier: MIT
 *
 * The traffic ledger of one plan or of two: for each tensor and for each group the bytes that must
 * move by the model, beside what counters measured of a result, and why the two differ. Pure data
 * and sentences; app/report/ledger-table.h and groups-table.h make tables of it.
 */
#pragma once

#include "app/plan/ledger.h"
#include "app/result/result.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_LEDGER_INPUT,
  SEAM_LEDGER_ACTIVATION, /* the output of an op */
  SEAM_LEDGER_PARAMETER,  /* one large one, or all small ones together */
  SEAM_LEDGER_COPIES, /* copies of operands or layouts, and split launches that the model of a plan
                         has not */
} SeamLedgerRowKind;

typedef struct {
  SeamLedgerRowKind kind;
  int tensor;         /* number in the first plan's chain; -1: several parameters, copies */
  SeamOpKind op_kind; /* of the op that writes it; ACTIVATION alone */
  char *label;  /* "input", "conv2d", "parameter gemm.weight", "5 parameters", "operand, layout
                   copies" */
  char *shape;  /* "[128, 32, 254, 254]", or "" */
  double bytes; /* of the tensor or tensors; NaN for copies */
  SeamTransfers sides[2];
  double sums[2]; /* of all transfers of a side; for copies all there is */
} SeamLedgerRow;

typedef struct {
  int side;           /* 0: A, 1: B */
  int group;          /* of the plan */
  SeamOpKind op_kind; /* of its matrix op or groupnorm, else of its first op */
  char *ops;          /* "conv_bias + bias + scale" */
  SeamTransfers modelled;
  double copies;                        /* that launches move beyond the model; 0: none */
  int n_kernels;                        /* of one execution; -1: not traced */
  double time_ns;                       /* sum of their medians; NaN: not traced */
  double measured_read, measured_write; /* by counters; NaN: not measured */
  double apart;                         /* measured over modelled, - 1; NaN: not measured */
  char *remark; /* why they are more than SEAM_LEDGER_APART apart, a sentence; NULL */
} SeamLedgerGroup;

/* Model and counters may be this far apart without a remark. */
#define SEAM_LEDGER_APART 0.05

typedef struct {
  int n_sides;     /* 1 or 2 */
  char letters[2]; /* what they are called: A, and B or seam_result_get_letter() */
  int n_rows;
  SeamLedgerRow *rows;
  int n_groups;
  SeamLedgerGroup *groups;         /* of A, then of B, in order of execution */
  double modelled[2], measured[2]; /* whole plans; measured NaN: not, or not every kernel */
  const char *not_measured;        /* in place of a number that no counter gave; static words */
} SeamTrafficLedger;

/* What the groups of a plan are expected to move before a run, beyond its model. */
typedef struct {
  double bytes[SEAM_MAX_OPS]; /* by group */
} SeamExpectedCopies;

/* `plan_b` NULL: one plan. `result` NULL: model alone, with the `copies` of each side (NULL: none);
 * else plans `a` and `b` are its plans of these indices, and copies, times and counters come from
 * it. */
SeamTrafficLedger *seam_traffic_ledger_new (const SeamProblem *problem, const SeamPlan *plan_a,
                                            const SeamPlan *plan_b, const SeamResult *result, int a,
                                            int b, const SeamExpectedCopies *copies);
void seam_traffic_ledger_free (SeamTrafficLedger *ledger);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTrafficLedger, seam_traffic_ledger_free)

/* Whether side B does not make a transfer that side A makes: it is struck through. */
gboolean seam_ledger_is_gone (double bytes_a, double bytes_b);
/* What is under the table, in sentences: what is struck through, who reads twice, where B moves
 * more, how model and counters agree. Newly allocated. */
char *seam_traffic_ledger_describe (const SeamTrafficLedger *ledger);
/* Why counters differ from the model of a group: a sentence, or NULL within SEAM_LEDGER_APART or
 * where nothing was measured. */
char *seam_ledger_explain (double modelled, double measured, double cache_bytes,
                           gboolean has_matrix_op, gboolean has_reread);

G_END_DECLS
