/* SPDX-License-Identifier: MIT
 *
 * Puts the cards of a comparison together and fills them when another pair of runs is chosen.
 */
#include "ui/comparison/comparison-window.h"

#include "app/report/products.h"
#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/timing/plans-card.h"
#include "ui/widgets/label.h"
#include "ui/widgets/product-export.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/toast.h"

#include "app/report/comparison-numbers.h"
#include "app/report/conditions.h"
#include "app/report/sheets.h"
#include "app/base/text.h"
#include "app/compare/run-comparison.h"
#include "app/figure/comparison-figure.h"

#define FIGURE_MIN_WIDTH 640
#define TABLE_HEIGHT     420

struct _SeamComparisonWindow {
  AdwApplicationWindow parent_instance;

  SeamSession *sessions[2];
  int shown[2];
  SeamComparison *comparison;

  AdwToastOverlay *toasts;
  GtkLabel *headline, *alike, *provenance[2];
  GtkWidget *bars_card, *numbers_card;
  SeamTableView *conditions, *numbers;
  SeamFigureView *bars;
};

G_DEFINE_FINAL_TYPE (SeamComparisonWindow, seam_comparison_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---- filling ---- */

static void
fill_conditions (SeamComparisonWindow *self)
{
  g_autoptr (SeamTable) rows = seam_conditions_table_make (self->comparison);
  g_autofree char *alike = seam_conditions_list_alike (self->comparison);
  g_autofree char *words = g_strconcat ("Alike: ", alike, NULL);

  seam_table_view_set_table (self->conditions, rows);
  gtk_widget_set_visible (GTK_WIDGET (self->conditions), seam_table_get_n_rows (rows) > 0);
  gtk_label_set_text (self->alike, words);
}

static void
fill_numbers (SeamComparisonWindow *self)
{
  const SeamComparison *comparison = self->comparison;
  g_autoptr (SeamTable) rows = seam_comparison_table_make (comparison);
  g_autofree char *marks =
      comparison->a->pitfalls != NULL || comparison->b->pitfalls != NULL
          ? g_strdup_printf ("A: %s; B: %s",
                             comparison->a->pitfalls != NULL ? comparison->a->pitfalls : "none",
                             comparison->b->pitfalls != NULL ? comparison->b->pitfalls : "none")
          : NULL;
  seam_table_view_set_pitfalls (self->numbers, marks);
  seam_table_view_set_table (self->numbers, rows);
}

/* Explains why a run cannot be read. */
static void
show_problem (SeamComparisonWindow *self, const char *text)
{
  gtk_label_set_text (self->headline, text);
  gtk_widget_add_css_class (GTK_WIDGET (self->headline), "error");
  gtk_widget_set_visible (self->bars_card, FALSE);
  gtk_widget_set_visible (self->numbers_card, FALSE);
}

static void
update (SeamComparisonWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) a =
      seam_session_get_run (self->sessions[0], (guint)self->shown[0], &error);
  g_autoptr (SeamSessionRun) b =
      a != NULL ? seam_session_get_run (self->sessions[1], (guint)self->shown[1], &error) : NULL;
  g_autofree char *words = NULL;
  gboolean comparable;

  g_clear_pointer (&self->comparison, seam_comparison_free);
  if (b == NULL) {
    show_problem (self, error->message);
    return;
  }
  self->comparison = seam_comparison_new (a->result, b->result);
  comparable = self->comparison->obstacle == NULL;
  words = seam_comparison_describe (self->comparison);
  gtk_label_set_text (self->headline, words);
  seam_css_class_set (self->headline, "error", !comparable);
  fill_conditions (self);
  gtk_widget_set_visible (self->bars_card, comparable);
  gtk_widget_set_visible (self->numbers_card, comparable);
  if (comparable)
    fill_numbers (self);
  seam_figure_view_invalidate (self->bars);
  for (int side = 0; side < 2; side++) {
    SeamResult *result = side == 0 ? self->comparison->a : self->comparison->b;
    g_autofree char *text = seam_result_get_provenance (result);
    g_autofree char *line = g_strdup_printf ("%c: %s", 'A' + side, text);

    gtk_label_set_text (self->provenance[side], line);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->provenance[side]), line);
  }
}

static SeamFigure *
build_bars_cb (double width, double height, gpointer data)
{
  SeamComparisonWindow *self = data;

  return self->comparison != NULL ? seam_comparison_figure_new (self->comparison, width) : NULL;
}

static char *
describe_row_cb (const SeamHit *hit, gpointer data)
{
  SeamComparisonWindow *self = data;

  return self->comparison != NULL ? seam_comparison_describe_row (self->comparison, hit) : NULL;
}

/* ---- export ---- */

static gboolean
fill_source (const SeamProduct *product, SeamProductSource *source, gpointer data, GError **error)
{
  SeamComparisonWindow *self = data;

  source->comparisons = &self->comparison;
  source->n_comparisons = 1;
  return TRUE;
}

static void
say (const char *text, gboolean is_error, gpointer data)
{
  seam_toast_show (SEAM_COMPARISON_WINDOW (data)->toasts, text, is_error);
}

static const SeamProductExport how = { .fill = fill_source, .say = say };

/* ---- parts ---- */

static GtkLabel *
make_label (const char *text, const char *classes, SeamLabelFlags flags)
{
  GtkLabel *label = seam_label_new (text, classes, SEAM_LABEL_SELECTABLE | flags);

  gtk_widget_set_focusable (GTK_WIDGET (label), FALSE);
  return label;
}

static void
run_chosen_cb (GtkDropDown *drop_down, GParamSpec *spec, SeamComparisonWindow *self)
{
  int side = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (drop_down), "side"));
  int index = (int)gtk_drop_down_get_selected (drop_down);

  if (index == self->shown[side] || index >= (int)seam_session_get_n_runs (self->sessions[side]))
    return;
  self->shown[side] = index;
  update (self);
}

/* "A  before.seamscope  [run]" */
static GtkWidget *
make_side (SeamComparisonWindow *self, int side, const char *name)
{
  GtkWidget *box = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL,
                                 seam_plan_badge_new (side == 0 ? 'A' : 'B'),
                                 make_label (name, "heading", SEAM_LABEL_SHORTENS), NULL);

  if (seam_session_get_n_runs (self->sessions[side]) > 1) {
    g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
    GtkWidget *drop_down;

    for (guint i = 0; i < seam_session_get_n_runs (self->sessions[side]); i++) {
      const SeamResult *run = seam_session_get_heading (self->sessions[side], i);
      const char *own = seam_session_get_note (self->sessions[side], i);
      g_autofree char *note = seam_text_show (own != NULL               ? own
                                              : run->started_at != NULL ? run->started_at
                                                                        : SEAM_DASH);
      g_autofree char *types = seam_settings_describe_types (&run->settings);
      g_ptr_array_add (
          lines, g_strdup_printf ("Run %u: %s, %s, %s", i + 1, run->pipeline_id, types, note));
    }
    g_ptr_array_add (lines, NULL);
    drop_down = gtk_drop_down_new_from_strings ((const char *const *)lines->pdata);
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), (guint)self->shown[side]);
    gtk_widget_add_css_class (drop_down, "small-dropdown");
    g_object_set_data (G_OBJECT (drop_down), "side", GINT_TO_POINTER (side));
    seam_widget_set_name (drop_down, side == 0 ? "Run of A" : "Run of B");
    g_signal_connect (drop_down, "notify::selected", G_CALLBACK (run_chosen_cb), self);
    gtk_box_append (GTK_BOX (box), drop_down);
  }
  return box;
}

static GtkWidget *
make_card (const char *title, const char *note)
{
  GtkWidget *line =
      seam_box_new (GTK_ORIENTATION_HORIZONTAL, 10, NULL, make_label (title, "heading", 0),
                    make_label (note, "note dim-label", SEAM_LABEL_SHORTENS), NULL);

  return seam_box_new (GTK_ORIENTATION_VERTICAL, 6, "card traffic-card", line, NULL);
}

static GtkWidget *
make_summary_card (SeamComparisonWindow *self, const char *const names[2])
{
  self->headline = make_label (NULL, "explore-headline", SEAM_LABEL_WRAPS);
  self->conditions = seam_table_view_new (seam_conditions_table_new (), NULL, FALSE,
                                          "What the two runs differ in");
  seam_table_view_show_all_rows (self->conditions);
  self->alike = make_label (NULL, "note dim-label", SEAM_LABEL_WRAPS);
  return seam_box_new (GTK_ORIENTATION_VERTICAL, 6, "card traffic-card",
                       make_side (self, 0, names[0]), make_side (self, 1, names[1]), self->headline,
                       self->conditions, self->alike, NULL);
}

static GtkWidget *
make_bars_card (SeamComparisonWindow *self)
{
  GtkLabel *rule = make_label (seam_comparison_get_rule (), "note dim-label", SEAM_LABEL_WRAPS);

  self->bars_card =
      make_card ("Times", "A above, B below. Plans: elapsed median, with its interval; "
                          "kernels: duration, median. ~ changed, + only in B, "
                          "− only in A");
  self->bars = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  seam_figure_view_set_builder (self->bars, build_bars_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->bars, FIGURE_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->bars, SEAM_HIT_KERNEL);
  seam_figure_view_set_tooltip_func (self->bars, describe_row_cb, self);
  gtk_box_append (GTK_BOX (self->bars_card), GTK_WIDGET (self->bars));
  gtk_box_append (GTK_BOX (self->bars_card), GTK_WIDGET (rule));
  return self->bars_card;
}

static GtkWidget *
make_numbers_card (SeamComparisonWindow *self)
{
  self->numbers_card = make_card ("Numbers", "every one that is known of either side");
  self->numbers = seam_table_view_new (seam_comparison_table_make (NULL), NULL, FALSE,
                                       "Numbers of both sessions");
  gtk_widget_set_size_request (GTK_WIDGET (self->numbers), -1, TABLE_HEIGHT);
  gtk_box_append (GTK_BOX (self->numbers_card), GTK_WIDGET (self->numbers));
  return self->numbers_card;
}

static GtkWidget *
make_header (void)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *button = seam_product_export_make_button (SEAM_OF_COMPARISON, "Export the comparison");

  adw_header_bar_pack_end (ADW_HEADER_BAR (header), button);
  return header;
}

static void
make_content (SeamComparisonWindow *self, const char *const names[2])
{
  for (int side = 0; side < 2; side++)
    self->provenance[side] = make_label (NULL, "note dim-label provenance", SEAM_LABEL_SHORTENS);
  GtkWidget *page =
      seam_box_new (GTK_ORIENTATION_VERTICAL, 12, "page", make_summary_card (self, names),
                    make_bars_card (self), make_numbers_card (self), NULL);
  GtkWidget *whole =
      seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, make_header (), seam_scrolled_new (page),
                    self->provenance[0], self->provenance[1], NULL);
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, whole);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), GTK_WIDGET (self->toasts));
}

/* ---- life ---- */

/* The run of B that fits the shown run of A best; the first run if none has the same pipeline. */
static int
find_partner (const SeamSession *a, int shown, const SeamSession *b)
{
  const SeamResult *run = seam_session_get_heading (a, (guint)shown);
  guint n = seam_session_get_n_runs (b);
  g_autofree const SeamResult **others = g_new (const SeamResult *, n);
  int partner;

  for (guint i = 0; i < n; i++)
    others[i] = seam_session_get_heading (b, i);
  seam_comparison_match_runs (&run, 1, others, (int)n, &partner);
  return MAX (partner, 0);
}

SeamComparisonWindow *
seam_comparison_window_new (GtkWindow *parent, SeamSession *a, const char *name_a, int shown,
                            SeamSession *b, const char *name_b)
{
  const char *const names[2] = { name_a, name_b };
  SeamComparisonWindow *self =
      g_object_new (SEAM_TYPE_COMPARISON_WINDOW, "application", gtk_window_get_application (parent),
                    "transient-for", parent, "destroy-with-parent", TRUE, "title", "Compare runs",
                    "default-width", 1180, "default-height", 820, NULL);

  self->sessions[0] = seam_session_ref (a);
  self->sessions[1] = seam_session_ref (b);
  self->shown[0] = CLAMP (shown, 0, (int)seam_session_get_n_runs (a) - 1);
  self->shown[1] = find_partner (a, self->shown[0], b);
  make_content (self, names);
  update (self);
  return self;
}

static void
seam_comparison_window_class_init (SeamComparisonWindowClass *klass)
{
  SEAM_OWNS (klass, SeamComparisonWindow, seam_session_free, sessions[0], sessions[1]);
  SEAM_OWNS (klass, SeamComparisonWindow, seam_comparison_free, comparison);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
seam_comparison_window_init (SeamComparisonWindow *self)
{
  seam_product_export_add_all (G_ACTION_MAP (self), SEAM_OF_COMPARISON, &how, GTK_WINDOW (self),
                               self);
}
