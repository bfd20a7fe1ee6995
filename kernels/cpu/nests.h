/* SPDX-License-Identifier: MIT
 *
 * The plain loop nests, one for each class of ops, at the vector width of the file that includes
 * them (loops.c): reductions and normalisations of sets, pools, and convolutions of any rank,
 * stride and padding.
 */

/* --- Sets --- */

static inline int
is_larger (float x, float than)
{
  return x > than || x != x;
}

static inline float
find_extreme (const float *x, int64_t n, float y, int is_max)
{
  if (is_max) {
#pragma omp simd reduction(max : y)
    for (int64_t i = 0; i < n; i++)
      y = is_larger (x[i], y) ? x[i] : y;
  } else {
#pragma omp simd reduction(min : y)
    for (int64_t i = 0; i < n; i++)
      y = x[i] < y || x[i] != x[i] ? x[i] : y;
  }
  return y;
}

static double
add_exponentials (const float *x, int64_t n, float largest)
{
  double total = 0;

  for (int64_t first = 0; first < n; first += SEAM_CPU_MAX_RUN) {
    const int64_t end = n - first < SEAM_CPU_MAX_RUN ? n : first + SEAM_CPU_MAX_RUN;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = first; i < end; i++)
      sum += SEAM_EXP (x[i] - largest);
    total += (double)sum;
  }
  return total;
}

static double
add_values (const float *x, int64_t n)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n; i++)
    sum += (double)x[i];
  return sum;
}

/* NaN is lost by a vector's maximum, so its presence is asked for. */
static int
has_nan (const float *x, int64_t n)
{
  int found = 0;

#pragma omp simd reduction(| : found)
  for (int64_t i = 0; i < n; i++)
    found |= x[i] != x[i];
  return found;
}

static void
normalize_piece (const SeamCpuAffine *a, double mean, double rstd, const float *x, float *y,
                 int64_t offset, int64_t n)
{
  while (n > 0) {
    const int64_t index = offset / a->inner % a->count;
    const int64_t left = a->inner > 1     ? a->inner - offset % a->inner
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

/* One set, whose elements lie in rows of r2. */
static void
work_row_set (const SeamCpuSets *s, SeamCpuSetKind kind, const SeamCpuAffine *a, const float *x,
              float *y, int64_t unit)
{
  const int64_t *n = s->sizes, *stride = s->strides;
  const int64_t start = unit / (n[2] * n[4]) * stride[0] + unit / n[4] % n[2] * stride[2]
                        + unit % n[4] * stride[4];
  const int is_max = kind != SEAM_CPU_MIN;
  float extreme = is_max ? -__builtin_inff () : __builtin_inff ();
  SeamCpuMoments moments = { 0 };
  double sum = 0;
  int nan = 0;

#define FOR_ROWS(statement)                                                                        \
  for (int64_t i = 0; i < n[1]; i++)                                                               \
    for (int64_t j = 0; j < n[3]; j++) {                                                           \
      const int64_t at = start + i * stride[1] + j * stride[3];                                    \
      statement;                                                                                   \
    }
  switch (kind) {
  case SEAM_CPU_SUM:
  case SEAM_CPU_MEAN:
    FOR_ROWS (sum += add_values (x + at, n[5]));
    y[unit] = (float)(kind == SEAM_CPU_MEAN ? sum / (double)(n[1] * n[3] * n[5]) : sum);
    return;
  case SEAM_CPU_NORM:
    if (a->mean != 0) {
      FOR_ROWS (normalize_piece (a, 0, 0, x + at, y + at, at, n[5]));
      return;
    }
    FOR_ROWS (for (int64_t k = 0; k < n[5]; k += SEAM_CPU_MAX_RUN) add_moments (
        &moments, x + at + k, n[5] - k < SEAM_CPU_MAX_RUN ? n[5] - k : SEAM_CPU_MAX_RUN));
    sum = 1 / __builtin_sqrt (moments.m2 / moments.count + a->epsilon);
    FOR_ROWS (normalize_piece (a, moments.mean, sum, x + at, y + at, at, n[5]));
    return;
  default:
    break;
  }
  FOR_ROWS (extreme = find_extreme (x + at, n[5], extreme, is_max); nan |= has_nan (x + at, n[5]));
  if (nan)
    extreme = __builtin_nanf ("");
  if (kind == SEAM_CPU_MAX || kind == SEAM_CPU_MIN) {
    y[unit] = extreme;
    return;
  }
  if (kind == SEAM_CPU_LOGSUMEXP && __builtin_isinf (extreme)) {
    y[unit] = extreme;
    return;
  }
  FOR_ROWS (sum += add_exponentials (x + at, n[5], extreme));
  if (kind == SEAM_CPU_LOGSUMEXP) {
    y[unit] = (float)((double)extreme + __builtin_log (sum));
    return;
  }
  const float scale = (float)(1 / sum);
  FOR_ROWS (const float *from = x + at; float *to = y + at;
            _Pragma ("omp simd") for (int64_t k = 0; k < n[5]; k++) to[k] =
                SEAM_EXP (from[k] - extreme) * scale);
#undef FOR_ROWS
}

/* Neighbouring sets, an element of each side by side. */
static void
work_columns (const SeamCpuSets *s, SeamCpuSetKind kind, const SeamCpuAffine *a, const float *x,
              float *y, int64_t unit, double *room)
{
  const int64_t *n = s->sizes, *stride = s->strides;
  const int64_t n_across = (n[4] + SEAM_CPU_COLUMNS - 1) / SEAM_CPU_COLUMNS;
  const int64_t first = unit % n_across * SEAM_CPU_COLUMNS;
  const int64_t m = n[4] - first < SEAM_CPU_COLUMNS ? n[4] - first : SEAM_CPU_COLUMNS;
  const int64_t row = unit / n_across;
  const int64_t start = row / n[2] * stride[0] + row % n[2] * stride[2] + first;
  const double count = (double)(n[1] * n[3]);
  double *restrict sums = room, *restrict means = room + SEAM_CPU_COLUMNS;
  float extremes[SEAM_CPU_COLUMNS];
  float *to = y + row * n[4] + first; /* of a reduction */

#define FOR_COLUMNS(statement) _Pragma ("omp simd") for (int64_t k = 0; k < m; k++) statement
#define FOR_ROWS(statement)                                                                        \
  for (int64_t i = 0; i < n[1]; i++)                                                               \
    for (int64_t j = 0; j < n[3]; j++) {                                                           \
      const int64_t at = start + i * stride[1] + j * stride[3];                                    \
      const float *from = x + at;                                                                  \
      statement;                                                                                   \
    }
  for (int64_t k = 0; k < m; k++) {
    sums[k] = means[k] = 0;
    extremes[k] = kind == SEAM_CPU_MIN ? __builtin_inff () : -__builtin_inff ();
  }
  switch (kind) {
  case SEAM_CPU_SUM:
  case SEAM_CPU_MEAN:
    FOR_ROWS (FOR_COLUMNS (sums[k] += (double)from[k]));
    FOR_COLUMNS (to[k] = (float)(kind == SEAM_CPU_MEAN ? sums[k] / count : sums[k]));
    return;
  case SEAM_CPU_NORM:
    FOR_ROWS (FOR_COLUMNS (means[k] += (double)from[k]));
    FOR_COLUMNS (means[k] /= count);
    FOR_ROWS (FOR_COLUMNS (sums[k] += ((double)from[k] - means[k]) * ((double)from[k] - means[k])));
    for (int64_t k = 0; k < m; k++)
      sums[k] = 1 / __builtin_sqrt (sums[k] / count + a->epsilon);
    FOR_ROWS (for (int64_t k = 0; k < m; k++) {
      const int64_t index = (at + k) / a->inner % a->count;
      y[at + k] = seam_op_normalize (from[k], (float)means[k], (float)sums[k],
                                     a->weight != 0 ? a->weight[index] : 1,
                                     a->bias != 0 ? a->bias[index] : 0);
    });
    return;
  case SEAM_CPU_MIN:
    FOR_ROWS (FOR_COLUMNS (
        extremes[k] = from[k] < extremes[k] || from[k] != from[k] ? from[k] : extremes[k]));
    FOR_COLUMNS (to[k] = extremes[k]);
    return;
  default:
    break;
  }
  FOR_ROWS (FOR_COLUMNS (extremes[k] = is_larger (from[k], extremes[k]) ? from[k] : extremes[k]));
  if (kind == SEAM_CPU_MAX) {
    FOR_COLUMNS (to[k] = extremes[k]);
    return;
  }
  FOR_ROWS (FOR_COLUMNS (sums[k] += (double)SEAM_EXP (from[k] - extremes[k])));
  if (kind == SEAM_CPU_LOGSUMEXP) {
    for (int64_t k = 0; k < m; k++)
      to[k] = __builtin_isinf (extremes[k]) ? extremes[k]
                                            : (float)((double)extremes[k] + __builtin_log (sums[k]));
    return;
  }
  FOR_COLUMNS (sums[k] = 1 / sums[k]);
  FOR_ROWS (float *into = y + at;
            FOR_COLUMNS (into[k] = SEAM_EXP (from[k] - extremes[k]) * (float)sums[k]));
#undef FOR_ROWS
#undef FOR_COLUMNS
}

static void
work_set (const SeamCpuSets *sets, SeamCpuSetKind kind, const SeamCpuAffine *affine, const float *x,
          float *y, int64_t unit, double *room)
{
  if (sets->sizes[5] > 1 || sets->sizes[4] == 1)
    work_row_set (sets, kind, affine, x, y, unit);
  else
    work_columns (sets, kind, affine, x, y, unit, room);
}

/* --- Pools --- */

/* The part of a window that lies in the input, and how many indices it has with the padding. */
static inline int64_t
clip_window (const SeamCpuWindow *w, int axis, int64_t index, int64_t *begin, int64_t *end)
{
  const int64_t first = index * w->stride[axis] - w->padding[axis];
  const int64_t most = w->in[axis] + w->padding[axis];
  int64_t last = first + w->kernel[axis];

  last = last < most ? last : most;
  *begin = first < 0 ? 0 : first;
  *end = last < w->in[axis] ? last : w->in[axis];
  return last - first;
}

static void
pool (const SeamCpuWindow *w, const float *x, float *y)
{
  for (int64_t d = 0; d < w->out[0]; d++)
    for (int64_t h = 0; h < w->out[1]; h++) {
      float *row = y + (d * w->out[1] + h) * w->out[2];
      int64_t d0, d1, h0, h1, w0, w1;
      const int64_t padded = clip_window (w, 0, d, &d0, &d1) * clip_window (w, 1, h, &h0, &h1);
      for (int64_t q = 0; q < w->out[2]; q++) {
        const int64_t across = clip_window (w, 2, q, &w0, &w1);
        float largest = -__builtin_inff (), sum = 0;
        for (int64_t a = d0; a < d1; a++)
          for (int64_t b = h0; b < h1; b++) {
            const float *from = x + (a * w->in[1] + b) * w->in[2];
            if (w->is_max)
              for (int64_t c = w0; c < w1; c++)
                largest = is_larger (from[c], largest) ? from[c] : largest;
            else
              for (int64_t c = w0; c < w1; c++)
                sum += from[c];
          }
        const int64_t n =
            w->counts_padding ? padded * across : (d1 - d0) * (h1 - h0) * (w1 - w0);
        row[q] = w->is_max ? largest : sum / (float)n;
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
find_reach (const SeamCpuGeneral *g, int axis, int64_t tap)
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
convolve_general (const SeamCpuGeneral *g, const float *x, const float *weight, int64_t channel,
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
