/* SPDX-License-Identifier: MIT
 *
 * The roofline: operations counted by hand, bounds with their source, points at their places on two
 * logarithmic axes, labels that cover nothing, and the table behind it.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/base/error.h"
#include "app/report/roofline-points.h"
#include "app/session/session.h"
#include "app/figure/roofline-layout.h"
#include "app/figure/paint.h"
#include "tests/core/csv-fixture.h"

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };

static SeamResult *
make_result (const char *pipeline, const char *plan_b)
{
  SeamResult *result = fixture_result (pipeline, "kernelbench", plan_b);

  result->device->bytes_per_s = 4.3e12;
  result->device->flop_tf32 = 495e12;
  result->device->flop_fp32 = 67e12;
  result->device->rates_source =
      g_strdup ("bandwidth measured here just now, arithmetic from the data sheet");
  return result;
}

static SeamRoofline *
make_roofline (const SeamResult *result)
{
  g_autoptr (GError) error = NULL;
  SeamRoofline *roofline = seam_roofline_new (result, 0, 1, &error);

  g_assert_no_error (error);
  return roofline;
}

static const SeamRooflinePoint *
find_point (const SeamRoofline *roofline, int side, const char *label)
{
  for (int i = 0; i < roofline->n_points; i++)
    if (roofline->points[i].side == side && strcmp (roofline->points[i].label, label) == 0)
      return &roofline->points[i];
  g_error ("no point %s of %c", label, 'A' + side);
}

/* #21: 264,257,536 elements; conv2d 38.05 GFLOP over 1.33 GB. */
static void
test_points (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (SeamRoofline) roofline = make_roofline (result);
  const double elements = 264257536, tensor = 4 * elements;
  const SeamRooflinePoint *point = find_point (roofline, 0, "conv2d");

  g_assert_cmpint (roofline->n_points, ==, 1 + 7 + 1 + 3);
  g_assert_cmpint (roofline->n_left_out, ==, 0);
  g_assert_cmpfloat_with_epsilon (point->operations / 1e9, 38.05, .01);
  g_assert_cmpfloat_with_epsilon (point->bytes / 1e9, 1.325, .001);
  g_assert_cmpfloat_with_epsilon (point->intensity, 28.7, .05);
  g_assert_cmpfloat_with_epsilon (point->rate / 1e12, FIXTURE_FLOP_PER_NS / 1e3, .01);
  g_assert_cmpfloat_with_epsilon (point->attainable / 1e12, 4.3 * 28.71, .1);
  g_assert_false (point->measured);

  /* One addition and 8 bytes for each element. */
  point = find_point (roofline, 0, "conv_bias");
  g_assert_cmpfloat (point->operations, ==, elements);
  g_assert_cmpfloat_with_epsilon (point->intensity, .125, 1e-6);
  g_assert_cmpfloat_with_epsilon (point->rate / point->attainable, 3.9 / 4.3, 1e-3);
  point = find_point (roofline, 0, "sigmoid");
  g_assert_cmpfloat (point->operations, ==, 4 * elements);

  /* Statistics and apply share the operations of the groupnorm and, fused, those of the ops before
   * it. */
  g_assert_cmpfloat (find_point (roofline, 0, "groupnorm statistics")->operations, ==,
                     4 * elements);
  g_assert_cmpfloat (find_point (roofline, 1, "groupnorm apply")->operations, ==,
                     (1 + 1 + 1 + 4 + 8) * elements / 2);

  /* A whole plan has the operations of each op once, its own bytes, and its elapsed time. */
  point = find_point (roofline, 1, "Published");
  g_assert_cmpint (point->kernel, ==, -1);
  g_assert_cmpfloat_with_epsilon (point->operations, 38.0530e9 + (3 + 4 + 8) * elements, 1e6);
  g_assert_cmpfloat (point->bytes, ==, result->plans[1].bytes);
  g_assert_cmpfloat_with_epsilon (point->bytes, 268435456 + 9216 + 4 * tensor + 640, 1);
  g_assert_cmpfloat (point->time_ns, ==, result->plans[1].median_ns);
  g_assert_cmpfloat (point->operations, ==, find_point (roofline, 0, "Unfused")->operations);
}

/* The kernels of every recorded plan add up to the plan, also where a hand-written one computes
 * twice. */
static void
test_sums (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", "samples",
                        "h200-conv-bias-scale-sigmoid-groupnorm.seamscope", NULL);
  g_autoptr (SeamSession) session = seam_session_load (path, NULL);
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, NULL);
  gboolean has_twice = FALSE;

  for (int i = 0; i < run->result->n_plans; i++) {
    g_autoptr (SeamRoofline) roofline = seam_roofline_new (run->result, i, -1, NULL);
    double plan = 0, kernels = 0;

    has_twice = has_twice || strstr (run->result->plans[i].executed, "recompute") != NULL;
    for (int k = 0; k < roofline->n_points; k++)
      if (!roofline->points[k].is_cache)
        *(roofline->points[k].kernel < 0 ? &plan : &kernels) += roofline->points[k].operations;
    g_assert_cmpfloat_with_epsilon (kernels / plan, 1, 1e-9);
  }
  g_assert_true (has_twice);
}

static void
test_bounds (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (SeamRoofline) tf32 = make_roofline (result);
  g_autoptr (SeamRoofline) fp32 = NULL;
  g_autoptr (SeamRoofline) fp16 = NULL;
  g_autoptr (SeamRoofline) bf16 = NULL;
  g_autoptr (SeamRoofline) tf32x = NULL;
  g_autoptr (SeamRoofline) cpu = NULL;
  g_autoptr (SeamRoofline) none = NULL;

  g_assert_cmpint (tf32->n_bounds, ==, 3);
  g_assert_cmpstr (tf32->bounds[0].label, ==, "DRAM");
  g_assert_true (tf32->bounds[0].measured && tf32->bounds[0].in_force);
  g_assert_cmpstr (tf32->bounds[1].label, ==, "TF32");
  g_assert_true (tf32->bounds[1].in_force && !tf32->bounds[1].measured);
  g_assert_cmpstr (tf32->bounds[2].label, ==, "FP32");
  g_assert_false (tf32->bounds[2].in_force);

  /* In FP32 the tensor cores reach FP32's accuracy at two thirds of TF32's rate: 330 TFLOP/s. */
  result->settings.math_mode = SEAM_MATH_FP32;
  fp32 = make_roofline (result);
  g_assert_cmpstr (fp32->bounds[1].label, ==, "FP16×3");
  g_assert_cmpfloat (fp32->bounds[1].rate, ==, 330e12);
  g_assert_true (fp32->bounds[1].in_force);
  g_assert_false (fp32->bounds[2].in_force);

  /* 16-bit products run at twice TF32's rate, or at the calibrated rate. */
  result->settings.math_mode = SEAM_MATH_FP16;
  fp16 = make_roofline (result);
  g_assert_cmpint (fp16->n_bounds, ==, 3);
  g_assert_cmpstr (fp16->bounds[1].label, ==, "FP16");
  g_assert_cmpfloat (fp16->bounds[1].rate, ==, 990e12);
  g_assert_true (fp16->bounds[1].in_force && !fp16->bounds[2].in_force);
  /* A kernel that scales rows has the bound of tf32x; others have that of TF32 in the same run. */
  result->settings.math_mode = SEAM_MATH_TF32X;
  tf32x = make_roofline (result);
  g_assert_cmpint (tf32x->n_bounds, ==, 4);
  g_assert_cmpstr (tf32x->bounds[1].label, ==, "FP16");
  g_assert_true (tf32x->bounds[1].in_force);
  g_assert_cmpstr (tf32x->bounds[2].label, ==, "TF32");
  g_assert_cmpfloat (tf32x->bounds[2].rate, ==, 495e12);
  g_assert_false (tf32x->bounds[2].in_force);
  result->settings.math_mode = SEAM_MATH_BF16;
  result->device->flop_bf16 = 700e12;
  bf16 = make_roofline (result);
  g_assert_cmpstr (bf16->bounds[1].label, ==, "BF16");
  g_assert_cmpfloat (bf16->bounds[1].rate, ==, 700e12);
  result->device->flop_bf16 = 0;

  g_free (result->device->id);
  result->device->id = g_strdup ("cpu");
  g_free (result->device->rates_source);
  result->device->rates_source = g_strdup ("measured here just now");
  cpu = make_roofline (result);
  g_assert_cmpint (cpu->n_bounds, ==, 2);
  g_assert_cmpstr (cpu->bounds[0].label, ==, "memory");
  g_assert_true (cpu->bounds[1].measured && cpu->bounds[1].in_force);

  result->device->bytes_per_s = result->device->flop_fp32 = result->device->flop_tf32 = 0;
  none = make_roofline (result);
  g_assert_cmpint (none->n_bounds, ==, 0);
  g_assert_true (isnan (none->points[0].attainable));
}

/* The roof is FP32's only for a kernel that multiplies, whose tensor pipe was counted as idle, in a
 * mode that uses it. */
static void
test_right_roof (void)
{
  static const struct {
    SeamMathMode mode;
    double percent, roof; /* NaN: not counted */
  } cases[] = {
    { SEAM_MATH_TF32, 0, 67e12 },    { SEAM_MATH_TF32, .99, 67e12 },
    { SEAM_MATH_TF32, 1, 495e12 },   { SEAM_MATH_TF32, 26.8, 495e12 },
    { SEAM_MATH_TF32, NAN, 495e12 }, { SEAM_MATH_FP16, 0, 67e12 },
    { SEAM_MATH_FP16, 40, 990e12 },  { SEAM_MATH_FP32, 0, 67e12 },
    { SEAM_MATH_FP32, 90, 330e12 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamResult) result = make_result ("37", "published");
    SeamKernel *kernels = result->plans[0].kernels;
    g_autoptr (SeamRoofline) roofline = NULL;
    const SeamRooflinePoint *matmul, *other;

    result->settings.math_mode = cases[i].mode;
    result->floor_ns = NAN; /* else it raises the rates */
    kernels[0].tensor_percent = cases[i].percent;
    kernels[1].tensor_percent = 0;
    roofline = make_roofline (result);
    matmul = find_point (roofline, 0, kernels[0].short_name);
    other = find_point (roofline, 0, kernels[1].short_name);
    g_assert_true (matmul->multiplies && !other->multiplies);
    g_assert_cmpfloat (roofline->bounds[matmul->arithmetic].rate, ==, cases[i].roof);
    g_assert_cmpfloat_with_epsilon (matmul->attainable,
                                    fmin (cases[i].roof, 4.3e12 * matmul->intensity), 1);
    g_assert_cmpint (other->arithmetic, ==, roofline->fp32);
    g_autofree char *words = seam_roofline_describe_point (roofline, matmul);
    g_assert_true ((strstr (words, "It was executed in FP32, whose bound this is.") != NULL)
                   == (cases[i].roof == 67e12));
  }
}

/* Counters do not see a memset: a plan with one is still measured, and one whose kernels were not
 * counted is not. */
static void
test_memset (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  SeamPlanResult *plan = &result->plans[1];

  for (int i = 0; i < plan->n_kernels; i++) {
    plan->kernels[i].dram_bytes_read = 1e9;
    plan->kernels[i].dram_bytes_written = 5e8;
    plan->kernels[i].grid[0] = 132;
  }
  plan->kernels[1].is_copy = TRUE;
  plan->kernels[1].grid[0] = 0;
  plan->kernels[1].dram_bytes_read = plan->kernels[1].dram_bytes_written = NAN;
  g_autoptr (SeamRoofline) with = make_roofline (result);
  const SeamRooflinePoint *point = find_point (with, 1, "Published");
  g_assert_true (point->measured);
  g_assert_cmpfloat (point->bytes, ==, 1.5e9 * (plan->n_kernels - 1));
  g_autofree char *words = seam_roofline_describe (with, "calibrated");
  g_assert_null (strstr (words, "Without counters"));

  plan->kernels[0].dram_bytes_read = NAN;
  g_autoptr (SeamRoofline) without = make_roofline (result);
  point = find_point (without, 1, "Published");
  g_assert_false (point->measured);
  g_assert_cmpfloat (point->bytes, ==, plan->bytes);
  for (int i = 0; i < plan->n_kernels; i++)
    plan->kernels[i].dram_bytes_read = NAN;
  g_autoptr (SeamRoofline) none = make_roofline (result);
  g_autofree char *modelled = seam_roofline_describe (none, "calibrated");
  g_assert_nonnull (strstr (modelled, "Without counters bytes are modelled"));
}

/* With a calibration that knows the cache there is a second bandwidth. Kernels whose L2 bytes
 * were counted have a second point, which is compared only with that bandwidth. */
static void
test_cache (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (SeamRoofline) without = NULL, bound_only = NULL, roofline = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autofree char *csv = NULL, *words = NULL, *few = NULL;
  g_autoptr (GError) error = NULL;
  SeamKernel *kernel = &result->plans[1].kernels[0];
  const SeamRooflinePoint *memory = NULL, *cache = NULL;
  const SeamRooflineBound *bound;
  SeamRooflineLayout *layout;
  int n_cache = 0;

  /* Without the cache's bandwidth, counted L2 bytes draw no point: there is no bound to compare
   * them with. */
  kernel->l2_sm_bytes = 8e9;
  without = make_roofline (result);
  words = seam_roofline_describe (without, "data sheet");
  g_assert_nonnull (strstr (words, "once this device is calibrated"));
  g_assert_cmpint (without->n_bounds, ==, 3);
  g_assert_cmpint (without->n_points, ==, 1 + 7 + 1 + 3);

  result->device->l2_bytes_per_s = 6.5e12;
  result->device->calibrated = g_strdup ("21 Nov 2026");
  kernel->l2_sm_bytes = NAN;
  bound_only = make_roofline (result);
  few = seam_roofline_describe (bound_only, "calibrated");
  g_assert_nonnull (strstr (few, "no point stands against its bound"));
  g_assert_cmpint (bound_only->n_points, ==, 1 + 7 + 1 + 3);

  kernel->l2_sm_bytes = 8e9;
  roofline = make_roofline (result);
  g_assert_cmpint (roofline->n_bounds, ==, 4);
  bound = &roofline->bounds[3];
  g_assert_cmpstr (bound->label, ==, "L2");
  g_assert_true (bound->is_cache && bound->measured && bound->kind == SEAM_BOUND_MEMORY);
  g_assert_cmpfloat (bound->rate, ==, 6.5e12);
  for (int i = 0; i < roofline->n_points; i++) {
    const SeamRooflinePoint *point = &roofline->points[i];

    n_cache += point->is_cache;
    if (point->side == 1 && point->kernel == 0)
      *(point->is_cache ? &cache : &memory) = point;
  }
  g_assert_cmpint (n_cache, ==, 1);
  g_assert_cmpint (roofline->n_points, ==, 1 + 7 + 1 + 3 + 1);
  g_assert_true (cache->measured);
  g_assert_cmpfloat (cache->bytes, ==, 8e9);
  g_assert_cmpfloat (cache->rate, ==, memory->rate);
  g_assert_cmpfloat_with_epsilon (cache->attainable, fmin (6.5e12 * cache->intensity, 495e12), 1);
  g_assert_cmpfloat_with_epsilon (memory->attainable, fmin (4.3e12 * memory->intensity, 495e12), 1);

  /* The cache's line lies above the memory's, and both end at the same height. */
  layout = seam_roofline_layout_new (roofline, 900, 0);
  g_assert_cmpint (layout->n_lines, ==, 4);
  g_assert_cmpfloat (layout->lines[3].x2, <, layout->lines[0].x2);
  g_assert_cmpfloat_with_epsilon (layout->lines[3].y2, layout->lines[0].y2, .01);
  g_assert_cmpfloat_with_epsilon (layout->lines[1].x1, layout->lines[3].x2, .01);
  seam_owner_free (layout);
  figure = seam_roofline_figure_new (roofline, 900, 0);
  ink_assert_inside (figure, "cache");

  csv = seam_roofline_to_csv (result, &error);
  g_assert_no_error (error);
  g_assert_true (csv_has (csv, ",cache,fp32\r\n"));
  g_assert_nonnull (strstr (csv, ",6500000000000,495000000000000,"));
}

/* A plan counts as measured only if all its kernels are; kernels with unknown bytes are left out
 * and counted. */
static void
test_measured (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  SeamKernel *kernels = result->plans[1].kernels;

  for (int k = 0; k < 3; k++) {
    kernels[k].dram_bytes_read = 1e9;
    kernels[k].dram_bytes_written = .5e9;
  }
  {
    g_autoptr (SeamRoofline) roofline = make_roofline (result);

    g_assert_true (find_point (roofline, 1, "conv2d")->measured);
    g_assert_cmpfloat (find_point (roofline, 1, "conv2d")->bytes, ==, 1.5e9);
    g_assert_true (find_point (roofline, 1, "Published")->measured);
    g_assert_cmpfloat (find_point (roofline, 1, "Published")->bytes, ==, 4.5e9);
    g_assert_false (find_point (roofline, 0, "Unfused")->measured);
  }
  kernels[1].dram_bytes_read = NAN;
  kernels[1].bytes = NAN;
  {
    g_autoptr (SeamRoofline) roofline = make_roofline (result);

    g_assert_false (find_point (roofline, 1, "Published")->measured);
    g_assert_cmpint (roofline->n_left_out, ==, 1);
    g_assert_cmpint (roofline->n_points, ==, 1 + 7 + 1 + 2);
  }
}

static gboolean
rects_overlap (const SeamRect *a, const SeamRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

/* Whether the mark lies under the label of the bound. */
static gboolean
is_covered (const SeamRooflineMark *mark, const SeamRooflineLine *line)
{
  double dx = mark->x - line->label_x, dy = mark->y - line->label_y;
  double along = dx * cos (line->label_angle) + dy * sin (line->label_angle);
  double across = dy * cos (line->label_angle) - dx * sin (line->label_angle);

  return fabs (along) < line->label_width / 2 + mark->size / 2 && across > -10 - mark->size / 2
         && across < mark->size / 2;
}

/* Where there is room, no bound's label lies over a point near a bound: a cache lifts it above that
 * of the memory. */
static void
test_bound_labels (void)
{
  static const double widths[] = { 1000, 1400 };

  for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
    for (double at = .01; at < 1e4; at *= 1.3) {
      g_autoptr (SeamResult) result = make_result ("21", "published");
      g_autoptr (SeamRoofline) roofline = make_roofline (result);
      SeamRooflinePoint *point = &roofline->points[roofline->n_points - 1];
      SeamRooflineLayout *layout;

      point->intensity = at;
      point->rate = fmin (4.3e12 * at, 495e12) * 1.4;
      layout = seam_roofline_layout_new (roofline, widths[w], 0);
      for (int i = 0; i < layout->n_lines; i++)
        g_assert_false (is_covered (&layout->marks[roofline->n_points - 1], &layout->lines[i]));
      seam_owner_free (layout);
    }
}

static void
test_layout (void)
{
  static const double widths[] = { 420, 760, 1228 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      g_autoptr (SeamResult) result = make_result (pipelines[p], "published");
      g_autoptr (SeamRoofline) roofline = make_roofline (result);
      SeamRooflineLayout *layout = seam_roofline_layout_new (roofline, widths[w], 0);
      const SeamRooflineLine *memory = &layout->lines[0], *top = &layout->lines[1];

      g_assert_cmpint (layout->n_marks, ==, roofline->n_points);
      g_assert_true (layout->has_join);
      /* Every decade has the same width, and the roofs meet. */
      g_assert_cmpfloat_with_epsilon (
          seam_axis_get_px (&layout->x, 10) - seam_axis_get_px (&layout->x, 1),
          seam_axis_get_px (&layout->x, 100) - seam_axis_get_px (&layout->x, 10), 1e-6);
      g_assert_cmpfloat_with_epsilon (memory->x2, top->x1, 1e-6);
      g_assert_cmpfloat_with_epsilon (memory->y2, top->y1, 1e-6);
      g_assert_cmpfloat_with_epsilon (memory->x2, seam_axis_get_px (&layout->x, 495e12 / 4.3e12),
                                      1e-6);
      for (int i = 0; i < layout->n_marks; i++) {
        const SeamRooflineMark *mark = &layout->marks[i];

        g_assert_true (seam_rect_contains (&layout->plot, mark->x, mark->y));
        g_assert_false (mark->over);
        for (int k = 0; k < layout->n_marks; k++)
          if (k != i && mark->label != NULL && layout->marks[k].label != NULL)
            g_assert_false (rects_overlap (&mark->label_rect, &layout->marks[k].label_rect));
      }
      /* Both plans have names in the figure. */
      g_assert_nonnull (layout->marks[0].label);
      seam_owner_free (layout);
    }
}

static void
test_figure (void)
{
  static const double widths[] = { 340, 900, 2000 };

  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      g_autoptr (SeamResult) result = make_result (pipelines[p], "full");
      g_autoptr (SeamRoofline) roofline = make_roofline (result);
      g_autoptr (SeamFigure) figure = seam_roofline_figure_new (roofline, widths[w], 0);
      g_autoptr (SeamFigure) page = seam_roofline_sheet_new (result, 0, 1, widths[w], NULL);
      SeamHit whole = { .kind = SEAM_HIT_SAMPLE, .plan = 0, .index = 0 };

      ink_assert_inside (figure, pipelines[p]);
      ink_assert_inside (page, pipelines[p]);
      ink_assert_pick (figure, &whole, "A");
    }
}

/* With nothing known, nothing timed, or a point above its bound there is still a figure with
 * words. */
static void
test_odd (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (GError) error = NULL;

  result->device->bytes_per_s = 1e12;
  result->floor_ns = NAN;
  {
    g_autoptr (SeamRoofline) roofline = make_roofline (result);
    g_autoptr (SeamFigure) figure = seam_roofline_figure_new (roofline, 800, 0);
    g_autofree char *note = seam_roofline_describe (roofline, "data sheet");
    g_autofree char *point =
        seam_roofline_describe_point (roofline, find_point (roofline, 0, "scale"));

    ink_assert_inside (figure, "over the bound");
    g_assert_nonnull (strstr (note, "above the bound"));
    g_assert_nonnull (strstr (note, "Bounds: data sheet."));
    g_assert_nonnull (strstr (point, "stayed in the cache"));
    g_assert_nonnull (strstr (point, "2.11 GB (modelled)"));
  }
  for (int i = 0; i < 2; i++) {
    fixture_untrace (&result->plans[i]);
    result->plans[i].median_ns = NAN;
  }
  result->device->bytes_per_s = result->device->flop_tf32 = result->device->flop_fp32 = 0;
  {
    g_autoptr (SeamRoofline) roofline = make_roofline (result);
    g_autoptr (SeamFigure) figure = seam_roofline_figure_new (roofline, 800, 0);

    g_assert_cmpint (roofline->n_points, ==, 0);
    ink_assert_inside (figure, "empty");
  }
  g_assert_null (seam_roofline_new (result, 0, 5, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
test_csv (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = seam_roofline_to_csv (result, &error);

  g_assert_no_error (error);
  g_assert_true (csv_has (
      csv, "pipeline,plan,target,math_mode,l2_state,shape,point,kernel,label,operations,bytes,"
           "bytes_source,time_ns,operations_per_byte,operations_per_s,attainable_operations_per_s,"
           "of_attainable,bytes_per_s,bound_bytes_per_s,bound_operations_per_s,rates_source,"
           "program_version,pitfalls,level,storage\r\n"));
  g_assert_nonnull (strstr (csv, ",plan,,Unfused,"));
  g_assert_nonnull (strstr (csv, ",kernel,1,conv_bias,264257536,"));
  g_assert_nonnull (strstr (csv, ",modelled,"));
  g_assert_nonnull (strstr (csv, ",4300000000000,495000000000000,"));
}

/* Kernels have their labels, the whole plan is named as such, and a point over its bound is
 * marked bad. */
static void
test_points_table (void)
{
  g_autoptr (SeamResult) result = make_result ("21", "published");
  g_autoptr (SeamRoofline) roofline = make_roofline (result);
  g_autoptr (SeamTable) table = NULL;
  int label, attained;

  roofline->points[0].rate = 2 * roofline->points[0].attainable;
  table = seam_roofline_table_make (roofline);
  label = seam_table_get_column_index (table, "label");
  attained = seam_table_get_column_index (table, "attained");
  g_assert_cmpint (seam_table_get_n_rows (table), ==, roofline->n_points);
  for (int i = 0; i < roofline->n_points; i++) {
    const SeamRooflinePoint *point = &roofline->points[i];
    g_autofree char *whole = g_strconcat ("whole plan, ", point->label, NULL);
    g_autofree char *text = seam_table_format_cell (table, i, label);

    g_assert_cmpstr (text, ==, point->kernel < 0 ? whole : point->label);
  }
  g_assert_cmpint (seam_table_get_row (table, 0)->cells[attained].tone, ==, SEAM_TONE_BAD);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/roofline/points", test_points);
  g_test_add_func ("/figure/roofline/sums", test_sums);
  g_test_add_func ("/figure/roofline/bounds", test_bounds);
  g_test_add_func ("/figure/roofline/right-roof", test_right_roof);
  g_test_add_func ("/figure/roofline/memset", test_memset);
  g_test_add_func ("/figure/roofline/cache", test_cache);
  g_test_add_func ("/figure/roofline/measured", test_measured);
  g_test_add_func ("/figure/roofline/layout", test_layout);
  g_test_add_func ("/figure/roofline/bound-labels", test_bound_labels);
  g_test_add_func ("/figure/roofline/figure", test_figure);
  g_test_add_func ("/figure/roofline/odd", test_odd);
  g_test_add_func ("/figure/roofline/csv", test_csv);
  g_test_add_func ("/figure/roofline/points-table", test_points_table);
  return g_test_run ();
}
