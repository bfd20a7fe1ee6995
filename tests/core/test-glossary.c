/* SPDX-License-Identifier: MIT
 *
 * The glossary explains every word that a table of the program gives to an op, a column, a metric
 * or a mode, under the name that the table has.
 */
#include "app/explain/roofline.h"
#include "app/help/help.h"
#include "app/pipeline/op.h"
#include "app/report/groups-table.h"
#include "app/report/kernel-details.h"
#include "app/report/kernels-table.h"
#include "app/report/ledger-table.h"
#include "app/report/plans.h"
#include "app/report/roofline-points.h"
#include "app/report/search-tables.h"
#include "app/report/worst.h"
#include "app/settings/settings.h"
#include "tests/core/recorded-run.h"

#include <string.h>

typedef struct {
  GPtrArray *pages, *terms;
} Glossary;

static void
set_up (Glossary *glossary, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  glossary->pages = seam_help_list (&error);
  g_assert_no_error (error);
  glossary->terms = seam_help_list_terms (seam_help_find (glossary->pages, SEAM_HELP_GLOSSARY));
}

static void
tear_down (Glossary *glossary, gconstpointer data)
{
  g_ptr_array_unref (glossary->terms);
  g_ptr_array_unref (glossary->pages);
}

/* A title's unit, and that a number is modelled, are not part of the word. */
static void
check_word (Glossary *glossary, const char *name)
{
  g_autofree char *word = g_strdelimit (g_strdup (name), "\n", ' ');
  char *end = strstr (word, SEAM_MODELLED);

  if (end == NULL && g_str_has_suffix (word, ")"))
    end = g_strrstr (word, " (");
  if (end != NULL)
    *end = '\0';
  if (seam_help_find_term (glossary->terms, word) == NULL) {
    g_test_message ("The glossary does not explain “%s”.", word);
    g_test_fail ();
  }
}

static void
test_ops (Glossary *glossary, gconstpointer data)
{
  static const char *const more[] = { "GroupNorm", "swish", "hardswish", "register",
                                      "shared memory" };

  for (int type = 0; type < SEAM_N_OP_TYPES; type++)
    check_word (glossary, seam_op_type_get_name (type));
  for (int kind = 0; kind < SEAM_N_KINDS; kind++)
    check_word (glossary, seam_op_kind_get_name (kind));
  for (gsize i = 0; i < G_N_ELEMENTS (more); i++)
    check_word (glossary, more[i]);
}

/* Takes the table. Its first `n_left_out` columns have names of a person's choice. */
static void
check_table (Glossary *glossary, SeamTable *table, int n_left_out)
{
  g_assert_cmpint (seam_table_get_n_columns (table), >, n_left_out + 3);
  for (int k = n_left_out; k < seam_table_get_n_columns (table); k++) {
    const char *title = seam_table_get_column (table, k)->title;

    /* "A write", and "Against unfused". */
    if (g_ascii_isupper (title[0]) && title[1] == ' ' && g_ascii_isalpha (title[2]))
      title += 2;
    check_word (glossary, g_str_has_prefix (title, "Against ") ? "against" : title);
  }
  seam_table_unref (table);
}

static void
test_columns (Glossary *glossary, gconstpointer data)
{
  SeamTable *(*const tables[]) (void) = { seam_plans_table_new, seam_live_table_new,
                                          seam_kernels_table_new, seam_groups_table_new,
                                          seam_ledger_table_new };

  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    check_table (glossary, tables[i](), 0);
}

static void
test_run_columns (Glossary *glossary, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 2; i++) {
    const char *sample = i == 0 ? "h200-conv-relu-bias" : "h200-gemm-bias-relu";
    g_autoptr (SeamSessionRun) run = seam_lesson_load_run (sample, recorded_plans, &error);
    g_assert_no_error (error);
    g_autoptr (SeamRoofline) roofline = seam_roofline_new (run->result, 0, 1, &error);
    g_assert_no_error (error);
    g_assert_nonnull (run->result->plans[1].difference);
    check_table (glossary, seam_roofline_table_make (roofline), 0);
    check_table (glossary, seam_worst_table_make (run->result->plans[1].difference, NULL), 0);
  }
}

static void
test_search_columns (Glossary *glossary, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#1", NULL);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamSearch) sweep = seam_sweep_new_from_texts (request, "batch=1,2", NULL, &error);
  g_assert_no_error (error);

  check_table (glossary, seam_shapes_table_make (sweep->sweep), 1);
  check_table (glossary, seam_points_table_make (sweep->sweep), 1);
}

static void
test_metrics (Glossary *glossary, gconstpointer data)
{
  static const char *const samples[] = { "h200-conv-relu-bias", "laptop-cpu-conv-relu-bias" };

  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSessionRun) run = seam_lesson_load_run (samples[i], recorded_plans, &error);
    g_assert_no_error (error);
    g_autoptr (SeamKernelDetails) details =
        seam_kernel_details_new (run->result, (const int[]){ 0, 1 }, (const int[]){ 0, 0 });

    g_assert_cmpint (details->n_rows, >, 2);
    for (int k = 0; k < details->n_rows; k++)
      check_word (glossary, details->rows[k].number.title);
  }
}

static void
test_modes (Glossary *glossary, gconstpointer data)
{
  int n_choices = 0;

  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++)
    for (const SeamChoice *choice = (*field)->choices; choice != NULL && choice->name != NULL;
         choice++, n_choices++)
      check_word (glossary, choice->name);
  g_assert_cmpint (n_choices, >, SEAM_N_MATH_MODES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/glossary/ops", Glossary, NULL, set_up, test_ops, tear_down);
  g_test_add ("/glossary/columns", Glossary, NULL, set_up, test_columns, tear_down);
  g_test_add ("/glossary/run-columns", Glossary, NULL, set_up, test_run_columns, tear_down);
  g_test_add ("/glossary/search-columns", Glossary, NULL, set_up, test_search_columns, tear_down);
  g_test_add ("/glossary/metrics", Glossary, NULL, set_up, test_metrics, tear_down);
  g_test_add ("/glossary/modes", Glossary, NULL, set_up, test_modes, tear_down);
  return g_test_run ();
}
