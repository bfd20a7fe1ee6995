/* SPDX-License-Identifier: MIT
 *
 * An estimate's way from worker to window; reading trusts nothing.
 */
#include "app/runner/run-private.h"

#include "app/record/variant.h"

#include <math.h>

static const char *const level_names[] = { "yes", "split", "no" };

static void
add_group (GVariantBuilder *builder, const SeamSupport *support)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "level", level_names[support->level]);
  seam_builder_string (builder, "implementation",
                       seam_implementation_get_name (support->implementation));
  seam_builder_string (builder, "executed", support->executed);
  seam_builder_string (builder, "reason", support->reason);
  seam_builder_int64 (builder, "n_kernels", support->n_kernels);
  seam_builder_boolean (builder, "knows_copies", support->knows_copies);
  seam_builder_double (builder, "copied_bytes", support->copied_bytes);
  g_variant_builder_close (builder);
}

static void
add_plan (GVariantBuilder *builder, const SeamPlanEstimate *plan)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "text", plan->text);
  seam_builder_string (builder, "notation", plan->notation);
  seam_builder_string (builder, "name", plan->name);
  seam_builder_boolean (builder, "can_run", plan->can_run);
  seam_builder_string (builder, "message", plan->message);
  seam_builder_double (builder, "bytes", plan->bytes);
  seam_builder_double (builder, "flop", plan->flop);
  seam_builder_double (builder, "full_rate_ns", plan->full_rate_ns);
  seam_builder_double (builder, "floor_ns", plan->floor_ns);
  seam_builder_int64 (builder, "n_kernels", plan->n_kernels);
  seam_builder_open_list (builder, "groups");
  for (int i = 0; i < plan->n_groups; i++)
    add_group (builder, &plan->groups[i]);
  seam_builder_close_list (builder);
  seam_builder_open_list (builder, "seams");
  for (int i = 0; i < plan->n_seams; i++) {
    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_boolean (builder, "fused", plan->seams[i].fused);
    seam_builder_boolean (builder, "can_toggle", plan->seams[i].can_toggle);
    seam_builder_string (builder, "reason", plan->seams[i].reason);
    seam_builder_double (builder, "bytes", plan->seams[i].bytes);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
  g_variant_builder_close (builder);
}

static void
add_ceiling (GVariantBuilder *builder, const SeamEstimate *estimate)
{
  seam_builder_double (builder, "bytes_per_s", estimate->rates.bytes_per_s);
  seam_builder_double (builder, "flop_per_s", estimate->rates.flop_per_s);
  seam_builder_double (builder, "cache_bytes", estimate->rates.cache_bytes);
  seam_builder_boolean (builder, "cold", estimate->rates.cold);
  seam_builder_double (builder, "memory_ns", estimate->ceiling.memory_ns);
  seam_builder_double (builder, "compute_ns", estimate->ceiling.compute_ns);
  seam_builder_double (builder, "unfused_bytes", estimate->ceiling.unfused_bytes);
  seam_builder_double (builder, "unfused_ns", estimate->ceiling.unfused_ns);
  seam_builder_double (builder, "gain_bytes", estimate->ceiling.gain_bytes);
  seam_builder_double (builder, "gain_time", estimate->ceiling.gain_time);
  seam_builder_boolean (builder, "tensors_fit_cache", estimate->ceiling.tensors_fit_cache);
}

/* Why it cannot be made; not there: it can. */
static char *
make_pitfall_key (int i)
{
  return g_strconcat ("no-pitfall-", seam_pitfall_get_name (SEAM_PITFALL_AT (i)), NULL);
}

GVariant *
seam_estimate_to_variant (const SeamEstimate *estimate)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_double (&builder, "bytes_needed", estimate->bytes_needed);
  seam_builder_double (&builder, "bytes_free", estimate->bytes_free);
  seam_builder_double (&builder, "floor_bytes", estimate->floor.bytes);
  seam_builder_double (&builder, "floor_flop", estimate->floor.flop);
  seam_builder_double (&builder, "floor_ns", estimate->floor.floor_ns);
  seam_builder_boolean (&builder, "floor_memory_bound", estimate->floor.memory_bound);
  seam_builder_string (&builder, "floor_source", estimate->floor_source);
  add_ceiling (&builder, estimate);
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    g_autofree char *key = make_pitfall_key (i);
    seam_builder_string (&builder, key, estimate->pitfalls[i]);
  }
  seam_builder_open_list (&builder, "plans");
  for (int i = 0; i < estimate->n_plans; i++)
    add_plan (&builder, &estimate->plans[i]);
  seam_builder_close_list (&builder);
  return g_variant_builder_end (&builder);
}

/* Index of `text` in `names`, or `otherwise`. */
static int
find_name (const char *text, const char *const *names, int n, int otherwise)
{
  for (int i = 0; i < n; i++)
    if (g_strcmp0 (text, names[i]) == 0)
      return i;
  return otherwise;
}

static void
read_group (SeamReader *outer, GVariant *variant, SeamSupport *support)
{
  SeamReader reader;
  g_autofree char *level = NULL, *implementation = NULL;
  const char *names[SEAM_N_IMPLEMENTATIONS];
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < SEAM_N_IMPLEMENTATIONS; i++)
    names[i] = seam_implementation_get_name ((SeamImplementation)i);
  seam_reader_init (&reader, variant, outer->what);
  support->n_kernels = -1;
  seam_reader_string (&reader, "level", &level);
  seam_reader_string (&reader, "implementation", &implementation);
  seam_reader_string (&reader, "executed", &support->executed);
  seam_reader_text (&reader, "reason", &support->reason);
  seam_reader_int (&reader, "n_kernels", -1, G_MAXINT, &support->n_kernels);
  seam_reader_boolean (&reader, "knows_copies", &support->knows_copies);
  seam_reader_double (&reader, "copied_bytes", &support->copied_bytes);
  if (!(support->copied_bytes >= 0))
    support->copied_bytes = 0;
  support->level =
      (SeamSupportLevel)find_name (level, level_names, G_N_ELEMENTS (level_names), SEAM_SUPPORT_NO);
  support->implementation = (SeamImplementation)find_name (
      implementation, names, SEAM_N_IMPLEMENTATIONS, SEAM_IMPLEMENTATION_AUTO);
  if (!seam_reader_finish (&reader, &error))
    seam_reader_fail (outer, "a group is damaged (%s)", error->message);
}

static void
read_seam (SeamReader *outer, GVariant *variant, SeamPlanEstimate *plan, int seam)
{
  SeamReader reader;
  g_autoptr (GError) error = NULL;

  seam_reader_init (&reader, variant, outer->what);
  seam_reader_boolean (&reader, "fused", &plan->seams[seam].fused);
  seam_reader_boolean (&reader, "can_toggle", &plan->seams[seam].can_toggle);
  seam_reader_text (&reader, "reason", &plan->seams[seam].reason);
  seam_reader_double (&reader, "bytes", &plan->seams[seam].bytes);
  if (!seam_reader_finish (&reader, &error))
    seam_reader_fail (outer, "a seam is damaged (%s)", error->message);
}

static void
read_plan (SeamReader *outer, GVariant *variant, SeamPlanEstimate *plan)
{
  SeamReader reader;
  g_autoptr (GError) error = NULL;

  seam_reader_init (&reader, variant, outer->what);
  seam_reader_require (&reader, "notation");
  seam_reader_string (&reader, "text", &plan->text);
  seam_reader_string (&reader, "notation", &plan->notation);
  seam_reader_string (&reader, "name", &plan->name);
  seam_reader_boolean (&reader, "can_run", &plan->can_run);
  seam_reader_text (&reader, "message", &plan->message);
  seam_reader_double (&reader, "bytes", &plan->bytes);
  seam_reader_double (&reader, "flop", &plan->flop);
  plan->full_rate_ns = plan->floor_ns = NAN;
  seam_reader_double (&reader, "full_rate_ns", &plan->full_rate_ns);
  seam_reader_double (&reader, "floor_ns", &plan->floor_ns);
  seam_reader_int (&reader, "n_kernels", -1, G_MAXINT, &plan->n_kernels);
  g_autoptr (GVariant) groups = seam_reader_value (&reader, "groups", "aa{sv}");
  g_autoptr (GVariant) seams = seam_reader_value (&reader, "seams", "aa{sv}");
  gsize n_groups = groups != NULL ? g_variant_n_children (groups) : 0;
  gsize n_seams = seams != NULL ? g_variant_n_children (seams) : 0;
  if (n_groups > SEAM_MAX_OPS || n_seams > SEAM_MAX_OPS)
    seam_reader_fail (&reader, "a plan has too many groups or seams");
  for (gsize i = 0; i < n_groups && reader.error == NULL; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (groups, i);
    read_group (&reader, child, &plan->groups[plan->n_groups++]);
  }
  for (gsize i = 0; i < n_seams && reader.error == NULL; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (seams, i);
    read_seam (&reader, child, plan, plan->n_seams++);
  }
  if (!seam_reader_finish (&reader, &error))
    seam_reader_fail (outer, "a plan is damaged (%s)", error->message);
}

static void
read_ceiling (SeamReader *reader, SeamEstimate *estimate)
{
  SeamCeiling *ceiling = &estimate->ceiling;

  ceiling->floor = estimate->floor;
  ceiling->memory_ns = ceiling->compute_ns = ceiling->unfused_bytes = ceiling->unfused_ns = NAN;
  ceiling->gain_bytes = ceiling->gain_time = NAN;
  seam_reader_double (reader, "bytes_per_s", &estimate->rates.bytes_per_s);
  seam_reader_double (reader, "flop_per_s", &estimate->rates.flop_per_s);
  seam_reader_double (reader, "cache_bytes", &estimate->rates.cache_bytes);
  seam_reader_boolean (reader, "cold", &estimate->rates.cold);
  seam_reader_double (reader, "memory_ns", &ceiling->memory_ns);
  seam_reader_double (reader, "compute_ns", &ceiling->compute_ns);
  seam_reader_double (reader, "unfused_bytes", &ceiling->unfused_bytes);
  seam_reader_double (reader, "unfused_ns", &ceiling->unfused_ns);
  seam_reader_double (reader, "gain_bytes", &ceiling->gain_bytes);
  seam_reader_double (reader, "gain_time", &ceiling->gain_time);
  seam_reader_boolean (reader, "tensors_fit_cache", &ceiling->tensors_fit_cache);
}

SeamEstimate *
seam_estimate_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamEstimate) estimate = g_new0 (SeamEstimate, 1);
  SeamReader reader;

  estimate->floor = (SeamFloor){ .bytes = NAN, .flop = NAN, .floor_ns = NAN };
  seam_reader_init (&reader, variant, "estimate");
  seam_reader_require (&reader, "plans");
  seam_reader_double (&reader, "bytes_needed", &estimate->bytes_needed);
  seam_reader_double (&reader, "bytes_free", &estimate->bytes_free);
  seam_reader_double (&reader, "floor_bytes", &estimate->floor.bytes);
  seam_reader_double (&reader, "floor_flop", &estimate->floor.flop);
  seam_reader_double (&reader, "floor_ns", &estimate->floor.floor_ns);
  seam_reader_boolean (&reader, "floor_memory_bound", &estimate->floor.memory_bound);
  seam_reader_string (&reader, "floor_source", &estimate->floor_source);
  read_ceiling (&reader, estimate);
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    g_autofree char *key = make_pitfall_key (i);
    seam_reader_string (&reader, key, &estimate->pitfalls[i]);
  }
  g_autoptr (GVariant) plans = seam_reader_value (&reader, "plans", "aa{sv}");
  gsize n = plans != NULL ? g_variant_n_children (plans) : 0;
  if (n > SEAM_RUN_MAX_PLANS)
    seam_reader_fail (&reader, "it has %" G_GSIZE_FORMAT " plans", n);
  estimate->plans = g_new0 (SeamPlanEstimate, MIN (n, SEAM_RUN_MAX_PLANS));
  for (gsize i = 0; i < n && reader.error == NULL; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (plans, i);
    read_plan (&reader, child, &estimate->plans[estimate->n_plans++]);
  }
  if (!seam_reader_finish (&reader, error))
    return NULL;
  return g_steal_pointer (&estimate);
}
