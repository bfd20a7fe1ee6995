/* SPDX-License-Identifier: MIT
 *
 * A search as text: its tables, the sentence about them, and what could not be measured.
 */
#include "app/cli/search-report.h"

#include "app/figure/lattice-figure.h"
#include "app/report/partitions.h"
#include "app/report/search-tables.h"

#include <math.h>

/* As many rows as fit on a screen; the CSV has the whole table. */
#define MAX_ROWS 12

static void
append_table (GString *text, SeamTable *table)
{
  g_autofree char *formatted = seam_table_format (table);

  g_string_append (text, formatted);
  seam_table_unref (table);
}

/* Sorts the fastest first, and points without a time last. */
static void
sort_nodes (const SeamExploreView *view, int *sorted)
{
  for (int i = 0; i < view->n_nodes; i++) {
    int k = i;

    for (; k > 0
           && (view->times_ns[i] < view->times_ns[sorted[k - 1]]
               || (isnan (view->times_ns[sorted[k - 1]]) && !isnan (view->times_ns[i])));
         k--)
      sorted[k] = sorted[k - 1];
    sorted[k] = i;
  }
}

static void
append_partitions (GString *text, const SeamSearch *search, const SeamExploreView *view)
{
  g_autofree int *sorted = g_new (int, view->n_nodes);
  int n = MIN (view->n_nodes, MAX_ROWS);

  sort_nodes (view, sorted);
  /* All plans are compared with the unfused one, so it is the last row if it is not among the
   * first. */
  for (int k = n; k < view->n_nodes; k++)
    if (sorted[k] == 0)
      sorted[n - 1] = 0;
  append_table (text, seam_partitions_table_make (search, view, sorted, n));
  if (n < view->n_nodes)
    g_string_append_printf (text, "… and %d more: --csv has all of them.\n", view->n_nodes - n);
}

/* Returns the sentence below the table; NULL if nothing is known. */
static char *
append_exploration (GString *text, const SeamSearch *search)
{
  g_autoptr (SeamExploreView) view = seam_explore_view_new (search);
  const char *unit = seam_partitions_get_unit (view, search).name;

  append_partitions (text, search, view);
  if (view->n_seams > 0) {
    g_string_append_printf (text, "\nWhat each seam is worth: %s saved by fusing it\n", unit);
    append_table (text, seam_worth_table_make (search, view));
  }
  if (view->n_seams > 1) {
    g_string_append_printf (text, "\nPairs of seams: %s saved beyond both alone, mean\n", unit);
    append_table (text, seam_pairs_table_make (search, view));
  }
  return seam_lattice_describe_worth (search, view);
}

static char *
append_sweep (GString *text, const SeamSweep *sweep)
{
  append_table (text, seam_shapes_table_make (sweep));
  return seam_sweep_describe (sweep);
}

/* An exploration has many partitions that are impossible for a few reasons. Points of a sweep have
 * their shape, and a reason that several of them share is printed only once. */
static void
append_failures (GString *text, const SeamSearch *search)
{
  int n_impossible = seam_search_count (search, SEAM_POINT_IMPOSSIBLE);
  gboolean lists_all = search->sweep != NULL;
  const char *last = NULL;

  if (!lists_all && n_impossible > 0) {
    g_autofree char *reasons = seam_search_list_reasons (search);
    g_string_append_printf (text, "\n%d of %d partitions cannot run here: %s\n", n_impossible,
                            search->n_points, reasons);
  }
  for (int i = 0; i < search->n_points; i++) {
    const SeamPoint *point = &search->points[i];

    if (point->state != SEAM_POINT_FAILED && !(lists_all && point->state == SEAM_POINT_IMPOSSIBLE))
      continue;
    if (lists_all && g_strcmp0 (point->message, last) == 0)
      continue;
    g_string_append_printf (text, "%s%s%s: %s: %s\n", lists_all ? point->shape : "",
                            lists_all ? ", " : "", point->plan,
                            seam_point_state_get_name (point->state), point->message);
    last = point->message;
  }
}

char *
seam_search_report_format (const SeamSearch *search)
{
  g_autofree char *provenance = seam_search_get_provenance (search);
  g_autofree char *sentence = NULL, *load = seam_search_describe_load (search);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\n\n", provenance);
  sentence = search->sweep != NULL ? append_sweep (text, search->sweep)
                                   : append_exploration (text, search);
  if (sentence != NULL && *sentence != '\0')
    g_string_append_printf (text, "\n%s\n", sentence);
  if (load != NULL)
    g_string_append_printf (text, "\n%s\n", load);
  append_failures (text, search);
  return g_string_free (text, FALSE);
}
