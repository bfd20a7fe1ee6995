/* SPDX-License-Identifier: MIT
 *
 * Properties of op types: from the table in kernels/ops.h, and from op.c, which adds the keys of an
 * op in pipeline files and the text in its block. Code elsewhere asks for the class of an op, or
 * for what it reads, instead of its type. Knows no pipeline.
 */
#pragma once

#include "kernels/defects.h"

#include <glib.h>

/* Classes of ops. Rules about groups refer to classes. No op is a window or a reduction yet. */
typedef enum {
  SEAM_CLASS_MATRIX,    /* sums over many inputs, by a library */
  SEAM_CLASS_MAP,       /* one output for one input */
  SEAM_CLASS_WINDOW,    /* one output for some neighbouring inputs */
  SEAM_CLASS_REDUCE,    /* one output for all inputs along some axes */
  SEAM_CLASS_NORMALISE, /* a reduction, then a map of its result */
} SeamOpClass;

/* The five kinds that colours and patterns tell apart (plus copies made by a library). */
typedef enum {
  SEAM_KIND_MATRIX,
  SEAM_KIND_CHANNEL_ADD,
  SEAM_KIND_ARITHMETIC,
  SEAM_KIND_ACTIVATION,
  SEAM_KIND_NORMALISATION,
  SEAM_KIND_COPY,
  SEAM_N_KINDS
} SeamOpKind;

/* Additional input of a map, besides the previous op's output. */
typedef enum {
  SEAM_READS_NOTHING,
  SEAM_READS_VECTOR, /* a parameter with one number for each channel */
  SEAM_READS_TENSOR, /* an earlier op's output */
} SeamOpReads;

/* The part of an epilogue of cuBLASLt that computes a map. */
typedef enum {
  SEAM_EPILOGUE_NONE,
  SEAM_EPILOGUE_BIAS,
  SEAM_EPILOGUE_RELU,
} SeamOpEpilogue;

typedef enum {
  SEAM_PARAM_CONV_WEIGHT,   /* [K, C, R, R] */
  SEAM_PARAM_MATMUL_WEIGHT, /* [K, C] */
  SEAM_PARAM_VECTOR,        /* [K] */
  SEAM_PARAM_VECTOR_3D,     /* [K, 1, 1] */
} SeamParamRole;

#define SEAM_MAX_DIMS 5

typedef struct {
  int n_dims;
  gint64 dims[SEAM_MAX_DIMS]; /* slowest first */
} SeamShape;

/* Any shape seen as [outer, channels, inner], for maps and figures: samples (or rows), channels (or
 * columns), and the elements of a channel's plane (1 if there is none), in rows of `width`. */
typedef struct {
  gint64 outer, channels, inner, width;
} SeamShapeView;

/* How one axis of an op's output reads the same axis of its input: the same index; aligned blocks
 * of `size`; a window of `size` that begins at that index; or the whole axis, of `size`. */
typedef struct {
  enum { SEAM_AXIS_SAME, SEAM_AXIS_BLOCK, SEAM_AXIS_WINDOW, SEAM_AXIS_ALL } kind;
  gint64 size; /* 1 for SEAM_AXIS_SAME */
} SeamAxisNeed;

#define SEAM_MAX_OP_PARAMS  2
#define SEAM_MAX_OP_SCALARS 2
#define SEAM_N_OP_PARTS     2

/* A number of an op in a pipeline file. */
typedef struct {
  const char *key;
  /* Checks the op's numbers up to this one: returns what is wrong, or NULL; may be NULL itself. */
  const char *(*check) (const double *scalars);
} SeamOpScalar;

/* Properties that the table of ops does not contain. */
typedef struct {
  /* The small second line in the op's block: see seam_op_describe(). */
  const char *block;
  const char *formula; /* the same of the whole op, "y = max(x, 0)"; NULL: `block` says it */
  const char *alias;   /* another name of the type in pipeline files, as KernelBench's level 2 is
                        * described; NULL: none */
  SeamOpScalar scalars[SEAM_MAX_OP_SCALARS]; /* a and b of the op's expression */
  /* Parts of a map that only inputs below a, or above b, take: "lower bound"; NULL: it has none. */
  const char *parts[SEAM_N_OP_PARTS];
  /* Only for a matrix op: */
  SeamParamRole weight;
  void (*infer) (const SeamShape *x, const SeamShape *weight, SeamShape *y);
  /* Axes that are not the same index, for a weight (NULL without one) and a number of groups; NULL:
   * there are none. */
  void (*axes) (const SeamShape *x, const SeamShape *weight, gint64 n_groups, SeamAxisNeed *axes);
  /* Shape fields that a pipeline with this op has, NULL-terminated; may be NULL. */
  const char *const *fields;
} SeamOpAttributes;

typedef struct {
  const char *name; /* name in pipeline files: "conv2d", "add_channel", … */
  SeamOpClass op_class;
  SeamOpKind kind;
  SeamOpReads reads;
  const char *params[SEAM_MAX_OP_PARAMS]; /* keys that name its parameters; NULL after the last */
  double operations;                      /* for one output element, without the matrix product */
  gboolean keeps_numbers; /* with finite constants its output is NaN only where x is */
  SeamOpEpilogue epilogue;
  const SeamOpAttributes *attributes;
} SeamOpInfo;

typedef struct {
  char *name;  /* in plan notation: "conv", "conv_bias", "relu" */
  char *label; /* shown in a block: "conv2d", "conv_bias"; the parser accepts it too */
  SeamOpType type;
  double scalars[SEAM_MAX_OP_SCALARS]; /* a and b of the op's expression */
  int params[SEAM_MAX_OP_PARAMS]; /* indices into pipeline->params, in SeamOpInfo's order; -1: none
                                   */
  int operand;           /* index (in the same chain) of the op whose output is read besides the
                          * previous op's; -1: none */
  SeamDefectType defect; /* a deliberate mistake, in exhibits only */
  int defect_parameter;
} SeamOp;

const SeamOpInfo *seam_op_type_get_info (SeamOpType type);
/* For tests: the op of type SEAM_N_OP_TYPES, which no file can name. Borrowed. */
void seam_op_set_extra (const SeamOpInfo *info);
const char *seam_op_type_get_name (SeamOpType type);

const SeamOpInfo *seam_op_get_info (const SeamOp *op);
SeamOpKind seam_op_get_kind (const SeamOp *op);
gboolean seam_op_is_matrix (const SeamOp *op);
gboolean seam_op_is_map (const SeamOp *op);
gboolean seam_op_is_normalisation (const SeamOp *op);
const char *seam_op_kind_get_name (SeamOpKind kind); /* "matrix", "channel add", … */

/* Whether a parameter of that role can be one of the op's. */
gboolean seam_op_type_takes (SeamOpType type, SeamParamRole role);

/* The shape of an op's output from those of x, the value before it, and of its first parameter
 * (NULL if it has none). */
void seam_op_infer_shape (const SeamOp *op, const SeamShape *x, const SeamShape *param,
                          SeamShape *y);
SeamShapeView seam_shape_view (const SeamShape *shape);
/* What a map of elements shows: a channel's plane, or the whole matrix if there are no planes. */
void seam_shape_view_get_area (const SeamShapeView *view, gint64 *height, gint64 *width);
