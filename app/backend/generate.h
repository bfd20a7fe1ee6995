/* SPDX-License-Identifier: MIT
 *
 * What generated code has in common, whatever it is compiled for: names of values, shapes in
 * comments, numbers, and an op as an expression of the functions in kernels/ops.h. Pure text.
 */
#pragma once

#include "app/pipeline/problem.h"

G_BEGIN_DECLS

/* "after_relu": the output of an op as a C identifier, with the op's number where a name comes
 * twice; "input" for op -1. Newly allocated. */
char *seam_generate_value_name (const SeamChain *chain, int op);
/* An op's or parameter's name as a C identifier; newly allocated. */
char *seam_generate_identifier (const char *name);

/* The place of a number in a list, which gets it at its end where it is not there. */
int seam_generate_find_or_add (int *list, int *n, int number);

/* What a map does with its input and one other number, which all elements of a channel share: its
 * vector's, or a of its expression. Read from the expression in the table of ops. */
typedef enum {
  SEAM_ARITHMETIC_NONE, /* something else */
  SEAM_ARITHMETIC_ADD,
  SEAM_ARITHMETIC_MULTIPLY,
  SEAM_ARITHMETIC_DIVIDE, /* by the op's own number only */
} SeamArithmetic;

SeamArithmetic seam_generate_get_arithmetic (SeamOpType type);

/* For comments: one line, whatever a person's own pipeline file holds. */
void seam_generate_append_name (GString *text, const char *name);
/* "conv-relu-bias: conv + relu" */
void seam_generate_append_ops (GString *text, const char *pipeline, const SeamChain *chain,
                               int first, int last);
/* "conv.bias [64]" */
void seam_generate_append_shape (GString *text, const SeamTensor *tensor);

/* A double as a float literal that reads back to the same float, in the C locale. */
void seam_generate_append_literal (GString *text, double value);
/* "seam_op_add (after_conv, v0)": an elementwise op of `previous`, the value before it, `vector`,
 * that of its parameter, and `operand`, that of the earlier op it reads; those that the op does not
 * have may be NULL. */
void seam_generate_append_expression (GString *text, const SeamOp *op, const char *previous,
                                      const char *vector, const char *operand);

G_END_DECLS
