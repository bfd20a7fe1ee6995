/* SPDX-License-Identifier: MIT
 *
 * Properties of op types: from the table in kernels/ops.h, and from op.c, which adds the keys of an
 * op in pipeline files and the text in its block. Code elsewhere asks for the class of an op, or
 * for what it reads, instead of its type. Knows no pipeline.
 */
#pragma once

#include "kernels/defects.h"

#include <glib.h>

/* Classes of ops. Rules about groups refer to classes. */
typedef enum {
  SEAM_CLASS_MATRIX,    /* sums of products over many inputs */
  SEAM_CLASS_MAP,       /* one output for one input */
  SEAM_CLASS_WINDOW,    /* one output for some neighbouring inputs */
  SEAM_CLASS_REDUCE,    /* one output for all inputs along some axes */
  SEAM_CLASS_NORMALISE, /* a reduction, then a map of its result */
} SeamOpClass;

/* The kinds that colours and patterns tell apart (plus copies made by a library). */
typedef enum {
  SEAM_KIND_MATRIX,
  SEAM_KIND_CHANNEL_ADD,
  SEAM_KIND_ARITHMETIC,
  SEAM_KIND_ACTIVATION,
  SEAM_KIND_NORMALISATION,
  SEAM_KIND_WINDOW,
  SEAM_KIND_REDUCTION,
  SEAM_KIND_COPY,
  SEAM_N_KINDS
} SeamOpKind;

/* What a map reads besides x. */
typedef enum {
  SEAM_READS_NOTHING,
  SEAM_READS_VECTOR, /* a parameter with one number for each channel */
  SEAM_READS_TENSOR, /* another value, whose axes broadcast */
} SeamOpReads;

/* The part of an epilogue of cuBLASLt that computes a map. */
typedef enum {
  SEAM_EPILOGUE_NONE,
  SEAM_EPILOGUE_BIAS,
  SEAM_EPILOGUE_RELU,
} SeamOpEpilogue;

/* What a parameter is for, from which its shape follows. */
typedef enum {
  SEAM_PARAM_CONV_WEIGHT,   /* of a convolution: [K, C, R, R] and so on */
  SEAM_PARAM_MATMUL_WEIGHT, /* [K, C] */
  SEAM_PARAM_VECTOR,        /* [K], or the axes that a LayerNorm normalises */
  SEAM_PARAM_VECTOR_3D,     /* [K, 1, 1] */
  SEAM_PARAM_SCALAR,        /* [], one number */
  SEAM_PARAM_SHAPED,        /* its own shape; read as a value */
  SEAM_PARAM_INPUT,         /* the same; a further input */
  SEAM_PARAM_MASK,          /* of a dropout: the shape of its input */
  SEAM_N_PARAM_ROLES
} SeamParamRole;

#define SEAM_MAX_DIMS 5

typedef struct {
  int n_dims;
  gint64 dims[SEAM_MAX_DIMS]; /* slowest first */
} SeamShape;

/* A part of a value: along each axis `count` indices from `first` on. */
typedef struct {
  gint64 first[SEAM_MAX_DIMS], count[SEAM_MAX_DIMS];
} SeamBox;

/* Any shape seen as [outer, channels, inner], for maps and figures: samples (or rows), channels (or
 * columns), and the elements of a channel's planes (1 if there are none): `depth` planes, one below
 * the other, in rows of `width`. */
typedef struct {
  gint64 outer, channels, inner, width, depth;
  int rank; /* dimensions of the shape */
} SeamShapeView;

/* How one axis of an op's output reads the same axis of its input: the same index; aligned blocks
 * of `size`; a window of `size` that begins at that index; or the whole axis, of `size`. */
typedef struct {
  enum { SEAM_AXIS_SAME, SEAM_AXIS_BLOCK, SEAM_AXIS_WINDOW, SEAM_AXIS_ALL } kind;
  gint64 size; /* 1 for SEAM_AXIS_SAME */
} SeamAxisNeed;

#define SEAM_MAX_OP_INPUTS  2
#define SEAM_MAX_OP_PARAMS  4
#define SEAM_MAX_OP_SCALARS 2
#define SEAM_N_OP_PARTS     2

/* A number of an op in a pipeline file. */
typedef struct {
  const char *key;
  /* Checks the op's numbers up to this one: returns what is wrong, or NULL; may be NULL itself. */
  const char *(*check) (const double *scalars);
  const char *alias; /* another name of the key; NULL: none */
  double otherwise;  /* where the file does not say, if `is_optional` */
  gboolean is_optional;
} SeamOpScalar;

/* Whole numbers of ops in pipeline files. Each may be the key of a shape field instead. */
typedef enum {
  SEAM_NUMBER_KERNEL,
  SEAM_NUMBER_STRIDE,
  SEAM_NUMBER_PADDING,
  SEAM_NUMBER_OUTPUT_PADDING,
  SEAM_NUMBER_OUT,    /* channels or features that a matrix op makes */
  SEAM_NUMBER_GROUPS, /* of a GroupNorm */
  SEAM_NUMBER_AXES,   /* bit i: axis i; bit 8 + i: axis i from the end, where 0 is the last */
  SEAM_NUMBER_KEEPDIM,
  SEAM_NUMBER_CEIL_MODE,
  SEAM_NUMBER_COUNT_INCLUDE_PAD,
  SEAM_N_NUMBERS
} SeamOpNumber;

typedef struct {
  const char *key;
  gint64 min, max, otherwise; /* `otherwise`: where the file does not say; 0: as usual for the op */
  gboolean is_truth;          /* true or false */
  const char *fields[2];      /* the shape field that it is where the file does not say */
} SeamOpNumberInfo;

const SeamOpNumberInfo *seam_op_number_get_info (SeamOpNumber number);
/* The number with that key, which there has to be. */
SeamOpNumber seam_op_number_find (const char *key);

/* A number that is field number `field` of the pipeline. */
#define SEAM_NUMBER_OF_FIELD(field) (-1 - (gint64)(field))

/* What a map reads as its tensor t. */
typedef enum {
  SEAM_SECOND_VALUE, /* another value */
  SEAM_SECOND_PARAM, /* a parameter with a shape of its own */
  SEAM_SECOND_MASK,  /* a parameter that the program makes: 0 or 1 / (1 - a) at random */
} SeamOpSecond;

typedef struct _SeamOpCase SeamOpCase;

/* Properties that the table of ops does not contain. */
typedef struct {
  /* The small second line in the op's block: see seam_op_describe(). */
  const char *block;
  const char *formula; /* the same of the whole op, "y = max(x, 0)"; NULL: `block` says it */
  const char *alias;   /* another name of the type in pipeline files, as KernelBench's level 2 is
                        * described; NULL: none */
  SeamOpScalar scalars[SEAM_MAX_OP_SCALARS]; /* a and b of the op's expression; epsilon of a norm */
  /* Parts of a map that only inputs below a, or above b, take: "lower bound"; NULL: it has none. */
  const char *parts[SEAM_N_OP_PARTS];
  SeamOpSecond second;
  gboolean bends;      /* arithmetic that is not linear */
  guint numbers;       /* bits of SeamOpNumber: those that it has */
  gboolean keeps_axes; /* a reduction that leaves its axes, of size 1, unless the file says no */
  gboolean has_affine_axes; /* its weight has the axes that it normalises, not the channels */
  int rank;                 /* axes of space that it works on; 0: any */
  /* Checks the shapes of the op's inputs and numbers, and sets that of its output and the axes it
   * works on. SEAM_ERROR_INPUT. NULL: a map's. */
  gboolean (*infer) (SeamOpCase *c, GError **error);
  /* How the output reads x, by axis of x; those that are not the same index. NULL: none. */
  void (*axes) (const SeamOpCase *c, SeamAxisNeed *axes);
  /* The part of x that a part of the output needs. NULL: a map's. */
  void (*need) (const SeamOpCase *c, const SeamBox *out, SeamBox *in);
  /* Only for a matrix op: what its weight is, and the shape fields of a pipeline whose first matrix
   * op it is, NULL-terminated. */
  SeamParamRole weight;
  const char *const *fields;
} SeamOpAttributes;

typedef struct {
  const char *name; /* name in pipeline files: "conv2d", "add_channel", … */
  SeamOpClass op_class;
  SeamOpKind kind;
  SeamOpReads reads;
  const char *params[SEAM_MAX_OP_PARAMS]; /* keys that name its parameters; NULL after the last */
  int n_required_params;                  /* the first ones; a file may leave the others out */
  gboolean fuses;          /* a matrix op that this program fuses with what follows it */
  SeamReduction reduction; /* of a window, a reduction or a normalisation */
  double operations;       /* for one element, without the matrix product */
  gboolean keeps_numbers;  /* with finite constants its output is NaN only where x is */
  SeamOpEpilogue epilogue;
  const SeamOpAttributes *attributes;
} SeamOpInfo;

typedef struct {
  char *name;  /* in plan notation: "conv", "conv_bias", "relu" */
  char *label; /* shown in a block: "conv2d", "conv_bias"; the parser accepts it too */
  SeamOpType type;
  /* Values that it reads, by tensor number (problem.h): x and, of a map that reads a tensor, t; -1:
   * none. x need not be the value before it. */
  int inputs[SEAM_MAX_OP_INPUTS];
  double scalars[SEAM_MAX_OP_SCALARS]; /* a and b of the op's expression */
  gint64 numbers[SEAM_N_NUMBERS];      /* or SEAM_NUMBER_OF_FIELD */
  /* Indices into pipeline->params, in SeamOpInfo's order; -1: none. The first of a map without a
   * vector is a one-element parameter that takes the place of a. */
  int params[SEAM_MAX_OP_PARAMS];
  SeamDefectType defect; /* a deliberate mistake, in exhibits only */
  int defect_parameter;
} SeamOp;

/* An op at the sizes of a problem. */
struct _SeamOpCase {
  const SeamOp *op;
  const SeamOpInfo *info;
  SeamShape in[SEAM_MAX_OP_INPUTS], out;
  gint64 numbers[SEAM_N_NUMBERS];
  guint axes;                  /* bits of axes of x: those that it reduces or normalises */
  gboolean running_statistics; /* a BatchNorm uses its running statistics */
  gboolean is_open;            /* or may use them: the settings are not known yet */
};

const SeamOpInfo *seam_op_type_get_info (SeamOpType type);
const char *seam_op_type_get_name (SeamOpType type);

const SeamOpInfo *seam_op_get_info (const SeamOp *op);
SeamOpKind seam_op_get_kind (const SeamOp *op);
gboolean seam_op_is_matrix (const SeamOp *op);
gboolean seam_op_is_map (const SeamOp *op);
gboolean seam_op_is_normalisation (const SeamOp *op);
const char *seam_op_kind_get_name (SeamOpKind kind); /* "matrix", "channel add", … */

/* Whether a parameter of that role can be one of the op's. */
gboolean seam_op_type_takes (SeamOpType type, SeamParamRole role);
/* Whether a map adds to x, or multiplies it by, a constant or what it reads. */
gboolean seam_op_is_linear (const SeamOp *op);
/* Whether the op has the whole number. */
gboolean seam_op_has_number (const SeamOp *op, SeamOpNumber number);

/* The op reads the value, by tensor number. */
gboolean seam_op_reads (const SeamOp *op, int tensor);
/* The parameter that takes the place of the map's number a, or -1. */
int seam_op_get_scalar_param (const SeamOp *op);

/* op-shape.c: completes a case that has op, info, shapes of inputs and numbers. */
gboolean seam_op_infer (SeamOpCase *c, GError **error);
gboolean seam_op_is_transposed (const SeamOpCase *c);
/* The shape of its parameter number `which`, as the op takes it. */
SeamShape seam_op_shape_param (const SeamOpCase *c, int which);
/* The part of input number `which` that a part of the output needs. An axis may need nothing. */
void seam_op_need (const SeamOpCase *c, int which, const SeamBox *out, SeamBox *in);

gint64 seam_shape_count (const SeamShape *shape);
gboolean seam_shape_equal (const SeamShape *a, const SeamShape *b);
/* "[2, 3]"; newly allocated. */
char *seam_shape_format (const SeamShape *shape);
/* All of a value. */
SeamBox seam_shape_box (const SeamShape *shape);
SeamShapeView seam_shape_view (const SeamShape *shape);
/* What a map of elements shows: all planes of a channel, or the whole matrix if there are none. */
void seam_shape_view_get_area (const SeamShapeView *view, gint64 *height, gint64 *width);
