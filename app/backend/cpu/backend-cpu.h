/* SPDX-License-Identifier: MIT
 *
 * Private to the CPU backend: the device, the buffers, and a prepared group. backend-cpu.c is the
 * table of functions, host.c examines the machine, group.c prepares a group, cpu-choose.c chooses
 * between tiles and oneDNN, operand.c rounds its factors, cpu-run.c executes it, cpu-compare.c
 * reduces differences, cpu-benchmark.c serves calibration. The loops are in kernels/cpu.
 *
 * How a group runs. Its ops are cut into stages, a new one at every groupnorm, because that needs
 * the statistics of what went before. The output is cut into tiles; a tile goes through all ops of
 * a stage while it is in the cache: convolution or matmul into a scratch tile, then the rest in
 * runs of elements that stay in the L1 cache between ops, and only tensors that a later group
 * reads are written to memory. A bundle is a set of whole normalisation groups: its next stage
 * starts as soon as its statistics are known, while it is still in the cache where it fits.
 *
 * The ops of a stage are applied to a run by one of two: the loops of kernels/cpu, op after op (the
 * interpreter, "cpu"), or a function that cpu-generate.c writes in C and compile.c has compiled by
 * the system's compiler, which keeps values in registers between ops ("generated").
 */
#pragma once

#include "app/backend/backend.h"
#include "app/backend/choices.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/run.h"

struct SeamBuffer {
  void *data; /* aligned to SEAM_CPU_ALIGNMENT */
  gint64 bytes;
};

#define SEAM_CPU_ALIGNMENT 64

/* Bytes of caches; usual sizes where the system does not tell. */
typedef struct {
  gint64 l1;   /* for the data of one core */
  gint64 core; /* the largest that serves one core: mostly L2 */
  gint64 last; /* the last level, which a cold run flushes */
} SeamCpuCaches;

typedef struct {
  SeamDevice device;
  SeamChoices *choices; /* the fastest way to run each group */
  const SeamCpuLoops *loops;
  int n_threads;
  double thread_bytes, thread_flop; /* each thread of a group has at least this much work of either
                                     * kind */
  SeamCpuCaches caches;
  gint64 run; /* elements that go through all ops at a time, so that several values of the chain fit
               * into an L1 cache */
  void *flush; /* written to empty the cache; twice its size; owned, NULL until needed */
  guint64 n_flushes;
  float *operands; /* copies of input and weight, rounded or widened; shared by all groups, which
                    * run one after another; owned, NULL until a group needs copies */
  gint64 n_operands;
  void *benchmark; /* memory of cpu-benchmark.c; owned, NULL until needed */
  gint64 benchmark_bytes;
  guint64 benchmark_sum;
} SeamCpuDevice;

/* The place of a value of the chain while a tile is computed: in a whole tensor [n, k, plane], as
 * FP32 or packed into 16 bits, or (neither) in the thread's scratch, as a tile or as a slot, which
 * is a run. */
typedef struct {
  float *memory;
  unsigned short *packed; /* read and written as a whole run, by SEAM_CPU_LOAD and _STORE */
  gboolean is_tile;
  int slot;
} SeamCpuPlace;

/* The C text of a group with one function per stage ("stage_0"), and the arguments of its
 * functions: ops whose outputs they read (-1: the chain's input) and write, and tensors of
 * parameters. */
typedef struct {
  gboolean has_function; /* FALSE: the stage has only the matrix op or only takes statistics */
  int n_reads, n_writes, n_packs, n_vectors;
  int reads[SEAM_MAX_OPS], writes[SEAM_MAX_OPS], vectors[SEAM_MAX_PARAMS];
  int packs[SEAM_MAX_OPS]; /* written in 16 bits; in SeamCpuRun after the others */
} SeamCpuText;

typedef void (*SeamCpuFunction) (const SeamCpuRun *run);

/* Compiled C; opaque outside compile.c. */
typedef struct SeamCpuModule SeamCpuModule;
/* The kinds of actions on a run. */
typedef enum {
  SEAM_CPU_STEP,      /* `step` */
  SEAM_CPU_NORMALIZE, /* groupnorm's last step */
  SEAM_CPU_LOAD,      /* widens a run of a 16-bit tensor */
  SEAM_CPU_STORE,     /* copies or packs the elements that the kernel writes; a defect leaves some
                       * out */
} SeamCpuActionKind;

/* One op of a stage, or its load or store. */
typedef struct {
  SeamCpuActionKind kind;
  SeamCpuStep step;
  const float *scalar;        /* a one-element parameter in the place of a; NULL: none */
  const float *weight, *bias; /* of groupnorm, [K]; NULL: an exhibit leaves them out */
  SeamCpuPlace source, operand, target;
  SeamDefectType defect; /* of a store */
  int defect_parameter;
} SeamCpuAction;

typedef struct {
  int n_actions;
  SeamCpuAction actions[3 * SEAM_MAX_OPS]; /* an op and, if necessary, its load and store */
  gboolean has_moments; /* a groupnorm follows, so the stage takes the statistics of `normalized` */
  SeamCpuPlace normalized;
  SeamCpuFunction function; /* generated, instead of the actions; NULL: none */
  SeamCpuText text;
  SeamCpuPlace reads[SEAM_MAX_OPS], writes[SEAM_CPU_RUN_TENSORS]; /* of the function */
  const float *vectors[SEAM_MAX_PARAMS];
  gboolean is_scalar[SEAM_MAX_PARAMS]; /* one element for all channels */
  SeamDefectType defect;               /* of these statistics, for an exhibit */
  int defect_parameter;
  /* The tile of this stage, in the layout [n, k, plane]. */
  gint64 tile_channels, tile_pixels;
} SeamCpuStage;

/* A part of an execution, with a record of its own in a trace. */
typedef enum {
  SEAM_CPU_PART_COPIES, /* rounds or widens input and weight (operand.c) */
  SEAM_CPU_PART_TILES,  /* the group, tile after tile (cpu-run.c) */
  SEAM_CPU_PART_PLAIN,  /* the op, by its plain loop nest (plain.c) */
  SEAM_CPU_PART_ONEDNN, /* the group as a primitive, or a reorder around it (onednn.c) */
} SeamCpuPartKind;

typedef struct {
  SeamCpuPartKind kind;
  int index;        /* of a part of oneDNN */
  const char *name; /* of a copy; static. NULL: the part is the group itself */
  double bytes;     /* moved by it; modelled */
} SeamCpuPart;

#define SEAM_CPU_MAX_PARTS 5

/* A box of the output: samples, channels, pixels of the plane. */
typedef struct {
  gint64 n0, n1, k0, k1, p0, p1;
} SeamCpuTile;

/* Scratch of one thread; parts of one allocation. */
typedef struct {
  float *slots;   /* n_slots runs */
  float *tile;    /* of the matrix op if its output is stored in 16 bits: [channels, pixels], or
                   * [rows, columns] for a matmul */
  float *widened; /* a run of a 16-bit tensor, for its statistics */
  float *columns; /* im2col */
  float *norms;   /* matrix layout: mean and 1 / sqrt (variance + epsilon) for each group of one
                   * row */
  SeamCpuMoments *moments; /* plane layout: [channel, pixel block] of a bundle */
} SeamCpuScratch;

struct SeamOnednn;
struct SeamCpuPlain;

#define SEAM_CPU_MAX_STAGES 2 /* a chain has at most one groupnorm (app/pipeline) */

struct SeamPrepared {
  SeamCpuDevice *device;
  SeamCancel *cancel; /* from prepare(); polled by time() and trace() */
  int n_threads;

  int n_parts;
  SeamCpuPart parts[SEAM_CPU_MAX_PARTS];
  struct SeamOnednn *onednn;  /* executes the group instead of tiles; owned; NULL */
  struct SeamCpuPlain *plain; /* the same; owned; NULL */
  int failed; /* atomic; a library had not enough memory; the output is incomplete */

  /* The output as [n, k, plane]; with plane 1 it has the matrix layout, in which a run goes over
   * channels. */
  gint64 n, k, plane;
  gint64 groups; /* of groupnorm */
  gint64 row;    /* last dimension of the output tensor */

  gboolean has_matrix; /* the group's first op is the convolution or matmul */
  gboolean is_direct;  /* convolution through the direct loops, else through im2col and sgemm */
  gboolean half_sums;  /* for an exhibit: sums of the matrix op in FP16 */
  SeamCpuConvolution convolution;
  gint64 depth; /* of the matmul: features, or c * r * r of a convolution with one output pixel */
  SeamOpCase matrix;          /* of its matrix op */
  const void *input, *weight; /* in memory of the types `factors` */
  SeamOperandType factors[2];
  /* Whether the sums read copies of input and weight in the device's `operands`, made before the
   * first tile of every execution, the input first. Math modes fp16, bf16 and tf32x round both to
   * the type `operand`, tf32x row by row (`is_scaled`); factors that have this type in memory are
   * widened. */
  gboolean has_copies;
  SeamOperandType operand;
  gboolean is_scaled;
  gint64 n_input, n_weight; /* elements */
  gint64 weight_rows;       /* along its first axis */
  float *matrix_target;     /* [n, k, plane]; NULL: in the scratch tile */
  SeamOperandType storage;  /* of 16-bit tensors */
  gint64 matrix_channels;   /* computed at a time within a tile */

  int stage_of[SEAM_MAX_OPS];       /* of each op of the group */
  gboolean is_stored[SEAM_MAX_OPS]; /* for each op: the output is in memory as FP32, at least for a
                                     * time */
  gboolean is_packed[SEAM_MAX_OPS]; /* for each op: the output is written in 16 bits */
  SeamCpuModule *module;            /* owned; NULL: no generated code */
  const char *implementation;       /* of the whole group: SEAM_CPU_LOOPS, generated, edited or
                                     * SEAM_IMPLEMENTATION_ONEDNN */
  char *note;                       /* why there is no generated code although there should be;
                                     * NULL */

  int n_stages;
  SeamCpuStage stages[SEAM_CPU_MAX_STAGES];

  gint64 tile_rows, tile_columns;         /* matrix layout; whole normalisation groups */
  gint64 bundle_samples, bundle_channels; /* plane layout */
  gboolean is_hot; /* plane layout: one thread finishes a bundle; else all threads work on it */
  float *norms;    /* plane layout: mean and 1 / sqrt (variance + epsilon) [n, groups]; owned */

  float **carried; /* tensors that only this group uses and that outlive a stage; owned */
  int n_carried;
  void *scratch_memory; /* owned */
  SeamCpuScratch *scratch;

  /* For records of kernels. */
  char *name, *short_name;
  int group, first_op, last_op;
  double bytes; /* modelled */
};

/* cpu-rules.c */

/* Whether the op leaves elements of its output unwritten, which is an exhibit's mistake. Actions
 * support it, generated C does not. */
gboolean seam_cpu_has_store_defect (const SeamOp *op);
void seam_cpu_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support);
/* Whether code is generated for the group if the plan leaves the choice to the backend: there is a
 * compiler, and a stage has two ops between which a value can stay in registers. */
gboolean seam_cpu_would_generate (const SeamGroupSpec *spec);

/* group.c */

SeamPrepared *seam_cpu_prepare (SeamDevice *device, const SeamGroupSpec *spec,
                                SeamBuffer *const *tensors, SeamCancel *cancel, GError **error);
void seam_cpu_free_prepared (SeamDevice *device, SeamPrepared *prepared);
/* Sizes, stages and tiles as prepare() would choose them, without buffers; `g` owns nothing. */
void seam_cpu_outline (SeamDevice *device, const SeamGroupSpec *spec, SeamPrepared *g);

/* cpu-tiles.c: chooses the tiles of all stages and the bundles of a group that has all its other
 * sizes. */
void seam_cpu_choose_tiles (SeamPrepared *g);
/* Allocates the scratch of every thread, with `n_slots` runs. */
gboolean seam_cpu_allocate_scratch (SeamPrepared *g, int n_slots, GError **error);

/* cpu-generate.c: the C text of the group that `g` outlines (sizes and stages); also fills the text
 * of each stage. */
char *seam_cpu_generate (const SeamGroupSpec *spec, SeamPrepared *g);

/* compile.c: the name of the system's C compiler ("cc"), or NULL if there is none; `$SEAMSCOPE_CC`
 * names another, or switches it off ("none"). */
const char *seam_cpu_compiler_get (void);
/* Compiles (or takes from the user's cache folder) and loads; calls nothing in it.
 * SEAM_ERROR_UNSUPPORTED with the compiler's messages; SEAM_ERROR_CANCELLED. `is_generated`: this
 * program wrote the text, so its comments do not influence the code. */
SeamCpuModule *seam_cpu_module_new (SeamCpuDevice *device, const char *text, gboolean is_generated,
                                    SeamCancel *cancel, GError **error);
void seam_cpu_module_free (SeamCpuModule *module); /* accepts NULL; `keeps_code`: stays loaded */
/* NULL with SEAM_ERROR_UNSUPPORTED if the text has no such function. */
SeamCpuFunction seam_cpu_module_get (SeamCpuModule *module, const char *name, GError **error);

/* The compiler's listing of the text with the same arguments plus lines: from `disassembler` (GNU
 * objdump) or, if that is NULL, as assembler source. Newly allocated; nothing is kept or loaded.
 * SEAM_ERROR_UNSUPPORTED, SEAM_ERROR_CANCELLED. */
char *seam_cpu_list (const SeamCpuDevice *device, const char *text, const char *disassembler,
                     SeamCancel *cancel, GError **error);

/* cpu-listing.c */
SeamListing *seam_cpu_get_listing (SeamDevice *device, const SeamGroupSpec *spec, int part,
                                   SeamListingKind kind, SeamCancel *cancel, GError **error);

/* cpu-source.c: the loops in words, and the generated code */
GPtrArray *seam_cpu_get_source (SeamDevice *device, const SeamGroupSpec *spec, GError **error);

/* cpu-run.c: executes the group once with all its threads, or one part of it. Returns early, with
 * the output incomplete, if one of the flags (each may be NULL) is raised. */
void seam_cpu_run_group (SeamPrepared *prepared, SeamCancel *cancel, SeamCancel *also);
void seam_cpu_run_part (SeamPrepared *prepared, int part, SeamCancel *cancel, SeamCancel *also);

/* operand.c: whether the group starts with the convolution or matmul, whether the math mode rounds
 * its operands, and whether its sums read copies of them, rounded or widened */
gboolean seam_cpu_has_matrix (const SeamGroupSpec *spec);
gboolean seam_cpu_rounds_operands (const SeamGroupSpec *spec);
gboolean seam_cpu_copies_operands (const SeamGroupSpec *spec);
/* Moved by making the copies; 0: none. */
double seam_cpu_get_copied_bytes (const SeamGroupSpec *spec);
/* Reserves memory on the device for the group's copies. SEAM_ERROR_MEMORY. */
gboolean seam_cpu_reserve_operands (SeamPrepared *prepared, GError **error);
/* Makes the copies with all threads, for groups that have some. */
void seam_cpu_copy_operands (SeamPrepared *prepared, SeamCancel *cancel, SeamCancel *also);
/* The factors that the products read. */
const float *seam_cpu_get_input (const SeamPrepared *prepared);
const float *seam_cpu_get_weight (const SeamPrepared *prepared);

/* cpu-bound.c */
gboolean seam_cpu_spread (SeamDevice *device, SeamBuffer *to, SeamBuffer *from,
                          SeamOperandType type, gint64 first, gint64 n, double least, double scale,
                          GError **error);
gboolean seam_cpu_bound (SeamDevice *device, const SeamProblem *problem, const SeamChain *chain,
                         int matrix, int last, SeamBuffer *const *tensors,
                         const SeamBoundRule *rule, SeamBuffer *squares, double unscale,
                         SeamBuffer *bounds, gint64 first, SeamCancel *cancel, GError **error);
/* cpu-compare.c */
gboolean seam_cpu_compare (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                           SeamBuffer *bounds, SeamDifference *difference, GError **error);

/* cpu-benchmark.c */
gboolean seam_cpu_benchmark (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
                             double *time_ns, GError **error);
void seam_cpu_end_benchmarks (SeamDevice *device);

/* host.c */
double seam_cpu_now_ns (void);   /* of a clock that never goes back */
char *seam_cpu_get_flags (void); /* abilities of the processor, one line; newly allocated */
char *seam_cpu_get_model (void); /* "AMD EPYC 9554"; newly allocated */
void seam_cpu_get_caches (SeamCpuCaches *caches);
guint64 seam_cpu_get_memory (gboolean free_now); /* bytes; 0 unknown */
double seam_cpu_get_clock_mhz (void);            /* NaN unknown */
char *seam_cpu_get_libraries (void);             /* "oneDNN 2.6.3, OpenMP 4.5"; newly allocated */
SeamDeviceInfo *seam_cpu_info_new (void);        /* without rates */
/* The name of the implementation by this program's loops, op after op. */
#define SEAM_CPU_LOOPS "cpu"
void seam_cpu_list_implementations (SeamDeviceInfo *info);
/* Measures the rates of the device; repeated calls keep the better ones. */
void seam_cpu_measure_rates (SeamCpuDevice *device);
/* Shortest time of a parallel region, with which every group starts, ns. */
double seam_cpu_measure_start (SeamCpuDevice *device);
void seam_cpu_check (GPtrArray *checks);
