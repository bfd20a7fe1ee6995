/* SPDX-License-Identifier: MIT
 *
 * What each class of ops makes of shapes: its output's, its parameters', and the part of an input
 * that a part of the output needs.
 */
#include "app/pipeline/op-shape.h"

#include "app/base/error.h"
#include "app/base/text.h"

#define D G_GINT64_FORMAT

gint64
seam_shape_count (const SeamShape *shape)
{
  gint64 n = 1;

  for (int i = 0; i < shape->n_dims; i++)
    n *= shape->dims[i];
  return n;
}

gboolean
seam_shape_equal (const SeamShape *a, const SeamShape *b)
{
  gboolean equal = a->n_dims == b->n_dims;

  for (int i = 0; i < a->n_dims && equal; i++)
    equal = a->dims[i] == b->dims[i];
  return equal;
}

char *
seam_shape_format (const SeamShape *shape)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < shape->n_dims; i++)
    g_string_append_printf (text, "%s%" D, i > 0 ? ", " : "", shape->dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

SeamBox
seam_shape_box (const SeamShape *shape)
{
  SeamBox box = { 0 };

  for (int i = 0; i < shape->n_dims; i++)
    box.count[i] = shape->dims[i];
  return box;
}

/* Refuses x unless it has `n_dims` axes: "[N, C, H, W]". */
static gboolean
check_rank (const SeamOpCase *c, int n_dims, GError **error)
{
  static const char *const shapes[] = { "", "", "[N, C]", "", "[N, C, H, W]", "[N, C, D, H, W]" };

  if (c->in[0].n_dims == n_dims)
    return TRUE;
  g_autofree char *shape = seam_shape_format (&c->in[0]);
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "“%s” is a %s, which takes %s, but what it reads has the shape %s.",
                    c->op->name, c->info->name, shapes[n_dims], shape);
}

static gboolean
check_least_rank (const SeamOpCase *c, int n_dims, GError **error)
{
  if (c->in[0].n_dims >= n_dims)
    return TRUE;
  g_autofree char *shape = seam_shape_format (&c->in[0]);
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "“%s” is a %s, which takes %d axes or more, but what it reads has the shape "
                    "%s.",
                    c->op->name, c->info->name, n_dims, shape);
}

/* Narrows first … first + count - 1 to the indices 0 … n - 1. */
static void
clip (gint64 n, gint64 *first, gint64 *count)
{
  const gint64 end = CLAMP (*first + *count, 0, n);

  *first = CLAMP (*first, 0, n);
  *count = MAX (end - *first, 0);
}

/* --- Matrix ops --- */

gboolean
seam_op_infer_matmul (SeamOpCase *c, GError **error)
{
  c->out = (SeamShape){ 2, { c->in[0].dims[0], c->numbers[SEAM_NUMBER_OUT] } };
  return check_rank (c, 2, error);
}

void
seam_op_get_matmul_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_ALL, c->in[0].dims[1] };
}

void
seam_op_need_matmul (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  in->first[1] = 0;
  in->count[1] = c->in[0].dims[1];
}

gboolean
seam_op_infer_convolution (SeamOpCase *c, GError **error)
{
  const gint64 k = c->numbers[SEAM_NUMBER_KERNEL], padding = c->numbers[SEAM_NUMBER_PADDING];
  const int rank = c->info->attributes->rank;
  const SeamShape *x = &c->in[0];
  gint64 least = G_MAXINT64;
  g_autoptr (GString) image = g_string_new (NULL);

  if (!check_rank (c, 2 + rank, error))
    return FALSE;
  c->out = (SeamShape){ 2 + rank, { x->dims[0], c->numbers[SEAM_NUMBER_OUT] } };
  for (int i = 2; i < x->n_dims; i++) {
    c->out.dims[i] = (x->dims[i] + 2 * padding - k) / c->numbers[SEAM_NUMBER_STRIDE] + 1;
    least = MIN (least, x->dims[i] + 2 * padding);
    g_string_append_printf (image, "%s%" D, i > 2 ? "×" : "", x->dims[i]);
  }
  if (k <= least)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "The kernel (kernel_size %" D ") is larger than the image of %s; use at most "
                    "%" D ", or a larger image.",
                    k, image->str, least);
}

void
seam_op_get_convolution_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_ALL, c->in[0].dims[1] };
  for (int i = 2; i < c->in[0].n_dims; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_WINDOW, c->numbers[SEAM_NUMBER_KERNEL] };
}

/* Windows that begin at index × stride - padding, along the axes from `from` on. */
static void
need_windows (const SeamOpCase *c, int from, const SeamBox *out, SeamBox *in)
{
  const gint64 stride = c->numbers[SEAM_NUMBER_STRIDE], k = c->numbers[SEAM_NUMBER_KERNEL];

  for (int i = from; i < c->in[0].n_dims; i++) {
    in->first[i] = out->first[i] * stride - c->numbers[SEAM_NUMBER_PADDING];
    in->count[i] = out->count[i] > 0 ? (out->count[i] - 1) * stride + k : 0;
    clip (c->in[0].dims[i], &in->first[i], &in->count[i]);
  }
}

void
seam_op_need_convolution (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  seam_op_need_matmul (c, out, in);
  need_windows (c, 2, out, in);
}

gboolean
seam_op_infer_transposed (SeamOpCase *c, GError **error)
{
  const gint64 stride = c->numbers[SEAM_NUMBER_STRIDE], k = c->numbers[SEAM_NUMBER_KERNEL];
  const gint64 padding = c->numbers[SEAM_NUMBER_PADDING];
  const gint64 more = c->numbers[SEAM_NUMBER_OUTPUT_PADDING];
  const int rank = c->info->attributes->rank;

  if (!check_rank (c, 2 + rank, error))
    return FALSE;
  if (more > 0 && more >= stride)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” has an output padding of %" D "; it has to be less than the stride "
                      "(%" D ").",
                      c->op->name, more, stride);
  c->out = (SeamShape){ 2 + rank, { c->in[0].dims[0], c->numbers[SEAM_NUMBER_OUT] } };
  for (int i = 2; i < 2 + rank; i++) {
    c->out.dims[i] = (c->in[0].dims[i] - 1) * stride - 2 * padding + k + more;
    if (c->out.dims[i] < 1)
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "“%s” leaves nothing of axis %d: a padding of %" D " takes more than "
                        "there is; use a smaller one, or a larger image.",
                        c->op->name, i, padding);
  }
  return TRUE;
}

/* An output takes part of the kernel: every stride-th product along each axis. */
void
seam_op_get_transposed_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  const gint64 stride = c->numbers[SEAM_NUMBER_STRIDE];

  seam_op_get_convolution_axes (c, axes);
  for (int i = 2; i < c->in[0].n_dims; i++)
    axes[i].size = (axes[i].size + stride - 1) / stride;
}

/* Input i reaches outputs i × stride - padding … + kernel - 1. */
void
seam_op_need_transposed (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  const gint64 stride = c->numbers[SEAM_NUMBER_STRIDE], k = c->numbers[SEAM_NUMBER_KERNEL];

  seam_op_need_matmul (c, out, in);
  for (int i = 2; i < c->in[0].n_dims; i++) {
    const gint64 first = out->first[i] + c->numbers[SEAM_NUMBER_PADDING] - k + 1;
    const gint64 last = out->first[i] + out->count[i] - 1 + c->numbers[SEAM_NUMBER_PADDING];

    in->first[i] = first > 0 ? (first + stride - 1) / stride : 0;
    in->count[i] = last < 0 ? 0 : last / stride + 1 - in->first[i];
    clip (c->in[0].dims[i], &in->first[i], &in->count[i]);
  }
}

/* --- Maps --- */

/* Axes are compared from the last; one of size 1 repeats. */
static gboolean
broadcast (SeamOpCase *c, GError **error)
{
  const SeamShape *x = &c->in[0], *t = &c->in[1];
  const int n_dims = MAX (x->n_dims, t->n_dims);

  c->out.n_dims = n_dims;
  for (int i = 1; i <= n_dims; i++) {
    const gint64 a = i <= x->n_dims ? x->dims[x->n_dims - i] : 1;
    const gint64 b = i <= t->n_dims ? t->dims[t->n_dims - i] : 1;

    c->out.dims[n_dims - i] = a == 1 ? b : a;
    if (a != b && a != 1 && b != 1) {
      g_autofree char *x_text = seam_shape_format (x), *t_text = seam_shape_format (t);
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "“%s” reads values of the shapes %s and %s, which do not go together: "
                        "axes are compared from the last, and two have to be equal unless one "
                        "of them is 1.",
                        c->op->name, x_text, t_text);
    }
  }
  return TRUE;
}

static gboolean
infer_map (SeamOpCase *c, GError **error)
{
  c->out = c->in[0];
  if (c->info->reads == SEAM_READS_VECTOR)
    return check_least_rank (c, 2, error);
  return c->info->reads == SEAM_READS_TENSOR ? broadcast (c, error) : TRUE;
}

static void
need_map (const SeamOpCase *c, int which, const SeamBox *out, SeamBox *in)
{
  const SeamShape *shape = &c->in[which];

  for (int i = 1; i <= shape->n_dims; i++) {
    const int from = c->out.n_dims - i, to = shape->n_dims - i;
    const gboolean repeats = shape->dims[to] == 1;

    in->first[to] = repeats ? 0 : out->first[from];
    in->count[to] = repeats ? MIN (out->count[from], 1) : out->count[from];
  }
}

/* --- Windows --- */

gboolean
seam_op_infer_window (SeamOpCase *c, GError **error)
{
  const gint64 k = c->numbers[SEAM_NUMBER_KERNEL], stride = c->numbers[SEAM_NUMBER_STRIDE];
  const gint64 padding = c->numbers[SEAM_NUMBER_PADDING];
  const SeamShape *x = &c->in[0];

  if (!check_least_rank (c, c->info->attributes->rank + 1, error))
    return FALSE;
  if (2 * padding > k)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” has a padding of %" D "; it has to be at most half of its kernel "
                      "(%" D ").",
                      c->op->name, padding, k);
  c->out = *x;
  for (int i = x->n_dims - c->info->attributes->rank; i < x->n_dims; i++) {
    const gint64 left = x->dims[i] + 2 * padding - k;
    gint64 *n = &c->out.dims[i];

    if (left < 0)
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "“%s” has a kernel of %" D ", which is larger than axis %d of what it "
                        "reads (%" D "); use a smaller one, or a larger shape.",
                        c->op->name, k, i, x->dims[i]);
    *n = left / stride + 1;
    /* The last window may be incomplete, but begins in the input or in the padding before it. */
    if (c->numbers[SEAM_NUMBER_CEIL_MODE] && left % stride != 0
        && *n * stride < x->dims[i] + padding)
      (*n)++;
  }
  return TRUE;
}

void
seam_op_get_window_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  for (int i = c->in[0].n_dims - c->info->attributes->rank; i < c->in[0].n_dims; i++)
    axes[i] = (SeamAxisNeed){ SEAM_AXIS_WINDOW, c->numbers[SEAM_NUMBER_KERNEL] };
}

void
seam_op_need_window (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  need_windows (c, c->in[0].n_dims - c->info->attributes->rank, out, in);
}

/* --- Reductions and normalisations --- */

/* Sets the axes that the op works on: those of the file, or `otherwise`. */
static gboolean
resolve_axes (SeamOpCase *c, guint otherwise, GError **error)
{
  const guint given = (guint)c->numbers[SEAM_NUMBER_AXES];
  const int n_dims = c->in[0].n_dims;

  c->axes = given == 0 ? otherwise : given & 0xff;
  for (int i = 0; i < n_dims; i++) {
    const guint bit = given >> (8 + i) & 1 ? 1u << (n_dims - 1 - i) : 0;
    if (c->axes & bit)
      return seam_fail (error, SEAM_ERROR_INPUT, "“%s” names axis %d twice, also from the end.",
                        c->op->name, n_dims - 1 - i);
    c->axes |= bit;
  }
  if ((c->axes >> n_dims) == 0 && (given >> (8 + n_dims)) == 0)
    return TRUE;
  g_autofree char *shape = seam_shape_format (&c->in[0]);
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "“%s” names an axis that is not there: what it reads has the shape %s, with "
                    "the axes 0 to %d.",
                    c->op->name, shape, n_dims - 1);
}

static guint
get_axes_from (const SeamOpCase *c, int first)
{
  return ((1u << c->in[0].n_dims) - 1) & ~((1u << first) - 1);
}

gint64
seam_op_count_along (const SeamOpCase *c)
{
  gint64 n = 1;

  for (int i = 0; i < c->in[0].n_dims; i++)
    n *= c->axes >> i & 1 ? c->in[0].dims[i] : 1;
  return n;
}

gboolean
seam_op_infer_reduction (SeamOpCase *c, GError **error)
{
  const gboolean is_global = c->info->kind == SEAM_KIND_WINDOW;

  if (is_global && !check_least_rank (c, 3, error))
    return FALSE;
  if (!resolve_axes (c, is_global ? get_axes_from (c, 2) : get_axes_from (c, 0), error))
    return FALSE;
  c->out = (SeamShape){ 0 };
  for (int i = 0; i < c->in[0].n_dims; i++)
    if ((c->axes >> i & 1) == 0)
      c->out.dims[c->out.n_dims++] = c->in[0].dims[i];
    else if (c->numbers[SEAM_NUMBER_KEEPDIM])
      c->out.dims[c->out.n_dims++] = 1;
  return c->out.n_dims > 0
         || seam_fail (error, SEAM_ERROR_INPUT,
                       "“%s” leaves no axis; write keepdim=true, or fewer axes.", c->op->name);
}

void
seam_op_get_reduction_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  for (int i = 0; i < c->in[0].n_dims; i++)
    if (c->axes >> i & 1)
      axes[i] = (SeamAxisNeed){ SEAM_AXIS_ALL, c->in[0].dims[i] };
}

void
seam_op_need_reduction (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  int from = 0;

  for (int i = 0; i < c->in[0].n_dims; i++) {
    if ((c->axes >> i & 1) == 0) {
      in->first[i] = out->first[from];
      in->count[i] = out->count[from++];
    } else {
      in->first[i] = 0;
      in->count[i] = c->in[0].dims[i];
      from += c->numbers[SEAM_NUMBER_KEEPDIM] != 0;
    }
  }
}

/* Statistics of one value say nothing; PyTorch refuses them, too. */
static gboolean
check_values (const SeamOpCase *c, const char *remedy, GError **error)
{
  return seam_op_count_along (c) > 1
         || seam_fail (error, SEAM_ERROR_INPUT,
                       "“%s” would take mean and variance of a single value; use a larger %s.",
                       c->op->name, remedy);
}

gboolean
seam_op_infer_groupnorm (SeamOpCase *c, GError **error)
{
  const gint64 groups = c->numbers[SEAM_NUMBER_GROUPS];

  if (!check_least_rank (c, 2, error))
    return FALSE;
  c->out = c->in[0];
  c->axes = get_axes_from (c, 2);
  return c->out.dims[1] % groups == 0
         || seam_fail (error, SEAM_ERROR_INPUT,
                       "The %" D " groups do not divide the %" D " output %s; use a number of "
                       "groups that divides them.",
                       groups, c->out.dims[1], c->out.n_dims > 2 ? "channels" : "features");
}

void
seam_op_get_groupnorm_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  seam_op_get_reduction_axes (c, axes);
  axes[1] = (SeamAxisNeed){ SEAM_AXIS_BLOCK, c->in[0].dims[1] / c->numbers[SEAM_NUMBER_GROUPS] };
}

void
seam_op_need_groupnorm (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  const gint64 size = c->in[0].dims[1] / c->numbers[SEAM_NUMBER_GROUPS];
  const gint64 end = (out->first[1] + out->count[1] + size - 1) / size * size;

  for (int i = 2; i < c->in[0].n_dims; i++) {
    in->first[i] = 0;
    in->count[i] = c->in[0].dims[i];
  }
  in->first[1] = out->first[1] / size * size;
  in->count[1] = end - in->first[1];
}

gboolean
seam_op_infer_batch_norm (SeamOpCase *c, GError **error)
{
  if (!check_least_rank (c, 2, error))
    return FALSE;
  c->out = c->in[0];
  c->axes = get_axes_from (c, 0) & ~2u;
  if (c->running_statistics && c->op->params[3] < 0)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” has no running statistics: its group names no running_mean and "
                      "running_var. Choose the batch's.",
                      c->op->name);
  return c->running_statistics || c->is_open
         || check_values (c, "batch or image, or its running statistics", error);
}

void
seam_op_get_batch_norm_axes (const SeamOpCase *c, SeamAxisNeed *axes)
{
  if (!c->running_statistics)
    seam_op_get_reduction_axes (c, axes);
}

/* The axes that a normalisation works on, whole. */
void
seam_op_need_along (const SeamOpCase *c, const SeamBox *out, SeamBox *in)
{
  for (int i = 0; i < c->in[0].n_dims && !c->running_statistics; i++)
    if (c->axes >> i & 1) {
      in->first[i] = 0;
      in->count[i] = c->in[0].dims[i];
    }
}

gboolean
seam_op_infer_instance_norm (SeamOpCase *c, GError **error)
{
  if (!check_least_rank (c, 2, error))
    return FALSE;
  c->out = c->in[0];
  return resolve_axes (c, get_axes_from (c, c->in[0].n_dims > 2 ? 2 : 1), error)
         && check_values (c, "image", error);
}

gboolean
seam_op_infer_layer_norm (SeamOpCase *c, GError **error)
{
  c->out = c->in[0];
  if (!resolve_axes (c, 1u << (c->in[0].n_dims - 1), error))
    return FALSE;
  for (int first = 0; first < c->in[0].n_dims; first++)
    if (c->axes == get_axes_from (c, first))
      return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "“%s” is a layer_norm, whose axes are the last ones; write them all.",
                    c->op->name);
}

gboolean
seam_op_infer_softmax (SeamOpCase *c, GError **error)
{
  c->out = c->in[0];
  return resolve_axes (c, c->in[0].n_dims > 1 ? 2u : 1u, error);
}

/* --- All --- */

gboolean
seam_op_is_transposed (const SeamOpCase *c)
{
  return c->info->attributes->infer == seam_op_infer_transposed;
}

gboolean
seam_op_infer (SeamOpCase *c, GError **error)
{
  const SeamOpAttributes *attributes = c->info->attributes;

  return attributes->infer != NULL ? attributes->infer (c, error) : infer_map (c, error);
}

SeamShape
seam_op_shape_param (const SeamOpCase *c, int which)
{
  const gint64 k = c->numbers[SEAM_NUMBER_OUT], r = c->numbers[SEAM_NUMBER_KERNEL];
  SeamShape shape = { 1, { c->in[0].n_dims > 1 ? c->in[0].dims[1] : 1 } };

  if (c->info->op_class == SEAM_CLASS_MATRIX) {
    shape = (SeamShape){ 2 + c->info->attributes->rank, { k, c->in[0].dims[1] } };
    if (seam_op_is_transposed (c))
      shape = (SeamShape){ shape.n_dims, { c->in[0].dims[1], k } };
    for (int i = 2; i < shape.n_dims; i++)
      shape.dims[i] = r;
  } else if (c->info->attributes->has_affine_axes) {
    shape.n_dims = 0;
    for (int i = 0; i < c->in[0].n_dims; i++)
      if (c->axes >> i & 1)
        shape.dims[shape.n_dims++] = c->in[0].dims[i];
  }
  return shape;
}

void
seam_op_need (const SeamOpCase *c, int which, const SeamBox *out, SeamBox *in)
{
  *in = *out;
  if (c->info->attributes->need != NULL)
    c->info->attributes->need (c, out, in);
  else
    need_map (c, which, out, in);
}
