/* SPDX-License-Identifier: MIT
 *
 * The search over all partitions of a chain, and its evaluation. The arithmetic is in lattice.c.
 */
#include "app/explore/explore.h"

#include <math.h>

/* Small, so that the overview gets nodes often. Each measures the plan compared with, too. */
#define BATCH 3
/* Two orders of summation in FP32 may differ up to this error ratio. */
#define ROUNDING 1e-5

/* The order of measuring: both ends first, then their neighbours, which are the all-fused plan with
 * one cut (the fastest plans are usually among them) and the plans that fuse a single seam. The
 * rest follows. */
static int
get_rank (int mask, int n_seams)
{
  int n_fused = __builtin_popcount ((unsigned)mask);

  return mask == 0 ? 0 : n_fused == n_seams ? 1 : n_fused == n_seams - 1 ? 2 : n_fused == 1 ? 3 : 4;
}

/* Orders the rest row by row, until times are predicted. */
static int
compare_nodes (gconstpointer a, gconstpointer b, gpointer data)
{
  int x = *(const int *)a, y = *(const int *)b, n_seams = GPOINTER_TO_INT (data);
  int rank_x = get_rank (x, n_seams), rank_y = get_rank (y, n_seams);
  int fused_x = __builtin_popcount ((unsigned)x), fused_y = __builtin_popcount ((unsigned)y);

  if (rank_x != rank_y)
    return rank_x - rank_y;
  return fused_x != fused_y ? fused_x - fused_y : x - y;
}

SeamSearch *
seam_explore_new (const SeamRunRequest *request, GError **error)
{
  const int n_seams = request->pipeline->chains[0].n_ops - 1, n_nodes = 1 << n_seams;

  if (n_seams > SEAM_LATTICE_MAX_SEAMS)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "%s has %d seams, so 2^%d partitions; Explore takes chains of up to %d. "
                           "Compare plans of your choice instead.",
                           request->pipeline->id, n_seams, n_seams, SEAM_LATTICE_MAX_SEAMS);
  SeamSearch *search = seam_search_new (SEAM_SEARCH_EXPLORE, request, "unfused", BATCH);

  for (int mask = 0; mask < n_nodes; mask++) {
    g_autoptr (SeamPlan) plan = seam_plan_new (search->request->pipeline, 0, (guint32)mask);
    seam_search_add (search, request->values, mask == 0 ? "unfused" : plan->notation);
  }
  g_qsort_with_data (search->order, n_nodes, sizeof *search->order, compare_nodes,
                     GINT_TO_POINTER (n_seams));
  for (search->n_fixed = 0;
       search->n_fixed < n_nodes && get_rank (search->order[search->n_fixed], n_seams) < 4;)
    search->n_fixed++;
  return search;
}

double
seam_explore_get_error_level (double max_error_ratio)
{
  if (isnan (max_error_ratio))
    return NAN;
  return max_error_ratio <= ROUNDING ? 0 : ceil (log10 (max_error_ratio / ROUNDING));
}

static void
mark_pareto (const SeamSearch *search, SeamExploreView *view)
{
  g_autofree double (*objectives)[SEAM_N_OBJECTIVES] =
      g_malloc_n ((gsize)view->n_nodes, sizeof *objectives);

  for (int i = 0; i < view->n_nodes; i++) {
    const SeamPoint *point = &search->points[i];
    int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;

    objectives[i][0] = view->times_ns[i];
    objectives[i][1] = n_kernels >= 0 ? n_kernels : NAN;
    objectives[i][2] = point->bytes;
    objectives[i][3] = seam_explore_get_error_level (point->max_error_ratio);
  }
  seam_lattice_mark_pareto (view->n_nodes, (const double (*)[SEAM_N_OBJECTIVES])objectives,
                            view->is_pareto);
}

static int
find_rival (const SeamSearch *search, const SeamExploreView *view)
{
  int rival = -1;

  for (int i = 0; view->best >= 0 && i < view->n_nodes; i++)
    if (i != view->best && !isnan (view->times_ns[i])
        && (rival < 0 || view->times_ns[i] < view->times_ns[rival])
        && !seam_point_is_ahead (&search->points[view->best], view->times_ns[view->best],
                                 &search->points[i], view->times_ns[i]))
      rival = i;
  return rival;
}

/* Judges the unfused time, with the interval of what the seam saves, against what it leaves. */
static gboolean
is_worth_clear (const SeamSearch *search, const SeamExploreView *view, const SeamSeamWorth *worth)
{
  double all_ns = view->times_ns[0], left_ns = all_ns - worth->mean;
  SeamPoint all = { .median_ns = all_ns,
                    .ci_low_ns = all_ns - worth->half,
                    .ci_high_ns = all_ns + worth->half,
                    .n_samples = search->points[0].n_samples };
  SeamPoint left = {
    .median_ns = left_ns, .ci_low_ns = left_ns, .ci_high_ns = left_ns, .n_samples = all.n_samples
  };
  g_autoptr (SeamVerdict) verdict = seam_point_judge (&all, all_ns, &left, left_ns);

  return verdict->kind == SEAM_VERDICT_FASTER || verdict->kind == SEAM_VERDICT_SLOWER;
}

/* The unfused plan, the best one and the path to it are shown in any case. */
static void
hide_nodes (const SeamSearch *search, SeamExploreView *view)
{
  view->is_hidden = seam_keep (view, g_new0 (gboolean, view->n_nodes));
  for (int i = 1; view->n_nodes > SEAM_EXPLORE_SHOWS_ALL && i < view->n_nodes; i++) {
    const SeamPoint *point = &search->points[i];

    view->is_hidden[i] = (point->state == SEAM_POINT_IMPOSSIBLE || point->is_split)
                         && i != view->best && !seam_explore_view_is_on_path (view, i);
    view->n_hidden += view->is_hidden[i];
  }
}

char *
seam_explore_describe_hidden (const SeamSearch *search, const SeamExploreView *view)
{
  int n_split = 0;

  if (view->n_hidden == 0)
    return NULL;
  for (int i = 0; i < view->n_nodes; i++)
    n_split += view->is_hidden[i] && search->points[i].state != SEAM_POINT_IMPOSSIBLE;
  g_autofree char *reasons = seam_search_list_reasons (search);
  GString *text = g_string_new (NULL);
  if (n_split > 0)
    g_string_append_printf (text,
                            "%d of %d partitions are not shown. In %d a group runs in several "
                            "launches here. %d cannot run here",
                            view->n_hidden, view->n_nodes, n_split, view->n_hidden - n_split);
  else
    g_string_append_printf (text, "%d of %d partitions cannot run here and are not shown",
                            view->n_hidden, view->n_nodes);
  g_string_append_printf (text, "%s%s", *reasons != '\0' ? ": " : ".", reasons);
  return g_string_free (text, FALSE);
}

int
seam_explore_find_path (const SeamSearch *search, const SeamExploreView *view, guint32 to,
                        guint32 *path)
{
  g_autofree double *times_ns = g_memdup2 (view->times_ns, sizeof (double) * (gsize)view->n_nodes);

  for (int i = 0; i < view->n_nodes; i++)
    if (search->points[i].state == SEAM_POINT_PENDING)
      times_ns[i] = search->points[i].guess_ns;
  return seam_lattice_find_path (view->n_seams, times_ns, to, path) ? __builtin_popcount (to) + 1
                                                                    : 0;
}

SeamExploreView *
seam_explore_view_new (const SeamSearch *search)
{
  SeamExploreView *view = seam_owner_new (SeamExploreView);

  view->n_seams = search->request->pipeline->chains[0].n_ops - 1;
  view->n_nodes = search->n_points;
  g_autofree double *halves_ns = g_new (double, view->n_nodes);
  view->times_ns = seam_keep (view, g_new (double, view->n_nodes));
  view->is_pareto = seam_keep (view, g_new0 (gboolean, view->n_nodes));
  seam_search_get_times (search, view->times_ns);
  for (int i = 0; i < view->n_nodes; i++) {
    if (seam_point_is_wrong (&search->points[i]))
      view->times_ns[i] = NAN;
    halves_ns[i] = seam_point_get_half (&search->points[i], view->times_ns[i]);
  }
  view->best = seam_lattice_find_best (view->n_nodes, view->times_ns);
  view->rival = find_rival (search, view);
  if (seam_lattice_find_path (view->n_seams, view->times_ns, (guint32)view->n_nodes - 1,
                              view->path))
    view->n_path = view->n_seams + 1;
  else if (view->best > 0)
    view->n_path = seam_explore_find_path (search, view, (guint32)view->best, view->path);
  hide_nodes (search, view);
  mark_pareto (search, view);
  for (int i = 0; i < view->n_seams; i++) {
    seam_lattice_get_worth (view->n_seams, view->times_ns, halves_ns, i, &view->worth[i]);
    view->worth_is_clear[i] = is_worth_clear (search, view, &view->worth[i]);
    view->traffic_ns[i] = search->points[0].full_rate_ns - search->points[1 << i].full_rate_ns;
    for (int j = 0; j < view->n_seams; j++)
      view->interaction[i][j] = seam_lattice_get_interaction (view->n_seams, view->times_ns, i, j);
  }
  return view;
}

gboolean
seam_explore_view_is_on_path (const SeamExploreView *view, int node)
{
  int n_fused = __builtin_popcount ((unsigned)node);

  return n_fused < view->n_path && view->path[n_fused] == (guint32)node;
}

char *
seam_explore_name_seam (const SeamPipeline *pipeline, int seam)
{
  const SeamOp *ops = pipeline->chains[0].ops;

  return g_strdup_printf ("%s | %s", ops[seam].label, ops[seam + 1].label);
}
