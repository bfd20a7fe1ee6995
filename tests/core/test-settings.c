/* SPDX-License-Identifier: MIT
 *
 * For every entry of the table of settings: words in and out, refusals,
 * descriptions, what makes a result stale, and what a window may take over from a result.
 */
#include "app/base/error.h"
#include "app/settings/settings.h"

#include <math.h>
#include <string.h>

static const SeamField *
find (const char *option)
{
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++)
    if (strcmp ((*field)->setting->option, option) == 0)
      return *field;
  g_error ("no option %s", option);
}

static void
set (SeamSettings *settings, const char *option, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_setting_parse (find (option), option, text, settings, &error));
  g_assert_no_error (error);
}

static void
test_table (void)
{
  g_autoptr (GHashTable) options = g_hash_table_new (g_str_hash, g_str_equal);
  int before = 0, n = 0;

  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++, n++) {
    const SeamSetting *setting = (*at)->setting;

    g_assert_cmpint (setting->order, >, before);
    before = setting->order;
    g_assert_nonnull (setting->takes);
    g_assert_nonnull (setting->help);
    g_assert_nonnull (setting->noun);
    g_assert_true (g_hash_table_add (options, (gpointer)setting->option));
    /* A setting has one concern, so that a command has one reason to offer it. */
    g_assert_cmpint (setting->concerns & (setting->concerns - 1), ==, 0);
    g_assert_cmpint (setting->concerns, !=, 0);
  }
  SEAM_FOR_EACH_FIELD (field, &seam_settings_type)
  n -= field->setting != NULL;
  g_assert_cmpint (n, ==, 0);
}

/* Every choice by its name, also in capitals, and nothing else. */
static void
test_words (void)
{
  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++) {
    const SeamField *field = *at;
    const SeamChoice *choices = field->choices != NULL ? field->choices : field->setting->entries;
    int n = choices != NULL ? seam_setting_count_choices (field) : 0;
    SeamSettings settings;

    seam_settings_init (&settings);
    for (int i = 0; i < n; i++) {
      g_autofree char *loud = g_ascii_strup (choices[i].name, -1), *again = NULL;

      g_assert_true (seam_setting_parse (field, "", loud, &settings, NULL));
      if (field->kind != SEAM_KIND_TEXT)
        g_assert_cmpint (seam_setting_get_choice (field, &settings), ==, i);
      g_assert_true (seam_setting_parse (field, "", choices[i].name, &settings, NULL));
      again = seam_setting_format (field, &settings);
      g_assert_cmpstr (again, ==, choices[i].name);
      g_assert_cmpstr (seam_setting_get_label (field, i), !=, "");
    }
    if (field->kind != SEAM_KIND_TEXT) {
      g_autoptr (GError) error = NULL;
      SeamSettings kept;

      seam_record_copy (&seam_settings_type, &kept, &settings);
      g_assert_false (seam_setting_parse (field, "--it", "nothing of this", &settings, &error));
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
      g_assert_true (g_str_has_prefix (error->message, "--it: "));
      g_assert_true (seam_record_equal (&seam_settings_type, &kept, &settings));
      seam_record_clear (&seam_settings_type, &kept);
    }
    seam_record_clear (&seam_settings_type, &settings);
  }
}

static void
test_refused (void)
{
  const SeamAbilities host = SEAM_ABILITY_STORAGE;
  SeamSettings settings;
  const char *why;

  seam_settings_init (&settings);
  g_assert_null (seam_settings_find_refused (&settings, 0, &why));
  set (&settings, "storage", "all");
  set (&settings, "launch", "graph");
  /* FP32 has no 16-bit type, and this target has no graphs. */
  g_assert_true (seam_settings_find_refused (&settings, 0, &why) == find ("storage"));
  g_assert_nonnull (strstr (why, "FP32 only"));
  g_assert_true (seam_settings_find_refused (&settings, host, &why) == find ("storage"));
  g_assert_nonnull (strstr (why, "math mode fp16 or bf16"));
  set (&settings, "math", "bf16");
  g_assert_true (seam_settings_find_refused (&settings, host, &why) == find ("launch"));
  g_assert_nonnull (strstr (why, "Choose launch mode stream"));
  g_assert_null (seam_settings_find_refused (&settings, SEAM_ABILITY_ALL, &why));

  seam_settings_resolve (&settings, host);
  g_assert_cmpint (settings.launch, ==, SEAM_LAUNCH_STREAM);
  g_assert_cmpint (settings.storage, ==, SEAM_STORAGE_ALL);
  set (&settings, "math", "tf32");
  seam_settings_resolve (&settings, SEAM_ABILITY_ALL);
  g_assert_cmpint (settings.storage, ==, SEAM_STORAGE_FP32);
  g_assert_cmpint (settings.math_mode, ==, SEAM_MATH_TF32);
  seam_record_clear (&seam_settings_type, &settings);
}

static void
assert_described (const SeamSettings *settings, SeamConcerns concerns, const char *expected)
{
  g_autofree char *text = seam_settings_describe (settings, concerns, ", ");
  g_assert_cmpstr (text, ==, expected);
}

static void
test_descriptions (void)
{
  SeamSettings settings;

  seam_settings_init (&settings);
  assert_described (&settings, SEAM_CONCERN_ALL, "seed 1, uniform, init spread, FP32, cold cache");
  assert_described (&settings, SEAM_CONCERN_VERDICT | SEAM_CONCERN_AGAINST, NULL);
  set (&settings, "math", "bf16");
  set (&settings, "storage", "between");
  set (&settings, "l2", "warm");
  set (&settings, "launch", "graph");
  set (&settings, "against", "fp64");
  assert_described (&settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS,
                    "BF16, BF16 storage between kernels, warm cache, launched as a CUDA graph");
  settings.distribution = SEAM_DISTRIBUTION_FILES;
  assert_described (&settings, SEAM_CONCERN_TENSORS | SEAM_CONCERN_CACHE,
                    "warm cache, tensors from files");
  seam_record_clear (&seam_settings_type, &settings);
}

/* A change of any setting changes the key, unless the setting is marked as one that affects no
 * result. */
static void
test_stale (void)
{
  for (const SeamField *const *at = seam_settings_list (); *at != NULL; at++) {
    const SeamField *field = *at;
    gboolean stales = (field->setting->marks & SEAM_SETTING_STALES) != 0;
    g_autoptr (GPtrArray) nouns = g_ptr_array_new ();
    g_autofree char *before = NULL, *after = NULL, *of_others = NULL, *of_others_after = NULL;
    SeamConcerns others = SEAM_CONCERN_ALL & ~(guint)field->setting->concerns;
    SeamSettings a, b;

    seam_settings_init (&a);
    seam_settings_init (&b);
    if (seam_setting_count_choices (field) > 0)
      for (int i = 0; seam_setting_get_choice (field, &a) == seam_setting_get_choice (field, &b);
           i++)
        seam_setting_set_choice (field, &b, i);
    else
      g_assert_true (seam_setting_parse (
          field, "", field->setting->most > 0 && field->setting->most < 1 ? "0.5" : "7", &b, NULL));
    before = seam_settings_make_key (&a, SEAM_CONCERN_ALL);
    after = seam_settings_make_key (&b, SEAM_CONCERN_ALL);
    of_others = seam_settings_make_key (&a, others);
    of_others_after = seam_settings_make_key (&b, others);
    seam_settings_list_changes (&a, &b, nouns);
    g_assert_true ((strcmp (before, after) != 0) == stales);
    g_assert_cmpstr (of_others, ==, of_others_after);
    g_assert_cmpint (nouns->len, ==, stales);
    if (stales)
      g_assert_cmpstr (nouns->pdata[0], ==, field->setting->noun);
    seam_record_clear (&seam_settings_type, &a);
    seam_record_clear (&seam_settings_type, &b);
  }
}

/* A window does not take over settings that only a result can have or that it does not show. */
static void
test_adopt (void)
{
  SeamSettings own, result;

  seam_settings_init (&own);
  seam_record_init (&seam_settings_type, &result);
  set (&own, "distribution", "normal");
  set (&own, "budget", "3");
  result.seed = 9;
  result.math_mode = SEAM_MATH_FP16;
  result.distribution = SEAM_DISTRIBUTION_FILES;
  result.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  result.budget_s = NAN;
  result.against = g_strdup ("conv|relu");
  seam_settings_adopt (&own, &result);
  g_assert_cmpuint (own.seed, ==, 9);
  g_assert_cmpint (own.math_mode, ==, SEAM_MATH_FP16);
  g_assert_cmpint (own.distribution, ==, SEAM_DISTRIBUTION_UNIFORM);
  g_assert_cmpint (own.init_mode, ==, SEAM_INIT_MODE_FRAMEWORK);
  g_assert_cmpfloat (own.budget_s, ==, 3);
  g_assert_null (own.against);
  g_free (result.against);
  result.against = g_strdup (SEAM_AGAINST_FP64);
  seam_settings_adopt (&own, &result);
  g_assert_true (seam_settings_is_against_fp64 (&own));
  seam_record_clear (&seam_settings_type, &own);
  seam_record_clear (&seam_settings_type, &result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/settings/table", test_table);
  g_test_add_func ("/settings/words", test_words);
  g_test_add_func ("/settings/refused", test_refused);
  g_test_add_func ("/settings/descriptions", test_descriptions);
  g_test_add_func ("/settings/stale", test_stale);
  g_test_add_func ("/settings/adopt", test_adopt);
  return g_test_run ();
}
