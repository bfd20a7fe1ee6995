/* SPDX-License-Identifier: MIT
 *
 * The strip: geometry over all partitions and widths, hits, and the sentences of a seam.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/base/text.h"
#include "app/figure/paint.h"
#include "app/figure/strip-layout.h"

#include <glib/gstdio.h>

static const char *const pipelines[] = { "1", "76", "37", "21", "57" };
static const double widths[] = { 600, 700, 770, 930, 1036, 1200, 1600, 2200, 3840 };

static SeamFigure *
make (const SeamProblem *problem, const SeamPlan *plan, double width, double left)
{
  SeamStripOptions options = { .width = width, .left = left, .letter = 'A' };

  return seam_strip_figure_new (problem, plan, NULL, &options);
}

/* Every plan of a pipeline has an op at the same place, so that plans can be compared column by
 * column. */
static void
test_same_columns (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], "kernelbench");
    int n_ops = problem->pipeline->chains[0].n_ops;

    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      SeamRect expected[SEAM_MAX_OPS];
      double width = 0, height = 0;

      for (guint32 fused = 0; fused < 1u << (n_ops - 1); fused++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, fused);
        g_autoptr (SeamFigure) figure = make (problem, plan, widths[w], 0);

        if (fused == 0) {
          width = figure->width;
          height = figure->height;
        }
        g_assert_cmpfloat (figure->width, ==, width);
        g_assert_cmpfloat (figure->height, ==, height);
        for (int op = 0; op < n_ops; op++) {
          SeamHit hit = { .kind = SEAM_HIT_OP, .index = op };
          SeamRect rect;

          g_assert_true (seam_figure_locate (figure, &hit, &rect));
          if (fused == 0)
            expected[op] = rect;
          g_assert_cmpfloat (rect.x, ==, expected[op].x);
          g_assert_cmpfloat (rect.width, ==, expected[op].width);
        }
      }
    }
  }
}

static gboolean
overlap (const SeamRect *a, const SeamRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

static void
check_layout (const SeamStripLayout *layout, double asked)
{
  int last = layout->n_ops - 1;

  g_assert_cmpfloat (layout->width, >=, asked);
  g_assert_cmpfloat (layout->block, >=, 72);
  g_assert_cmpfloat (layout->gap, >=, 32);
  g_assert_cmpfloat (layout->input.x, >=, layout->left);
  g_assert_cmpfloat (layout->output.x + layout->output.width, <=, layout->width + 1);
  g_assert_cmpfloat (layout->input.x + layout->input.width, <=, layout->ops[0].x);
  g_assert_cmpfloat (layout->output.x, >=, layout->ops[last].x + layout->ops[last].width);
  for (int i = 0; i <= last; i++) {
    g_assert_cmpfloat (layout->op_x[i], ==, floor (layout->op_x[i]));
    if (i == last)
      break;
    if (layout->fused >> i & 1) {
      /* Blocks meet at the stitch, in the middle of the seam. */
      double stitch = layout->ops[i].x + layout->ops[i].width;

      g_assert_cmpfloat (stitch, ==, layout->ops[i + 1].x);
      g_assert_cmpfloat_with_epsilon (stitch, layout->seams[i].x + layout->seams[i].width / 2, 1);
    } else {
      g_assert_false (overlap (&layout->ops[i], &layout->ops[i + 1]));
      g_assert_false (overlap (&layout->seams[i], &layout->ops[i]));
      g_assert_false (overlap (&layout->seams[i], &layout->ops[i + 1]));
    }
    g_assert_false (i + 1 < last && overlap (&layout->seams[i], &layout->seams[i + 1]));
    g_assert_cmpfloat (layout->seam_rings[i].x, >=, layout->seams[i].x);
    g_assert_cmpfloat (layout->seam_rings[i].x + layout->seam_rings[i].width, <=,
                       layout->seams[i].x + layout->seams[i].width);
    /* The target of a click, and the ring of the focus inside it. */
    g_assert_cmpfloat (layout->seams[i].width, >=, 24);
    g_assert_cmpfloat (layout->seam_rings[i].width, >=, 18);
  }
}

static void
test_geometry (void)
{
  for (int n_ops = 1; n_ops <= SEAM_MAX_OPS; n_ops++)
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      for (int compact = 0; compact < 2; compact++)
        for (guint32 fused = 0; fused<1u << (n_ops - 1); fused += n_ops> 8 ? 37 : 1) {
          SeamStripLayout layout;

          seam_strip_layout (&layout, n_ops, fused, widths[w], 0, compact, FALSE);
          check_layout (&layout, widths[w]);
          seam_strip_layout (&layout, n_ops, fused, widths[w], 178, compact, TRUE);
          check_layout (&layout, widths[w]);
        }
}

/* The sizes of the mock-up at its width: blocks 100 x 44 with 62 between them. */
static void
test_regular_size (void)
{
  SeamStripLayout layout;

  seam_strip_layout (&layout, 6, 0, 1036, 0, FALSE, FALSE);
  g_assert_cmpfloat (layout.width, ==, 1036);
  g_assert_cmpfloat (layout.block, ==, 100);
  g_assert_cmpfloat (layout.op_x[0], ==, 63);
  for (int i = 1; i < 6; i++)
    g_assert_cmpfloat (layout.op_x[i] - layout.op_x[i - 1], ==, 162);

  /* Where regular blocks do not fit, they are compact; where those do not fit, the window
   * scrolls. Beside column and sidebar, a window of 1280 px has room for six ops, and one of
   * 1366 px for seven, also beside a lesson. */
  g_assert_cmpfloat (seam_strip_get_min_width (6, 138), <=, 909);
  g_assert_cmpfloat (seam_strip_get_min_width (7, 138), <=, 947);
  seam_strip_layout (&layout, 6, 0, 700, 0, FALSE, FALSE);
  g_assert_cmpfloat (layout.width, ==, 700);
  g_assert_cmpfloat (layout.block, ==, 72);
  g_assert_true (layout.flat);
  seam_strip_layout (&layout, 6, 0, 300, 0, FALSE, FALSE);
  g_assert_cmpfloat (layout.width, ==, 700);
}

static void
test_hits_and_ink (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], "laptop");
    int n_ops = problem->pipeline->chains[0].n_ops;

    for (guint w = 0; w < G_N_ELEMENTS (widths); w++)
      for (guint32 fused = 0; fused < 1u << (n_ops - 1); fused += 3) {
        g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, fused);
        g_autoptr (SeamFigure) figure = make (problem, plan, widths[w], w % 2 == 0 ? 0 : 178);

        ink_assert_inside (figure, plan->notation);
        for (int i = 0; i < n_ops; i++)
          ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_OP, .index = i }, plan->notation);
        for (int i = 0; i < n_ops - 1; i++)
          ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_SEAM, .index = i }, plan->notation);
        ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_TENSOR, .index = 0 }, plan->notation);
        ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_TENSOR, .index = n_ops },
                         plan->notation);
      }
  }
}

static void
test_no_such_element (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("76", "tiny");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "unfused");
  g_autoptr (SeamFigure) figure = make (problem, plan, 900, 0);
  const SeamHit wrong[] = {
    { .kind = SEAM_HIT_SEAM, .index = 2 },   { .kind = SEAM_HIT_SEAM, .index = -1 },
    { .kind = SEAM_HIT_OP, .index = 3 },     { .kind = SEAM_HIT_TENSOR, .index = 1 },
    { .kind = SEAM_HIT_KERNEL, .index = 0 },
  };
  SeamHit hit;
  SeamRect rect;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_assert_false (seam_figure_locate (figure, &wrong[i], &rect));
    /* Drawing must not fail if a hit no longer exists because the plan has changed. */
    figure->hover = figure->focus = figure->selected = wrong[i];
    ink_assert_inside (figure, "hit that is gone");
  }
  g_assert_false (seam_figure_pick (figure, -5, 20, &hit));
  g_assert_false (seam_figure_pick (figure, 100, 1000, &hit));
  g_assert_cmpint (hit.kind, ==, SEAM_HIT_NONE);
}

static void
test_sentences (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("21", "kernelbench");
  g_autoptr (SeamPlan) plan = fixture_plan (problem, "published");
  g_autofree char *cut = seam_strip_describe_seam (problem, plan, NULL, 0);
  g_autofree char *fused = seam_strip_describe_seam (problem, plan, NULL, 1);
  g_autofree char *name = seam_strip_name_seam (problem, plan, 0);
  g_autofree char *fused_name = seam_strip_name_seam (problem, plan, 4);
  g_autofree char *none = seam_strip_describe_seam (problem, plan, NULL, 5);
  SeamSeamEstimate seams[5] = {
    { .reason = (char *)"cuDNN cannot apply what follows inside this convolution" },
  };
  SeamPlanEstimate estimate = { .n_seams = G_N_ELEMENTS (seams), .seams = seams };
  g_autofree char *locked = NULL;
  g_autofree char *saved = seam_text_bytes (seam_plan_seam_bytes (problem, plan, 0));
  g_autofree char *expected = g_strdup_printf (
      "Seam 1 is cut. conv2d writes 1.06 GB [128, 32, 254, 254]; the next group reads it twice. "
      "Fusing would save %s of traffic. Click or press Space to fuse.",
      saved);

  g_assert_cmpstr (cut, ==, expected);
  g_assert_true (g_str_has_prefix (fused, "Seam 2 is fused. "));
  g_assert_nonnull (strstr (fused, "Cutting would cost "));
  g_assert_true (g_str_has_suffix (fused, "Click or press Space to cut."));
  g_assert_cmpstr (name, ==, "Seam 1, conv2d to conv_bias, cut, 1.06 gigabytes");
  g_assert_cmpstr (fused_name, ==, "Seam 5, sigmoid to groupnorm, fused, 1.06 gigabytes");
  g_assert_cmpstr (none, ==, "");

  locked = seam_strip_describe_seam (problem, plan, &estimate, 0);
  g_assert_nonnull (strstr (locked, "cuDNN cannot apply what follows inside this convolution."));
  g_assert_null (strstr (locked, "Click"));
}

/* No label is wider than its block, in any pipeline at any width. */
static void
test_chain_and_legend (void)
{
  for (guint p = 0; p < G_N_ELEMENTS (pipelines); p++) {
    g_autoptr (SeamProblem) problem = fixture_problem (pipelines[p], "tiny");
    g_autoptr (SeamPlan) plan = fixture_plan (problem, "published");
    g_autoptr (SeamFigure) chain = seam_chain_figure_new (problem->pipeline, plan, 26, 14);
    g_autoptr (SeamFigure) sidebar = seam_chain_figure_new (problem->pipeline, NULL, 14, 8);
    g_autoptr (SeamFigure) wide = seam_kind_legend_figure_new (problem->pipeline, 1200);
    g_autoptr (SeamFigure) narrow = seam_kind_legend_figure_new (problem->pipeline, 260);

    ink_assert_inside (chain, "chain");
    ink_assert_inside (sidebar, "sidebar chain");
    ink_assert_inside (wide, "legend");
    ink_assert_inside (narrow, "narrow legend");
    g_assert_cmpfloat (wide->height, <, narrow->height);
  }
}

/* The text of a strip's SVG, which has its words in a title of the figure's own. */
static char *
get_words (SeamFigure *figure)
{
  g_autofree char *folder = g_dir_make_tmp ("seamscope-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "strip.svg", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
  return text;
}

/* What chains of any kind add: a shape that changes, a further input, the input read again; in
 * every problem of level 2 nothing lies outside the figure, and all plans have one height. */
static void
test_any_chain (void)
{
  static const struct {
    const char *pipeline, *words;
  } cases[] = {
    { "22", "[5, 1]" },         { "28", "y 740 B" },  { "80", "[5, 1]" },
    { "3", "[2, 8, 2, 3, 4]" }, { "3", "no effect" }, { "83", "always 0" },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = seam_pipeline_list_level (&error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamProblem) problem = fixture_problem (cases[i].pipeline, "tiny");
    g_autoptr (SeamPlan) plan = fixture_plan (problem, "unfused");
    g_autoptr (SeamFigure) figure = make (problem, plan, 1600, 0);
    g_autofree char *words = get_words (figure);

    if (strstr (words, cases[i].words) == NULL)
      g_error ("#%s does not say %s", cases[i].pipeline, cases[i].words);
  }
  for (guint i = 0; i < all->len; i++) {
    const SeamPipeline *pipeline = g_ptr_array_index (all, i);
    g_autoptr (SeamProblem) problem = fixture_problem (pipeline->id, "tiny");
    const guint32 fusions[] = { 0, (1u << (pipeline->chains[0].n_ops - 1)) - 1, 0x15 };
    double height = 0;

    for (guint w = 0; w < G_N_ELEMENTS (widths); w += 4)
      for (guint k = 0; k < G_N_ELEMENTS (fusions); k++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (problem->pipeline, 0, fusions[k]);
        g_autoptr (SeamFigure) figure = make (problem, plan, widths[w], 0);

        ink_assert_inside (figure, pipeline->id);
        g_assert_true (height == 0 || height == figure->height);
        height = figure->height;
      }
  }
}

/* A finishing kernel stands under its group, in words that fit there at every width, and in the
 * description. */
static void
test_finishing_kernel (void)
{
  g_autoptr (SeamProblem) problem =
      fixture_problem ("matmul-scale-residual-clamp-logsumexp-mish", "tiny");
  static const char *const plans[] = { "unfused",
                                       "matmul|matmul_bias+scale+add+clamp+logsumexp|mish|mul" };

  for (guint p = 0; p < G_N_ELEMENTS (plans); p++) {
    g_autoptr (SeamPlan) plan = fixture_plan (problem, plans[p]);
    SeamSupport groups[SEAM_MAX_OPS] = { 0 };
    const SeamPlanEstimate estimate = { .groups = groups, .n_groups = plan->n_groups };

    for (int i = 0; i < plan->n_groups; i++)
      groups[i].level = SEAM_SUPPORT_YES;
    groups[seam_strip_find_group (plan, 5)].partial_bytes = 262144;
    for (guint w = 0; w < G_N_ELEMENTS (widths); w++) {
      const SeamStripOptions options = { .width = widths[w], .letter = 'A' };
      g_autoptr (SeamFigure) figure = seam_strip_figure_new (problem, plan, &estimate, &options);
      g_autofree char *words = get_words (figure);

      ink_assert_inside (figure, plans[p]);
      g_assert_nonnull (strstr (figure->summary,
                                "logsumexp with a finishing kernel for 262 kB of partial results"));
      g_assert_nonnull (strstr (words, "finish"));
      g_assert_true (widths[w] < 1600 || strstr (words, "262 kB") != NULL);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/strip/same-columns", test_same_columns);
  g_test_add_func ("/figure/strip/geometry", test_geometry);
  g_test_add_func ("/figure/strip/regular-size", test_regular_size);
  g_test_add_func ("/figure/strip/hits-and-ink", test_hits_and_ink);
  g_test_add_func ("/figure/strip/no-such-element", test_no_such_element);
  g_test_add_func ("/figure/strip/sentences", test_sentences);
  g_test_add_func ("/figure/strip/chain-and-legend", test_chain_and_legend);
  g_test_add_func ("/figure/strip/any-chain", test_any_chain);
  g_test_add_func ("/figure/strip/finishing-kernel", test_finishing_kernel);
  return g_test_run ();
}
