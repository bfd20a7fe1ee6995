/* SPDX-License-Identifier: MIT
 *
 * Math mode fp32 is FP32: every hand-written version of every pipeline errs at most twice as much
 * as hand-simt, which adds FP32 products one by one, on the same numbers. Largest and root mean
 * square error against FP64, over forty random shapes together (--quick: some small ones), for each
 * of nine distributions of the input. And numbers near the ends of FP32's range. Without a GPU
 * every case is skipped with the reason.
 */
#include "tests/core/bound-fixture.h"
#include "tests/core/groupnorm-fixture.h"
#include "tests/gpu/gpu-fixture.h"

#define MOST_VERSIONS  6
#define N_SHAPES       40 /* together: of few shapes one element of a nearly constant group decides */
#define FLOOR          0x1p-24 /* errors under half a unit in the last place of the largest result */
#define FACTOR         2
#define MOST_PRODUCTS  3e7 /* of a shape, because the reference is slow */
#define N_QUICK_SHAPES 3
#define QUICK_SEED     7 /* so that --quick is a fixed sample */

/* The first one is the measure. */
static const char *const versions[MOST_VERSIONS] = { "hand-simt",      "hand",
                                                     "hand-portable",  "hand-reload",
                                                     "hand-recompute", "hand-resident" };

typedef enum {
  UNIFORM,
  NORMAL,
  MEAN_200,
  TIMES_1E4,
  TIMES_1E_5,
  BYTES,
  OUTLIERS,
  FEATURE, /* one feature or channel 2^6 times the others, with weights of 0 */
  SPARSE,  /* every second number is 0, as behind a ReLU */
  N_KINDS
} Kind;

static const char *const kinds[N_KINDS] = { "uniform",   "normal",      "mean 200",
                                            "times 1e4", "times 1e-5",  "0 to 255",
                                            "outliers",  "one feature", "sparse" };

/* Errors over max |y|; of chains with a GroupNorm, over the element's bound, because else the few
 * elements of a nearly constant group decide, where hand-simt errs by chance, too. */
typedef struct {
  double largest, squares;
  double sizes, toward; /* sums of |y|, and of what results are too near to 0 */
  gint64 n;
  int n_shapes;
} Errors;

/* Another feature of each shape; none of a convolution of a single channel. */
static void
fill_feature (Fixture *f)
{
  const SeamMatrixDims d = seam_matrix_get_dims (f->problem, 0);
  const gint64 pixels = d.h * d.w, taps = d.r * d.r, feature = d.k % d.c;
  float *x = f->host[SEAM_TENSOR_INPUT],
        *weight =
            f->host[SEAM_TENSOR_PARAM (f->n_ops, f->problem->pipeline->chains[0].ops[0].params[0])];

  if (d.c == 1)
    return;
  for (gint64 i = 0; i < d.n * pixels; i++)
    x[(i / pixels * d.c + feature) * pixels + i % pixels] *= 0x1p6f;
  for (gint64 i = 0; i < d.k * taps; i++)
    weight[(i / taps * d.c + feature) * taps + i % taps] = 0;
}

static void
fill (Fixture *f, guint64 seed, Kind kind)
{
  const gint64 n = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;
  float *x;

  fixture_fill (f, seed,
                kind == UNIFORM || kind == BYTES ? SEAM_DISTRIBUTION_UNIFORM
                                                 : SEAM_DISTRIBUTION_NORMAL);
  x = f->host[SEAM_TENSOR_INPUT];
  for (gint64 i = 0; i < n; i++) {
    if (kind == MEAN_200)
      x[i] += 200;
    else if (kind == TIMES_1E4)
      x[i] *= 1e4f;
    else if (kind == TIMES_1E_5)
      x[i] *= 1e-5f;
    else if (kind == BYTES)
      x[i] = floorf (x[i] * 256);
    else if (kind == OUTLIERS && i % 100 == (i / 100 * 37 + (gint64)seed) % 100)
      x[i] = x[i] < 0 ? -1e3f : 1e3f;
    else if (kind == SPARSE && (guint64)i * 2654435761u % 0x100000000u >= 0x80000000u)
      x[i] = 0;
  }
  if (kind == FEATURE)
    fill_feature (f);
}

static void
add_errors (Errors *errors, const float *found, const double *expected, const float *bounds,
            gint64 n, gboolean ignores)
{
  double most = 0;

  for (gint64 i = 0; i < n; i++)
    most = MAX (most, fabs (expected[i]));
  for (gint64 i = 0; i < n && most > 0; i++) {
    double error = fabs (found[i] - expected[i]) / most;

    if (!(error < INFINITY))
      error = INFINITY;
    if (ignores && error < FLOOR)
      error = 0;
    if (bounds != NULL && error > 0)
      error *= most / (double)bounds[i];
    errors->largest = MAX (errors->largest, error);
    errors->squares += error * error;
    errors->sizes += fabs (expected[i]);
    errors->toward += expected[i] < 0 ? found[i] - expected[i] : expected[i] - found[i];
  }
  errors->n += n;
  errors->n_shapes++;
}

static double
get_rms (const Errors *errors)
{
  return sqrt (errors->squares / (double)MAX (errors->n, 1));
}

static gboolean
is_convolution (const char *pipeline)
{
  return g_str_has_prefix (pipeline, "conv");
}

/* A random shape of at least 16 products a sum; GLib prints the seed. */
static char *
make_shape (const char *pipeline)
{
  for (;;) {
    const int taps = g_test_rand_int_range (0, 3) == 0 ? 5 : g_test_rand_int_range (1, 8);
    const int batch = g_test_rand_int_range (1, 4), channels = g_test_rand_int_range (1, 33);
    const int height = taps + g_test_rand_int_range (3, 40),
              filters = g_test_rand_int_range (1, 90);
    const int width = taps + g_test_rand_int_range (3, 80), groups = g_test_rand_int_range (1, 9);
    const int rows = g_test_rand_int_range (1, 300), columns = 8 << g_test_rand_int_range (0, 5);
    const int inner = g_test_rand_int_range (0, 8) == 0 ? g_test_rand_int_range (16, 500)
                                                        : 4 * g_test_rand_int_range (4, 600);
    const int per_group = 1 + filters / 12;

    if (g_str_equal (pipeline, "gemm-bias-relu")
        && (double)rows * inner * filters * 6 < MOST_PRODUCTS)
      return g_strdup_printf ("batch=%d,in_features=%d,out_features=%d", rows, inner, filters * 6);
    if (g_str_equal (pipeline, "matmul-swish-bias-groupnorm")
        && (double)rows * inner * columns * groups < MOST_PRODUCTS)
      return g_strdup_printf ("batch=%d,in_features=%d,out_features=%d,groups=%d", rows, inner,
                              columns * groups, groups);
    if (!is_convolution (pipeline) || channels * taps * taps < 16
        || (double)batch * channels * filters * taps * taps * height * width > MOST_PRODUCTS)
      continue;
    if (g_str_equal (pipeline, "conv-bias-scale-sigmoid-groupnorm"))
      return g_strdup_printf ("batch=%d,in_channels=%d,out_channels=%d,height=%d,width=%d,"
                              "kernel_size=%d,groups=%d",
                              batch, 1 + channels / 2, groups * per_group, height, width, taps,
                              groups);
    return g_strdup_printf (
        "batch=%d,in_channels=%d,out_channels=%d,height=%d,width=%d,kernel_size=%d", batch,
        channels, filters, height, width, taps);
  }
}

/* Small shapes for --quick: an odd image with kernel 5, which an earlier version got wrong, and
 * many channels; a few rows and a long sum. */
static const char *const quick_shapes[][N_QUICK_SHAPES] = {
  { "batch=1,in_channels=6,out_channels=10,height=9,width=31,kernel_size=5%s",
    "batch=1,in_channels=18,out_channels=12,height=7,width=11,kernel_size=3%s",
    /* two groups of eight channels in a tile of few pixels */
    "batch=2,in_channels=12,out_channels=20,height=6,width=9,kernel_size=1%s" },
  { "batch=9,in_features=700,out_features=24%s", "batch=40,in_features=52,out_features=16%s",
    "batch=24,in_features=1200,out_features=40%s" },
};

static SeamPlan *
make_plan (SeamPipeline *pipeline, const char *version)
{
  const SeamChain *chain = &pipeline->chains[0];
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  SeamPlan *plan;

  for (int op = 0; op < chain->n_ops; op++)
    g_string_append_printf (text, "%s%s", op > 0 ? "+" : "", chain->ops[op].name);
  g_string_append_printf (text, "@%s", version);
  plan = seam_plan_parse (pipeline, text->str, &error);
  g_assert_no_error (error);
  return plan;
}

static gboolean
is_supported (Fixture *f, const SeamPlan *plan, SeamMathMode math_mode)
{
  SeamGroupSpec spec = { f->problem, plan, 0, math_mode };
  SeamSupport support = { 0 };
  gboolean good;

  gpu->backend->supports (gpu, &spec, &support);
  good = support.level != SEAM_SUPPORT_NO;
  g_assert_true (good || support.reason != NULL);
  seam_support_clear (&support);
  return good;
}

/* The output of a version, newly allocated; NULL if it refuses the shape. */
static float *
run_version (Fixture *f, const char *version)
{
  g_autoptr (SeamPlan) plan = make_plan (f->problem->pipeline, version);

  return is_supported (f, plan, SEAM_MATH_FP32) ? run_on_gpu (f, plan, SEAM_MATH_FP32) : NULL;
}

static void
check_shape (SeamPipeline *pipeline, const char *shape, int n_kinds,
             Errors errors[MOST_VERSIONS][N_KINDS])
{
  g_autoptr (GError) error = NULL;
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", shape, &error));
  const guint64 seed = quick ? QUICK_SEED : (guint64)g_test_rand_int ();

  g_assert_no_error (error);
  for (int kind = 0; kind < n_kinds; kind++) {
    g_autofree double *expected = NULL;
    g_autofree float *bounds = NULL;
    Errors own[MOST_VERSIONS] = { { 0 } };

    if (quick && kind < BYTES)
      continue;
    fill (f, seed, (Kind)kind);
    expected = fixture_reference (f);
    if (strstr (pipeline->id, "groupnorm") != NULL)
      bounds = bound_new (f, SEAM_MATH_FP32, 1);
    for (int v = 0; v < MOST_VERSIONS; v++) {
      g_autofree float *found = run_version (f, versions[v]);

      if (found == NULL)
        continue;
      add_errors (&errors[v][kind], found, expected, bounds, fixture_n_outputs (f), v > 0);
      add_errors (&own[v], found, expected, bounds, fixture_n_outputs (f), v > 0);
      if (own[v].largest > FACTOR * own[0].largest)
        g_test_message ("%s, %s, %s: alone off by %.3g, hand-simt by %.3g", shape, kinds[kind],
                        versions[v], own[v].largest, own[0].largest);
    }
  }
  fixture_free (f);
}

static void
test_accuracy (gconstpointer data)
{
  const char *id = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = NULL;
  Errors errors[MOST_VERSIONS][N_KINDS] = { 0 };
  int n_wrong = 0;

  if (skip_without_gpu ())
    return;
  pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  for (int i = 0; i < (quick ? N_QUICK_SHAPES : N_SHAPES); i++) {
    const gboolean has_groups = strstr (id, "groupnorm") != NULL;
    g_autofree char *shape = NULL;

    if (quick) {
      if (quick_shapes[!is_convolution (id)][i] == NULL)
        break;
      char **parts = g_strsplit (quick_shapes[!is_convolution (id)][i], "%s", 2);

      shape = g_strconcat (parts[0], has_groups ? ",groups=2" : "", NULL);
      g_strfreev (parts);
    } else {
      shape = make_shape (id);
    }
    /* The last kinds with every second shape, so that a visit takes under eight minutes. */
    check_shape (pipeline, shape, quick || i % 2 == 0 ? N_KINDS : FEATURE, errors);
  }
  for (int v = 1; v < MOST_VERSIONS; v++)
    for (int kind = 0; kind < N_KINDS; kind++) {
      const Errors *found = &errors[v][kind], *simt = &errors[0][kind];
      const gboolean good = found->largest <= MAX (FACTOR * simt->largest, FLOOR)
                            && get_rms (found) <= FACTOR * get_rms (simt);

      if (found->n == 0)
        continue;
      n_wrong += !good;
      g_test_message ("%s @%s, %s, %d shapes: largest %.3g, %.2f times hand-simt's; rms %.3g, %.2f "
                      "times; %.2g toward 0%s",
                      id, versions[v], kinds[kind], found->n_shapes, found->largest,
                      found->largest / simt->largest, get_rms (found),
                      get_rms (found) / get_rms (simt), found->toward / found->sizes,
                      good ? "" : " WRONG");
    }
  g_assert_cmpint (errors[1][BYTES].n, >, 0);
  g_assert_cmpint (n_wrong, ==, 0);
}

/* Sums of fewer than 16 products, which a split computes worse than FP32: the best version is
 * hand-simt, and the others refuse them. */
static void
test_short (gconstpointer data)
{
  const char *shape = is_convolution (data) ? "in_channels=1,kernel_size=3" : "in_features=15";
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (data, &error);
  Fixture *f;

  if (skip_without_gpu ())
    return;
  g_assert_no_error (error);
  f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", shape, &error));
  g_assert_no_error (error);
  fill (f, QUICK_SEED, NORMAL);
  g_autofree float *simt = run_version (f, versions[0]), *best = run_version (f, versions[1]);
  g_assert_cmpmem (best, (gsize)fixture_n_outputs (f) * 4, simt, (gsize)fixture_n_outputs (f) * 4);
  for (int v = 2; v < MOST_VERSIONS; v++)
    g_assert_null (run_version (f, versions[v]));
  fixture_free (f);
}

/* One number of the input that is far larger than the others, where a guess from a part of the
 * input or from a row's first 32 numbers does not see it; or all of them subnormal. */
static void
test_special (void)
{
  static const struct {
    const char *pipeline, *shape;
  } cases[] = {
    { "conv-relu-hardswish",
      "batch=1,in_channels=6,out_channels=10,height=9,width=31,kernel_size=3" },
    { "conv-relu-bias", "batch=1,in_channels=40,out_channels=12,height=16,width=40,kernel_size=1" },
    { "gemm-bias-relu", "batch=70,in_features=132,out_features=24" },
    { "gemm-bias-relu", "batch=9,in_features=132,out_features=24" },
  };
  static const float numbers[] = { 1e6f, 3e38f, INFINITY, NAN, 0 /* all x 1e-40 */ };

  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases) * G_N_ELEMENTS (numbers); i++) {
    const float number = numbers[i % G_N_ELEMENTS (numbers)];
    const char *shape = cases[i / G_N_ELEMENTS (numbers)].shape;
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamPipeline) pipeline =
        seam_pipeline_find (cases[i / G_N_ELEMENTS (numbers)].pipeline, &error);
    Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", shape, &error));
    g_autofree float *simt = NULL;
    gint64 n;
    float *x;

    g_assert_no_error (error);
    fixture_fill (f, 29, SEAM_DISTRIBUTION_UNIFORM);
    x = f->host[SEAM_TENSOR_INPUT];
    n = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;
    for (gint64 k = 0; k < n && number == 0; k++)
      x[k] *= 1e-40f;
    if (number != 0)
      x[n / 2 + 67] = number;
    simt = run_version (f, versions[0]);
    for (int v = 1; v < 3; v++) {
      g_autofree float *found = run_version (f, versions[v]);

      g_assert_nonnull (found);
      for (gint64 k = 0; k < fixture_n_outputs (f); k++) {
        /* What is under 2^-40 of the largest number may count as 0; infinity makes NaN. */
        const double lost = number > 1 ? number * 0x1p-36 : 0;
        const gboolean good =
            isfinite (simt[k])
                ? fabs (found[k] - simt[k]) <= 4e-6 * fabs (simt[k]) + MAX (lost, 1e-6)
                      || (!isfinite (number) && !isfinite (found[k]))
                : !isfinite (found[k]);

        if (!good)
          g_error ("%s, %s with %g: element %" G_GINT64_FORMAT " is %.9g, not %.9g", shape,
                   versions[v], (double)number, k, (double)found[k], (double)simt[k]);
      }
    }
    fixture_free (f);
  }
}

/* GroupNorm in every version over the range of FP32, in TF32, where these numbers are exact. */
static void
test_range (gconstpointer shape)
{
  int n_run = 0;
  Fixture *f;

  if (skip_without_gpu ())
    return;
  f = groupnorm_fixture_new (strstr (shape, "height") != NULL, shape);
  for (gsize i = 0; i < MOST_VERSIONS; i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text = g_strdup_printf ("first+bias+norm@%s|last", versions[i]);
    g_autoptr (SeamPlan) plan = seam_plan_parse (f->problem->pipeline, text, &error);
    const SeamMathMode mode = i == 0 ? SEAM_MATH_FP32 : SEAM_MATH_TF32;

    g_assert_no_error (error);
    if (!is_supported (f, plan, mode))
      continue;
    n_run++;
    for (gsize j = 0; j < (i == 0 ? G_N_ELEMENTS (spreads) : N_EXACT_SPREADS); j++) {
      g_autofree float *output = NULL;

      groupnorm_fixture_fill (f, &spreads[j]);
      output = run_on_gpu (f, plan, mode);
      groupnorm_fixture_check (f, &spreads[j], plan, "gpu", output);
    }
    g_autofree float *spoilt = NULL;
    groupnorm_fixture_spoil (f, NAN);
    spoilt = run_on_gpu (f, plan, mode);
    groupnorm_fixture_check_spoilt (f, plan, spoilt);
  }
  g_assert_cmpint (n_run, >=, 3);
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  int status;

  open_gpu (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    g_autofree char *path = g_strconcat ("/gpu-fp32/", all_pipelines[i], NULL);

    g_test_add_data_func (path, all_pipelines[i], test_accuracy);
    g_autofree char *of_short = g_strconcat ("/gpu-fp32/short/", all_pipelines[i], NULL);
    g_test_add_data_func (of_short, all_pipelines[i], test_short);
  }
  g_test_add_func ("/gpu-fp32/special", test_special);
  g_test_add_data_func ("/gpu-fp32/range/convolution", CONVOLVED_SHAPE, test_range);
  g_test_add_data_func ("/gpu-fp32/range/matmul", MULTIPLIED_SHAPE, test_range);
  status = g_test_run ();
  close_gpu ();
  return status;
}
