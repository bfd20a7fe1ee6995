/* SPDX-License-Identifier: MIT
 *
 * Prepares a group of a plan for the CPU: assigns ops to stages, and a place to every value.
 * backend-cpu.h describes the scheme; cpu-tiles.c has the sizes of tiles.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"
#include "app/backend/matrix.h"

#include "app/pipeline/defect.h"

#include <stdlib.h>
#include <string.h>

/* Longest sum of the direct convolution: beyond that the input rows of a tile no longer stay in the
 * L2 cache. */
#define MAX_DIRECT_DEPTH 1024
/* With narrower vectors (no AVX2), sgemm, which has its own dispatch, is faster. */
#define MIN_DIRECT_WIDTH 8

/* --- Values and places --- */

typedef struct {
  const SeamChain *chain;
  int first, last;
  int stage[SEAM_MAX_OPS];           /* of each op of the group */
  int last_use[SEAM_MAX_OPS];        /* last op of the group that reads the value; -1 none */
  gboolean is_written[SEAM_MAX_OPS]; /* a later group reads it, or it is the chain's output */
  gboolean is_carried[SEAM_MAX_OPS]; /* not written, but read in a later stage */
  gboolean is_kept[SEAM_MAX_OPS];    /* neither, but whole tiles stay in the output's memory for a
                                      * time */
  gboolean is_packed[SEAM_MAX_OPS];  /* written in 16 bits */
  gboolean is_tile[SEAM_MAX_OPS];    /* the matrix op's output: whole tiles are in the scratch */
  SeamCpuPlace places[SEAM_MAX_OPS];
  /* The whole tensor that a separate store writes: packed, or incomplete because of a defect. */
  SeamCpuPlace stores[SEAM_MAX_OPS];
  gboolean has_store[SEAM_MAX_OPS];
  int n_slots;
} Layout;

static gboolean
reads (const SeamChain *chain, int reader, int op)
{
  return seam_op_reads (&chain->ops[reader], SEAM_TENSOR_OUTPUT (op));
}

static gboolean
is_packed (const SeamProblem *problem, int op)
{
  return problem->tensors[SEAM_TENSOR_OUTPUT (op)].type != SEAM_OPERAND_FP32;
}

static void
find_uses (Layout *layout, const SeamGroupSpec *spec)
{
  const SeamChain *chain = layout->chain;
  SeamGroupTensors tensors;
  int stage = 0;

  for (int i = layout->first; i <= layout->last; i++) {
    stage += seam_op_is_normalisation (&chain->ops[i]);
    layout->stage[i] = stage;
    layout->last_use[i] = -1;
    for (int reader = i + 1; reader <= layout->last; reader++)
      if (reads (chain, reader, i))
        layout->last_use[i] = reader;
  }
  seam_plan_get_group_tensors (spec->plan, spec->group, &tensors);
  for (int j = 0; j < tensors.n_outputs; j++) {
    int op = tensors.outputs[j] - SEAM_TENSOR_OUTPUT (0);
    layout->is_written[op] = TRUE;
    layout->is_packed[op] = is_packed (spec->problem, op);
    layout->has_store[op] = layout->is_packed[op] || seam_cpu_has_store_defect (&chain->ops[op]);
  }
  gboolean packs_output = layout->is_packed[layout->last];
  for (int i = layout->first; i <= layout->last; i++) {
    const SeamOp *op = &chain->ops[i];
    int last_use = layout->last_use[i];
    gboolean before_norm = i < layout->last && seam_op_is_normalisation (&chain->ops[i + 1]);
    gboolean is_matrix = seam_op_is_matrix (op);
    gboolean is_late = last_use > i + 1 && layout->stage[last_use] > layout->stage[i];
    if (layout->is_written[i]) {
      /* The written tensor is rounded or incomplete then, but a groupnorm or a later stage reads it
       * whole and in FP32. */
      layout->is_carried[i] = layout->has_store[i] && (before_norm || is_late);
      layout->is_tile[i] = is_matrix && layout->is_packed[i] && !layout->is_carried[i];
      continue;
    }
    /* A groupnorm next to it needs no carried tensor; any other reader in a later stage does. An
     * output of 16 bits cannot keep an FP32 value, so then the groupnorm needs one, too. */
    layout->is_carried[i] = is_late || (before_norm && packs_output);
    layout->is_tile[i] = is_matrix && packs_output && !layout->is_carried[i];
    layout->is_kept[i] =
        !layout->is_carried[i] && !layout->is_tile[i] && (before_norm || is_matrix);
  }
}

/* A slot for op `i`: that of a value whose last reader is `i`, else the lowest one without a value
 * that is still to be read. */
static int
choose_slot (const Layout *layout, int i)
{
  guint32 taken = 0;

  for (int j = layout->first; j < i; j++) {
    if (layout->places[j].memory != NULL || layout->is_tile[j])
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

/* Allocates a whole tensor that only this group uses. */
static float *
carry (SeamPrepared *g, const SeamOp *op, GError **error)
{
  gsize bytes = (gsize)(g->n * g->k * g->plane) * sizeof (float);
  void *memory = NULL;

  if (posix_memalign (&memory, SEAM_CPU_ALIGNMENT, bytes) != 0)
    return seam_fail_null (error, SEAM_ERROR_MEMORY,
                           "There is not enough memory to keep “%s” inside the group; choose a "
                           "smaller shape, or cut the chain after it.",
                           op->name);
  return g->carried[g->n_carried++] = memory;
}

static SeamCpuPlace
get_whole (gboolean is_packed, void *data)
{
  return is_packed ? (SeamCpuPlace){ .packed = data } : (SeamCpuPlace){ .memory = data };
}

static gboolean
choose_places (SeamPrepared *g, Layout *layout, SeamBuffer *const *tensors, GError **error)
{
  float *output = tensors[SEAM_TENSOR_OUTPUT (layout->last)]->data;
  /* Elements that are never written keep their old contents, so no other value may use the output's
   * memory before. */
  gboolean is_partial = seam_chain_has_store_defect (layout->chain);

  for (int i = layout->first; i <= layout->last; i++) {
    SeamCpuPlace *place = &layout->places[i];
    const SeamOp *op = &layout->chain->ops[i];

    if (layout->is_written[i] && layout->has_store[i])
      layout->stores[i] = get_whole (layout->is_packed[i], tensors[SEAM_TENSOR_OUTPUT (i)]->data);
    if (layout->is_written[i] && !layout->has_store[i]) {
      place->memory = tensors[SEAM_TENSOR_OUTPUT (i)]->data;
    } else if (layout->is_tile[i]) {
      place->is_tile = TRUE;
    } else if (layout->is_carried[i] || (layout->is_kept[i] && is_partial)) {
      /* Rare: a product over a groupnorm in a person's own pipeline, or an exhibit. */
      place->memory = carry (g, op, error);
      if (place->memory == NULL)
        return FALSE;
    } else if (layout->is_kept[i]) {
      /* Whole tiles and whole groups are kept in the memory of the group's output: the rest of the
       * chain overwrites them there while they are in the cache. A scratch tile instead was a
       * quarter slower for #57: then the last op waits for every line of the output to be fetched,
       * while the stores of a convolution hide that behind its arithmetic. */
      place->memory = output;
    } else {
      place->slot = choose_slot (layout, i);
      layout->n_slots = MAX (layout->n_slots, place->slot + 1);
    }
  }
  return TRUE;
}

static SeamCpuPlace
get_source (const SeamProblem *problem, const Layout *layout, SeamBuffer *const *tensors,
            int tensor)
{
  const int op = seam_tensor_get_op (layout->chain, tensor);

  if (op >= layout->first)
    return layout->places[op];
  return get_whole (problem->tensors[tensor].type != SEAM_OPERAND_FP32, tensors[tensor]->data);
}

/* The same for one of the program's loops, which reads FP32: a 16-bit tensor is widened into its
 * own slot, once per stage. */
static SeamCpuPlace
get_loaded (const SeamProblem *problem, Layout *layout, SeamBuffer *const *tensors, int tensor,
            SeamCpuStage *stage)
{
  SeamCpuPlace source = get_source (problem, layout, tensors, tensor);

  if (source.packed == NULL)
    return source;
  for (int i = 0; i < stage->n_actions; i++)
    if (stage->actions[i].kind == SEAM_CPU_LOAD && stage->actions[i].source.packed == source.packed)
      return stage->actions[i].target;
  SeamCpuPlace slot = { .slot = layout->n_slots++ };
  stage->actions[stage->n_actions++] =
      (SeamCpuAction){ .kind = SEAM_CPU_LOAD, .source = source, .target = slot };
  return slot;
}

static const float *
get_param (const SeamChain *chain, SeamBuffer *const *tensors, const SeamOp *op, int j)
{
  return op->params[j] < 0 ? NULL : tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[j])]->data;
}

/* Adds a store for the value of op `i` if the op itself does not write it. */
static void
add_store (SeamCpuStage *stage, const Layout *layout, const SeamOp *op, int i)
{
  SeamDefectType defect = seam_cpu_has_store_defect (op) ? op->defect : SEAM_DEFECT_NONE;

  if (!layout->has_store[i])
    return;
  stage->actions[stage->n_actions++] = (SeamCpuAction){
    .kind = SEAM_CPU_STORE,
    .source = layout->places[i],
    .target = layout->stores[i],
    .defect = defect,
    .defect_parameter = op->defect_parameter,
  };
}

static void
fill_stages (SeamPrepared *g, const SeamProblem *problem, Layout *layout,
             SeamBuffer *const *tensors)
{
  const SeamChain *chain = layout->chain;

  for (int i = layout->first; i <= layout->last; i++) {
    const SeamOp *op = &chain->ops[i];
    SeamCpuStage *stage = &g->stages[layout->stage[i]];
    if (seam_op_is_matrix (op)) {
      g->matrix_target = layout->places[i].memory;
      add_store (stage, layout, op, i);
      continue;
    }

    SeamCpuPlace source = get_loaded (problem, layout, tensors, op->inputs[0], stage);
    SeamCpuPlace operand = source;
    if (op->inputs[1] >= 0)
      operand = get_loaded (problem, layout, tensors, op->inputs[1], stage);
    SeamCpuAction *action = &stage->actions[stage->n_actions++];
    action->kind = SEAM_CPU_STEP;
    action->source = source;
    action->target = layout->places[i];
    action->operand = operand;
    if (seam_op_is_normalisation (op)) {
      action->kind = SEAM_CPU_NORMALIZE;
      if (op->defect != SEAM_DEFECT_WITHOUT_AFFINE) {
        action->weight = get_param (chain, tensors, op, 0);
        action->bias = get_param (chain, tensors, op, 1);
      }
      stage[-1].has_moments = TRUE;
      stage[-1].normalized = get_source (problem, layout, tensors, op->inputs[0]);
      stage[-1].defect = op->defect;
      stage[-1].defect_parameter = op->defect_parameter;
    } else {
      action->step.type = op->type;
      action->step.scalars[0] = (float)op->scalars[0];
      action->step.scalars[1] = (float)op->scalars[1];
      action->step.vector = get_param (chain, tensors, op, 0);
      if (seam_op_get_scalar_param (op) >= 0)
        action->scalar = action->step.vector;
    }
    add_store (stage, layout, op, i);
  }
}

/* --- Generated code --- */

static void
copy_layout (SeamPrepared *g, const Layout *layout)
{
  g->n_stages = layout->stage[layout->last] + 1;
  for (int i = layout->first; i <= layout->last; i++) {
    g->stage_of[i] = layout->stage[i];
    g->is_packed[i] = layout->is_packed[i];
    g->is_stored[i] = (layout->is_written[i] && !layout->is_packed[i]) || layout->is_carried[i]
                      || layout->is_kept[i];
  }
}

/* Sets the tensors of the stage's function. */
static void
bind_stage (SeamCpuStage *stage, const SeamProblem *problem, const Layout *layout,
            SeamBuffer *const *tensors)
{
  const SeamCpuText *text = &stage->text;

  for (int i = 0; i < text->n_reads; i++)
    stage->reads[i] = get_source (problem, layout, tensors, text->reads[i] + 1);
  for (int i = 0; i < text->n_writes; i++)
    stage->writes[i] = layout->places[text->writes[i]];
  for (int i = 0; i < text->n_packs; i++)
    stage->writes[text->n_writes + i] = layout->stores[text->packs[i]];
  for (int i = 0; i < text->n_vectors; i++) {
    stage->vectors[i] = tensors[text->vectors[i]]->data;
    stage->is_scalar[i] = problem->tensors[text->vectors[i]].n_elements == 1;
  }
}

/* Compiles and loads the functions of the stages; `functions` gets those that there are. */
static gboolean
load_functions (SeamPrepared *g, const SeamGroupSpec *spec, SeamCpuFunction *functions,
                GError **error)
{
  g_autofree char *text = seam_cpu_generate (spec, g);

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
  }
  return TRUE;
}

/* Gives the stages their functions, either all or none. */
static gboolean
add_functions (SeamPrepared *g, const SeamGroupSpec *spec, const Layout *layout,
               SeamBuffer *const *tensors, GError **error)
{
  SeamCpuFunction functions[SEAM_CPU_MAX_STAGES] = { NULL };

  if (!load_functions (g, spec, functions, error))
    return FALSE;
  for (int s = 0; s < g->n_stages; s++) {
    if (functions[s] != NULL)
      bind_stage (&g->stages[s], spec->problem, layout, tensors);
    g->stages[s].function = functions[s];
  }
  g->implementation =
      spec->edit != NULL ? SEAM_IMPLEMENTATION_EDITED : SEAM_IMPLEMENTATION_GENERATED;
  return TRUE;
}

/* If the compiler fails, the group still runs, unless the plan asks for its code by name. */
static gboolean
generate (SeamPrepared *g, const SeamGroupSpec *spec, const Layout *layout,
          SeamBuffer *const *tensors, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!seam_cpu_would_generate (spec) || add_functions (g, spec, layout, tensors, &local))
    return TRUE;
  if (spec->plan->groups[spec->group].implementation == NULL
      && !g_error_matches (local, SEAM_ERROR, SEAM_ERROR_CANCELLED)) {
    g->note = g_strdup_printf ("Group %d ran on the loops of this program, op after op, because "
                               "its generated code could not be used: %s",
                               spec->group + 1, local->message);
    return TRUE;
  }
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
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
      if (tensors[tensor] == NULL || tensors[tensor]->bytes < spec->problem->tensors[tensor].bytes)
        return seam_fail (error, SEAM_ERROR_INTERNAL,
                          "Tensor %d of the plan “%s” has no memory that is large enough.", tensor,
                          spec->plan->notation);
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
  g->short_name = seam_chain_name_ops (chain, group->first, group->last);
}

static void
set_sizes (SeamPrepared *g, const SeamGroupSpec *spec)
{
  const SeamProblem *problem = spec->problem;
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamTensor *output = &problem->tensors[SEAM_TENSOR_OUTPUT (group->last)];
  const SeamShapeView view = seam_shape_view (&output->shape);

  g->n = view.outer;
  g->k = view.channels;
  g->plane = view.inner;
  g->groups = 1;
  for (int i = group->first; i <= group->last; i++) {
    SeamOpCase c;
    seam_op_get_case (problem, chain, i, &c);
    if (seam_op_has_number (c.op, SEAM_NUMBER_GROUPS))
      g->groups = c.numbers[SEAM_NUMBER_GROUPS];
  }
  g->row = output->shape.dims[output->shape.n_dims - 1];
  g->storage = seam_math_mode_get_operand (spec->math_mode);
  g->has_matrix = seam_cpu_has_matrix (spec);
  if (!g->has_matrix)
    return;
  const SeamOp *op = &chain->ops[group->first];
  const SeamTensor *input = &problem->tensors[op->inputs[0]];
  const SeamTensor *weight = &problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])];
  seam_op_get_case (problem, chain, group->first, &g->matrix);
  g->depth = weight->n_elements / weight->shape.dims[0];
  if (!seam_nest_is_plain (spec)) {
    const SeamMatrixDims sizes = seam_matrix_get_dims (problem, group->first), *dims = &sizes;
    g->convolution = (SeamCpuConvolution){ dims->c, dims->h, dims->w, dims->r, dims->q };
  }
  /* A convolution with one output pixel reads a whole sample, so it is a matmul and takes the
   * matrix layout, like every output with a plane of one element. */
  g->half_sums = op->defect == SEAM_DEFECT_HALF_SUMS;
  if (seam_cpu_rounds_operands (spec)) {
    g->operand = seam_math_mode_get_product (spec->math_mode);
    g->is_scaled = seam_math_mode_is_scaled (spec->math_mode);
  }
  g->has_copies = seam_cpu_copies_operands (spec);
  g->factors[0] = input->type;
  g->factors[1] = weight->type;
  g->n_input = input->n_elements;
  g->n_weight = weight->n_elements;
  g->weight_rows = weight->shape.dims[0];
  g->is_direct = !g->half_sums && g->plane > 1 && g->depth <= MAX_DIRECT_DEPTH
                 && g->device->loops->vector_width >= MIN_DIRECT_WIDTH
                 && g->convolution.q >= g->device->loops->vector_width;
}

static int
choose_threads (const SeamCpuDevice *device, const SeamGroupSpec *spec)
{
  SeamGroupCost cost;

  seam_group_cost (spec->problem, spec->plan, spec->group, &cost);
  return seam_group_cost_count_threads (&cost, seam_cpu_get_copied_bytes (spec),
                                        device->thread_bytes, device->thread_flop,
                                        device->n_threads);
}

static gboolean
prepare_tiles (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
               GError **error)
{
  Layout layout = { .chain = seam_plan_get_chain (spec->plan),
                    .first = g->first_op,
                    .last = g->last_op };

  if (seam_nest_is_plain (spec)) {
    g->plain = seam_cpu_plain_new (g, spec, tensors, error);
    seam_cpu_use (g, NULL, seam_cpu_get_copied_bytes (spec));
    return g->plain != NULL;
  }
  find_uses (&layout, spec);
  copy_layout (g, &layout);
  if (!choose_places (g, &layout, tensors, error))
    return FALSE;
  fill_stages (g, spec->problem, &layout, tensors);
  seam_cpu_choose_tiles (g);
  return seam_cpu_allocate_scratch (g, layout.n_slots, error)
         && generate (g, spec, &layout, tensors, error);
}

/* Where oneDNN has no kernel and the plan does not ask for it by name, the group still runs. */
static gboolean
prepare_onednn (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
                GError **error)
{
  g_autoptr (GError) local = NULL;

  if (seam_cpu_choose_form (g, spec, tensors, FALSE, &local))
    return TRUE;
  if (!g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)
      || seam_group_is (&spec->plan->groups[spec->group], SEAM_IMPLEMENTATION_ONEDNN)) {
    g_propagate_error (error, g_steal_pointer (&local));
    return FALSE;
  }
  if (!prepare_tiles (g, spec, tensors, error))
    return FALSE;
  if (g->note == NULL)
    g->note = g_strdup_printf ("Group %d ran on the loops of this program: %s", spec->group + 1,
                               local->message);
  return TRUE;
}

/* Frees what only tiles need. */
static void
free_tiles (SeamPrepared *g)
{
  for (int i = 0; i < g->n_carried; i++)
    free (g->carried[i]);
  g->n_carried = 0;
  g_clear_pointer (&g->scratch, g_free);
  g_clear_pointer (&g->scratch_memory, free);
  g_clear_pointer (&g->norms, g_free);
  g_clear_pointer (&g->module, seam_cpu_module_free);
  g_clear_pointer (&g->plain, seam_cpu_plain_free);
  g_clear_pointer (&g->note, g_free);
}

SeamPrepared *
seam_cpu_prepare (SeamDevice *device, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
                  SeamCancel *cancel, GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  SeamCpuFunction functions[SEAM_CPU_MAX_STAGES];
  SeamSupport support;

  seam_cpu_supports (device, spec, &support);
  if (support.level == SEAM_SUPPORT_NO) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, support.reason);
    seam_support_clear (&support);
    return NULL;
  }
  seam_support_clear (&support);
  if (tensors != NULL && !check_buffers (spec, tensors, error))
    return NULL;

  SeamPrepared *g = g_new0 (SeamPrepared, 1);
  if (tensors == NULL) {
    seam_cpu_outline (device, spec, g);
    g->cancel = cancel;
    if (load_functions (g, spec, functions, error))
      return g;
    seam_cpu_free_prepared (device, g);
    return NULL;
  }
  g->device = (SeamCpuDevice *)device;
  g->cancel = cancel;
  g->n_threads = choose_threads (g->device, spec);
  g->implementation = SEAM_CPU_LOOPS;
  g->group = spec->group;
  g->first_op = group->first;
  g->last_op = group->last;
  g->carried = g_new0 (float *, SEAM_MAX_OPS);
  set_names (g, chain, group);
  set_sizes (g, spec);
  SeamGroupCost cost;
  seam_group_cost (spec->problem, spec->plan, spec->group, &cost);
  g->bytes = cost.bytes_read + cost.bytes_written;

  SeamCpuWay way = seam_cpu_choose_way (device, spec);
  if (g->has_matrix) {
    g->input = tensors[chain->ops[group->first].inputs[0]]->data;
    g->weight = get_param (chain, tensors, &chain->ops[group->first], 0);
  }
  seam_cpu_use (g, NULL, seam_cpu_get_copied_bytes (spec));
  if (!seam_cpu_reserve_operands (g, error)
      || (way != SEAM_CPU_BY_ONEDNN && !prepare_tiles (g, spec, tensors, error))
      || (way == SEAM_CPU_BY_ONEDNN && !prepare_onednn (g, spec, tensors, error))
      || (way == SEAM_CPU_BY_TRYING && !seam_cpu_choose_form (g, spec, tensors, TRUE, error))) {
    seam_cpu_free_prepared (device, g);
    return NULL;
  }
  if (g->onednn != NULL) {
    free_tiles (g);
    g->implementation = SEAM_IMPLEMENTATION_ONEDNN;
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
  g->n_threads = choose_threads (g->device, spec);
  g->first_op = group->first;
  g->last_op = group->last;
  set_sizes (g, spec);
  if (seam_nest_is_plain (spec))
    return;
  find_uses (&layout, spec);
  copy_layout (g, &layout);
  seam_cpu_choose_tiles (g);
}

void
seam_cpu_free_prepared (SeamDevice *device, SeamPrepared *g)
{
  if (g == NULL)
    return;
  free_tiles (g);
  seam_onednn_free (g->onednn);
  g_free (g->carried);
  g_free (g->name);
  g_free (g->short_name);
  g_free (g);
}
