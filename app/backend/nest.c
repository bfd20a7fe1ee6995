/* SPDX-License-Identifier: MIT
 *
 * Fills in the nests of kernels/nest.h from an op's case.
 */
#include "app/backend/nest.h"

#include "app/plan/fuse.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (SeamSize) == sizeof (gint64));
G_STATIC_ASSERT (SEAM_NEST_AXES == SEAM_MAX_DIMS);
G_STATIC_ASSERT (SEAM_NEST_T == SEAM_MAX_OP_INPUTS - 1);

gboolean
seam_nest_is_plain (const SeamGroupSpec *spec)
{
  const int last = spec->plan->groups[spec->group].last;

  return !seam_ops_can_fuse (spec->problem, seam_plan_get_chain (spec->plan), last, last, NULL);
}

void
seam_sets_init (SeamSets *sets, int n, const gint64 *sizes, guint reduced)
{
  int at = 6;
  gint64 stride = 1;

  for (int i = 0; i < 6; i++)
    sets->sizes[i] = 1;
  for (int i = n - 1; i >= 0; i--) {
    const int is_reduced = reduced >> i & 1;
    if (sizes[i] == 1 && n > 1)
      continue;
    /* Odd places are reduced; each axis joins the last one of its kind, or goes before it. */
    if (at == 6 || (at & 1) != is_reduced)
      at = at == 6 ? 4 + is_reduced : at - 1;
    sets->sizes[at] *= sizes[i];
  }
  for (int i = 5; i >= 0; i--) {
    sets->strides[i] = stride;
    stride *= sets->sizes[i];
  }
}

/* The last three axes of both shapes, and how a window goes along them; 1, and no padding, along
 * those that are no space. */
static void
get_space (const SeamOpCase *c, SeamSize in[3], SeamSize out[3], SeamSize kernel[3],
           SeamSize stride[3], SeamSize padding[3])
{
  for (int i = 0; i < 3; i++) {
    const gboolean is_space = i >= 3 - c->info->attributes->rank;
    const int axis = c->in[0].n_dims - 3 + i;
    in[i] = is_space ? c->in[0].dims[axis] : 1;
    out[i] = is_space ? c->out.dims[axis] : 1;
    kernel[i] = is_space ? c->numbers[SEAM_NUMBER_KERNEL] : 1;
    stride[i] = is_space ? c->numbers[SEAM_NUMBER_STRIDE] : 1;
    padding[i] = is_space ? c->numbers[SEAM_NUMBER_PADDING] : 0;
  }
}

static void
init_convolution (SeamNest *nest)
{
  SeamGeneral *g = &nest->general;

  *g = (SeamGeneral){ .c = nest->c.in[0].dims[1],
                      .k = nest->c.out.dims[1],
                      .is_transposed = seam_op_is_transposed (&nest->c) };
  get_space (&nest->c, g->in, g->out, g->kernel, g->stride, g->padding);
}

static void
init_window (SeamNest *nest)
{
  SeamWindow *w = &nest->window;

  w->reduction = nest->c.info->reduction;
  w->counts_padding = nest->c.numbers[SEAM_NUMBER_COUNT_INCLUDE_PAD] != 0;
  get_space (&nest->c, w->in, w->out, w->kernel, w->stride, w->padding);
}

static void
init_sets (SeamNest *nest)
{
  const SeamOpCase *c = &nest->c;
  const SeamShape *x = &c->in[0];
  gint64 sizes[SEAM_MAX_DIMS + 1];
  guint reduced = c->axes;
  const gboolean has_axes = c->info->attributes->has_affine_axes;
  int n = x->n_dims;

  memcpy (sizes, x->dims, sizeof x->dims);
  nest->affine_inner = 1;
  nest->affine_count = !has_axes && x->n_dims > 1 ? x->dims[1] : 1;
  for (int i = 0; i < x->n_dims; i++)
    if (has_axes)
      nest->affine_count *= c->axes >> i & 1 ? x->dims[i] : 1;
    else if (i > 1)
      nest->affine_inner *= x->dims[i];
  if (seam_op_has_number (c->op, SEAM_NUMBER_GROUPS)) {
    /* Groups are an axis of their own. */
    memmove (sizes + 3, sizes + 2, (gsize)(n - 2) * sizeof *sizes);
    sizes[2] = sizes[1] / c->numbers[SEAM_NUMBER_GROUPS];
    sizes[1] = c->numbers[SEAM_NUMBER_GROUPS];
    reduced = ((1u << ++n) - 1) & ~3u;
  }
  if (c->running_statistics)
    reduced = seam_shape_count (x) == x->dims[0] ? 1 : ((1u << n) - 1) & ~1u;
  seam_sets_init (&nest->sets, n, sizes, reduced);
}

/* The step of an operand along an axis of the output: 0 where it repeats. */
static gint64
get_step (const SeamShape *in, const SeamShape *out, int axis)
{
  const int own = axis - (out->n_dims - in->n_dims);
  gint64 step = 1;

  if (own < 0 || in->dims[own] == 1)
    return 0;
  for (int i = own + 1; i < in->n_dims; i++)
    step *= in->dims[i];
  return step;
}

/* Takes neighbouring axes together along which all operands go on in the same way. */
static void
init_map (SeamNest *nest)
{
  const SeamShape *out = &nest->c.out;
  const gboolean has_vector = nest->c.info->reads == SEAM_READS_VECTOR;
  SeamNestMap *map = &nest->map;

  for (int axis = 0; axis < out->n_dims; axis++) {
    gint64 steps[SEAM_N_NEST_OPERANDS] = { 0 };
    gboolean joins = map->n_axes > 0;

    if (out->dims[axis] == 1)
      continue;
    for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++)
      steps[j] = get_step (&nest->c.in[j], out, axis);
    steps[SEAM_NEST_V] = has_vector && axis == 1;
    for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++)
      joins = joins && map->steps[j][map->n_axes - 1] == steps[j] * out->dims[axis];
    if (!joins)
      map->counts[map->n_axes++] = 1;
    map->counts[map->n_axes - 1] *= out->dims[axis];
    for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++)
      map->steps[j][map->n_axes - 1] = steps[j];
  }
  if (map->n_axes == 0)
    map->counts[map->n_axes++] = 1;
}

void
seam_nest_init (SeamNest *nest, const SeamProblem *problem, const SeamChain *chain, int op)
{
  *nest = (SeamNest){ 0 };
  seam_op_get_case (problem, chain, op, &nest->c);
  seam_op_infer (&nest->c, NULL);
  switch (nest->c.info->op_class) {
  case SEAM_CLASS_MATRIX:
    init_convolution (nest);
    break;
  case SEAM_CLASS_MAP:
    init_map (nest);
    break;
  case SEAM_CLASS_WINDOW:
    init_window (nest);
    break;
  case SEAM_CLASS_REDUCE:
  case SEAM_CLASS_NORMALISE:
    init_sets (nest);
    break;
  }
}
