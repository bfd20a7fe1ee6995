/* SPDX-License-Identifier: MIT
 *
 * A search as a variant, between worker and window: what is known about the target, and points with
 * their places. The other end may send anything, so everything is checked.
 */
#include "app/explore/search.h"

#include <string.h>

void
seam_search_get_part (const SeamSearch *search, SeamSearchPart *part)
{
  *part = (SeamSearchPart){ .device = search->device,
                            .math_mode = search->math_mode,
                            .floor_ns = search->ceiling.floor.floor_ns,
                            .floor_source = search->floor_source,
                            .n_points = search->n_points,
                            .points = search->points };
}

GVariant *
seam_search_to_variant (const SeamSearch *search, const int *indices, int n)
{
  g_autofree SeamPoint *points = NULL;
  SeamSearchPart part;

  seam_search_get_part (search, &part);
  if (indices != NULL) {
    points = g_new (SeamPoint, MAX (n, 1));
    for (int i = 0; i < n; i++)
      points[i] = search->points[indices[i]];
    part.points = points;
    part.n_points = n;
    part.places = (int *)indices;
  }
  return seam_record_to_variant (&seam_search_part_type, &part, TRUE);
}

static int
get_place (const SeamSearchPart *part, int i)
{
  return part->places != NULL ? part->places[i] : i;
}

static gboolean
is_own (const SeamSearch *search, const SeamPoint *point, int place)
{
  return place >= 0 && place < search->n_points
         && strcmp (point->plan, search->points[place].plan) == 0
         && g_strcmp0 (point->shape, search->points[place].shape) == 0;
}

/* Moves the record and leaves an empty one. */
static void
move_point (SeamPoint *to, SeamPoint *from)
{
  seam_record_clear (&seam_point_type, to);
  *to = *from;
  seam_record_init (&seam_point_type, from);
}

gboolean
seam_search_merge_part (SeamSearch *search, SeamSearchPart *part, GError **error)
{
  for (int i = 0; i < part->n_points; i++)
    if (!is_own (search, &part->points[i], get_place (part, i)))
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "The search has a point “%s” at place %d that is not its own.",
                        part->points[i].plan, get_place (part, i));
  for (int i = 0; i < part->n_points; i++)
    move_point (&search->points[get_place (part, i)], &part->points[i]);
  if (part->device == NULL)
    return TRUE;
  seam_device_info_free (search->device);
  search->device = g_steal_pointer (&part->device);
  search->math_mode = part->math_mode;
  g_free (search->floor_source);
  search->floor_source = g_steal_pointer (&part->floor_source);
  search->ceiling.floor.floor_ns = part->floor_ns;
  return TRUE;
}

gboolean
seam_search_merge_variant (SeamSearch *search, GVariant *variant, GError **error)
{
  SeamSearchPart part;

  if (!seam_record_from_variant (&seam_search_part_type, variant, "survey", NULL, &part, error))
    return FALSE;
  gboolean is_merged = seam_search_merge_part (search, &part, error);
  seam_record_clear (&seam_search_part_type, &part);
  return is_merged;
}

static const SeamField progress_fields[] = {
  { SEAM_FIELD (SeamSearchProgress, n_points, INT), .max = G_MAXINT },
  { SEAM_FIELD (SeamSearchProgress, n_pending, INT), .max = G_MAXINT },
  { SEAM_FIELD (SeamSearchProgress, elapsed_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamSearchProgress, budget_s, DOUBLE), .from_zero = TRUE },
  { SEAM_FIELD (SeamSearchProgress, expected_s, DOUBLE) },
  { SEAM_FIELD (SeamSearchProgress, current, INT), .initial = -1, .min = -1, .max = G_MAXINT },
  { NULL },
};

/* The fields of a report, except those that stay in the measuring process. */
static const SeamRecordType progress_type = {
  .name = "search's progress",
  .size = sizeof (SeamSearchProgress),
  .fields = progress_fields,
};

GVariant *
seam_search_progress_to_variant (const SeamSearch *search, const SeamSearchProgress *progress)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  /* Only fresh points change the search. */
  if (progress->n_fresh > 0)
    g_variant_builder_add (&builder, "{sv}", "search",
                           seam_search_to_variant (search, progress->fresh, progress->n_fresh));
  seam_record_build (&progress_type, progress, TRUE, &builder);
  return g_variant_builder_end (&builder);
}

gboolean
seam_search_progress_from_variant (GVariant *variant, SeamSearchProgress *progress,
                                   GVariant **search, GError **error)
{
  SeamReader reader;

  seam_record_init (&progress_type, progress);
  seam_reader_init (&reader, variant, progress_type.name);
  *search = seam_reader_value (&reader, "search", "a{sv}");
  seam_record_read (&progress_type, &reader, NULL, progress);
  if (seam_reader_finish (&reader, error))
    return TRUE;
  g_clear_pointer (search, g_variant_unref);
  return FALSE;
}
