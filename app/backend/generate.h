/* SPDX-License-Identifier: MIT
 *
 * Text that generated code for all targets has in common: names of values, shapes in comments,
 * numbers, and ops as expressions of the functions in kernels/ops.h. Pure text.
 */
#pragma once

#include "app/pipeline/problem.h"

/* "after_relu": the output of an op as a C identifier, with the op's number if several ops have the
 * name; "input" for op -1. Newly allocated. */
char *seam_generate_value_name (const SeamChain *chain, int op);
/* An op's or parameter's name as a C identifier; newly allocated. */
char *seam_generate_identifier (const char *name);

/* The index of a number in a list; a missing one is appended. */
int seam_generate_find_or_add (int *list, int *n, int number);

/* How a map combines its input with a number that all elements of a channel share: an element of
 * its vector, or `a` of its expression. Derived from the expression in the table of ops. */
typedef enum {
  SEAM_ARITHMETIC_NONE, /* something else */
  SEAM_ARITHMETIC_ADD,
  SEAM_ARITHMETIC_MULTIPLY,
  SEAM_ARITHMETIC_DIVIDE, /* only by the op's own number */
} SeamArithmetic;

SeamArithmetic seam_generate_get_arithmetic (SeamOpType type);

/* Appends a name for a comment, as one line, whatever a person's own pipeline file contains. */
void seam_generate_append_name (GString *text, const char *name);
/* "conv-relu-bias: conv + relu" */
void seam_generate_append_ops (GString *text, const char *pipeline, const SeamChain *chain,
                               int first, int last);
/* "conv.bias [64]" */
void seam_generate_append_shape (GString *text, const SeamTensor *tensor);

/* A double as a float literal that reads back to the same float, in the C locale. */
void seam_generate_append_literal (GString *text, double value);
/* "seam_op_add (after_conv, v0)": an elementwise op of `previous`, the value before it, `vector`,
 * that of its parameter, and `operand`, that of the earlier op that it reads; values that the op
 * does not need may be NULL. */
void seam_generate_append_expression (GString *text, const SeamOp *op, const char *previous,
                                      const char *vector, const char *operand);
