/* SPDX-License-Identifier: MIT
 *
 * A pipeline: an ordered chain of ops, its parameters, shape fields and presets, read from a
 * GKeyFile (data/pipelines/NAME.ini; the format is described at the head of pipeline-file.c).
 * Immutable once loaded, reference counted. Knows no plan and no backend; sizes are in problem.h.
 */
#pragma once

#include "app/pipeline/op.h"

#define SEAM_MAX_OPS    24
#define SEAM_MAX_PARAMS 32
#define SEAM_MAX_FIELDS 12

typedef enum {
  SEAM_INIT_FAN_IN, /* uniform ±1/√fan_in, as nn.Linear and nn.Conv2d start */
  SEAM_INIT_NORMAL, /* normal(0, 1), as torch.randn */
  SEAM_INIT_ONES,
  SEAM_INIT_ZEROS,
  SEAM_INIT_NUMBER, /* `value` */
} SeamParamInit;

/* The size of an axis: `factor` times the value of a shape field, plus `offset`; field -1: the
 * factor alone. */
typedef struct {
  int field;
  gint64 factor, offset;
} SeamShapeTerm;

/* A parameter, a further input, or the mask of a dropout: what a run is given besides its input. */
typedef struct {
  char *name; /* as in the golden cases: "conv.weight", "bias", "group_norm.weight" */
  SeamParamRole role;
  SeamParamInit init;
  double value;
  int n_terms; /* its own shape; 0: it follows from the op that reads it */
  SeamShapeTerm terms[SEAM_MAX_DIMS];
} SeamParam;

typedef struct {
  char *key;   /* "batch", "in_channels", … */
  char *label; /* "Batch", "Input channels" */
  char *unit;  /* "samples", "rows", "px" or "" */
  gint64 min, max;
} SeamShapeField;

typedef struct {
  char *name;
  gint64 values[SEAM_MAX_FIELDS]; /* one per field, in the fields' order */
} SeamPreset;

/* One order of the ops. Chain 0 is the pipeline; further ones are exhibits: wrong on purpose, in
 * their order or by a mistake that one of their ops carries (app/pipeline/defect.h). */
typedef struct {
  char *name; /* "" for chain 0; "as-published" */
  char *note; /* why it is wrong, one sentence; NULL for chain 0 */
  int n_ops;
  SeamOp ops[SEAM_MAX_OPS]; /* strings borrowed from the pipeline's chain 0 for exhibits */
} SeamChain;

typedef struct {
  char *name;     /* "published"; for an exhibit the chain's name */
  char *notation; /* "conv|conv_bias+relu+bias" over the ops of `chain` */
  int chain;      /* index into chains */
} SeamNamedCut;

typedef struct {
  gatomicrefcount ref_count;
  char *id;          /* "conv-relu-bias"; for a person's own file: its base name */
  char *title;       /* "Convolution, ReLU, bias" */
  char *description; /* a sentence or two for a stranger */
  char *source;      /* "KernelBench level 2 #1" */
  int number;        /* KernelBench problem, or -1; a person's own file has none */
  char *path;        /* file it came from, or NULL for text */
  char *text;        /* the file's whole text, so that it can travel to a worker */

  int n_fields;
  SeamShapeField fields[SEAM_MAX_FIELDS];
  int n_presets; /* at least one; "laptop" is the default where it exists */
  SeamPreset *presets;
  int n_input_terms; /* shape of the chain's input; 0: it follows from the fields */
  SeamShapeTerm input_terms[SEAM_MAX_DIMS];
  int n_params;
  SeamParam params[SEAM_MAX_PARAMS];
  int n_chains; /* at least one */
  SeamChain *chains;
  int n_cuts; /* cuts written in the file: "published", "epilogue", exhibits */
  SeamNamedCut *cuts;
} SeamPipeline;

/* Reads and checks a pipeline. Errors (SEAM_ERROR_FILE) name file, group and key, and the reason.
 */
SeamPipeline *seam_pipeline_load (const char *path, GError **error);
SeamPipeline *seam_pipeline_parse (const char *text, const char *id, GError **error);
SeamPipeline *seam_pipeline_ref (SeamPipeline *pipeline);
void seam_pipeline_unref (SeamPipeline *pipeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamPipeline, seam_pipeline_unref)

/* The folder with data/ of this program: $SEAMSCOPE_DATADIR, else the build tree's or the installed
 * one (found relative to the running program, then the compiled-in prefix). Borrowed. */
const char *seam_data_dir (void);

/* All pipelines that come with the program, ordered by KernelBench number; free with
 * g_ptr_array_unref(). A damaged file is an error, because it means that the installation is
 * broken. */
GPtrArray *seam_pipeline_list (GError **error);
/* The same and, after them, the other problems of KernelBench's level 2 (data/level2). */
GPtrArray *seam_pipeline_list_level (GError **error);
/* The person's own, in the folder pipelines of the data folder of the program ($XDG_DATA_HOME).
 * `problems` (may be NULL) receives a sentence for each file that cannot be read. */
GPtrArray *seam_pipeline_list_own (GPtrArray *problems);
char *seam_pipeline_get_own_folder (void); /* which need not exist; newly allocated */
/* Pipelines in all these folders; a person's file that cannot be read is none. */
guint seam_pipeline_count (void);
/* Whether a person's file has it, rather than the program. */
gboolean seam_pipeline_is_own (const SeamPipeline *pipeline);
/* A sentence for a person's own with the id of a built-in one, which that id means; else NULL. */
const char *seam_pipeline_get_name_note (const SeamPipeline *pipeline);
/* What a history tells it by: the id, or “ID (own)” if a built-in one with this id has another
 * text. Newly allocated. */
char *seam_pipeline_make_heading (const SeamPipeline *pipeline);
/* What seam_pipeline_find() finds it by at any time: its id, or the whole path of a person's file;
 * newly allocated. */
char *seam_pipeline_make_name (const SeamPipeline *pipeline);
/* Finds a pipeline by id ("conv-relu-bias"), number ("#57", "57") or path of an .ini file. For an
 * unknown name the error lists the ids and the nearest one. */
SeamPipeline *seam_pipeline_find (const char *name, GError **error);

/* Whether `pipeline` can replace `older`, another reading of the same file: it has the same id,
 * shape fields and parameters, and every order of the ops that `older` has. */
gboolean seam_pipeline_covers (const SeamPipeline *pipeline, const SeamPipeline *older);

const SeamPreset *seam_pipeline_get_preset (const SeamPipeline *pipeline, const char *name,
                                            GError **error);
const SeamPreset *seam_pipeline_get_default_preset (const SeamPipeline *pipeline);
/* Index of a field by key, or -1. */
int seam_pipeline_get_field (const SeamPipeline *pipeline, const char *key);

/* Whether one of the ops first … last reads the tensor. */
gboolean seam_chain_reads (const SeamChain *chain, int first, int last, int tensor);
/* Whether what op number `op` reads as its input number `which` was there before its neighbour's
 * output. */
gboolean seam_chain_reads_earlier (const SeamChain *chain, int op, int which);
/* The label of the op that writes a value, or the name of the input or parameter; borrowed. */
const char *seam_chain_name_value (const SeamPipeline *pipeline, const SeamChain *chain,
                                   int tensor);
/* A short name of what executes the ops: "conv2d", "bias + relu", "conv_bias … mul"; newly
 * allocated. */
char *seam_chain_name_ops (const SeamChain *chain, int first, int last);
