/* SPDX-License-Identifier: MIT
 *
 * The plain loop nests, one for each class of ops, at the vector width of the file that includes
 * them (loops.c): reductions and normalisations of sets, pools, and convolutions of any rank,
 * stride and padding.
 */

/* --- Sets --- */

/* Results of a set's parts that are computed side by side. */
#define LANES 16

/* The first pass over some values, which goes on from `total`. */
static double
reduce_first (SeamReduction reduction, double total, const float *values, int64_t length)
{
  double lanes[LANES];
  int64_t i = 0;

  switch (reduction) {
#define CASE(NAME, PASSES, START, STEP, MERGE, ...)                                                \
  case SEAM_REDUCTION_##NAME:                                                                      \
    for (int l = 0; l < LANES; l++)                                                                \
      lanes[l] = START;                                                                            \
    for (; i + LANES <= length; i += LANES)                                                        \
      _Pragma ("omp simd") for (int l = 0; l < LANES; l++)                                         \
      {                                                                                            \
        const double x = (double)values[i + l], f = lanes[l];                                      \
        lanes[l] = STEP;                                                                           \
      }                                                                                            \
    for (int l = 0; l < LANES; l++) {                                                              \
      const double f = total, g = lanes[l];                                                        \
      total = MERGE;                                                                               \
    }                                                                                              \
    for (; i < length; i++) {                                                                      \
      const double x = (double)values[i], f = total;                                               \
      total = STEP;                                                                                \
    }                                                                                              \
    return total;
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    return total;
  }
}

static double
reduce_start (SeamReduction reduction)
{
  switch (reduction) {
#define CASE(NAME, PASSES, START, ...)                                                             \
  case SEAM_REDUCTION_##NAME:                                                                      \
    return START;
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    return 0;
  }
}

static int
has_second_pass (SeamReduction reduction)
{
#define PASSES_OF(NAME, PASSES, ...) PASSES,
  static const unsigned char passes[] = { SEAM_REDUCTIONS (PASSES_OF) };
#undef PASSES_OF

  return passes[reduction] == 2;
}

/* The second pass over some values: the sum of their terms. */
static double
reduce_second (SeamReduction reduction, double f, double n, const float *values, int64_t length)
{
  double s = 0;

  switch (reduction) {
#define CASE(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                                       \
  case SEAM_REDUCTION_##NAME:                                                                      \
    _Pragma ("omp simd reduction(+ : s)") for (int64_t i = 0; i < length; i++)                     \
    {                                                                                              \
      const double x = (double)values[i];                                                          \
      (void)x, (void)n;                                                                            \
      s += (double)(TERM);                                                                         \
    }                                                                                              \
    return s;
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    return s;
  }
}

static float
reduce_result (SeamReduction reduction, double f, double s, double n)
{
  switch (reduction) {
#define CASE(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                                       \
  case SEAM_REDUCTION_##NAME:                                                                      \
    return (float)(RESULT);
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    return 0;
  }
}

/* The same two passes over a value of each of m sets side by side. */
static void
reduce_columns (SeamReduction reduction, int pass, double n, const float *values, int64_t m,
                double *restrict firsts, double *restrict seconds)
{
  switch (reduction) {
#define CASE(NAME, PASSES, START, STEP, MERGE, TERM, RESULT)                                       \
  case SEAM_REDUCTION_##NAME:                                                                      \
    if (pass == 1) {                                                                               \
      _Pragma ("omp simd") for (int64_t k = 0; k < m; k++)                                         \
      {                                                                                            \
        const double x = (double)values[k], f = firsts[k];                                         \
        firsts[k] = STEP;                                                                          \
      }                                                                                            \
    } else {                                                                                       \
      _Pragma ("omp simd") for (int64_t k = 0; k < m; k++)                                         \
      {                                                                                            \
        const double x = (double)values[k], f = firsts[k];                                         \
        (void)x, (void)f, (void)n;                                                                 \
        seconds[k] += (double)(TERM);                                                              \
      }                                                                                            \
    }                                                                                              \
    break;
    SEAM_REDUCTIONS (CASE)
#undef CASE
  default:
    break;
  }
}

static void
normalize_piece (const SeamCpuAffine *a, double mean, double rstd, const float *x, float *y,
                 int64_t offset, int64_t n)
{
  while (n > 0) {
    const int64_t index = offset / a->inner % a->count;
    const int64_t left = a->inner > 1   ? a->inner - offset % a->inner
                         : a->mean != 0 ? 1
                                        : a->count - index;
    const int64_t piece = left < n ? left : n;
    if (a->mean != 0) {
      mean = a->mean[index];
      rstd = 1 / __builtin_sqrt (a->variance[index] + a->epsilon);
    }
    normalize (y, x, (float)mean, (float)rstd, a->weight != 0 ? a->weight + index : 0,
               a->bias != 0 ? a->bias + index : 0, a->inner == 1, piece);
    x += piece;
    y += piece;
    offset += piece;
    n -= piece;
  }
}

/* Runs `statement` for each piece of m elements `from`, the first of which has number `at`, of all
 * rows of n[5] elements of a set (or of a bundle of sets) from `start` on. With a head pieces are
 * short. */
#define FOR_PIECES(width, statement)                                                               \
  for (int64_t i = 0; i < n[1]; i++)                                                               \
    for (int64_t j = 0; j < n[3]; j++)                                                             \
      for (int64_t done = 0, m; done < (width); done += m) {                                       \
        const int64_t at = start + i * stride[1] + j * stride[3] + done;                           \
        float run[SEAM_CPU_MAX_RUN];                                                               \
        m = (width)-done;                                                                          \
        if (head != NULL && m > SEAM_CPU_MAX_RUN)                                                  \
          m = SEAM_CPU_MAX_RUN;                                                                    \
        const float *from = head == NULL ? x + at : head->read (head->data, at, m, run);           \
        statement;                                                                                 \
      }

/* One set, whose elements lie in rows of r2. */
static void
work_row_set (const SeamSets *s, SeamReduction reduction, const SeamCpuAffine *a,
              const SeamCpuHead *head, const float *x, float *y, int64_t unit)
{
  const int64_t *n = s->sizes, *stride = s->strides;
  const int64_t start =
      unit / (n[2] * n[4]) * stride[0] + unit / n[4] % n[2] * stride[2] + unit % n[4] * stride[4];
  const double count = (double)(n[1] * n[3] * n[5]);
  double first = reduce_start (reduction), second = 0, mean = 0, rstd = 1;

  if (a->mean == 0)
    FOR_PIECES (n[5], first = reduce_first (reduction, first, from, m));
  if (a->mean == 0 && has_second_pass (reduction))
    FOR_PIECES (n[5], second += reduce_second (reduction, first, count, from, m));
  if (reduction == SEAM_REDUCTION_NORM) {
    mean = first / count;
    rstd = 1 / __builtin_sqrt (second / count + a->epsilon);
    FOR_PIECES (n[5], normalize_piece (a, mean, rstd, from, y + at, at, m));
  } else if (reduction == SEAM_REDUCTION_SOFTMAX) {
    const float largest = (float)first, sum = (float)second;
    FOR_PIECES (n[5], _Pragma ("omp simd") for (int64_t k = 0; k < m; k++) y[at + k] =
                          seam_op_share (from[k], largest, sum));
  } else {
    y[unit] = reduce_result (reduction, first, second, count);
  }
}

/* Neighbouring sets, an element of each side by side. */
static void
work_columns (const SeamSets *s, SeamReduction reduction, const SeamCpuAffine *a,
              const SeamCpuHead *head, const float *x, float *y, int64_t unit, double *room)
{
  const int64_t *n = s->sizes, *stride = s->strides;
  const int64_t n_across = (n[4] + SEAM_CPU_COLUMNS - 1) / SEAM_CPU_COLUMNS;
  const int64_t first = unit % n_across * SEAM_CPU_COLUMNS;
  const int64_t width = n[4] - first < SEAM_CPU_COLUMNS ? n[4] - first : SEAM_CPU_COLUMNS;
  const int64_t row = unit / n_across;
  const int64_t start = row / n[2] * stride[0] + row % n[2] * stride[2] + first;
  const double count = (double)(n[1] * n[3]);
  double *firsts = room, *seconds = room + SEAM_CPU_COLUMNS;
  float *to = y + row * n[4] + first; /* of a reduction */

  for (int64_t k = 0; k < width; k++) {
    firsts[k] = reduce_start (reduction);
    seconds[k] = 0;
  }
  FOR_PIECES (width, reduce_columns (reduction, 1, count, from, m, firsts, seconds));
  if (has_second_pass (reduction))
    FOR_PIECES (width, reduce_columns (reduction, 2, count, from, m, firsts, seconds));
  if (reduction == SEAM_REDUCTION_NORM) {
    for (int64_t k = 0; k < width; k++) {
      firsts[k] /= count;
      seconds[k] = 1 / __builtin_sqrt (seconds[k] / count + a->epsilon);
    }
    FOR_PIECES (
        width, for (int64_t k = 0; k < m; k++) {
          const int64_t index = (at + k) / a->inner % a->count;
          y[at + k] = seam_op_normalize (from[k], (float)firsts[k], (float)seconds[k],
                                         a->weight != 0 ? a->weight[index] : 1,
                                         a->bias != 0 ? a->bias[index] : 0);
        });
  } else if (reduction == SEAM_REDUCTION_SOFTMAX) {
    FOR_PIECES (width, _Pragma ("omp simd") for (int64_t k = 0; k < m; k++) y[at + k] =
                           seam_op_share (from[k], (float)firsts[k], (float)seconds[k]));
  } else {
    for (int64_t k = 0; k < width; k++)
      to[k] = reduce_result (reduction, firsts[k], seconds[k], count);
  }
}
#undef FOR_PIECES

static void
work_set (const SeamSets *sets, SeamReduction reduction, const SeamCpuAffine *affine,
          const SeamCpuHead *head, const float *x, float *y, int64_t unit, double *room)
{
  if (sets->sizes[5] > 1 || sets->sizes[4] == 1)
    work_row_set (sets, reduction, affine, head, x, y, unit);
  else
    work_columns (sets, reduction, affine, head, x, y, unit, room);
}

/* --- Pools --- */

/* The part of a window that lies in the input, and how many indices it has with the padding. */
static inline int64_t
clip_window (const SeamWindow *w, int axis, int64_t index, int64_t *begin, int64_t *end)
{
  const int64_t first = index * w->stride[axis] - w->padding[axis];
  const int64_t most = w->in[axis] + w->padding[axis];
  int64_t last = first + w->kernel[axis];

  last = last < most ? last : most;
  *begin = first < 0 ? 0 : first;
  *end = last < w->in[axis] ? last : w->in[axis];
  return last - first;
}

/* Takes one number of each window of a row: those of the outputs `first` to `end`, `stride` apart
 * from `from` on. A constant stride makes vectors of it. */
static inline __attribute__ ((always_inline)) void
pool_tap (int is_largest, float *row, int64_t first, int64_t end, const float *from, int64_t stride)
{
  if (is_largest) {
#pragma omp simd
    for (int64_t q = first; q < end; q++)
      row[q] = SEAM_LARGER (from[q * stride], row[q]);
  } else {
#pragma omp simd
    for (int64_t q = first; q < end; q++)
      row[q] += from[q * stride];
  }
}

static void
pool (const SeamWindow *w, const float *x, float *y)
{
  const int is_largest = w->reduction == SEAM_REDUCTION_LARGEST;
  const int64_t stride = w->stride[2];

  for (int64_t d = 0; d < w->out[0]; d++)
    for (int64_t h = 0; h < w->out[1]; h++) {
      float *row = y + (d * w->out[1] + h) * w->out[2];
      int64_t d0, d1, h0, h1, w0, w1;
      const int64_t padded = clip_window (w, 0, d, &d0, &d1) * clip_window (w, 1, h, &h0, &h1);
      for (int64_t q = 0; q < w->out[2]; q++)
        row[q] = is_largest ? -__builtin_inff () : 0;
      for (int64_t a = d0; a < d1; a++)
        for (int64_t b = h0; b < h1; b++)
          for (int64_t c = 0; c < w->kernel[2]; c++) {
            const int64_t shift = c - w->padding[2], last = w->in[2] - 1 - shift;
            const int64_t first = shift < 0 ? (stride - 1 - shift) / stride : 0;
            const int64_t end = last < 0 ? 0 : last / stride + 1;
            const int64_t most = end < w->out[2] ? end : w->out[2];
            const float *from = x + (a * w->in[1] + b) * w->in[2] + shift;
            if (stride == 1)
              pool_tap (is_largest, row, first, most, from, 1);
            else if (stride == 2)
              pool_tap (is_largest, row, first, most, from, 2);
            else
              pool_tap (is_largest, row, first, most, from, stride);
          }
      for (int64_t q = 0; q < w->out[2] && !is_largest; q++) {
        const int64_t across = clip_window (w, 2, q, &w0, &w1);
        row[q] /= (float)(w->counts_padding ? padded * across : (d1 - d0) * (h1 - h0) * (w1 - w0));
      }
    }
}

/* --- Convolutions --- */

/* The outputs first, first + step, … below `end` that tap number `tap` of an axis reaches, with the
 * input index of the first, and how far that goes on. */
typedef struct {
  int64_t first, end, step, from, from_step;
} Reach;

static inline Reach
find_reach (const SeamGeneral *g, int axis, int64_t tap)
{
  const int64_t stride = g->stride[axis], shift = tap - g->padding[axis], n = g->in[axis];
  Reach r;

  if (g->is_transposed) { /* output = input * stride + shift */
    r.from = shift < 0 ? (-shift + stride - 1) / stride : 0;
    r.from_step = 1;
    r.first = r.from * stride + shift;
    r.step = stride;
    r.end = (n - 1) * stride + shift + 1;
  } else { /* input = output * stride + shift */
    r.first = shift < 0 ? (-shift + stride - 1) / stride : 0;
    r.step = 1;
    r.from = r.first * stride + shift;
    r.from_step = stride;
    r.end = n - 1 - shift < 0 ? 0 : (n - 1 - shift) / stride + 1;
  }
  r.end = r.end < g->out[axis] ? r.end : g->out[axis];
  return r;
}

static inline void
add_scaled_row (float *y, int64_t y_step, const float *x, int64_t x_step, float w, int64_t n)
{
  if (y_step == 1 && x_step == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
      y[i] += w * x[i];
  } else if (x_step == 1) {
    for (int64_t i = 0; i < n; i++)
      y[i * y_step] += w * x[i];
  } else {
    for (int64_t i = 0; i < n; i++)
      y[i] += w * x[i * x_step];
  }
}

static void
convolve_general (const SeamGeneral *g, const float *x, const float *weight, int64_t channel,
                  float *y)
{
  const int64_t in_plane = g->in[0] * g->in[1] * g->in[2];
  const int64_t taps = g->kernel[0] * g->kernel[1] * g->kernel[2];

  memset (y, 0, (size_t)(g->out[0] * g->out[1] * g->out[2]) * sizeof *y);
  for (int64_t c = 0; c < g->c; c++) {
    const float *w = weight + (g->is_transposed ? c * g->k + channel : channel * g->c + c) * taps;
    for (int64_t t = 0; t < g->kernel[0]; t++)
      for (int64_t r = 0; r < g->kernel[1]; r++)
        for (int64_t s = 0; s < g->kernel[2]; s++, w++) {
          const Reach d = find_reach (g, 0, t), h = find_reach (g, 1, r), q = find_reach (g, 2, s);
          const int64_t n = q.end > q.first ? (q.end - q.first + q.step - 1) / q.step : 0;
          for (int64_t a = d.first, i = d.from; a < d.end; a += d.step, i += d.from_step)
            for (int64_t b = h.first, j = h.from; b < h.end; b += h.step, j += h.from_step)
              add_scaled_row (y + (a * g->out[1] + b) * g->out[2] + q.first, q.step,
                              x + c * in_plane + (i * g->in[1] + j) * g->in[2] + q.from,
                              q.from_step, *w, n);
        }
  }
}
