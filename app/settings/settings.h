/* SPDX-License-Identifier: MIT
 *
 * What a person chooses for a run, as far as a result keeps it: a record (app/record/record.h) that
 * requests and results hold by value. Each choice has one list of its names and words; text is for
 * files and people, so inside the program a choice is its enumerator.
 */
#pragma once

#include "app/record/record.h"
#include "kernels/operand.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_MATH_FP32, /* IEEE FP32 multiply-add */
  SEAM_MATH_TF32, /* TF32 allowed for conv2d and matmul; on the CPU the same as FP32, and says so */
  /* As accurate as that: input and weight of conv2d and matmul rounded to FP16 after a power of two
   * for each row (kernels/operand.h), or TF32 where no kernel does that, products summed in FP32.
   */
  SEAM_MATH_TF32X,
  /* Input and weight of conv2d and matmul rounded to the type, products summed in FP32; every other
   * op, and all tensors in memory, FP32. */
  SEAM_MATH_FP16,
  SEAM_MATH_BF16,
  SEAM_N_MATH_MODES
} SeamMathMode;

/* In which type tensors lie in memory. Arithmetic is FP32 whatever this is: a kernel that reads a
 * 16-bit tensor widens what it reads, and rounds to nearest even what it stores. problem.h gives
 * every tensor its type. */
typedef enum {
  SEAM_STORAGE_FP32,    /* every tensor */
  SEAM_STORAGE_BETWEEN, /* what a plan puts into memory between its kernels has the math mode's
                           16-bit type; input, parameters and output are FP32 */
  SEAM_STORAGE_ALL,     /* the matrix op's input and weight and the output, too; vectors (biases,
                           scale, parameters of GroupNorm) are FP32 */
  SEAM_N_STORAGES
} SeamStorage;

typedef enum {
  SEAM_DISTRIBUTION_UNIFORM, /* inputs uniform in [0, 1) */
  SEAM_DISTRIBUTION_NORMAL,  /* inputs normal(0, 1) */
  SEAM_DISTRIBUTION_OFFSET,  /* as uniform; added vectors that start as normal have mean 200 */
  SEAM_N_DISTRIBUTIONS,
  /* Only results have these. */
  SEAM_DISTRIBUTION_FILES = SEAM_N_DISTRIBUTIONS, /* tensors came from files */
  SEAM_DISTRIBUTION_ZEROS,                        /* the pitfall */
} SeamDistribution;

/* How parameters get their values where the pipeline file starts them as ones or zeros. The draws
 * themselves are in app/pipeline/problem.c. */
typedef enum {
  /* As the pipeline file says, which is how a framework starts them: GroupNorm's weight is 1 and
   * its bias 0, so a kernel that leaves both out computes the same. Results that do not say how
   * were made like this. */
  SEAM_INIT_MODE_FRAMEWORK,
  /* Ones are drawn around 1 and zeros around 0, so a kernel that leaves a parameter out is wrong.
   */
  SEAM_INIT_MODE_SPREAD,
  SEAM_N_INIT_MODES
} SeamInitMode;

/* How the kernels of a plan are launched; app/backend/cuda/graph.c does it. */
typedef enum {
  SEAM_LAUNCH_STREAM, /* a call for every kernel; on the CPU for every group */
  SEAM_LAUNCH_GRAPH,  /* the plan is captured once, an execution is one launch of that graph */
  SEAM_N_LAUNCH_MODES
} SeamLaunchMode;

/* How much of the output the FP64 reference computes. */
typedef enum {
  SEAM_TRUTH_AUTO,    /* all where that is a matter of seconds, else sampled slices */
  SEAM_TRUTH_WHOLE,   /* all, however long it takes */
  SEAM_TRUTH_SAMPLED, /* slices, chosen by the seed */
  SEAM_N_TRUTH_EXTENTS
} SeamTruthExtent;

extern const SeamChoice seam_math_modes[], seam_storages[], seam_distributions[], seam_init_modes[],
    seam_launch_modes[], seam_truth_extents[];

#define SEAM_AGAINST_FP64 "fp64"
#define SEAM_MAX_BUDGET_S 3600

typedef struct {
  guint64 seed;
  SeamDistribution distribution;
  SeamInitMode init_mode; /* of the parameters, or of FILES of those that have no file */
  SeamMathMode math_mode;
  SeamStorage storage;
  gboolean cold; /* L2 state */
  SeamLaunchMode launch;
  double budget_s; /* for measuring; NaN: unknown */
  /* Plan notation, or SEAM_AGAINST_FP64, that outputs are compared with; NULL: the first plan. */
  char *against;
  double atol, rtol; /* of the verdicts; NaN in a request: the default of the math mode */
} SeamSettings;

/* What a target can do. Its device says so (app/result/device.h), some settings need it. */
typedef enum {
  SEAM_ABILITY_GRAPHS = 1 << 0,   /* launch a plan as one graph */
  SEAM_ABILITY_TF32 = 1 << 1,     /* multiply in the type that the math mode names */
  SEAM_ABILITY_STORAGE = 1 << 2,  /* keep tensors of 16 bits in memory */
  SEAM_ABILITY_DEVICE = 1 << 3,   /* it is a processor beside the host, with memory of its own */
  SEAM_ABILITY_TRACE = 1 << 4,    /* record every kernel of an execution */
  SEAM_ABILITY_COUNTERS = 1 << 5, /* count what a kernel moves through DRAM, in hardware */
  SEAM_ABILITY_ALL = (1 << 6) - 1,
} SeamAbilities;

extern const SeamChoice seam_abilities[]; /* names of the bits, in their order */

/* What a setting decides. A command has the options of those that concern what it does. */
typedef enum {
  SEAM_CONCERN_CODE = 1 << 0,      /* which code a plan is */
  SEAM_CONCERN_CACHE = 1 << 1,     /* with that, the least time a plan can take */
  SEAM_CONCERN_TENSORS = 1 << 2,   /* the values of input and parameters */
  SEAM_CONCERN_MEASURING = 1 << 3, /* how a plan is launched and measured */
  SEAM_CONCERN_REFERENCE = 1 << 4, /* with which outputs the others are compared */
  SEAM_CONCERN_VERDICT = 1 << 5,   /* when outputs are equal */
  SEAM_CONCERN_ALL = (1 << 6) - 1,
} SeamConcerns;

typedef enum {
  SEAM_SETTING_STALES = 1 << 0,    /* a result of another choice is stale */
  SEAM_SETTING_PREVENTS = 1 << 1,  /* runs that differ in it are not comparable */
  SEAM_SETTING_QUALIFIES = 1 << 2, /* a comparison of runs that differ in it says so */
  SEAM_SETTING_SAID = 1 << 3,      /* descriptions name the first choice, too */
  SEAM_SETTING_IF_OTHER = 1 << 4,  /* a comparison lists it only where runs differ in it */
} SeamSettingMarks;

/* What a field is as a choice of a person. */
typedef struct SeamSetting {
  int order; /* in the sidebar and in help, from 1 */
  SeamConcerns concerns;
  SeamSettingMarks marks;
  /* The command line's option. */
  const char *option; /* "math" */
  const char *takes;  /* "MODE" */
  const char *help;
  const char *noun; /* in sentences: "math mode" */
  /* The sidebar's row; a setting without a title has none. */
  const char *title;           /* "Math mode" */
  const char *words;           /* what it is */
  SeamAbilities needs;         /* where the target has not this ability, … */
  const char *words_without;   /* … the row says this instead */
  const char *condition;       /* title in a comparison, if another one */
  int n_choices;               /* that can be asked for: the first ones */
  const SeamChoice *entries;   /* of a text's row; the first stands for no text */
  double least, most;          /* of a number */
  const char *prefix, *suffix; /* around its choice in a description: " L2" */
  /* Why this choice cannot be had, a sentence with what to do; NULL: it can, or always. */
  const char *(*refuse) (int choice, const SeamSettings *settings, SeamAbilities abilities);
  /* In a description, if it is not choice or number: borrowed text, or NULL for nothing. */
  const char *(*describe) (const SeamSettings *settings);
} SeamSetting;

/* Those that a person can choose, in the order of SeamSetting.order; NULL-terminated. */
const SeamField *const *seam_settings_list (void);

/* From a word of a person. SEAM_ERROR_INPUT says what there is; `what` is the name that the person
 * knows it by: "--math". */
gboolean seam_setting_parse (const SeamField *field, const char *what, const char *text,
                             SeamSettings *settings, GError **error);
/* The value as such a word; newly allocated. "" where a text is NULL. */
char *seam_setting_format (const SeamField *field, const SeamSettings *settings);

/* Choices, as positions: enumerators, or entries of a text's row. Setting one says whether that
 * changed anything. */
int seam_setting_count_choices (const SeamField *field); /* 0: a number, or any text */
int seam_setting_get_choice (const SeamField *field, const SeamSettings *settings);
gboolean seam_setting_set_choice (const SeamField *field, SeamSettings *settings, int choice);
const char *seam_setting_get_label (const SeamField *field, int choice);
gboolean seam_settings_is_against_fp64 (const SeamSettings *settings);

/* The one place that says what cannot be chosen: a sentence with what to do, or NULL. */
const char *seam_setting_refuse (const SeamField *field, int choice, const SeamSettings *settings,
                                 SeamAbilities abilities);
/* The first choice that is refused, and the sentence in `why`; NULL: none is. */
const SeamField *seam_settings_find_refused (const SeamSettings *settings, SeamAbilities abilities,
                                             const char **why);
/* Choices that are refused give way to the first one, which always can be had. */
void seam_settings_resolve (SeamSettings *settings, SeamAbilities abilities);
/* Takes over those of a result that the sidebar shows; what a result alone can have, or a later
 * version, becomes the first choice. */
void seam_settings_adopt (SeamSettings *settings, const SeamSettings *result);

/* "BF16 · BF16 storage between kernels · cold cache", of the settings that are concerned. Newly
 * allocated; NULL where there is nothing to say. */
char *seam_settings_describe (const SeamSettings *settings, SeamConcerns concerns,
                              const char *separator);
/* "BF16 storage between kernels", or the math mode alone, which it names; newly allocated. */
char *seam_settings_describe_types (const SeamSettings *settings);
/* What a result depends on, of the settings that are concerned, to tell whether it is stale. */
char *seam_settings_make_key (const SeamSettings *settings, SeamConcerns concerns);
/* Adds the nouns of those that make a result stale and differ; borrowed. */
void seam_settings_list_changes (const SeamSettings *a, const SeamSettings *b, GPtrArray *nouns);

/* A new record has what results of older versions were made with, where they do not say. */
extern const SeamRecordType seam_settings_type;
/* What a person starts with. `settings` is uninitialised memory. */
void seam_settings_init (SeamSettings *settings);

/* The type to which both operands of a matrix op are rounded; FP32 where none is (in TF32 the
 * library or kernel that may round them does). Also the type of 16-bit storage. */
SeamOperandType seam_math_mode_get_operand (SeamMathMode mode);
/* The type that tensor cores multiply at the mode's best: FP16 in tf32x; else as above. */
SeamOperandType seam_math_mode_get_product (SeamMathMode mode);
/* Whether operands are rounded to that type after a power of two a row where a kernel does that. */
gboolean seam_math_mode_is_scaled (SeamMathMode mode);
/* The mode whose accuracy it promises, and in which what does not scale rows executes: tf32 for
 * tf32x, each other for itself. */
SeamMathMode seam_math_mode_get_base (SeamMathMode mode);

/* One of the first `n` enumerators, by its name in capitals or not. SEAM_ERROR_INPUT with what
 * there is: "The launch mode is stream (…) or graph (…), not “x”." `what`: "launch mode". */
gboolean seam_choice_parse (const SeamChoice *choices, int n, const char *text, const char *what,
                            int *choice, GError **error);

static inline const char *
seam_math_mode_get_name (SeamMathMode mode)
{
  return seam_choice_get_name (seam_math_modes, mode);
}
static inline gboolean
seam_math_mode_parse (const char *text, SeamMathMode *mode, GError **error)
{
  return seam_choice_parse (seam_math_modes, SEAM_N_MATH_MODES, text, "math mode", (int *)mode,
                            error);
}

/* Whether a request may have these. SEAM_ERROR_INPUT. */
gboolean seam_settings_check (const SeamSettings *settings, GError **error);

/* Bytes of one element: 4 or 2. */
static inline gint64
seam_storage_get_element_bytes (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP32 ? 4 : 2;
}
/* "FP32", "FP16", "BF16". */
const char *seam_storage_get_type_title (SeamOperandType type);
/* "FP16 storage between kernels", "FP16 storage of all tensors but vectors"; NULL where all is
 * FP32. */
const char *seam_storage_describe (SeamStorage storage, SeamMathMode mode);

G_END_DECLS
