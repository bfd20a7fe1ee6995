/* SPDX-License-Identifier: MIT
 *
 * Restoring a stored search: it is made again from its request and then takes over the stored
 * points, so that no points of another search can be read.
 */
#include "app/explore/search-store.h"

#include "app/explore/explore.h"

#include <math.h>
#include <string.h>

static const char *
get_last_time (const SeamSearch *search)
{
  const char *last = NULL;

  for (int i = 0; i < search->n_points; i++)
    if (g_strcmp0 (search->points[i].measured_at, last) > 0)
      last = search->points[i].measured_at;
  return last;
}

GVariant *
seam_search_store (const SeamSearch *search)
{
  const SeamSweep *sweep = search->sweep;
  g_autofree char *x = NULL, *y = NULL;
  SeamStoredSearch stored = { .kind = search->kind,
                              .pipeline = search->request->pipeline->id,
                              .varied = search->varied,
                              .measured_at = (char *)get_last_time (search),
                              .n_measured = seam_search_count (search, SEAM_POINT_MEASURED) };
  GVariantBuilder builder;

  if (sweep != NULL)
    stored.vary_x = x = seam_sweep_axis_format (&sweep->axes[0]);
  if (sweep != NULL && sweep->n_axes > 1)
    stored.vary_y = y = seam_sweep_axis_format (&sweep->axes[1]);
  seam_search_get_part (search, &stored.part);
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (&seam_stored_search_type, &stored, TRUE, &builder);
  g_variant_builder_add (&builder, "{sv}", "request",
                         seam_run_request_to_variant (search->request));
  return g_variant_builder_end (&builder);
}

static SeamRunRequest *
read_request (GVariant *variant, const char *kind, GError **error)
{
  g_autoptr (GVariant) request =
      g_variant_lookup_value (variant, "request", G_VARIANT_TYPE_VARDICT);
  const char *init;

  if (request == NULL)
    return seam_fail_null (error, SEAM_ERROR_FILE, "The result of %s says not what was asked.",
                           kind);
  SeamRunRequest *parsed = seam_run_request_from_variant (request, error);
  /* Older files lack the key and mean this value; a new request has another default. */
  if (parsed != NULL && !g_variant_lookup (request, "init", "&s", &init))
    parsed->settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  return parsed;
}

static gboolean
take_part (SeamSearch *search, SeamSearchPart *part, GError **error)
{
  if (part->n_points != search->n_points)
    return seam_fail (error, SEAM_ERROR_FILE, "It has %d point%s and should have %d.",
                      part->n_points, part->n_points == 1 ? "" : "s", search->n_points);
  if (part->device == NULL || part->math_mode == SEAM_N_MATH_MODES)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "It says neither device nor math mode of its points.");
  return seam_search_merge_part (search, part, error);
}

static void
guess_point (const SeamSearch *search, SeamPoint *point)
{
  SeamRunRequest request = *search->request;
  SeamGuess guess;

  memcpy (request.values, point->values, sizeof request.values);
  request.settings.math_mode = search->math_mode;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (&request, NULL);
  g_autoptr (SeamPlan) plan =
      problem != NULL ? seam_plan_parse (problem->pipeline, point->notation, NULL) : NULL;
  if (plan == NULL)
    return;
  g_autoptr (SeamKnown) known = seam_known_new (search->device, problem, &request.settings, NULL);
  g_auto (GStrv) executed = seam_known_split_executed (point->executed, plan);
  seam_guess (known, problem, plan, (const char *const *)executed, NULL, &guess);
  point->guess_ns = guess.ns;
  point->guess_low_ns = guess.low_ns;
  point->guess_high_ns = guess.high_ns;
}

/* Older programs kept no guess. This one is made from the rates of the search's device alone. */
static void
add_guesses (SeamSearch *search)
{
  for (int i = 0; i < search->n_points; i++)
    if (isnan (search->points[i].guess_ns) && search->points[i].notation != NULL
        && !isnan (search->points[i].full_rate_ns))
      guess_point (search, &search->points[i]);
}

static SeamSearch *
restore (const SeamRunRequest *request, SeamStoredSearch *stored, GError **error)
{
  g_autoptr (SeamSearch) search = NULL;

  if (stored->kind == SEAM_SEARCH_EXPLORE) {
    search = seam_explore_new (request, error);
  } else if (stored->vary_x != NULL) {
    search = seam_sweep_new_from_texts (request, stored->vary_x, stored->vary_y, error);
  } else {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "It does not say what it varies.");
  }
  return search != NULL && take_part (search, &stored->part, error) ? g_steal_pointer (&search)
                                                                    : NULL;
}

SeamSearch *
seam_search_restore (GVariant *variant, GError **error)
{
  const char *kind = NULL;
  SeamStoredSearch stored;

  if (g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT))
    g_variant_lookup (variant, "kind", "&s", &kind);
  if (seam_choice_find (seam_search_kinds, kind) < 0)
    return seam_fail_null (error, SEAM_ERROR_FILE, "It is no result of explore or sweep.");
  g_autoptr (SeamRunRequest) request = read_request (variant, kind, error);
  if (request == NULL
      || !seam_record_from_variant (&seam_stored_search_type, variant, "survey", NULL, &stored,
                                    error))
    return NULL;
  SeamSearch *search = restore (request, &stored, error);
  if (search != NULL)
    add_guesses (search);
  seam_record_clear (&seam_stored_search_type, &stored);
  return search;
}
