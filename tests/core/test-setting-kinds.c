/* SPDX-License-Identifier: MIT
 *
 * A synthetic setting of each kind with each combination of marks goes through all that loops over
 * the table of settings: options of the command, descriptions, staleness, comparison of two runs,
 * what the window takes over, requests, JSON and sessions. The sidebar is in tests/ui.
 */
#include "tests/core/synthetic-settings.h"

#include "app/base/error.h"
#include "app/cli/request-options.h"
#include "app/compare/run-comparison.h"
#include "app/session/session.h"

#include <glib/gstdio.h>

#define N_MARKS (SEAM_SETTING_IF_OTHER << 1)

static void
set (const SeamField *field, SeamSettings *settings, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_setting_parse (field, "--it", text, settings, &error));
  g_assert_no_error (error);
}

static void
assert_value (const SeamField *field, const SeamSettings *settings, const char *expected)
{
  g_autofree char *text = seam_setting_format (field, settings);

  g_assert_cmpstr (text, ==, expected);
}

static SeamResult *
make_result (const SeamField *field, const char *value)
{
  SeamResult *result = seam_result_new (1);

  result->pipeline_id = g_strdup ("conv-relu-bias");
  result->shape = g_strdup ("batch=1");
  result->device = seam_device_info_new ("cpu");
  result->plans[0].name = g_strdup ("unfused");
  result->plans[0].notation = g_strdup ("conv|conv_bias|relu|bias");
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++)
    set (synthetic_get_field (i), &result->settings, synthetic_kinds[i].first);
  set (field, &result->settings, value);
  return result;
}

/* Calls check() for each kind with each combination of marks, with and without a title. */
static void
for_each_setting (void (*check) (const SyntheticKind *kind, const SeamField *field,
                                 SeamSetting *setting))
{
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++) {
    SeamSetting kept = synthetic_settings[i];

    for (guint marks = 0; marks < N_MARKS; marks++) {
      synthetic_settings[i].marks = (SeamSettingMarks)marks;
      synthetic_settings[i].title = kept.title;
      check (&synthetic_kinds[i], synthetic_get_field (i), &synthetic_settings[i]);
      synthetic_settings[i].title = NULL;
      check (&synthetic_kinds[i], synthetic_get_field (i), &synthetic_settings[i]);
    }
    synthetic_settings[i] = kept;
  }
}

/* --- options --- */

static SeamRunRequest *
read_options (const SyntheticKind *kind, const char *value, GError **error)
{
  static const SeamOption own[] = { SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_ALL), { NULL } };
  g_autofree SeamOption *options = seam_cli_list_options (own);
  g_autofree char *option = g_strdup_printf ("--%s=%s", kind->option, value);
  g_autofree char *help = seam_options_format (options);
  char *argv[] = { (char *)"conv-relu-bias", option, NULL };
  g_autoptr (SeamArguments) arguments = seam_arguments_parse (options, argv, error);

  g_assert_nonnull (arguments);
  g_assert_nonnull (strstr (help, kind->option));
  return seam_cli_make_request (arguments, error);
}

static void
check_options (const SyntheticKind *kind, const SeamField *field, SeamSetting *setting)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = read_options (kind, kind->second, &error);
  g_autofree char *what = g_strdup_printf ("--%s: ", kind->option);

  g_assert_no_error (error);
  assert_value (field, &request->settings, kind->second);
  if (kind->wrong == NULL)
    return;
  g_assert_null (read_options (kind, kind->wrong, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_true (g_str_has_prefix (error->message, what));
}

static void
test_options (void)
{
  for_each_setting (check_options);
}

/* --- sentences --- */

static void
check_words (const SyntheticKind *kind, const SeamField *field, SeamSetting *setting)
{
  g_autoptr (SeamResult) a = make_result (field, kind->first);
  g_autoptr (SeamResult) b = make_result (field, kind->second);
  g_autofree char *said = seam_settings_describe (&b->settings, SEAM_CONCERN_MEASURING, "|");
  g_autofree char *key_a = seam_settings_make_key (&a->settings, SEAM_CONCERN_ALL);
  g_autofree char *key_b = seam_settings_make_key (&b->settings, SEAM_CONCERN_ALL);
  g_autoptr (GPtrArray) nouns = g_ptr_array_new ();
  gboolean is_choice = kind->kind == SEAM_KIND_BOOLEAN || kind->kind == SEAM_KIND_CHOICE;
  gboolean stales = (setting->marks & SEAM_SETTING_STALES) != 0;

  if (is_choice || (setting->marks & SEAM_SETTING_SAID) != 0)
    g_assert_cmpstr (said, ==, kind->shown);
  else
    g_assert_null (said);
  seam_settings_list_changes (&a->settings, &b->settings, nouns);
  g_assert_cmpint (nouns->len, ==, stales);
  g_assert_true ((strcmp (key_a, key_b) != 0) == stales);
}

static void
test_words (void)
{
  for_each_setting (check_words);
}

/* --- comparison --- */

static const SeamCondition *
find_condition (const SeamComparison *comparison, const char *title)
{
  for (int i = 0; i < comparison->n_conditions; i++)
    if (strcmp (comparison->conditions[i].title, title) == 0)
      return &comparison->conditions[i];
  return NULL;
}

static void
check_comparison (const SyntheticKind *kind, const SeamField *field, SeamSetting *setting)
{
  g_autoptr (SeamResult) a = make_result (field, kind->first);
  g_autoptr (SeamResult) b = make_result (field, kind->second);
  g_autoptr (SeamComparison) other = seam_comparison_new (a, b);
  g_autoptr (SeamComparison) same = seam_comparison_new (b, b);
  const char *title = setting->title != NULL ? setting->title : setting->noun;
  const SeamCondition *differs = find_condition (other, title);
  const SeamCondition *agrees = find_condition (same, title);
  gboolean prevents = (setting->marks & SEAM_SETTING_PREVENTS) != 0;
  gboolean is_listed = prevents || (setting->marks & SEAM_SETTING_QUALIFIES) != 0;
  const SeamResult *candidates[] = { a, b };
  int partner = -1;

  g_assert_true ((differs != NULL) == is_listed);
  g_assert_true ((agrees != NULL) == (is_listed && (setting->marks & SEAM_SETTING_IF_OTHER) == 0));
  g_assert_true ((other->obstacle != NULL) == prevents);
  g_assert_null (same->obstacle);
  if (is_listed) {
    g_assert_cmpint (differs->state, ==,
                     prevents ? SEAM_CONDITION_PREVENTS : SEAM_CONDITION_DIFFERS);
    g_assert_cmpstr (differs->b, ==, kind->shown);
    g_assert_cmpstr (differs->a, !=, kind->shown);
    /* The run with the same choice is the better match. */
    seam_comparison_match_runs ((const SeamResult *const[]){ b }, 1, candidates, 2, &partner);
    g_assert_cmpint (partner, ==, 1);
  }
  if (prevents)
    g_assert_nonnull (strstr (other->obstacle, kind->shown));
  if (agrees != NULL) {
    g_assert_cmpint (agrees->state, ==, SEAM_CONDITION_SAME);
    g_assert_cmpstr (agrees->a, ==, kind->shown);
  }
}

static void
test_comparison (void)
{
  for_each_setting (check_comparison);
}

/* --- what is kept --- */

static void
check_kept (const SyntheticKind *kind, const SeamField *field, SeamSetting *setting)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = read_options (kind, kind->second, &error);
  g_autoptr (GVariant) sent = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) received = seam_run_request_from_variant (sent, &error);
  SeamSettings own;

  g_assert_no_error (error);
  g_assert_true (seam_record_equal (&seam_settings_type, &received->settings, &request->settings));
  /* The window takes over what it shows. */
  seam_settings_init (&own);
  set (field, &own, kind->first);
  seam_settings_adopt (&own, &received->settings);
  assert_value (field, &own, setting->title != NULL ? kind->second : kind->first);
  seam_record_clear (&seam_settings_type, &own);
}

static void
test_kept (void)
{
  for_each_setting (check_kept);
}

/* JSON as --json prints it, and a session, with all synthetic settings at their second value. */
static void
test_files (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (SeamResult) result = make_result (synthetic_get_field (0), "yes");
  g_autofree char *folder = g_dir_make_tmp ("seam-settings-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.seamscope", NULL), *json = NULL;
  g_autoptr (SeamSessionRun) run = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++)
    set (synthetic_get_field (i), &result->settings, synthetic_kinds[i].second);
  json = seam_record_to_json (&seam_result_type, result);
  run = seam_session_run_new (result, NULL);
  seam_session_add_run (session, run);
  g_assert_true (seam_session_save (session, path, &error));
  g_autoptr (SeamSession) loaded = seam_session_load (path, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) read = seam_session_get_run (loaded, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++) {
    const SyntheticKind *kind = &synthetic_kinds[i];
    g_autofree char *member = g_strdup_printf ("\"%s\"", kind->name);

    g_assert_nonnull (strstr (json, member));
    assert_value (synthetic_get_field (i), &read->result->settings, kind->second);
  }
}

/* --- refusals, and a text with entries --- */

static const char *
refuse_all_but_first (int choice, const SeamSettings *settings, SeamAbilities abilities)
{
  return choice != 0 ? "Choose the first one." : NULL;
}

static void
test_refused (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++) {
    const SyntheticKind *kind = &synthetic_kinds[i];
    const SeamField *field = synthetic_get_field (i);
    SeamSetting kept = synthetic_settings[i];
    SeamSettings settings;
    const char *why;

    synthetic_settings[i].refuse = refuse_all_but_first;
    if (kind->kind == SEAM_KIND_TEXT)
      synthetic_settings[i].entries = synthetic_entries;
    seam_settings_init (&settings);
    set (field, &settings, kind->kind == SEAM_KIND_TEXT ? SEAM_AGAINST_FP64 : kind->second);
    /* Numbers have no choice that could be refused. */
    if (seam_setting_count_choices (field) > 0)
      g_assert_true (seam_settings_find_refused (&settings, 0, &why) == field);
    else
      g_assert_null (seam_settings_find_refused (&settings, 0, &why));
    seam_settings_resolve (&settings, 0);
    assert_value (field, &settings,
                  seam_setting_count_choices (field) > 0 ? kind->first : kind->second);
    seam_record_clear (&seam_settings_type, &settings);
    synthetic_settings[i] = kept;
  }
}

static void
test_entries (void)
{
  gsize last = G_N_ELEMENTS (synthetic_kinds) - 1;
  const SeamField *field = synthetic_get_field (last);
  g_autoptr (SeamResult) a = make_result (field, "");
  g_autoptr (SeamResult) b = make_result (field, SEAM_AGAINST_FP64);

  synthetic_settings[last].entries = synthetic_entries;
  synthetic_settings[last].marks = SEAM_SETTING_QUALIFIES;
  g_autoptr (SeamComparison) comparison = seam_comparison_new (a, b);
  const SeamCondition *found = find_condition (comparison, synthetic_settings[last].title);
  g_assert_nonnull (found);
  g_assert_cmpstr (found->a, ==, "No words");
  g_assert_cmpstr (found->b, ==, "Many words");
  synthetic_settings[last].entries = NULL;
  synthetic_settings[last].marks = 0;
}

int
main (int argc, char **argv)
{
  synthetic_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/setting-kinds/options", test_options);
  g_test_add_func ("/setting-kinds/words", test_words);
  g_test_add_func ("/setting-kinds/comparison", test_comparison);
  g_test_add_func ("/setting-kinds/kept", test_kept);
  g_test_add_func ("/setting-kinds/files", test_files);
  g_test_add_func ("/setting-kinds/refused", test_refused);
  g_test_add_func ("/setting-kinds/entries", test_entries);
  return g_test_run ();
}
