/* SPDX-License-Identifier: MIT
 *
 * Private to the CPU backend: a group that starts with the chain's convolution or matmul as one
 * primitive of oneDNN, with the ops after it as its post-ops. oneDNN's fastest kernels want their
 * own layouts, so there are several forms of a group: with tensors as they are, and with reorders
 * around the primitive, which are records of their own in a trace.
 */
#pragma once

#include "app/backend/cpu/backend-cpu.h"

/* A group in one form. */
typedef struct SeamOnednn SeamOnednn;

/* cpu-choose.c */

typedef enum {
  SEAM_CPU_BY_TILES,
  SEAM_CPU_BY_ONEDNN,
  SEAM_CPU_BY_TRYING, /* prepare() tries both and keeps the faster */
} SeamCpuWay;

/* Which way a group goes that supports() accepts. */
SeamCpuWay seam_cpu_choose_way (SeamDevice *device, const SeamGroupSpec *spec);
/* Takes the fastest form of oneDNN for `g`, or its tiles if it has some and they are faster: tries
 * them if no choice is kept. SEAM_ERROR_UNSUPPORTED: oneDNN has no kernel for the group.
 * SEAM_ERROR_MEMORY, SEAM_ERROR_CANCELLED. */
gboolean seam_cpu_choose_form (SeamPrepared *g, const SeamGroupSpec *spec,
                               SeamBuffer *const *tensors, gboolean has_tiles, GError **error);
/* Makes `g` execute tiles (NULL) or a primitive, which it then owns. `copied_bytes` are moved by
 * the copies of operands. */
void seam_cpu_use (SeamPrepared *g, SeamOnednn *onednn, double copied_bytes);
/* The form that would be used or tried first, for a description; NULL with
 * SEAM_ERROR_UNSUPPORTED. */
SeamOnednn *seam_cpu_outline_onednn (const SeamPrepared *g, const SeamGroupSpec *spec,
                                     GError **error);

/* onednn-ops.c */

/* A post-op of oneDNN. */
typedef struct {
  int algorithm;      /* dnnl_alg_kind_t; 0: none */
  gboolean is_binary; /* with the op's vector; else elementwise, with alpha and beta */
  double alpha, beta;
  gboolean makes_numbers; /* of NaN */
} SeamPostOp;

/* How many ops of the group from `i` on one post-op computes, and `post` for it; 0: oneDNN has
 * none. */
int seam_onednn_match (const SeamChain *chain, const SeamGroup *group, int i, SeamPostOp *post);
/* The op after the matrix op if it is the bias of the primitive, else NULL. */
const SeamOp *seam_onednn_get_bias (const SeamChain *chain, const SeamGroup *group);
/* Whether the products of the group are of bf16 operands. */
gboolean seam_onednn_uses_bf16 (const SeamGroupSpec *spec);

/* Whether oneDNN has the ops and types of the group. If not, `reason` receives a sentence, newly
 * allocated. `keeps_nan` (may be NULL): whether NaN passes through all post-ops, as through every
 * op of this program; relu and clip of oneDNN make a number of it. */
gboolean seam_onednn_supports (const SeamGroupSpec *spec, gboolean *keeps_nan, char **reason);
/* Whether this processor multiplies bf16 itself, so that oneDNN does in math mode bf16. */
gboolean seam_onednn_has_bf16 (void);
/* "oneDNN 2.6.3"; static. */
const char *seam_onednn_get_version (void);
/* The widest instructions that oneDNN uses here: "AVX-512 with bf16"; static. */
const char *seam_onednn_get_isa (void);

/* onednn.c */

/* Forms of a group: 0 to count - 1. */
int seam_onednn_count_forms (const SeamGroupSpec *spec);
/* The group in a form, with the sizes of `g`, on its threads. `tensors` as in prepare(); NULL: only
 * for descriptions, cannot run. SEAM_ERROR_UNSUPPORTED: oneDNN has no kernel of its own for this
 * form, only a slow reference. SEAM_ERROR_MEMORY. */
SeamOnednn *seam_onednn_new (const SeamPrepared *g, const SeamGroupSpec *spec, int form,
                             SeamBuffer *const *tensors, GError **error);
void seam_onednn_free (SeamOnednn *onednn); /* accepts NULL */

/* Whether its products read the operands of the group, rounded by this program
 * (seam_cpu_get_input); else oneDNN rounds them itself, to bf16. */
gboolean seam_onednn_reads_copies (const SeamOnednn *onednn);
/* Appends what an execution consists of: reorders and the primitive. */
void seam_onednn_add_parts (const SeamOnednn *onednn, SeamPrepared *g);
/* Executes one of these parts. */
void seam_onednn_run (SeamOnednn *onednn, SeamPrepared *g, int part);
/* The primitive in words: the kernel that oneDNN chose for the matrix op (`name`), post-ops, types
 * and layouts. */
void seam_onednn_describe (const SeamOnednn *onednn, const char *name, GString *text);
/* One timed product of bf16 matrices by all threads, for calibration: operations and time.
 * SEAM_ERROR_UNSUPPORTED where the processor multiplies no bf16. */
gboolean seam_onednn_time_bf16 (double *amount, double *time_ns, GError **error);
