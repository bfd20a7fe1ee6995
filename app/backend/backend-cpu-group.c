/* SPDX-License-Identifier: MIT
 *
 * Makes a group of a plan ready to run on the CPU: which op belongs to which stage, where every
 * value lives, and the sizes of tiles and bundles. The scheme is described in backend-cpu.h.
 */
#include "app/backend/backend-cpu.h"

#include "app/pipeline/defect.h"

#include <stdlib.h>
#include <string.h>

/* Longest sum that the direct convolution takes. Measured on one AVX-512 core (Zen 5) with OpenBLAS
 * 0.3.21: 270 GFLOP/s direct against 105 through im2col at 8 channels 3x3, 265 against 100 at 64
 * channels; beyond that the input rows of a tile no longer stay in the L2 cache. */
#define MAX_DIRECT_DEPTH 1024
/* Below this width (no AVX2) OpenBLAS, which has its own dispatch, wins. */
#define MIN_DIRECT_WIDTH 8
/* Channels convolved before the rest of the chain follows: two register blocks; with
 * DIRECT_PIXELS a tile of 32 KB. */
#define DIRECT_CHANNELS 8
#define DIRECT_PIXELS   1024
/* Floats of the im2col matrix and of a BLAS tile: half an L2 cache of 1 MB each. From 64 x 512 to
 * 256 x 1024 the tile of a matmul changes its time by 5 % (measured as above, #37). */
#define COLUMNS_FLOATS 131072
#define TILE_FLOATS    131072
#define MATMUL_COLUMNS 512
#define MATMUL_ROWS    128
/* Elements of a tile without a matrix op: 128 KB, a few microseconds of work. */
#define PASS_ELEMENTS 32768
/* Tiles a thread should get so that the last ones do not leave others idle. */
#define TILES_PER_THREAD 4

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

static gint64
round_up (gint64 a, gint64 unit)
{
  return divide_up (a, unit) * unit;
}

/* The most ops that one function of the group would apply: those of a stage but the matrix op. */
static int
count_generated (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  int most = 0, n = 0;

  for (int i = group->first; i <= group->last; i++) {
    SeamOpType type = chain->ops[i].type;
    if (type == SEAM_OP_GROUPNORM)
      n = 0;
    n += type != SEAM_OP_CONV2D && type != SEAM_OP_MATMUL;
    most = MAX (most, n);
  }
  return most;
}

/* Whether the op leaves elements of its output unwritten, an exhibit's mistake: actions have it,
 * generated C has not. */
static gboolean
has_store_defect (const SeamOp *op)
{
  return op->defect != SEAM_DEFECT_NONE && seam_defect_get_kind (op->defect)->in_stores;
}

static const SeamOp *
find_store_defect (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];

  for (int i = group->first; i <= group->last; i++)
    if (has_store_defect (&chain->ops[i]))
      return &chain->ops[i];
  return NULL;
}

gboolean
seam_cpu_would_generate (const SeamGroupSpec *spec)
{
  if (find_store_defect (spec) != NULL)
    return FALSE;
  switch (spec->plan->groups[spec->group].implementation) {
  case SEAM_IMPLEMENTATION_GENERATED:
  case SEAM_IMPLEMENTATION_EDITED:
    return TRUE;
  case SEAM_IMPLEMENTATION_CPU:
    return FALSE;
  default:
    return count_generated (spec) > 1 && seam_cpu_compiler_get () != NULL;
  }
}

/* Why the plan cannot have what it asks for after “@”, or NULL. */
static char *
refuse_choice (const SeamGroupSpec *spec)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];

  switch (group->implementation) {
  case SEAM_IMPLEMENTATION_AUTO:
  case SEAM_IMPLEMENTATION_CPU:
  case SEAM_IMPLEMENTATION_LIBRARY:
    return NULL;
  case SEAM_IMPLEMENTATION_EDITED:
    if (spec->edit == NULL)
      return g_strdup (SEAM_BACKEND_NO_EDIT);
    if (strstr (spec->edit, SEAM_SOURCE_HAND_HEAD) != NULL)
      return g_strdup ("The edited text is a CUDA kernel, and the CPU runs C: choose a GPU as the "
                       "target, or reset the text.");
    /* fall through */
  case SEAM_IMPLEMENTATION_GENERATED:
    if (find_store_defect (spec) != NULL)
      return g_strdup_printf ("%s carries a mistake on purpose, which “@generated” has not; write "
                              "“@cpu” or leave it out.",
                              find_store_defect (spec)->label);
    if (count_generated (spec) == 0)
      return g_strdup_printf (
          "Generated code is for elementwise ops and GroupNorm; this group is %s alone.",
          seam_plan_get_chain (spec->plan)->ops[group->first].label);
    if (seam_cpu_compiler_get () == NULL)
      return g_strdup ("Generated code needs a C compiler (cc, gcc or clang), and there is none; "
                       "install gcc, or write “@cpu”.");
    return NULL;
  default:
    return g_strdup_printf (
        "“@%s” runs on NVIDIA GPUs only; on the CPU leave it out, or write “@cpu” or “@generated”.",
        seam_implementation_get_name (group->implementation));
  }
}

void
seam_cpu_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamDims *dims = &spec->problem->dims;

  memset (support, 0, sizeof *support);
  support->implementation = SEAM_IMPLEMENTATION_CPU;
  support->level = SEAM_SUPPORT_NO;
  support->n_kernels = -1;
  support->reason = refuse_choice (spec);
  if (support->reason != NULL) {
    support->implementation = group->implementation;
    return;
  }
  for (int i = MAX (1, group->first); i <= group->last; i++)
    if (chain->ops[i].type == SEAM_OP_CONV2D || chain->ops[i].type == SEAM_OP_MATMUL) {
      support->reason = g_strdup_printf (
          "“%s” is not the first op of the chain, and the CPU backend starts a chain with it.",
          chain->ops[i].name);
      return;
    }
  /* OpenBLAS counts rows, columns and strides in 32 bits. */
  double largest = MAX ((double)dims->c * (double)dims->r * (double)dims->r,
                        MAX ((double)dims->h * (double)dims->w, (double)dims->k));
  if (group->first == 0 && largest > G_MAXINT32) {
    support->reason = g_strdup (
        "A row of this matrix has over 2,147,483,647 elements, more than OpenBLAS can count; "
        "choose a smaller shape.");
    return;
  }

  support->level = SEAM_SUPPORT_YES;
  if (group->implementation == SEAM_IMPLEMENTATION_EDITED)
    support->implementation = SEAM_IMPLEMENTATION_EDITED;
  else if (seam_cpu_would_generate (spec))
    support->implementation = SEAM_IMPLEMENTATION_GENERATED;
  support->executed = g_strdup (seam_implementation_get_name (support->implementation));
  support->n_kernels = 1;
  if (spec->math_mode == SEAM_MATH_TF32 && group->first == 0)
    support->reason =
        g_strdup ("The CPU computes in FP32; TF32 is a mode of NVIDIA's tensor cores.");
  else if (seam_cpu_rounds_operands (spec))
    support->reason = g_strdup_printf (
        "The CPU rounds input and weight to %s and multiplies them in FP32: the numbers are those "
        "of the mode, the speed is not.",
        spec->math_mode == SEAM_MATH_FP16 ? "FP16" : "BF16");
  if (seam_cpu_rounds_operands (spec))
    support->n_kernels++;
}

/* --- Values and places --- */

typedef struct {
  const SeamChain *chain;
  int first, last;
  int stage[SEAM_MAX_OPS];           /* of each op of the group */
  int last_use[SEAM_MAX_OPS];        /* op of the group that reads the value last; -1 none */
  gboolean is_written[SEAM_MAX_OPS]; /* a later group reads it, or it is the chain's output */
  gboolean is_carried[SEAM_MAX_OPS]; /* not written, but read in a later stage */
  gboolean is_kept[SEAM_MAX_OPS];    /* neither, but whole tiles lie in the output for a time */
  SeamCpuPlace places[SEAM_MAX_OPS];
  float *stores[SEAM_MAX_OPS]; /* the whole tensor of which a mistaken store writes a part */
  int n_slots;
} Layout;

static gboolean
reads (const SeamChain *chain, int reader, int op)
{
  return reader == op + 1
         || (chain->ops[reader].type == SEAM_OP_MULTIPLY_TENSOR
             && chain->ops[reader].operand == op);
}

static void
find_uses (Layout *layout, const SeamGroupSpec *spec)
{
  const SeamChain *chain = layout->chain;
  SeamGroupTensors tensors;
  int stage = 0;

  for (int i = layout->first; i <= layout->last; i++) {
    stage += chain->ops[i].type == SEAM_OP_GROUPNORM;
    layout->stage[i] = stage;
    layout->last_use[i] = -1;
    for (int reader = i + 1; reader <= layout->last; reader++)
      if (reads (chain, reader, i))
        layout->last_use[i] = reader;
  }
  seam_plan_get_group_tensors (spec->plan, spec->group, &tensors);
  for (int j = 0; j < tensors.n_outputs; j++)
    layout->is_written[tensors.outputs[j] - SEAM_TENSOR_OUTPUT (0)] = TRUE;
  for (int i = layout->first; i <= layout->last; i++) {
    const SeamOp *op = &chain->ops[i];
    int last_use = layout->last_use[i];
    gboolean before_norm = i < layout->last && chain->ops[i + 1].type == SEAM_OP_GROUPNORM;
    if (layout->is_written[i]) {
      /* Half of it is in memory then; what a groupnorm or a later stage reads is whole. */
      layout->is_carried[i] =
          has_store_defect (op)
          && (before_norm || (last_use > i + 1 && layout->stage[last_use] > layout->stage[i]));
      continue;
    }
    /* The groupnorm itself reads what lies before it; any other reader in a later stage counts. */
    layout->is_carried[i] = last_use > i + 1 && layout->stage[last_use] > layout->stage[i];
    layout->is_kept[i] =
        !layout->is_carried[i]
        && (before_norm || op->type == SEAM_OP_CONV2D || op->type == SEAM_OP_MATMUL);
  }
}

/* A slot for op `i`: that of a value which `i` reads for the last time, else the lowest one that no
 * value still to be read occupies. */
static int
choose_slot (const Layout *layout, int i)
{
  guint32 taken = 0;

  for (int j = layout->first; j < i; j++) {
    if (layout->places[j].memory != NULL)
      continue;
    if (layout->last_use[j] == i)
      return layout->places[j].slot;
    if (layout->last_use[j] > i)
      taken |= 1u << layout->places[j].slot;
  }
  int slot = 0;
  while (taken & (1u << slot))
    slot++;
  return slot;
}

/* A whole tensor that only this group sees. */
static float *
carry (SeamPrepared *g, const SeamOp *op, GError **error)
{
  gsize bytes = (gsize)(g->n * g->k * g->plane) * sizeof (float);
  void *memory = NULL;

  if (posix_memalign (&memory, SEAM_CPU_ALIGNMENT, bytes) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                 "There is not enough memory to keep “%s” inside the group; choose a smaller "
                 "shape, or cut the chain after it.",
                 op->name);
    return NULL;
  }
  return g->carried[g->n_carried++] = memory;
}

static gboolean
choose_places (SeamPrepared *g, Layout *layout, SeamBuffer *const *tensors, GError **error)
{
  float *output = tensors[SEAM_TENSOR_OUTPUT (layout->last)]->data;
  /* What is never written keeps what was there: so nothing else may lie there before. */
  gboolean is_partial = seam_chain_has_store_defect (layout->chain);

  for (int i = layout->first; i <= layout->last; i++) {
    SeamCpuPlace *place = &layout->places[i];
    const SeamOp *op = &layout->chain->ops[i];

    if (layout->is_written[i] && has_store_defect (op))
      layout->stores[i] = tensors[SEAM_TENSOR_OUTPUT (i)]->data;
    if (layout->is_written[i] && layout->stores[i] == NULL) {
      place->memory = tensors[SEAM_TENSOR_OUTPUT (i)]->data;
    } else if (layout->is_carried[i] || (layout->is_kept[i] && is_partial)) {
      /* Rare (a product over a groupnorm in a person's own pipeline, an exhibit). */
      place->memory = carry (g, op, error);
      if (place->memory == NULL)
        return FALSE;
    } else if (layout->is_kept[i]) {
      /* Whole tiles and whole groups are kept where the group's output will be: the rest of the
       * chain overwrites them there, still in the cache. A scratch tile instead was a quarter
       * slower for #57: the last op then waits for every line of the output to be fetched, while
       * the stores of a convolution hide that behind its arithmetic. */
      place->memory = output;
    } else {
      place->slot = choose_slot (layout, i);
      layout->n_slots = MAX (layout->n_slots, place->slot + 1);
    }
  }
  return TRUE;
}

static SeamCpuPlace
get_source (const Layout *layout, SeamBuffer *const *tensors, int op)
{
  if (op >= layout->first)
    return layout->places[op];
  int tensor = op < 0 ? SEAM_TENSOR_INPUT : SEAM_TENSOR_OUTPUT (op);
  return (SeamCpuPlace){ .memory = tensors[tensor]->data };
}

static const float *
get_param (const SeamChain *chain, SeamBuffer *const *tensors, const SeamOp *op, int j)
{
  return op->params[j] < 0 ? NULL : tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[j])]->data;
}

static void
fill_stages (SeamPrepared *g, const Layout *layout, SeamBuffer *const *tensors)
{
  const SeamChain *chain = layout->chain;

  for (int i = layout->first; i <= layout->last; i++) {
    const SeamOp *op = &chain->ops[i];
    SeamCpuStage *stage = &g->stages[layout->stage[i]];
    if (op->type == SEAM_OP_CONV2D || op->type == SEAM_OP_MATMUL) {
      g->weight = get_param (chain, tensors, op, 0);
      g->input = tensors[SEAM_TENSOR_INPUT]->data;
      g->matrix_target = layout->places[i].memory;
      continue;
    }

    SeamCpuAction *action = &stage->actions[stage->n_actions++];
    action->kind = SEAM_CPU_STEP;
    action->source = get_source (layout, tensors, i - 1);
    action->target = layout->places[i];
    action->operand = op->type == SEAM_OP_MULTIPLY_TENSOR
                          ? get_source (layout, tensors, op->operand)
                          : action->source;
    if (op->type == SEAM_OP_GROUPNORM) {
      action->kind = SEAM_CPU_NORMALIZE;
      action->weight = get_param (chain, tensors, op, 0);
      action->bias = get_param (chain, tensors, op, 1);
      stage[-1].has_moments = TRUE;
      stage[-1].normalized = action->source;
      stage[-1].defect = op->defect;
      stage[-1].defect_parameter = op->defect_parameter;
    } else {
      action->step.type = op->type;
      action->step.scalars[0] = (float)op->scalars[0];
      action->step.scalars[1] = (float)op->scalars[1];
      action->step.vector = get_param (chain, tensors, op, 0);
    }
    if (layout->stores[i] != NULL)
      stage->actions[stage->n_actions++] = (SeamCpuAction){
        .kind = SEAM_CPU_STORE,
        .source = layout->places[i],
        .target = { .memory = layout->stores[i] },
        .defect = op->defect,
        .defect_parameter = op->defect_parameter,
      };
  }
}

/* --- Generated code --- */

static void
copy_layout (SeamPrepared *g, const Layout *layout)
{
  g->n_stages = layout->stage[layout->last] + 1;
  for (int i = layout->first; i <= layout->last; i++) {
    g->stage_of[i] = layout->stage[i];
    g->is_stored[i] = layout->is_written[i] || layout->is_carried[i] || layout->is_kept[i];
  }
}

/* Where the functions' tensors lie. */
static void
bind_stage (SeamCpuStage *stage, const Layout *layout, SeamBuffer *const *tensors)
{
  const SeamCpuText *text = &stage->text;

  for (int i = 0; i < text->n_reads; i++)
    stage->reads[i] = get_source (layout, tensors, text->reads[i]).memory;
  for (int i = 0; i < text->n_writes; i++)
    stage->writes[i] = layout->places[text->writes[i]].memory;
  for (int i = 0; i < text->n_vectors; i++)
    stage->vectors[i] = tensors[text->vectors[i]]->data;
}

/* Compiles the stages' functions, all or none of them. */
static gboolean
add_functions (SeamPrepared *g, const SeamGroupSpec *spec, const Layout *layout,
               SeamBuffer *const *tensors, GError **error)
{
  g_autofree char *text = seam_cpu_generate (spec, g);
  SeamCpuFunction functions[SEAM_CPU_MAX_STAGES] = { NULL };

  g->module = seam_cpu_module_new (g->device, spec->edit != NULL ? spec->edit : text,
                                   spec->edit == NULL, g->cancel, error);
  if (g->module == NULL)
    return FALSE;
  for (int s = 0; s < g->n_stages; s++) {
    g_autofree char *name = g_strdup_printf ("stage_%d", s);
    if (!g->stages[s].text.has_function)
      continue;
    functions[s] = seam_cpu_module_get (g->module, name, error);
    if (functions[s] == NULL)
      return FALSE;
    bind_stage (&g->stages[s], layout, tensors);
  }
  for (int s = 0; s < g->n_stages; s++)
    g->stages[s].function = functions[s];
  g->implementation =
      spec->edit != NULL ? SEAM_IMPLEMENTATION_EDITED : SEAM_IMPLEMENTATION_GENERATED;
  return TRUE;
}

/* A compiler that fails is no reason not to run, unless the plan asks for its code by name. */
static gboolean
generate (SeamPrepared *g, const SeamGroupSpec *spec, const Layout *layout,
          SeamBuffer *const *tensors, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!seam_cpu_would_generate (spec) || add_functions (g, spec, layout, tensors, &local))
    return TRUE;
  if (spec->plan->groups[spec->group].implementation == SEAM_IMPLEMENTATION_AUTO
      && !g_error_matches (local, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    g->note = g_strdup_printf ("Group %d ran on the loops of this program, op after op, because "
                               "its generated code could not be used: %s",
                               spec->group + 1, local->message);
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* --- Sizes of tiles --- */

static void
choose_matrix_tiles (SeamPrepared *g)
{
  gint64 group_channels = g->k / g->groups;
  gint64 wanted_tiles = TILES_PER_THREAD * g->n_threads;
  gint64 columns = g->has_matrix ? MATMUL_COLUMNS : PASS_ELEMENTS;

  /* A tile holds whole normalisation groups, so that every row of it is finished at once. */
  if (g->n_stages > 1)
    columns = MAX (1, columns / group_channels) * group_channels;
  g->tile_columns = MIN (columns, g->k);
  if (!g->has_matrix) {
    g->tile_rows = CLAMP (PASS_ELEMENTS / g->tile_columns, 1, g->n);
    return;
  }
  g->tile_rows = CLAMP (TILE_FLOATS / g->tile_columns, 16, MATMUL_ROWS);
  g->tile_rows = MIN (g->tile_rows, g->n);
  while (divide_up (g->n, g->tile_rows) * divide_up (g->k, g->tile_columns) < wanted_tiles
         && g->tile_rows > 32)
    g->tile_rows = divide_up (g->tile_rows, 2);
  while (divide_up (g->n, g->tile_rows) * divide_up (g->k, g->tile_columns) < wanted_tiles
         && g->n_stages == 1 && g->tile_columns > 64)
    g->tile_columns = round_up (g->tile_columns / 2, 16);
}

static void
choose_bundles (SeamPrepared *g)
{
  gint64 group_channels = g->k / g->groups;

  g->bundle_samples = g->n;
  g->bundle_channels = g->k;
  if (g->n_stages == 1)
    return; /* nothing to wait for */

  gint64 unit = group_channels * g->plane;
  gint64 n_units = 1;
  if (g->has_matrix && g->is_direct)
    n_units = divide_up (4, group_channels); /* a register block of the direct loops */
  else if (g->has_matrix)
    n_units = g->groups; /* im2col once for all channels */
  else
    n_units = MAX (1, PASS_ELEMENTS / unit);
  n_units = MIN (n_units, g->groups);
  g->bundle_channels = n_units * group_channels;
  g->bundle_samples = 1;
  if (n_units == g->groups)
    g->bundle_samples = CLAMP (PASS_ELEMENTS / (g->k * g->plane), 1, g->n);

  gint64 n_bundles = divide_up (g->n, g->bundle_samples) * divide_up (g->groups, n_units);
  gint64 rounds = divide_up (n_bundles, g->n_threads);
  double bytes = 4.0 * (double)g->bundle_samples * (double)g->bundle_channels * (double)g->plane;
  /* One thread a bundle when all of them fit in the cache together and none waits long at the end;
   * else all threads share one bundle, which then has the whole cache. */
  g->is_hot = bytes * g->n_threads <= (double)g->device->cache_bytes
              && (double)(rounds * g->n_threads) <= 1.15 * (double)n_bundles;
}

static void
choose_plane_tiles (SeamPrepared *g)
{
  for (int s = 0; s < g->n_stages; s++) {
    g->stages[s].tile_pixels = MIN (g->plane, PASS_ELEMENTS);
    g->stages[s].tile_channels = CLAMP (PASS_ELEMENTS / g->plane, 1, g->bundle_channels);
  }
  if (!g->has_matrix)
    return;

  SeamCpuStage *stage = &g->stages[0];
  const SeamCpuConvolution *sizes = &g->convolution;
  gint64 unit = g->is_direct ? DIRECT_CHANNELS : 32;
  stage->tile_channels = g->bundle_channels;
  if (g->is_direct) {
    gint64 n_rows = CLAMP (DIRECT_PIXELS / sizes->q, 1, g->plane / sizes->q);
    stage->tile_pixels = n_rows * sizes->q;
  } else {
    stage->tile_pixels = CLAMP (round_up (COLUMNS_FLOATS / g->depth, 16), 64, SEAM_CPU_RUN);
    stage->tile_pixels = MIN (stage->tile_pixels, g->plane);
    stage->tile_channels = MIN (stage->tile_channels, MAX (unit, TILE_FLOATS / stage->tile_pixels));
  }
  while (!g->is_hot && stage->tile_channels > unit
         && g->bundle_samples * divide_up (g->bundle_channels, stage->tile_channels)
                    * divide_up (g->plane, stage->tile_pixels)
                < TILES_PER_THREAD * g->n_threads)
    stage->tile_channels = round_up (stage->tile_channels / 2, unit);
  g->matrix_channels =
      g->is_direct ? MIN (DIRECT_CHANNELS, stage->tile_channels) : stage->tile_channels;
}

static void
choose_tiles (SeamPrepared *g)
{
  if (g->plane == 1) {
    choose_matrix_tiles (g);
  } else {
    choose_bundles (g);
    choose_plane_tiles (g);
  }
}

/* --- Scratch --- */

/* Reserves `n` elements of `size` bytes at the running offset, aligned. */
static gsize
reserve (gsize *offset, gint64 n, gsize size)
{
  gsize start = *offset;
  *offset += (gsize)round_up (n * (gint64)size, SEAM_CPU_ALIGNMENT);
  return start;
}

static gboolean
allocate_scratch (SeamPrepared *g, int n_slots, GError **error)
{
  gint64 columns = 0, n_norms = 0, n_moments = 0;

  if (g->plane == 1) {
    n_norms = g->n_stages > 1 ? 2 * (g->tile_columns / (g->k / g->groups)) : 0;
  } else {
    gint64 pixels = g->stages[0].tile_pixels;
    columns = g->has_matrix && !g->is_direct && g->convolution.r > 1 ? g->depth * pixels : 0;
    for (int s = 0; s < g->n_stages; s++)
      if (g->stages[s].has_moments)
        n_moments =
            g->bundle_samples * g->bundle_channels * divide_up (g->plane, g->stages[s].tile_pixels);
    if (g->n_stages > 1)
      g->norms = g_try_new0 (float, 2 * (gsize)(g->n * g->groups));
  }

  gsize bytes = 0;
  gsize slots_at = reserve (&bytes, (gint64)n_slots * SEAM_CPU_RUN, sizeof (float));
  gsize columns_at = reserve (&bytes, columns, sizeof (float));
  gsize norms_at = reserve (&bytes, n_norms, sizeof (float));
  gsize moments_at = reserve (&bytes, n_moments, sizeof (SeamCpuMoments));
  gboolean is_short = g->plane > 1 && g->n_stages > 1 && g->norms == NULL;
  if (!is_short && bytes > 0
      && posix_memalign (&g->scratch_memory, SEAM_CPU_ALIGNMENT, bytes * (gsize)g->n_threads) != 0)
    is_short = TRUE;
  if (is_short) {
    g->scratch_memory = NULL;
    g_set_error (
        error, SEAM_ERROR, SEAM_ERROR_MEMORY,
        "There is not enough memory for the scratch tiles of “%s”; choose a smaller shape.",
        g->name);
    return FALSE;
  }

  g->scratch = g_new0 (SeamCpuScratch, g->n_threads);
  for (int i = 0; i < g->n_threads && bytes > 0; i++) {
    char *start = (char *)g->scratch_memory + (gsize)i * bytes;
    g->scratch[i].slots = (float *)(start + slots_at);
    g->scratch[i].columns = (float *)(start + columns_at);
    g->scratch[i].norms = (float *)(start + norms_at);
    g->scratch[i].moments = (SeamCpuMoments *)(start + moments_at);
  }
  return TRUE;
}

/* --- Preparing --- */

static gboolean
check_buffers (const SeamGroupSpec *spec, SeamBuffer *const *tensors, GError **error)
{
  SeamGroupTensors needed;
  seam_plan_get_group_tensors (spec->plan, spec->group, &needed);
  const struct {
    const int *tensors;
    int n;
  } lists[] = {
    { needed.inputs, needed.n_inputs },
    { needed.params, needed.n_params },
    { needed.outputs, needed.n_outputs },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    for (int j = 0; j < lists[i].n; j++) {
      int tensor = lists[i].tensors[j];
      if (tensors[tensor] == NULL
          || tensors[tensor]->bytes < spec->problem->tensors[tensor].bytes) {
        g_set_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
                     "Tensor %d of the plan “%s” has no memory that is large enough.", tensor,
                     spec->plan->notation);
        return FALSE;
      }
    }
  return TRUE;
}

static void
set_names (SeamPrepared *g, const SeamChain *chain, const SeamGroup *group)
{
  GString *name = g_string_new (chain->ops[group->first].label);
  for (int i = group->first + 1; i <= group->last; i++)
    g_string_append_printf (name, " + %s", chain->ops[i].label);
  g->name = g_string_free (name, FALSE);
  if (group->last - group->first < 2)
    g->short_name = g_strdup (g->name);
  else
    g->short_name =
        g_strdup_printf ("%s … %s", chain->ops[group->first].label, chain->ops[group->last].label);
}

static void
set_sizes (SeamPrepared *g, const SeamGroupSpec *spec)
{
  const SeamProblem *problem = spec->problem;
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamDims *dims = &problem->dims;

  seam_problem_get_output_view (problem, &g->n, &g->k, &g->plane);
  g->groups = dims->groups;
  g->row = chain->ops[0].type == SEAM_OP_CONV2D ? dims->q : g->k;
  g->depth = dims->c * dims->r * dims->r;
  g->convolution = (SeamCpuConvolution){ dims->c, dims->h, dims->w, dims->r, dims->q };
  g->has_matrix = seam_cpu_has_matrix (spec);
  /* A convolution with one output pixel reads a whole sample: it is a matmul and takes the matrix
   * layout, as every output with a plane of one element does. */
  g->half_sums = g->has_matrix && chain->ops[0].defect == SEAM_DEFECT_HALF_SUMS;
  if (seam_cpu_rounds_operands (spec))
    g->operand = seam_math_mode_get_operand (spec->math_mode);
  g->n_input = problem->tensors[SEAM_TENSOR_INPUT].n_elements;
  g->n_weight = dims->k * g->depth;
  g->is_direct = g->has_matrix && !g->half_sums && g->plane > 1 && g->depth <= MAX_DIRECT_DEPTH
                 && g->device->loops->vector_width >= MIN_DIRECT_WIDTH
                 && dims->q >= g->device->loops->vector_width;
}

SeamPrepared *
seam_cpu_prepare (SeamDevice *device, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
                  SeamCancel *cancel, GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  SeamSupport support;

  seam_cpu_supports (device, spec, &support);
  if (support.level == SEAM_SUPPORT_NO) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, support.reason);
    seam_support_clear (&support);
    return NULL;
  }
  seam_support_clear (&support);
  if (!check_buffers (spec, tensors, error))
    return NULL;

  SeamPrepared *g = g_new0 (SeamPrepared, 1);
  g->device = (SeamCpuDevice *)device;
  g->cancel = cancel;
  g->n_threads = g->device->n_threads;
  g->implementation = SEAM_IMPLEMENTATION_CPU;
  g->group = spec->group;
  g->first_op = group->first;
  g->last_op = group->last;
  g->carried = g_new0 (float *, SEAM_MAX_OPS);
  set_names (g, chain, group);
  set_sizes (g, spec);
  SeamGroupCost cost;
  seam_group_cost (spec->problem, spec->plan, spec->group, &cost);
  g->bytes = cost.bytes_read + cost.bytes_written;

  Layout layout = { .chain = chain, .first = group->first, .last = group->last };
  find_uses (&layout, spec);
  copy_layout (g, &layout);
  if (!choose_places (g, &layout, tensors, error)) {
    seam_cpu_free_prepared (device, g);
    return NULL;
  }
  fill_stages (g, &layout, tensors);
  choose_tiles (g);
  if (!allocate_scratch (g, layout.n_slots, error) || !seam_cpu_reserve_operands (g, error)
      || !generate (g, spec, &layout, tensors, error)) {
    seam_cpu_free_prepared (device, g);
    return NULL;
  }
  return g;
}

void
seam_cpu_outline (SeamDevice *device, const SeamGroupSpec *spec, SeamPrepared *g)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  Layout layout = { .chain = chain, .first = group->first, .last = group->last };

  *g = (SeamPrepared){ .device = (SeamCpuDevice *)device };
  g->n_threads = g->device->n_threads;
  g->first_op = group->first;
  g->last_op = group->last;
  set_sizes (g, spec);
  find_uses (&layout, spec);
  copy_layout (g, &layout);
  choose_tiles (g);
}

void
seam_cpu_free_prepared (SeamDevice *device, SeamPrepared *g)
{
  if (g == NULL)
    return;
  for (int i = 0; i < g->n_carried; i++)
    free (g->carried[i]);
  g_free (g->carried);
  g_free (g->scratch);
  free (g->scratch_memory);
  g_free (g->norms);
  seam_cpu_module_free (g->module);
  g_free (g->note);
  g_free (g->name);
  g_free (g->short_name);
  g_free (g);
}
