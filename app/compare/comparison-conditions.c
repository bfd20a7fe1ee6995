/* SPDX-License-Identifier: MIT
 *
 * The conditions of two runs. With another shape, math mode or cache state the work differs, so the
 * times cannot be compared; another device or version is what one wants to compare.
 */
#include "app/base/text.h"
#include "app/compare/comparison-private.h"

#include <math.h>

/* Clocks that differ by this share explain a difference of the times. */
#define CLOCK_TOLERANCE SEAM_CLAIMABLE

typedef struct {
  GArray *list; /* of SeamCondition */
} Conditions;

/* Takes both texts; either may be NULL. */
static void
take (Conditions *conditions, const char *title, char *a, char *b, SeamConditionState if_different)
{
  SeamCondition condition = { title, a, b, SEAM_CONDITION_SAME };

  if (a == NULL && b == NULL)
    return;
  if (g_strcmp0 (a, b) != 0)
    condition.state = if_different;
  g_array_append_val (conditions->list, condition);
}

static void
add (Conditions *conditions, const char *title, const char *a, const char *b,
     SeamConditionState if_different)
{
  take (conditions, title, g_strdup (a), g_strdup (b), if_different);
}

static void
add_settings (Conditions *conditions, const SeamSettings *a, const SeamSettings *b)
{
  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++) {
    const SeamField *field = *at;
    const SeamSetting *setting = field->setting;
    const char *title = setting->condition != NULL ? setting->condition
                        : setting->title != NULL   ? setting->title
                                                   : setting->noun;
    gboolean prevents = (setting->marks & SEAM_SETTING_PREVENTS) != 0;

    if (!prevents && (setting->marks & SEAM_SETTING_QUALIFIES) == 0)
      continue;
    if ((setting->marks & SEAM_SETTING_IF_OTHER) != 0 && seam_field_equal (field, a, b))
      continue;
    take (conditions, title, seam_setting_describe (field, a), seam_setting_describe (field, b),
          prevents ? SEAM_CONDITION_PREVENTS : SEAM_CONDITION_DIFFERS);
  }
}

static char *
describe_tolerance (const SeamResult *result)
{
  if (isnan (result->settings.atol) || isnan (result->settings.rtol))
    return g_strdup ("the bound");
  return g_strdup_printf ("%g + %g |b|", result->settings.atol, result->settings.rtol);
}

static char *
describe_tensors (const SeamResult *result)
{
  const SeamSettings *settings = &result->settings;

  if (settings->distribution == SEAM_DISTRIBUTION_FILES)
    return g_strdup ("from files");
  return g_strdup_printf ("%s, seed %" G_GUINT64_FORMAT ", init %s",
                          seam_choice_get_name (seam_distributions, settings->distribution),
                          settings->seed,
                          seam_choice_get_name (seam_init_modes, settings->init_mode));
}

static char *
describe_clock (double mhz)
{
  g_autofree char *count = seam_text_count ((gint64)round (mhz));

  return g_strconcat (count, " MHz", NULL);
}

static void
add_load (Conditions *conditions, const SeamResult *a, const SeamResult *b)
{
  SeamUnderLoad of_a, of_b;

  add (conditions, "Throttling", a->throttle, b->throttle, SEAM_CONDITION_DIFFERS);
  seam_under_load_count (a->plans, a->n_plans, &of_a);
  seam_under_load_count (b->plans, b->n_plans, &of_b);
  if (isfinite (of_a.median_mhz) && isfinite (of_b.median_mhz))
    take (conditions, "Clock, median of the samples", describe_clock (of_a.median_mhz),
          describe_clock (of_b.median_mhz),
          fabs (of_b.median_mhz / of_a.median_mhz - 1) > CLOCK_TOLERANCE ? SEAM_CONDITION_DIFFERS
                                                                         : SEAM_CONDITION_SAME);
}

static void
add_pitfalls (Conditions *conditions, const SeamResult *a, const SeamResult *b)
{
  g_autofree char *of_a = seam_pitfalls_describe (a->pitfalls);
  g_autofree char *of_b = seam_pitfalls_describe (b->pitfalls);

  if (of_a != NULL || of_b != NULL)
    add (conditions, "Wrong on purpose", of_a != NULL ? of_a : "nothing",
         of_b != NULL ? of_b : "nothing", SEAM_CONDITION_DIFFERS);
}

static void
add_work (Conditions *conditions, const SeamResult *a, const SeamResult *b)
{
  gboolean same_text = g_strcmp0 (a->pipeline_text, b->pipeline_text) == 0;

  add (conditions, "Pipeline", a->pipeline_id, b->pipeline_id, SEAM_CONDITION_PREVENTS);
  if (g_strcmp0 (a->pipeline_id, b->pipeline_id) == 0 && !same_text)
    add (conditions, "Pipeline file", "of A", "another text", SEAM_CONDITION_DIFFERS);
  if (g_strcmp0 (a->shape, b->shape) == 0)
    add (conditions, "Shape", a->shape_text, a->shape_text, SEAM_CONDITION_SAME);
  else
    add (conditions, "Shape", a->shape_text != NULL ? a->shape_text : a->shape,
         b->shape_text != NULL ? b->shape_text : b->shape, SEAM_CONDITION_PREVENTS);
  add_settings (conditions, &a->settings, &b->settings);
}

static void
add_device (Conditions *conditions, const SeamDeviceInfo *a, const SeamDeviceInfo *b)
{
  static const SeamDeviceInfo none;

  a = a != NULL ? a : &none;
  b = b != NULL ? b : &none;
  add (conditions, "Device", seam_device_info_get_name (a), seam_device_info_get_name (b),
       SEAM_CONDITION_DIFFERS);
  add (conditions, "Target", a->id, b->id, SEAM_CONDITION_DIFFERS);
  add (conditions, "Driver", a->driver, b->driver, SEAM_CONDITION_DIFFERS);
  add (conditions, "Libraries", a->libraries, b->libraries, SEAM_CONDITION_DIFFERS);
}

static gint
compare_states (gconstpointer a, gconstpointer b)
{
  return (int)((const SeamCondition *)b)->state - (int)((const SeamCondition *)a)->state;
}

/* "the math modes are FP32 and TF32, the shapes …" */
static char *
describe_obstacle (const Conditions *conditions)
{
  GString *text = NULL;

  for (guint i = 0; i < conditions->list->len; i++) {
    const SeamCondition *condition = &g_array_index (conditions->list, SeamCondition, i);

    if (condition->state != SEAM_CONDITION_PREVENTS)
      continue;
    g_autofree char *what = g_strdup (condition->title);
    what[0] = g_ascii_tolower (what[0]);
    if (text == NULL)
      text = g_string_new ("Not comparable: ");
    else
      g_string_append (text, "; ");
    g_string_append_printf (text, "%s is %s in A and %s in B", what,
                            condition->a != NULL ? condition->a : "unknown",
                            condition->b != NULL ? condition->b : "unknown");
  }
  if (text == NULL)
    return NULL;
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

void
seam_comparison_add_conditions (SeamComparison *comparison)
{
  const SeamResult *a = comparison->a, *b = comparison->b;
  Conditions conditions = { g_array_new (FALSE, TRUE, sizeof (SeamCondition)) };

  add_pitfalls (&conditions, a, b);
  add_work (&conditions, a, b);
  add_device (&conditions, a->device, b->device);
  add (&conditions, "Program", a->program_version, b->program_version, SEAM_CONDITION_DIFFERS);
  take (&conditions, "Tensors", describe_tensors (a), describe_tensors (b), SEAM_CONDITION_DIFFERS);
  add (&conditions, "Outputs against", a->settings.against, b->settings.against,
       SEAM_CONDITION_DIFFERS);
  take (&conditions, "Judged by", describe_tolerance (a), describe_tolerance (b),
        SEAM_CONDITION_DIFFERS);
  add_load (&conditions, a, b);
  add (&conditions, "Stopped early", a->stopped ? "yes" : "no", b->stopped ? "yes" : "no",
       SEAM_CONDITION_DIFFERS);
  add (&conditions, "Measured at", a->started_at, b->started_at, SEAM_CONDITION_DIFFERS);
  comparison->obstacle = describe_obstacle (&conditions);
  /* The sort is stable: in each state the conditions keep the order above. */
  g_array_sort (conditions.list, compare_states);
  comparison->n_conditions = (int)conditions.list->len;
  comparison->conditions = (SeamCondition *)(void *)g_array_free (conditions.list, FALSE);
}
