/* SPDX-License-Identifier: MIT
 *
 * A person's choices for a run, as far as results keep them: a record (app/record/record.h) that
 * requests and results hold by value. Each choice has one list of its names and words; text is for
 * files and people, so inside the program a choice is its enumerator.
 */
#pragma once

#include "app/record/record.h"
#include "kernels/operand.h"

typedef enum {
  SEAM_MATH_FP32, /* IEEE FP32 multiply-add */
  SEAM_MATH_TF32, /* TF32 allowed for conv2d and matmul; on the CPU the same as FP32 */
  /* As accurate as TF32: input and weight of conv2d and matmul rounded to FP16 after a power of two
   * for each row (kernels/operand.h), or TF32 if no kernel does that; products summed in FP32. */
  SEAM_MATH_TF32X,
  /* Input and weight of conv2d and matmul rounded to the type, products summed in FP32; all other
   * ops, and all tensors in memory, are FP32. */
  SEAM_MATH_FP16,
  SEAM_MATH_BF16,
  SEAM_N_MATH_MODES
} SeamMathMode;

/* The type of tensors in memory. Arithmetic is always FP32: a kernel that reads a 16-bit tensor
 * widens its numbers, and rounds to nearest even when it stores. problem.h gives every tensor its
 * type. */
typedef enum {
  SEAM_STORAGE_FP32,    /* every tensor */
  SEAM_STORAGE_BETWEEN, /* tensors between a plan's kernels have the math mode's 16-bit type; input,
                         * parameters and output are FP32 */
  SEAM_STORAGE_ALL,     /* also the matrix op's input and weight and the output; vectors (biases,
                         * scale, parameters of GroupNorm) are FP32 */
  SEAM_N_STORAGES
} SeamStorage;

typedef enum {
  SEAM_DISTRIBUTION_UNIFORM, /* inputs uniform in [0, 1) */
  SEAM_DISTRIBUTION_NORMAL,  /* inputs normal(0, 1) */
  SEAM_DISTRIBUTION_OFFSET,  /* like uniform; added vectors that start as normal have mean 200 */
  SEAM_N_DISTRIBUTIONS,
  /* Only results have these. */
  SEAM_DISTRIBUTION_FILES = SEAM_N_DISTRIBUTIONS, /* tensors came from files */
  SEAM_DISTRIBUTION_ZEROS,                        /* the pitfall */
} SeamDistribution;

/* How parameters get their values if the pipeline file starts them as ones or zeros.
 * app/pipeline/problem.c draws them. */
typedef enum {
  /* As the pipeline file says, which is how a framework starts them: GroupNorm's weight is 1 and
   * its bias 0, so a kernel that leaves both out computes the same. Results without this setting
   * were made in this way. */
  SEAM_INIT_MODE_FRAMEWORK,
  /* Ones are drawn around 1 and zeros around 0, so a kernel that leaves a parameter out gives wrong
   * results. */
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
  SEAM_REFERENCE_AUTO,    /* all if that takes seconds, else sampled slices */
  SEAM_REFERENCE_WHOLE,   /* all, however long that takes */
  SEAM_REFERENCE_SAMPLED, /* slices, chosen by the seed */
  SEAM_N_REFERENCE_EXTENTS
} SeamReferenceExtent;

/* What a BatchNorm subtracts and divides by. */
typedef enum {
  SEAM_STATISTICS_BATCH,   /* mean and deviation of the batch, as in training */
  SEAM_STATISTICS_RUNNING, /* its parameters running_mean and running_var, as in inference */
  SEAM_N_STATISTICS
} SeamStatistics;

extern const SeamChoice seam_math_modes[], seam_storages[], seam_distributions[], seam_init_modes[],
    seam_launch_modes[], seam_reference_extents[];

#define SEAM_AGAINST_FP64 "fp64"
#define SEAM_MAX_BUDGET_S 3600

typedef struct {
  guint64 seed;
  SeamDistribution distribution;
  SeamInitMode init_mode; /* for the parameters; with FILES for those without a file */
  SeamMathMode math_mode;
  SeamStorage storage;
  SeamStatistics statistics; /* of BatchNorms */
  double dropout;            /* share of every dropout; NaN: as in the pipeline file */
  gboolean cold;             /* L2 state */
  SeamLaunchMode launch;
  double budget_s; /* for measuring; NaN: unknown */
  /* Notation of the plan that outputs are compared with, or SEAM_AGAINST_FP64; NULL: the first
   * plan. */
  char *against;
  double atol, rtol; /* for the verdicts; both NaN: the bound of each element judges */
} SeamSettings;

/* Abilities of a target. Its device states them (app/result/device.h); some settings need one. */
typedef enum {
  SEAM_ABILITY_GRAPHS = 1 << 0,   /* launch a plan as one graph */
  SEAM_ABILITY_TF32 = 1 << 1,     /* multiply in the type that the math mode names */
  SEAM_ABILITY_STORAGE = 1 << 2,  /* keep tensors of 16 bits in memory */
  SEAM_ABILITY_DEVICE = 1 << 3,   /* is a processor beside the host, with its own memory */
  SEAM_ABILITY_TRACE = 1 << 4,    /* record every kernel of an execution */
  SEAM_ABILITY_COUNTERS = 1 << 5, /* count in hardware the bytes that a kernel moves through DRAM */
  SEAM_ABILITY_BF16 = 1 << 6,     /* multiply bf16, even if no other type that a math mode names */
  SEAM_ABILITY_ALL = (1 << 7) - 1,
} SeamAbilities;

extern const SeamChoice seam_abilities[]; /* names of the bits, in their order */

/* What a setting affects. A command has the options of the settings that concern its work. */
typedef enum {
  SEAM_CONCERN_CODE = 1 << 0,      /* the code of a plan */
  SEAM_CONCERN_CACHE = 1 << 1,     /* the same, and the least time that a plan can take */
  SEAM_CONCERN_TENSORS = 1 << 2,   /* the values of input and parameters */
  SEAM_CONCERN_MEASURING = 1 << 3, /* how a plan is launched and measured */
  SEAM_CONCERN_AGAINST = 1 << 4,   /* the outputs that the others are compared with */
  SEAM_CONCERN_VERDICT = 1 << 5,   /* when outputs are equal */
  SEAM_CONCERN_ALL = (1 << 6) - 1,
} SeamConcerns;

typedef enum {
  SEAM_SETTING_STALES = 1 << 0,    /* a result with another choice is stale */
  SEAM_SETTING_PREVENTS = 1 << 1,  /* runs with different choices are not comparable */
  SEAM_SETTING_QUALIFIES = 1 << 2, /* a comparison of runs with different choices says so */
  SEAM_SETTING_SAID = 1 << 3,      /* descriptions name the first choice as well */
  SEAM_SETTING_IF_OTHER = 1 << 4,  /* a comparison lists it only if the runs differ in it */
} SeamSettingMarks;

/* A field as a setting that a person can choose. */
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
  const char *words;           /* meaning */
  SeamAbilities needs;         /* if the target lacks this ability, … */
  const char *words_without;   /* … the row says this instead */
  const char *condition;       /* title in a comparison, if it differs */
  int n_choices;               /* choices that can be requested: the first ones; 0: all */
  const SeamChoice *entries;   /* entries of a text's row; the first stands for no text */
  double least, most;          /* limits of a number; both 0: those of its type */
  const char *prefix, *suffix; /* around its choice in a description: " L2" */
  /* Why this choice is impossible: a sentence with what to do; NULL: it is possible. Without the
   * function every choice is. */
  const char *(*refuse) (int choice, const SeamSettings *settings, SeamAbilities abilities);
  /* Text in a description if it is neither choice nor number: borrowed, or NULL for nothing. */
  const char *(*describe) (const SeamSettings *settings);
} SeamSetting;

/* The settings that a person can choose, in the order of SeamSetting.order; NULL-terminated. */
const SeamField *const *seam_settings_list (void);
/* By its option of the command, "math"; NULL: no setting has it. */
const SeamField *seam_settings_find_option (const char *option);

/* Parses a person's word. SEAM_ERROR_INPUT lists the choices; `what` is the name that the person
 * knows the setting by: "--math". */
gboolean seam_setting_parse (const SeamField *field, const char *what, const char *text,
                             SeamSettings *settings, GError **error);
/* The same for the text of an entry, see seam_text_read_typed(). */
gboolean seam_setting_parse_typed (const SeamField *field, const char *what, const char *text,
                                   SeamSettings *settings, GError **error);
/* The value as such a word; newly allocated. "" for what is unknown, and for a NULL text. */
char *seam_setting_format (const SeamField *field, const SeamSettings *settings);
/* The value for people: the title of a choice, else number or text, with its unit; newly allocated.
 * NULL: unknown, or no text. */
char *seam_setting_describe (const SeamField *field, const SeamSettings *settings);

/* Choices as positions: enumerators, or entries of a text's row. Setting a choice returns whether
 * that changed anything. */
int seam_setting_count_choices (const SeamField *field); /* 0: a number, or any text */
int seam_setting_get_choice (const SeamField *field, const SeamSettings *settings);
gboolean seam_setting_set_choice (const SeamField *field, SeamSettings *settings, int choice);
const char *seam_setting_get_label (const SeamField *field, int choice);
gboolean seam_settings_is_against_fp64 (const SeamSettings *settings);

/* Why a choice is impossible, for all parts of the program: a sentence with what to do, or NULL. */
const char *seam_setting_refuse (const SeamField *field, int choice, const SeamSettings *settings,
                                 SeamAbilities abilities);
/* The first setting whose choice is refused, with the sentence in `why`; NULL if there is none. */
const SeamField *seam_settings_find_refused (const SeamSettings *settings, SeamAbilities abilities,
                                             const char **why);
/* Replaces refused choices by the first one, which is always possible. */
void seam_settings_resolve (SeamSettings *settings, SeamAbilities abilities);
/* Takes over the settings of a result that the sidebar shows. A choice that only results or a later
 * version have becomes the first one. */
void seam_settings_adopt (SeamSettings *settings, const SeamSettings *result);

/* "BF16 · BF16 storage between kernels · cold cache", of the settings that are concerned. Newly
 * allocated; NULL where there is nothing to say. */
char *seam_settings_describe (const SeamSettings *settings, SeamConcerns concerns,
                              const char *separator);
/* "BF16 storage between kernels", or just the math mode, whose name is in it; newly allocated. */
char *seam_settings_describe_types (const SeamSettings *settings);
/* A key of the settings with these concerns, to tell whether a result is stale. */
char *seam_settings_make_key (const SeamSettings *settings, SeamConcerns concerns);
/* Adds the nouns of the settings that make a result stale and differ; borrowed. */
void seam_settings_list_changes (const SeamSettings *a, const SeamSettings *b, GPtrArray *nouns);

/* A new record has the settings that results of older versions were made with if they do not state
 * them. */
extern const SeamRecordType seam_settings_type;
/* The settings that a person starts with. `settings` is uninitialised memory. */
void seam_settings_init (SeamSettings *settings);

/* The type to which both operands of a matrix op are rounded; FP32 if they are not (in TF32 the
 * library or kernel rounds them). Also the type of 16-bit storage. */
SeamOperandType seam_math_mode_get_operand (SeamMathMode mode);
/* The fastest type that tensor cores can multiply in this mode: FP16 in tf32x; otherwise as
 * above. */
SeamOperandType seam_math_mode_get_product (SeamMathMode mode);
/* Whether kernels round operands to that type after multiplying each row by a power of two. */
gboolean seam_math_mode_is_scaled (SeamMathMode mode);
/* The mode whose accuracy it promises, and in which code that does not scale rows executes: tf32
 * for tf32x; every other mode is its own base. */
SeamMathMode seam_math_mode_get_base (SeamMathMode mode);

/* One of the first `n` enumerators, by name in any case. SEAM_ERROR_INPUT lists them: "The launch
 * mode is stream (…) or graph (…), not “x”." `what`: "launch mode". */
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

/* Whether a request may have these settings. SEAM_ERROR_INPUT. */
gboolean seam_settings_check (const SeamSettings *settings, GError **error);

/* Bytes of one element: 4 or 2. */
static inline gint64
seam_storage_get_element_bytes (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP32 ? 4 : 2;
}
/* "FP32", "FP16", "BF16". */
const char *seam_storage_get_type_title (SeamOperandType type);
/* "FP16 storage between kernels", "FP16 storage of all tensors but vectors"; NULL if all tensors
 * are FP32. */
const char *seam_storage_describe (SeamStorage storage, SeamMathMode mode);
