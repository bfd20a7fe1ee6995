/* SPDX-License-Identifier: MIT
 *
 * The lattice in words: describes nodes, and what the most valuable seam saves.
 */
#include "app/base/text.h"
#include "app/figure/lattice-figure.h"

#include <math.h>
#include <string.h>

static void
append_outputs (GString *text, const SeamPoint *point)
{
  g_autofree char *error = seam_text_scientific (point->max_abs);

  if (point->n_failing > 0)
    g_string_append_printf (
        text, " Its output is wrong: %" G_GINT64_FORMAT " elements are over their limit.",
        point->n_failing);
  else if (!point->stable)
    g_string_append (text, " Its output was not the same after timing.");
  else if (point->shows_nothing)
    g_string_append (text, " Its output is not shown to be right: all values are under the "
                           "tolerance.");
  else if (!isnan (point->max_abs))
    g_string_append_printf (text, " Largest difference from unfused: %s.", error);
}

/* Nothing is known before the target has answered, and a target without rates predicts no time. */
static void
append_prediction (GString *text, const SeamPoint *point)
{
  g_autofree char *time = seam_point_describe_prediction (point);
  g_autofree char *bytes = seam_text_bytes (point->bytes);
  int n_kernels = point->n_kernels >= 0 ? point->n_kernels : point->n_kernels_expected;

  if (isnan (point->bytes)) {
    g_string_append (text, ". Not predicted yet.");
    return;
  }
  g_string_append (text, ". Predicted");
  if (!isnan (point->guess_ns) || !isnan (point->floor_ns))
    g_string_append_printf (text, " %s,", time);
  g_string_append_printf (text, " %s", bytes);
  if (n_kernels >= 0)
    g_string_append_printf (text, ", %d kernel%s", n_kernels, n_kernels == 1 ? "" : "s");
  g_string_append (text, ".");
}

char *
seam_lattice_describe_node (const SeamSearch *search, const SeamExploreView *view, int node)
{
  const SeamPoint *point = &search->points[node];
  GString *text = g_string_new (point->notation != NULL ? point->notation : point->plan);
  g_autofree double *times_ns = g_new (double, search->n_points);
  g_autofree char *load = seam_load_describe (point->foreign_load);
  seam_search_get_times (search, times_ns);
  if (!isnan (times_ns[node])) {
    g_autofree char *time = seam_text_time (times_ns[node]);
    g_autofree char *raw = seam_text_time (point->median_ns);
    g_string_append_printf (text, ": %s", time);
    if (strcmp (time, raw) != 0)
      g_string_append_printf (text, " (%s in its batch, less the drift)", raw);
    g_autoptr (SeamVerdict) verdict = seam_search_judge (search, node);
    g_autofree char *words =
        verdict != NULL ? seam_point_describe_verdict (verdict, search->against) : NULL;
    if (words != NULL)
      g_string_append_printf (text, ", %s", words);
  } else {
    g_string_append_printf (text, ": %s", seam_point_state_get_name (point->state));
  }
  append_prediction (text, point);
  if (point->state == SEAM_POINT_MEASURED)
    append_outputs (text, point);
  if (view->is_pareto[node])
    g_string_append (text, " On the Pareto front of time, kernels, bytes and error.");
  if (load != NULL)
    g_string_append_printf (text, " %s", load);
  if (point->is_split)
    g_string_append (text, " Some group runs in several launches here.");
  if (point->message != NULL && point->state != SEAM_POINT_MEASURED)
    g_string_append_printf (text, " %s", point->message);
  return g_string_free (text, FALSE);
}

char *
seam_lattice_describe_rival (const SeamSearch *search, const SeamExploreView *view)
{
  if (view->rival < 0)
    return NULL;
  g_autofree char *time = seam_text_time (view->times_ns[view->rival]);
  return g_strdup_printf ("not clearly ahead of %s (%s)", search->points[view->rival].plan, time);
}

char *
seam_lattice_describe_worth (const SeamSearch *search, const SeamExploreView *view)
{
  int most = -1;

  for (int i = 0; i < view->n_seams; i++)
    if (!isnan (view->worth[i].mean) && (most < 0 || view->worth[i].mean > view->worth[most].mean))
      most = i;
  if (most < 0)
    return NULL;
  const SeamSeamWorth *worth = &view->worth[most];
  SeamUnit unit = seam_unit_for_time (worth->mean);
  g_autofree char *low = seam_text_significant ((worth->mean - worth->half) / unit.scale, 3);
  g_autofree char *high = seam_text_significant ((worth->mean + worth->half) / unit.scale, 3);
  gboolean is_most = TRUE; /* no interval of another seam reaches into its own */
  g_autofree char *name = seam_explore_name_seam (search->request->pipeline, most);
  g_autofree char *mean = seam_text_time (fabs (worth->mean));
  g_autofree char *traffic = seam_text_time (view->traffic_ns[most]);
  GString *text = g_string_new (NULL);
  g_autoptr (SeamVerdict) verdict = view->best > 0 ? seam_search_judge (search, view->best) : NULL;
  if (verdict != NULL) {
    g_autofree char *words = seam_point_describe_verdict (verdict, search->against);
    g_autofree char *doubt = seam_lattice_describe_rival (search, view);
    g_string_append_printf (text, "Best: %s, %s%s%s. ", search->points[view->best].plan, words,
                            doubt != NULL ? ", " : "", doubt != NULL ? doubt : "");
  }
  for (int i = 0; i < view->n_seams; i++)
    if (i != most && !(view->worth[i].mean + view->worth[i].half < worth->mean - worth->half))
      is_most = FALSE;
  if (worth->mean <= 0) {
    g_string_append (text, "Fusing no seam saves time in the mean of what was measured.");
    return g_string_free (text, FALSE);
  }
  g_string_append_printf (text, "Seam %d (%s) is worth most: fusing it saves %s in ", most + 1,
                          name, mean);
  if (worth->n_contexts == 1)
    g_string_append (text, "one context");
  else
    g_string_append_printf (text, "the mean of %d contexts", worth->n_contexts);
  if (!isnan (worth->half))
    g_string_append_printf (text, ", 95 %% interval %s to %s %s", low, high, unit.name);
  g_string_append_printf (text, ".%s%s",
                          view->worth_is_clear[most] ? "" : " That it saves is unclear.",
                          is_most ? "" : " That no other seam saves more is unclear.");
  if (!isnan (view->traffic_ns[most]))
    g_string_append_printf (
        text, " Its traffic alone would take %s at the full rate of this device%s", traffic,
        worth->mean > view->traffic_ns[most]
            ? "; what is beyond that comes from other kernels, launches and caches."
            : ".");
  return g_string_free (text, FALSE);
}
