/* SPDX-License-Identifier: MIT
 *
 * The controls of the Difference tab: see difference-controls.h.
 */
#include "ui/difference/difference-controls.h"

#include "ui/state/watch.h"
#include "ui/widgets/setting-row.h"
#include "ui/widgets/template.h"

#include "app/base/text.h"

struct _SeamDifferenceControls {
  AdwBin parent_instance;

  GtkDropDown *sides, *mode, *view;
  GtkStringList *view_names;
  GtkEditable *atol_entry, *rtol_entry;
  GtkLabel *formula, *output;
  GtkToggleButton *tiles;

  SeamDifferenceSubject *subject;
  SeamDifferenceLook *look;
  gboolean is_filling; /* widgets change because of the program, not the person */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceControls, seam_difference_controls, ADW_TYPE_BIN)

/* The entries' tooltips while their texts are right and can be changed. */
static const char *const titles[] = { "Absolute tolerance; empty: the bound",
                                      "Relative tolerance; empty: the bound" };

/* -- The person -------------------------------------------------------------------------------- */

static void
sides_cb (SeamDifferenceControls *self)
{
  if (!self->is_filling)
    seam_difference_subject_set_choice (self->subject, gtk_drop_down_get_selected (self->sides));
}

/* Text that is not a number marks the entry. An empty entry is NaN. */
static gboolean
read_tolerance (GtkEditable *entry, const char *name, const char *title, double *value)
{
  g_autoptr (GError) error = NULL;
  const char *text = gtk_editable_get_text (entry);
  g_autofree char *plain = text[0] != '\0' ? seam_text_read_typed (text, name, NULL, &error) : NULL;
  gboolean good =
      text[0] == '\0'
      || (plain != NULL && seam_text_parse_double (plain, name, 0, G_MAXDOUBLE, value, &error));

  if (text[0] == '\0')
    *value = NAN;
  seam_entry_set_error (GTK_WIDGET (entry), good ? NULL : error->message);
  if (good)
    gtk_widget_set_tooltip_text (GTK_WIDGET (entry), title);
  return good;
}

/* A tolerance applies as it is typed; while one is no number, the old ones stay in force. One alone
 * makes the other 0; without both, each element has its bound. */
static void
tolerance_cb (GtkEditable *entry, SeamDifferenceControls *self)
{
  double atol = NAN, rtol = NAN;
  const gboolean good = read_tolerance (self->atol_entry, "atol", titles[0], &atol)
                        & read_tolerance (self->rtol_entry, "rtol", titles[1], &rtol);

  if (!good || self->is_filling)
    return;
  if (isnan (atol) != isnan (rtol)) {
    atol = isnan (atol) ? 0 : atol;
    rtol = isnan (rtol) ? 0 : rtol;
  }
  seam_difference_subject_set_tolerances (self->subject, atol, rtol);
}

/* -- Following --------------------------------------------------------------------------------- */

static char *
describe_pair (SeamDifferenceSubject *subject, SeamDifferencePair pair)
{
  const char *title = seam_difference_subject_get_plan_title (subject, pair.tested);
  const char *letter = seam_side_get_name (pair.tested);

  if (pair.against == SEAM_SIDE_FP64)
    return g_strdup_printf ("%s %s, FP64 reference", letter, title);
  return g_strdup_printf ("%s %s, %s %s", seam_side_get_name (pair.against),
                          seam_difference_subject_get_plan_title (subject, pair.against), letter,
                          title);
}

static void
fill_tolerance (GtkEditable *entry, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  gtk_editable_set_text (entry,
                         isnan (value) ? "" : g_ascii_formatd (text, sizeof text, "%.3g", value));
}

/* "Output [32, 64, 16, 32, 32] sample, channel, depth, height, width" */
static void
show_output (SeamDifferenceControls *self)
{
  static const char *const names[] = {
    NULL,
    NULL,
    "row, feature",
    "sample, channel, width",
    "sample, channel, height, width",
    "sample, channel, depth, height, width",
  };
  const SeamProblem *problem = seam_difference_subject_get_problem (self->subject);
  const SeamShape *shape =
      seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (problem->pipeline->chains[0].n_ops - 1));
  g_autofree char *sizes = seam_shape_format (shape);
  const gboolean is_dots =
      seam_difference_shape_is_dots (seam_difference_subject_get_shape (self->subject));
  g_autofree char *text = g_strdup_printf ("Output %s %s", sizes,
                                           is_dots ? "one number a sample" : names[shape->n_dims]);

  gtk_label_set_text (self->output, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->output), text);
}

/* Dots have one unit and one view. */
static void
show_choices (SeamDifferenceControls *self)
{
  gboolean has_maps =
      !seam_difference_shape_is_dots (seam_difference_subject_get_shape (self->subject));

  gtk_widget_set_visible (GTK_WIDGET (self->mode), has_maps);
  gtk_widget_set_visible (GTK_WIDGET (self->view), has_maps);
  gtk_widget_set_visible (GTK_WIDGET (self->tiles), has_maps);
}

static void
result_cb (SeamDifferenceControls *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  show_output (self);
  show_choices (self);
  for (guint i = 0; i < seam_difference_subject_get_n_pairs (self->subject); i++)
    gtk_string_list_take (
        list, describe_pair (self->subject, seam_difference_subject_get_pair (self->subject, i)));
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->sides, G_LIST_MODEL (list));
  fill_tolerance (self->atol_entry, seam_difference_subject_get_atol (self->subject));
  fill_tolerance (self->rtol_entry, seam_difference_subject_get_rtol (self->subject));
  self->is_filling = FALSE;
}

static void
update_formula (SeamDifferenceControls *self, const SeamSideNames *names)
{
  const SeamDifferenceSpec spec = seam_difference_subject_get_limits (self->subject);
  g_autofree char *error = seam_side_names_format_error (names);
  g_autofree char *text =
      seam_difference_is_by_bound (&spec)
          ? g_strdup_printf ("fails where %s is over its bound", error)
          : g_strdup_printf ("fails where %s is NaN or > atol + rtol·|%s|", error, names->against);

  gtk_label_set_text (self->formula, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->formula), text);
}

/* The choice is kept; alternation starts again with the new sides. */
static void
update_view_names (SeamDifferenceControls *self, const SeamSideNames *names)
{
  guint choice = seam_difference_look_get_choice (self->look);
  g_autofree char *a = g_strdup_printf ("Values of %s", names->against);
  g_autofree char *b = g_strdup_printf ("Values of %s", names->tested);
  g_autofree char *both = g_strdup_printf ("%s and %s in turn", names->against, names->tested);
  const char *entries[] = { "Difference", a, b, both, NULL };

  gtk_string_list_splice (self->view_names, 0,
                          g_list_model_get_n_items (G_LIST_MODEL (self->view_names)), entries);
  gtk_drop_down_set_selected (self->view, choice < SEAM_N_SHOWN ? choice : SEAM_SHOW_DIFFERENCE);
}

/* The formula, and what an empty entry stands for, follow the tolerances. */
static void
limits_cb (SeamDifferenceControls *self)
{
  const SeamDifferenceSpec spec = seam_difference_subject_get_limits (self->subject);
  const SeamSideNames names = seam_difference_subject_get_names (self->subject);
  const char *empty = seam_difference_is_by_bound (&spec) ? "bound" : "0";

  gtk_entry_set_placeholder_text (GTK_ENTRY (self->atol_entry), empty);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->rtol_entry), empty);
  update_formula (self, &names);
}

static void
choice_cb (SeamDifferenceControls *self)
{
  SeamSideNames names = seam_difference_subject_get_names (self->subject);

  gtk_drop_down_set_selected (self->sides, seam_difference_subject_get_choice (self->subject));
  limits_cb (self);
  update_view_names (self, &names);
}

static void
client_cb (SeamDifferenceControls *self)
{
  SeamDifferenceSource *source = seam_difference_subject_get_source (self->subject);
  gboolean can_ask = seam_difference_source_can_ask (source);

  gtk_widget_set_sensitive (GTK_WIDGET (self->sides),
                            can_ask || seam_difference_subject_is_kept (self->subject));
  GtkWidget *const entries[] = { GTK_WIDGET (self->atol_entry), GTK_WIDGET (self->rtol_entry) };
  for (int i = 0; i < 2; i++) {
    gtk_widget_set_sensitive (entries[i], can_ask);
    gtk_widget_set_tooltip_text (
        entries[i],
        can_ask ? titles[i] : "A recorded run is judged as it was; run it to change this");
  }
}

static void
difference_cb (SeamDifferenceControls *self)
{
  const SeamDifference *difference =
      seam_difference_source_get_difference (seam_difference_subject_get_source (self->subject));

  if (difference != NULL)
    seam_difference_look_set_best (self->look, seam_map_unit_for (difference, SEAM_UNIT_BEST));
}

/* A formula that does not fit says nothing that the entries do not say. */
void
seam_difference_controls_set_narrow (SeamDifferenceControls *self, gboolean narrow)
{
  gtk_widget_set_visible (GTK_WIDGET (self->formula), !narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->output), !narrow);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_controls_class_init (SeamDifferenceControlsClass *klass)
{
  SEAM_OWNS (klass, SeamDifferenceControls, g_object_unref, look, subject);
  SEAM_TEMPLATE (klass, SeamDifferenceControls, "difference-controls.ui", atol_entry, formula, mode,
                 output, rtol_entry, sides, tiles, view, view_names);
}

static void
seam_difference_controls_init (SeamDifferenceControls *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
seam_difference_controls_follow (SeamDifferenceControls *self, SeamDifferenceSubject *subject,
                                 SeamDifferenceLook *look)
{
  const GBindingFlags both = G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE;

  self->subject = g_object_ref (subject);
  self->look = g_object_ref (look);
  g_object_bind_property (look, "unit", self->mode, "selected", both);
  g_object_bind_property (look, "choice", self->view, "selected", both);
  g_object_bind_property (look, "tiles", self->tiles, "active", both);
  seam_watch_now (self, G_CALLBACK (result_cb), subject, "result");
  seam_watch_now (self, G_CALLBACK (choice_cb), subject, "choice");
  seam_watch_now (self, G_CALLBACK (limits_cb), subject, "atol");
  seam_watch_now (self, G_CALLBACK (difference_cb), seam_difference_subject_get_source (subject),
                  "difference");
  seam_watch_now (self, G_CALLBACK (client_cb), seam_difference_subject_get_source (subject),
                  "client");
  g_signal_connect_swapped (self->sides, "notify::selected", G_CALLBACK (sides_cb), self);
  g_signal_connect (self->atol_entry, "changed", G_CALLBACK (tolerance_cb), self);
  g_signal_connect (self->rtol_entry, "changed", G_CALLBACK (tolerance_cb), self);
}
