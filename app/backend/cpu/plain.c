/* SPDX-License-Identifier: MIT
 *
 * The plain executor: prepares one op, and the maps onto its input, for the loop nests of
 * kernels/cpu, and shares out their units to threads. Tensors of 16 bits are widened before and
 * packed after, since the nests read FP32.
 */
#include "app/backend/cpu/plain.h"

#include <stdlib.h>
#include <string.h>

/* Elements that a thread widens, packs or maps at a time. */
#define PIECE 16384

/* A tensor as the nests see it: in FP32, in memory of its own if it is stored in 16 bits. */
typedef struct {
  float *values;
  unsigned short *packed; /* NULL: stored in FP32 */
  SeamOperandType type;
  gint64 n;
} Operand;

/* One of the maps onto the op's input. */
typedef struct {
  SeamCpuStep step;
  const float *scalar;   /* number `a` of the step, if a parameter has it; else NULL */
  gboolean reads_vector; /* of channels */
  gboolean is_kept;      /* a later map reads its value again */
  gboolean has_operand;  /* then `operand` is a tensor, or `from` is the map that makes it */
  Operand operand;
  int from;
} Map;

struct SeamCpuPlain {
  SeamNest nest;
  const SeamCpuLoops *loops;
  int n_threads;
  int n_maps;
  Map maps[SEAM_MAX_OPS];
  gint64 n_channels, inner; /* channel of an element: number / inner % n_channels */
  Operand in[SEAM_MAX_OP_INPUTS], out;
  const float *params[SEAM_MAX_OP_PARAMS];
  void *memory; /* of operands that are stored in 16 bits; owned */
  SeamCpuAffine affine;
};

/* --- Preparing --- */

static void
bind (Operand *operand, const SeamTensor *tensor, SeamBuffer *buffer, gsize *bytes)
{
  operand->type = tensor->type;
  operand->n = tensor->n_elements;
  if (tensor->type == SEAM_OPERAND_FP32) {
    operand->values = buffer->data;
    return;
  }
  operand->packed = buffer->data;
  *bytes += (gsize)tensor->n_elements * sizeof (float);
}

/* All operands; returns how many. */
static int
list_operands (SeamCpuPlain *p, Operand *operands[SEAM_MAX_OP_INPUTS + SEAM_MAX_OPS])
{
  int n = 0;

  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++)
    operands[n++] = &p->in[j];
  for (int i = 0; i < p->n_maps; i++)
    operands[n++] = &p->maps[i].operand;
  return n;
}

static gboolean
allocate (SeamCpuPlain *p, gsize bytes, GError **error)
{
  Operand *operands[SEAM_MAX_OP_INPUTS + SEAM_MAX_OPS + 1];
  const int n = list_operands (p, operands);
  float *memory;

  if (bytes == 0)
    return TRUE;
  operands[n] = &p->out;
  if (posix_memalign (&p->memory, SEAM_CPU_ALIGNMENT, bytes) != 0) {
    p->memory = NULL;
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is not enough memory for “%s” in FP32; choose a smaller shape, or "
                      "storage fp32.",
                      p->nest.c.op->label);
  }
  memory = p->memory;
  for (int i = 0; i <= n; i++)
    if (operands[i]->packed != NULL) {
      operands[i]->values = memory;
      memory += operands[i]->n;
    }
  return TRUE;
}

/* The maps of ops `first` up to the nest's op, which read `in[0]`. */
static void
bind_maps (SeamCpuPlain *p, const SeamGroupSpec *spec, SeamBuffer *const *tensors, gsize *bytes)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamTensor *all = spec->problem->tensors;
  const SeamShapeView view = seam_shape_view (&p->nest.c.in[0]);

  p->n_channels = view.channels;
  p->inner = view.inner;
  for (int i = group->first; i < group->last; i++) {
    const SeamOp *op = &chain->ops[i];
    Map *map = &p->maps[p->n_maps++];
    const int operand = op->inputs[1], scalar = seam_op_get_scalar_param (op);

    map->step = (SeamCpuStep){ .type = op->type,
                               .scalars = { (float)op->scalars[0], (float)op->scalars[1] } };
    map->reads_vector = seam_op_get_info (op)->reads == SEAM_READS_VECTOR;
    if (scalar >= 0)
      map->scalar = tensors[SEAM_TENSOR_PARAM (chain->n_ops, scalar)]->data;
    else if (map->reads_vector)
      map->step.vector = tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])]->data;
    map->has_operand = operand >= 0;
    map->from = operand >= 0 ? seam_tensor_get_op (chain, operand) - group->first : -1;
    if (map->from >= 0)
      p->maps[map->from].is_kept = TRUE;
    else if (operand >= 0)
      bind (&map->operand, &all[operand], tensors[operand], bytes);
  }
}

SeamCpuPlain *
seam_cpu_plain_new (const SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
                    GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const int op = group->last, first = chain->ops[group->first].inputs[0];
  SeamCpuPlain *p = g_new0 (SeamCpuPlain, 1);
  const SeamTensor *all = spec->problem->tensors;
  gsize bytes = 0;

  seam_nest_init (&p->nest, spec->problem, chain, op);
  p->loops = g->device->loops;
  p->n_threads = g->n_threads;
  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
    const int input = j == 0 ? first : p->nest.c.op->inputs[j];

    if (input >= 0 && p->nest.c.info->op_class != SEAM_CLASS_MATRIX)
      bind (&p->in[j], &all[input], tensors[input], &bytes);
  }
  bind_maps (p, spec, tensors, &bytes);
  bind (&p->out, &all[SEAM_TENSOR_OUTPUT (op)], tensors[SEAM_TENSOR_OUTPUT (op)], &bytes);
  for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
    if (p->nest.c.op->params[j] >= 0)
      p->params[j] = tensors[SEAM_TENSOR_PARAM (chain->n_ops, p->nest.c.op->params[j])]->data;
  p->affine = (SeamCpuAffine){ .weight = p->params[0],
                               .bias = p->params[1],
                               .mean = p->nest.c.running_statistics ? p->params[2] : NULL,
                               .variance = p->nest.c.running_statistics ? p->params[3] : NULL,
                               .inner = p->nest.affine_inner,
                               .count = p->nest.affine_count,
                               .epsilon = p->nest.c.op->scalars[0] };
  if (allocate (p, bytes, error))
    return p;
  seam_cpu_plain_free (p);
  return NULL;
}

void
seam_cpu_plain_free (SeamCpuPlain *p)
{
  if (p != NULL)
    free (p->memory);
  g_free (p);
}

/* --- Running --- */

static void
widen (const SeamCpuPlain *p, const Operand *o)
{
#pragma omp parallel for schedule(static) num_threads(p->n_threads)
  for (gint64 i = 0; i < o->n; i += PIECE)
    p->loops->unpack (o->type, o->values + i, o->packed + i, MIN (PIECE, o->n - i));
}

static void
pack (const SeamCpuPlain *p, const Operand *o)
{
#pragma omp parallel for schedule(static) num_threads(p->n_threads)
  for (gint64 i = 0; i < o->n; i += PIECE)
    p->loops->pack (o->type, o->packed + i, o->values + i, MIN (PIECE, o->n - i));
}

static inline gboolean
is_raised (SeamCancel *cancel, SeamCancel *also)
{
  return seam_cancel_check (cancel, NULL) || seam_cancel_check (also, NULL);
}

static void
run_convolution (const SeamCpuPlain *p, const SeamPrepared *prepared, SeamCancel *cancel,
                 SeamCancel *also)
{
  const SeamGeneral *g = &p->nest.general;
  const gint64 n = p->nest.c.out.dims[0] * g->k, plane = g->out[0] * g->out[1] * g->out[2];
  const gint64 sample = g->c * g->in[0] * g->in[1] * g->in[2];
  const float *x = seam_cpu_get_input (prepared), *weight = seam_cpu_get_weight (prepared);

#pragma omp parallel for schedule(dynamic) num_threads(p->n_threads)
  for (gint64 i = 0; i < n; i++)
    if (!is_raised (cancel, also))
      p->loops->convolve_general (g, x + i / g->k * sample, weight, i % g->k,
                                  p->out.values + i * plane);
}

static void
run_window (const SeamCpuPlain *p, SeamCancel *cancel, SeamCancel *also)
{
  const SeamWindow *w = &p->nest.window;
  const gint64 in = w->in[0] * w->in[1] * w->in[2], out = w->out[0] * w->out[1] * w->out[2];
  const gint64 n = p->out.n / out;

#pragma omp parallel for schedule(static) num_threads(p->n_threads)
  for (gint64 i = 0; i < n; i++)
    if (!is_raised (cancel, also))
      p->loops->pool (w, p->in[0].values + i * in, p->out.values + i * out);
}

/* Applies a map to n elements from number `at` on, in pieces of one channel or of successive
 * ones. */
static void
apply_map (const SeamCpuPlain *p, const Map *map, float *to, const float *x, const float *operand,
           gint64 at, gint64 n)
{
  SeamCpuStep step = map->step;

  if (map->scalar != NULL)
    step.scalars[0] = map->scalar[0];
  for (gint64 done = 0, piece; done < n; done += piece) {
    const gint64 channel = (at + done) / p->inner % p->n_channels;

    piece = n - done;
    if (map->reads_vector)
      piece =
          MIN (piece, p->inner > 1 ? p->inner - (at + done) % p->inner : p->n_channels - channel);
    p->loops->apply (&step, to + done, x + done, operand != NULL ? operand + done : NULL, channel,
                     p->inner == 1, piece);
  }
}

/* Elements of the op's input from number `at` on: what the maps make of those of the group's
 * input. */
static const float *
read_through_maps (const void *data, gint64 at, gint64 n, float *room)
{
  const SeamCpuPlain *p = data;
  float kept[SEAM_MAX_OPS][SEAM_CPU_MAX_RUN];
  const float *x = p->in[0].values + at;

  for (int i = 0; i < p->n_maps; i++) {
    const Map *map = &p->maps[i];
    float *to = map->is_kept ? kept[i] : room;
    const float *operand = !map->has_operand ? NULL
                           : map->from >= 0  ? kept[map->from]
                                             : map->operand.values + at;

    apply_map (p, map, to, x, operand, at, n);
    x = to;
  }
  if (x != room)
    memcpy (room, x, (gsize)n * sizeof *room);
  return room;
}

static void
run_sets (const SeamCpuPlain *p, SeamCancel *cancel, SeamCancel *also)
{
  const SeamCpuHead head = { read_through_maps, p };
  const SeamReduction reduction = p->nest.c.info->reduction;
  const gint64 n = seam_cpu_sets_count_units (&p->nest.sets);

#pragma omp parallel for schedule(static) num_threads(p->n_threads)
  for (gint64 i = 0; i < n; i++) {
    double room[2 * SEAM_CPU_COLUMNS];

    if (!is_raised (cancel, also))
      p->loops->work_set (&p->nest.sets, reduction, &p->affine, p->n_maps > 0 ? &head : NULL,
                          p->in[0].values, p->out.values, i, room);
  }
}

/* Elements from `from` on with a step of 1, or one repeated in `room`. */
static const float *
get_row (const float *from, gint64 step, gint64 n, float *room)
{
  if (step == 1)
    return from;
  for (gint64 i = 0; i < n; i++)
    room[i] = from[i * step];
  return room;
}

static void
run_map (const SeamCpuPlain *p, SeamCancel *cancel, SeamCancel *also)
{
  const SeamCpuStep step = { .type = p->nest.c.op->type,
                             .scalars = { (float)p->nest.c.op->scalars[0],
                                          (float)p->nest.c.op->scalars[1] } };
  const SeamNestMap *map = &p->nest.map;
  const int last = map->n_axes - 1;
  const gint64 width = map->counts[last],
               n_pieces = (width + SEAM_CPU_MAX_RUN - 1) / SEAM_CPU_MAX_RUN;
  const gint64 n_rows = p->out.n / width;

#pragma omp parallel for schedule(static) num_threads(p->n_threads)
  for (gint64 i = 0; i < n_rows * n_pieces; i++) {
    float room[SEAM_MAX_OP_INPUTS][SEAM_CPU_MAX_RUN];
    const gint64 first = i % n_pieces * SEAM_CPU_MAX_RUN, row = i / n_pieces;
    const gint64 n = MIN (SEAM_CPU_MAX_RUN, width - first);
    const float *rows[SEAM_MAX_OP_INPUTS];

    if (is_raised (cancel, also))
      continue;
    for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
      gint64 rest = row, offset = first * map->steps[j][last];
      for (int axis = last - 1; axis >= 0; axis--) {
        offset += rest % map->counts[axis] * map->steps[j][axis];
        rest /= map->counts[axis];
      }
      rows[j] = get_row (p->in[j].values + offset, map->steps[j][last], n, room[j]);
    }
    p->loops->apply (&step, p->out.values + row * width + first, rows[0], rows[1], 0, 0, n);
  }
}

void
seam_cpu_plain_run (SeamCpuPlain *p, const SeamPrepared *prepared, SeamCancel *cancel,
                    SeamCancel *also)
{
  Operand *operands[SEAM_MAX_OP_INPUTS + SEAM_MAX_OPS];
  const int n_operands = list_operands (p, operands);

  for (int i = 0; i < n_operands; i++)
    if (operands[i]->packed != NULL)
      widen (p, operands[i]);
  switch (p->nest.c.info->op_class) {
  case SEAM_CLASS_MATRIX:
    run_convolution (p, prepared, cancel, also);
    break;
  case SEAM_CLASS_MAP:
    run_map (p, cancel, also);
    break;
  case SEAM_CLASS_WINDOW:
    run_window (p, cancel, also);
    break;
  case SEAM_CLASS_REDUCE:
  case SEAM_CLASS_NORMALISE:
    run_sets (p, cancel, also);
    break;
  }
  if (p->out.packed != NULL)
    pack (p, &p->out);
}

/* --- In words --- */

void
seam_cpu_plain_describe (const SeamGroupSpec *spec, GString *text)
{
  static const char *const nests[] = {
    [SEAM_CLASS_MATRIX] = "for each sample and output channel, one thread each (OpenMP, dynamic)\n"
                          "  set the channel to 0\n"
                          "  for each input channel and each place of the kernel\n"
                          "    add a row of the input, times one weight, to each row it reaches\n",
    [SEAM_CLASS_MAP] = "for each row of the output, threads share them (OpenMP, static)\n"
                       "  the op on a run of both inputs; an axis of size 1 repeats\n",
    [SEAM_CLASS_WINDOW] = "for each plane, threads share them (OpenMP, static)\n"
                          "  for each output\n"
                          "    for each input of its window\n",
    [SEAM_CLASS_REDUCE] = "for each set of elements, threads share the sets (OpenMP, static)\n"
                          "  all its elements, with sums in FP64\n",
    [SEAM_CLASS_NORMALISE] = "for each set of elements, threads share the sets (OpenMP, static)\n"
                             "  its statistics, with sums in FP64\n"
                             "  each of its elements\n",
  };
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];

  for (int i = group->first; i <= group->last; i++) {
    g_autofree char *formula = seam_op_explain (spec->problem, chain, i);
    g_string_append_printf (text, "%s\n", formula);
  }
  g_string_append_printf (text, "\n%s",
                          nests[seam_op_get_info (&chain->ops[group->last])->op_class]);
  if (group->last > group->first)
    g_string_append_printf (text,
                            "\nEach time an element is read it goes through %s before, in runs of "
                            "at most %d elements; nothing between goes through memory.\n",
                            group->last - group->first > 1 ? "the ops" : "the op",
                            SEAM_CPU_MAX_RUN);
}
