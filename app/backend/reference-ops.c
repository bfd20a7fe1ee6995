/* SPDX-License-Identifier: MIT
 *
 * The ops of the FP64 reference, one function for each class, as their definitions read.
 */
#define SEAM_REAL           double
#define SEAM_MATH(function) __builtin_##function

#include "app/backend/reference.h"

#include <math.h>
#include <string.h>

/* A set of axes of a part: the offsets of their indices. */
typedef struct {
  gint64 n;
  int n_axes;
  gint64 counts[SEAM_MAX_DIMS], strides[SEAM_MAX_DIMS];
} Axes;

static void
add_axis (Axes *axes, gint64 count, gint64 stride)
{
  axes->counts[axes->n_axes] = count;
  axes->strides[axes->n_axes++] = stride;
  axes->n *= count;
}

static gint64
get_offset (const Axes *axes, gint64 index)
{
  gint64 offset = 0;

  for (int i = axes->n_axes - 1; i >= 0; i--) {
    offset += index % axes->counts[i] * axes->strides[i];
    index /= axes->counts[i];
  }
  return offset;
}

static double
get_bound (const SeamPart *part, gint64 at)
{
  return part->bounds != NULL ? part->bounds[at] : 0;
}

/* --- Matrix ops --- */

/* What one output channel of one sample is computed from. */
typedef struct {
  const SeamReferenceOp *o;
  const SeamPart *x;
  gint64 sample, channel;
  SeamBox box;            /* of the output's plane, with its neighbours where they count */
  double *y, *squares;    /* of that box; squares NULL without a rule */
  double *errors, *alike; /* what errors of x make: the sum of squares, and of sizes; NULL: none */
} Plane;

/* y[j * y_step] += w * x[j * x_step], and what goes with it. */
static void
add_row (const Plane *p, gint64 n, double w, gint64 x_at, gint64 x_step, gint64 y_at, gint64 y_step)
{
  const SeamBoundRule *rule = p->o->rule;
  const double size = rule != NULL ? seam_bound_get_size (rule, w) : 0;
  const double *x = p->x->values + x_at;
  double *y = p->y + y_at;

  if (x_step == 1 && y_step == 1) {
#pragma omp simd
    for (gint64 j = 0; j < n; j++)
      y[j] += w * x[j];
  } else {
    for (gint64 j = 0; j < n; j++)
      y[j * y_step] += w * x[j * x_step];
  }
  if (rule == NULL)
    return;
  double *squares = p->squares + y_at;
  if (x_step == 1 && y_step == 1) {
#pragma omp simd
    for (gint64 j = 0; j < n; j++) {
      const double product = size * seam_bound_get_size (rule, x[j]);
      squares[j] += product * product;
    }
  } else {
    for (gint64 j = 0; j < n; j++) {
      const double product = size * seam_bound_get_size (rule, x[j * x_step]);
      squares[j * y_step] += product * product;
    }
  }
  if (p->errors == NULL)
    return;
  const double *e = p->x->bounds + x_at;
  for (gint64 j = 0; j < n; j++) {
    const double error = fabs (w) * e[j * x_step];
    p->errors[y_at + j * y_step] += error * error;
    p->alike[y_at + j * y_step] += error;
  }
}

/* For tap number `tap` of an axis: the outputs first, first + step, … below `end` that it reaches,
 * with the input index of the first, and how far the input index goes on. */
typedef struct {
  gint64 first, end, step, from, from_step;
} Reach;

static Reach
find_reach (const Plane *p, int axis, gint64 tap)
{
  const SeamOpCase *c = &p->o->c;
  const gint64 stride = c->numbers[SEAM_NUMBER_STRIDE], n = c->in[0].dims[axis];
  const gint64 shift = tap - c->numbers[SEAM_NUMBER_PADDING];
  const gint64 begin = p->box.first[axis], end = begin + p->box.count[axis];
  Reach r = { begin, end, 1, 0, stride };

  if (seam_op_is_transposed (c)) {
    /* output = input × stride + shift */
    const gint64 least = begin > shift ? (begin - shift + stride - 1) / stride : 0;
    r = (Reach){ least * stride + shift, MIN (end, (n - 1) * stride + shift + 1), stride, least,
                 1 };
    return r;
  }
  /* input = output × stride + shift */
  if (shift < 0)
    r.first = MAX (begin, (-shift + stride - 1) / stride);
  r.end = MIN (end, n - 1 - shift < 0 ? begin : (n - 1 - shift) / stride + 1);
  r.from = r.first * stride + shift;
  return r;
}

static gint64
count_reach (const Reach *r)
{
  return r->end > r->first ? (r->end - r->first + r->step - 1) / r->step : 0;
}

/* All rows along the last axis for one tap along each axis. */
static void
add_taps (const Plane *p, double w, const gint64 *taps, gint64 x_at, gint64 y_at, int axis)
{
  const int last = p->x->shape.n_dims - 1;
  const Reach r = find_reach (p, axis, taps[axis - 2]);
  const gint64 n = count_reach (&r);
  gint64 y_stride = 1;

  for (int i = axis + 1; i <= last; i++)
    y_stride *= p->box.count[i];
  x_at += (r.from - p->x->box.first[axis]) * p->x->strides[axis];
  y_at += (r.first - p->box.first[axis]) * y_stride;
  if (axis == last) {
    add_row (p, n, w, x_at, r.from_step, y_at, r.step);
    return;
  }
  for (gint64 j = 0; j < n; j++)
    add_taps (p, w, taps, x_at + j * r.from_step * p->x->strides[axis],
              y_at + j * r.step * y_stride, axis + 1);
}

static void
convolve_plane (const Plane *p)
{
  const SeamOpCase *c = &p->o->c;
  const int rank = c->info->attributes->rank;
  const gint64 k = c->numbers[SEAM_NUMBER_KERNEL], depth = c->in[0].dims[1];
  const gboolean is_transposed = seam_op_is_transposed (c);
  gint64 n_taps = 1;

  for (int i = 0; i < rank; i++)
    n_taps *= k;
  for (gint64 channel = 0; channel < depth; channel++) {
    const float *w =
        p->o->params[0]
        + (is_transposed ? channel * c->out.dims[1] + p->channel : p->channel * depth + channel)
              * n_taps;
    const gint64 x_at = (p->sample - p->x->box.first[0]) * p->x->strides[0]
                        + (channel - p->x->box.first[1]) * p->x->strides[1];
    for (gint64 tap = 0; tap < n_taps; tap++) {
      gint64 taps[3], rest = tap;
      for (int i = rank - 1; i >= 0; i--) {
        taps[i] = rest % k;
        rest /= k;
      }
      add_taps (p, (double)w[tap], taps, x_at, 0, 2);
    }
  }
}

static void
multiply_row (const Plane *p)
{
  const SeamBoundRule *rule = p->o->rule;
  const gint64 n = p->o->c.in[0].dims[1];
  const gint64 at = (p->sample - p->x->box.first[0]) * p->x->strides[0];
  const float *w = p->o->params[0] + p->channel * n;
  const double *x = p->x->values + at;
  double sum = 0, squares = 0;

#pragma omp simd reduction(+ : sum)
  for (gint64 i = 0; i < n; i++)
    sum += x[i] * (double)w[i];
  p->y[0] = sum;
  if (rule == NULL)
    return;
#pragma omp simd reduction(+ : squares)
  for (gint64 i = 0; i < n; i++) {
    const double product =
        seam_bound_get_size (rule, x[i]) * seam_bound_get_size (rule, (double)w[i]);
    squares += product * product;
  }
  p->squares[0] = squares;
  for (gint64 i = 0; p->errors != NULL && i < n; i++) {
    const double error = fabs ((double)w[i]) * p->x->bounds[at + i];
    p->errors[0] += error * error;
    p->alike[0] += error;
  }
}

/* Replaces each number of a plane by the largest of itself and its neighbours along an axis of
 * `count` with `stride`. */
static void
take_neighbours (double *squares, gint64 n, gint64 count, gint64 stride)
{
  for (gint64 line = 0; line < n / count; line++) {
    double *first = squares + line / stride * stride * count + line % stride;
    double before = 0;
    for (gint64 i = 0; i < count; i++) {
      const double now = first[i * stride];
      const double next = i + 1 < count ? first[(i + 1) * stride] : 0;
      first[i * stride] = fmax (fmax (before, now), next);
      before = now;
    }
  }
}

static gint64
count_plane (int n_dims, const SeamBox *box)
{
  gint64 n = 1;

  for (int i = 2; i < n_dims; i++)
    n *= box->count[i];
  return n;
}

static void
take_all_neighbours (int n_dims, const SeamBox *box, double *squares)
{
  gint64 stride = 1;

  for (int i = n_dims - 1; i >= 2; i--) {
    take_neighbours (squares, count_plane (n_dims, box), box->count[i], stride);
    stride *= box->count[i];
  }
}

/* The bounds of n sums from their squares, and from what errors of x make: as independent or, at
 * half their size, as alike. */
static void
bound_sums (const SeamReferenceOp *o, gint64 n, const double *y, const double *errors,
            const double *alike, double *squares)
{
  for (gint64 i = 0; i < n; i++) {
    squares[i] = seam_bound_sum (&o->rule->sums[o->index], y[i], sqrt (squares[i]));
    if (errors != NULL)
      squares[i] += fmax (sqrt (errors[i]), .5 * alike[i]);
  }
}

void
seam_reference_finish_sums (const SeamReferenceOp *o, SeamPart *out)
{
  const gint64 n = count_plane (out->shape.n_dims, &out->box);
  const gint64 n_planes = out->box.count[0] * out->box.count[1];

  for (gint64 i = 0; i < n_planes; i++) {
    if (o->rule->reach[o->index] > 0)
      take_all_neighbours (out->shape.n_dims, &out->box, out->bounds + i * n);
    bound_sums (o, n, out->values + i * n, NULL, NULL, out->bounds + i * n);
  }
}

/* Copies the box of `out` from a plane of a larger box. */
static void
crop_plane (const Plane *p, const SeamPart *out, double *values, double *bounds)
{
  const int n_dims = out->shape.n_dims;
  const gint64 n = count_plane (n_dims, &out->box);

  for (gint64 i = 0; i < n; i++) {
    gint64 rest = i, at = 0, stride = 1;
    for (int axis = n_dims - 1; axis >= 2; axis--) {
      const gint64 index = rest % out->box.count[axis] + out->box.first[axis];
      at += (index - p->box.first[axis]) * stride;
      rest /= out->box.count[axis];
      stride *= p->box.count[axis];
    }
    values[i] = p->y[at];
    if (bounds != NULL)
      bounds[i] = p->squares[at];
  }
}

/* One channel of one sample. `room` has 4 planes. */
static void
run_plane (const SeamReferenceOp *o, SeamPart *out, gint64 index, const SeamBox *box, double *room)
{
  const int n_dims = out->shape.n_dims;
  const gint64 n = count_plane (n_dims, &out->box), n_room = count_plane (n_dims, box);
  const gboolean has_errors =
      o->rule != NULL && o->in[0]->bounds != NULL && o->c.op->inputs[0] != 0;
  Plane p = { .o = o,
              .x = o->in[0],
              .sample = out->box.first[0] + index / out->box.count[1],
              .channel = out->box.first[1] + index % out->box.count[1],
              .box = *box,
              .y = room,
              .squares = o->rule != NULL ? room + n_room : NULL,
              .errors = has_errors ? room + 2 * n_room : NULL,
              .alike = has_errors ? room + 3 * n_room : NULL };

  memset (room, 0, 4 * (gsize)n_room * sizeof *room);
  if (o->c.info->attributes->rank == 0)
    multiply_row (&p);
  else
    convolve_plane (&p);
  if (o->rule != NULL && o->rule->reach[o->index] > 0)
    take_all_neighbours (n_dims, box, p.squares);
  if (o->rule != NULL)
    bound_sums (o, n_room, p.y, p.errors, p.alike, p.squares);
  crop_plane (&p, out, out->values + index * n, o->rule != NULL ? out->bounds + index * n : NULL);
}

static gboolean
run_matrix (const SeamReferenceOp *o, SeamPart *out)
{
  const gint64 n_planes = out->box.count[0] * out->box.count[1];
  const gint64 reach = o->rule != NULL ? o->rule->reach[o->index] : 0;
  SeamBox box = out->box;
  gint is_short = 0;

  for (int i = 2; i < out->shape.n_dims && box.count[i] > 0; i++) {
    const gint64 end = MIN (box.first[i] + box.count[i] + reach, out->shape.dims[i]);
    box.first[i] = MAX (box.first[i] - reach, 0);
    box.count[i] = end - box.first[i];
  }
#pragma omp parallel if (o->in_parts)
  {
    g_autofree double *room =
        g_try_new (double, 4 * (gsize)MAX (count_plane (out->shape.n_dims, &box), 1));
    if (room == NULL)
      g_atomic_int_set (&is_short, 1);
#pragma omp for schedule(dynamic)
    for (gint64 i = 0; i < n_planes; i++)
      if (room != NULL && !seam_cancel_check (o->cancel, NULL))
        run_plane (o, out, i, &box, room);
  }
  return is_short == 0;
}

/* --- Maps --- */

/* Where a row of the output begins in an input, and the step along it: 0 repeats an element. */
static gint64
locate_row (const SeamPart *in, const SeamPart *out, const gint64 *at, gint64 *step)
{
  const int shift = out->shape.n_dims - in->shape.n_dims;
  gint64 offset = 0;

  *step = 0;
  for (int i = 0; i < in->shape.n_dims; i++) {
    if (in->shape.dims[i] == 1)
      continue;
    offset += (at[i + shift] - in->box.first[i]) * in->strides[i];
    if (i == in->shape.n_dims - 1)
      *step = 1;
  }
  return offset;
}

/* n elements from `from` on, or one repeated, which then is written into `room`. */
static const double *
get_row (const double *from, gint64 step, gint64 n, double *room)
{
  if (from == NULL || step == 1 || n == 1)
    return from;
  for (gint64 i = 0; i < n; i++)
    room[i] = *from;
  return room;
}

static void
run_row (const SeamReferenceOp *o, const SeamOp *op, SeamPart *out, gint64 row, gint64 n,
         double *room)
{
  const int last = out->shape.n_dims - 1;
  const double *values[SEAM_MAX_OP_INPUTS], *bounds[SEAM_MAX_OP_INPUTS];
  gint64 at[SEAM_MAX_DIMS], rest = row;

  for (int i = last; i >= 0; i--) {
    const gint64 count = i == last ? 1 : out->box.count[i];
    at[i] = out->box.first[i] + rest % count;
    rest /= count;
  }
  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
    const SeamPart *in = o->in[j] != NULL ? o->in[j] : o->in[0];
    gint64 step;
    const gint64 offset = locate_row (in, out, at, &step);
    values[j] = get_row (in->values + offset, step, n, room + 2 * j * n);
    bounds[j] =
        out->bounds == NULL ? NULL : get_row (in->bounds + offset, step, n, room + (2 * j + 1) * n);
  }
  const gboolean is_vector = o->c.info->reads == SEAM_READS_VECTOR;
  const float *v = is_vector ? o->params[0] + at[1] : NULL;
  seam_bound_run_map (op, n, values[0], bounds[0], v, is_vector && last == 1, values[1], bounds[1],
                      out->values + row * n, out->bounds != NULL ? out->bounds + row * n : NULL);
}

static gboolean
run_map (const SeamReferenceOp *o, SeamPart *out)
{
  const gint64 n = out->box.count[out->shape.n_dims - 1];
  const gint64 n_rows =
      out->shape.n_dims > 1 ? out->box.count[0] * out->strides[0] / MAX (n, 1) : 1;
  SeamOp op = *o->c.op;
  gint is_short = 0;

  if (seam_op_get_scalar_param (&op) >= 0)
    op.scalars[0] = (double)o->params[0][0];
#pragma omp parallel if (o->in_parts)
  {
    g_autofree double *room = g_try_new (double, 4 * (gsize)MAX (n, 1));
    if (room == NULL)
      g_atomic_int_set (&is_short, 1);
#pragma omp for schedule(static)
    for (gint64 row = 0; row < n_rows; row++)
      if (room != NULL)
        run_row (o, &op, out, row, n, room);
  }
  return is_short == 0;
}

/* --- Windows, reductions and normalisations --- */

/* The elements of a set in `x` and `e`. */
static void
gather (const SeamPart *part, gint64 start, const Axes *axes, double *x, double *e)
{
  const gint64 width = axes->n_axes > 0 ? axes->counts[axes->n_axes - 1] : 1;
  const gint64 step = axes->n_axes > 0 ? axes->strides[axes->n_axes - 1] : 1;

  for (gint64 i = 0; i < axes->n; i += width) {
    const gint64 at = start + get_offset (axes, i);
    for (gint64 j = 0; j < width; j++) {
      x[i + j] = part->values[at + j * step];
      e[i + j] = get_bound (part, at + j * step);
    }
  }
}

/* Both passes of a reduction of a set, and its result, which of a mean divides by n. */
static double
reduce (SeamReduction reduction, gint64 length, const double *values, double n, double *first,
        double *second)
{
  double f, s = 0;

  switch (reduction) {
#define CASE(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                                       \
  case SEAM_REDUCTION_##NAME:                                                                      \
    f = START;                                                                                     \
    for (gint64 i = 0; i < length; i++) {                                                          \
      const double x = values[i];                                                                  \
      f = STEP;                                                                                    \
    }                                                                                              \
    for (gint64 i = 0; i < length && PASSES == 2; i++) {                                           \
      const double x = values[i];                                                                  \
      (void)x;                                                                                     \
      s += TERM;                                                                                   \
    }                                                                                              \
    *first = f;                                                                                    \
    *second = s;                                                                                   \
    return RESULT;
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    return NAN;
  }
}

/* The index of output number `i` of a part along each axis. */
static void
find_index (const SeamPart *part, gint64 i, gint64 *at)
{
  for (int axis = part->shape.n_dims - 1; axis >= 0; axis--) {
    at[axis] = part->box.first[axis] + i % part->box.count[axis];
    i /= part->box.count[axis];
  }
}

/* The window of an output; returns what a mean divides by. */
static gint64
find_window (const SeamReferenceOp *o, const gint64 *at, Axes *axes, gint64 *start)
{
  const SeamOpCase *c = &o->c;
  const SeamPart *x = o->in[0];
  const int first = x->shape.n_dims - c->info->attributes->rank;
  const gint64 padding = c->numbers[SEAM_NUMBER_PADDING];
  gint64 padded = 1;

  *axes = (Axes){ .n = 1 };
  *start = 0;
  for (int i = 0; i < x->shape.n_dims; i++) {
    gint64 begin = at[i], end = at[i] + 1;
    if (i >= first) {
      begin = at[i] * c->numbers[SEAM_NUMBER_STRIDE] - padding;
      end = MIN (begin + c->numbers[SEAM_NUMBER_KERNEL], x->shape.dims[i] + padding);
      padded *= end - begin;
      begin = MAX (begin, 0);
      end = MIN (end, x->shape.dims[i]);
    }
    *start += (begin - x->box.first[i]) * x->strides[i];
    add_axis (axes, end - begin, x->strides[i]);
  }
  return c->numbers[SEAM_NUMBER_COUNT_INCLUDE_PAD] ? padded : axes->n;
}

/* The axes of x that a reduction works on, and where those of an output begin. */
static gint64
find_reduced (const SeamReferenceOp *o, const gint64 *at, Axes *axes, gint64 *start)
{
  const SeamPart *x = o->in[0];
  int from = 0;

  *axes = (Axes){ .n = 1 };
  *start = 0;
  for (int i = 0; i < x->shape.n_dims; i++) {
    if (o->c.axes >> i & 1) {
      add_axis (axes, x->box.count[i], x->strides[i]);
      from += o->c.numbers[SEAM_NUMBER_KEEPDIM] != 0;
    } else {
      *start += (at[from++] - x->box.first[i]) * x->strides[i];
    }
  }
  return axes->n;
}

static gint64
count_part (const SeamPart *part)
{
  return part->shape.n_dims > 0 ? part->box.count[0] * part->strides[0] : 1;
}

/* One output of a window or a reduction, for each element of the part. */
static gboolean
run_reduction (const SeamReferenceOp *o, SeamPart *out)
{
  const gint64 n = count_part (out);
  const gboolean is_window = o->c.info->op_class == SEAM_CLASS_WINDOW;
  gint64 most = 1;
  gint is_short = 0;

  for (int i = 0; i < o->in[0]->shape.n_dims; i++)
    most *= is_window ? o->c.numbers[SEAM_NUMBER_KERNEL]
                      : (o->c.axes >> i & 1 ? o->in[0]->box.count[i] : 1);
  most = MIN (most, MAX (count_part (o->in[0]), 1));
#pragma omp parallel if (o->in_parts)
  {
    g_autofree double *room = g_try_new (double, 2 * (gsize)most);
    if (room == NULL)
      g_atomic_int_set (&is_short, 1);
#pragma omp for schedule(static)
    for (gint64 i = 0; i < n; i++) {
      gint64 at[SEAM_MAX_DIMS], start, divisor;
      double first, second;
      Axes axes;

      if (room == NULL || seam_cancel_check (o->cancel, NULL))
        continue;
      find_index (out, i, at);
      divisor =
          is_window ? find_window (o, at, &axes, &start) : find_reduced (o, at, &axes, &start);
      gather (o->in[0], start, &axes, room, room + most);
      out->values[i] =
          reduce (o->c.info->reduction, axes.n, room, (double)divisor, &first, &second);
      if (out->bounds != NULL)
        out->bounds[i] = seam_bound_of_reduction (o->c.info->reduction, axes.n, room, room + most,
                                                  (double)divisor);
    }
  }
  return is_short == 0;
}

/* The sets that a normalisation works on: which axes they go along and which tell them apart, and
 * how many indices of one axis are in a set (groups of channels). */
typedef struct {
  Axes along, apart;
} Sets;

static Sets
find_sets (const SeamReferenceOp *o)
{
  const SeamPart *x = o->in[0];
  Sets sets = { { .n = 1 }, { .n = 1 } };

  for (int i = 0; i < x->shape.n_dims; i++) {
    if (o->c.axes >> i & 1) {
      add_axis (&sets.along, x->box.count[i], x->strides[i]);
    } else if (i == 1 && seam_op_has_number (o->c.op, SEAM_NUMBER_GROUPS)) {
      const gint64 size = x->shape.dims[1] / o->c.numbers[SEAM_NUMBER_GROUPS];
      add_axis (&sets.apart, x->box.count[1] / size, x->strides[1] * size);
      add_axis (&sets.along, size, x->strides[1]);
    } else {
      add_axis (&sets.apart, x->box.count[i], x->strides[i]);
    }
  }
  return sets;
}

/* Weight or bias of the element at an index. */
static double
get_param (const SeamReferenceOp *o, int which, const gint64 *at)
{
  gint64 index = at[1];

  if (o->params[which] == NULL)
    return which == 0 ? 1 : 0;
  if (o->c.info->attributes->has_affine_axes) {
    index = 0;
    for (int i = 0; i < o->c.in[0].n_dims; i++)
      if (o->c.axes >> i & 1)
        index = index * o->c.in[0].dims[i] + at[i];
  }
  return (double)o->params[which][index];
}

/* Writes y of the element of x at offset `from`, if the part has it. */
static void
put (const SeamReferenceOp *o, SeamPart *out, gint64 from, double y, double bound,
     const SeamBoundNorm *norm)
{
  const SeamPart *x = o->in[0];
  gint64 at[SEAM_MAX_DIMS] = { 0 }, to = 0, rest = from;

  for (int i = x->shape.n_dims - 1; i >= 0; i--) {
    at[i] = x->box.first[i] + rest % x->box.count[i];
    rest /= x->box.count[i];
    if (at[i] < out->box.first[i] || at[i] >= out->box.first[i] + out->box.count[i])
      return;
    to += (at[i] - out->box.first[i]) * out->strides[i];
  }
  if (norm != NULL) {
    const double weight = get_param (o, 0, at), value = x->values[from];
    y = seam_op_normalize (value, norm->mean, norm->rstd, weight, get_param (o, 1, at));
    bound = out->bounds == NULL
                ? 0
                : seam_bound_normalize (norm->mean, norm->rstd, norm->mean_bound,
                                        norm->deviation_bound, value, x->bounds[from], weight, y);
  }
  out->values[to] = y;
  if (out->bounds != NULL)
    out->bounds[to] = bound;
}

static void
normalize_set (const SeamReferenceOp *o, SeamPart *out, const Sets *sets, gint64 set, double *room)
{
  const gint64 start = get_offset (&sets->apart, set), n = sets->along.n;
  double *x = room, *e = room + n, *y = room + 2 * n, *bounds = room + 3 * n, first, second;
  const gboolean is_softmax = o->c.info->reduction == SEAM_REDUCTION_SOFTMAX;
  SeamBoundNorm norm = { 0 };

  gather (o->in[0], start, &sets->along, x, e);
  reduce (o->c.info->reduction, n, x, (double)n, &first, &second);
  if (is_softmax) {
    for (gint64 i = 0; i < n; i++)
      y[i] = seam_op_share (x[i], first, second);
    if (o->rule != NULL)
      seam_bound_of_softmax (n, x, e, y, bounds);
  } else {
    norm.mean = first / (double)n;
    norm.rstd = 1.0 / sqrt (second / (double)n + o->c.op->scalars[0]);
    if (o->rule != NULL)
      seam_bound_norm_init (&norm, n, x, e, norm.mean, norm.rstd);
  }
  for (gint64 i = 0; i < n; i++)
    put (o, out, start + get_offset (&sets->along, i), y[i], bounds[i], is_softmax ? NULL : &norm);
}

/* A BatchNorm with given statistics is a map. */
static void
normalize_given (const SeamReferenceOp *o, SeamPart *out)
{
  const gint64 n = count_part (o->in[0]);

  for (gint64 i = 0; i < n; i++) {
    gint64 at[SEAM_MAX_DIMS];
    find_index (o->in[0], i, at);
    SeamBoundNorm norm = { .mean = (double)o->params[2][at[1]] };
    norm.rstd = 1.0 / sqrt ((double)o->params[3][at[1]] + o->c.op->scalars[0]);
    norm.mean_bound = SEAM_BOUND_UNIT * fabs (norm.mean);
    norm.deviation_bound = SEAM_BOUND_DEVIATIONS * SEAM_BOUND_UNIT / norm.rstd;
    put (o, out, i, 0, 0, &norm);
  }
}

static gboolean
run_normalisation (const SeamReferenceOp *o, SeamPart *out)
{
  const Sets sets = find_sets (o);
  gint is_short = 0;

  if (o->c.running_statistics) {
    normalize_given (o, out);
    return TRUE;
  }
#pragma omp parallel if (o->in_parts)
  {
    g_autofree double *room = g_try_new (double, 4 * (gsize)MAX (sets.along.n, 1));
    if (room == NULL)
      g_atomic_int_set (&is_short, 1);
#pragma omp for schedule(dynamic)
    for (gint64 i = 0; i < sets.apart.n; i++)
      if (room != NULL && !seam_cancel_check (o->cancel, NULL))
        normalize_set (o, out, &sets, i, room);
  }
  return is_short == 0;
}

gboolean
seam_reference_run_op (const SeamReferenceOp *o, SeamPart *out)
{
  switch (o->c.info->op_class) {
  case SEAM_CLASS_MATRIX:
    return run_matrix (o, out);
  case SEAM_CLASS_MAP:
    return run_map (o, out);
  case SEAM_CLASS_NORMALISE:
    return run_normalisation (o, out);
  case SEAM_CLASS_WINDOW:
  case SEAM_CLASS_REDUCE:
  default:
    return run_reduction (o, out);
  }
}
