/* SPDX-License-Identifier: MIT */
#include "ui/lesson/lesson-question.h"

#include "ui/class/class.h"
#include "ui/lesson/lesson-parts.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

#define STEP_SMALL 1.01 /* of a number, by an arrow key */
#define STEP_LARGE 1.1  /* by a page key */

struct _SeamLessonQuestion {
  AdwBin parent_instance;

  SeamAskKind ask;
  double low, high, scale;
  double a_ns;      /* time of plan A, for what a number means; NaN: unknown */
  const char *unit; /* static */
  char *advice;
  GtkWidget *entry, *meaning, *seams;
  GPtrArray *choices, *cells; /* of GtkCheckButton, GtkToggleButton; borrowed */
  gboolean filling;
};

G_DEFINE_FINAL_TYPE (SeamLessonQuestion, seam_lesson_question, ADW_TYPE_BIN)

static int
find_active (GPtrArray *buttons)
{
  for (guint i = 0; i < buttons->len; i++) {
    gboolean active;
    g_object_get (buttons->pdata[i], "active", &active, NULL);
    if (active)
      return (int)i;
  }
  return -1;
}

/* From 0; -1: none. */
static int
get_seam (SeamLessonQuestion *self)
{
  return (int)gtk_drop_down_get_selected (GTK_DROP_DOWN (self->seams)) - 1;
}

static void
advise (SeamLessonQuestion *self, const char *advice)
{
  g_free (self->advice);
  self->advice = g_strdup (advice);
}

/* "0.05 to 5 ms" */
static char *
format_range (SeamLessonQuestion *self)
{
  g_autofree char *low = seam_text_typed (self->low / self->scale, 3);
  g_autofree char *high = seam_text_typed (self->high / self->scale, 3);

  return g_strdup_printf ("%s to %s%s%s", low, high, self->unit != NULL ? " " : "",
                          self->unit != NULL ? self->unit : "");
}

static double
read_number (SeamLessonQuestion *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;
  g_autofree char *plain = seam_text_read_typed (text, "Your prediction", self->unit, &error);
  g_autofree char *range = format_range (self);
  g_autofree char *advice = g_strdup_printf ("Type a number from %s.", range);
  double value;

  if (plain == NULL || *plain == '\0'
      || !seam_text_parse_double (plain, "", self->low / self->scale, self->high / self->scale,
                                  &value, NULL)) {
    advise (self, error != NULL ? error->message : advice);
    return NAN;
  }
  advise (self, NULL);
  return value * self->scale;
}

double
seam_lesson_question_get_value (SeamLessonQuestion *self)
{
  static const char *const missing[] = {
    [SEAM_ASK_CHOICE] = "Choose an answer.",
    [SEAM_ASK_CUT] = "Choose a seam.",
    [SEAM_ASK_CELL] = "Choose a cell.",
  };
  int chosen = find_active (self->choices);
  int value = self->ask == SEAM_ASK_CUT    ? get_seam (self)
              : self->ask == SEAM_ASK_CELL ? find_active (self->cells)
                                           : chosen;

  if (self->ask == SEAM_ASK_NUMBER)
    return read_number (self);
  gboolean lacks_reason = self->ask == SEAM_ASK_CUT && self->choices->len > 0 && chosen < 0;
  advise (self, value < 0 ? missing[self->ask] : lacks_reason ? "Choose a reason." : NULL);
  return self->advice != NULL ? NAN : value;
}

const char *
seam_lesson_question_get_advice (SeamLessonQuestion *self)
{
  return self->advice;
}

int
seam_lesson_question_get_reason (SeamLessonQuestion *self)
{
  return self->ask == SEAM_ASK_CUT ? find_active (self->choices) : -1;
}

double
seam_lesson_question_get_draft (SeamLessonQuestion *self)
{
  return self->ask == SEAM_ASK_CUT && get_seam (self) >= 0 ? get_seam (self)
                                                           : seam_lesson_question_get_value (self);
}

static void
set_number (SeamLessonQuestion *self, double value)
{
  g_autofree char *text = seam_text_typed (value / self->scale, 3);

  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

void
seam_lesson_question_set_value (SeamLessonQuestion *self, double value)
{
  if (self->ask == SEAM_ASK_NUMBER)
    set_number (self, CLAMP (value, self->low, self->high));
  else if (self->ask == SEAM_ASK_CUT)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->seams), (guint)value + 1);
}

/* What a time means beside plan A: "4.54× faster than plan A". */
static void
update_meaning (SeamLessonQuestion *self, double value)
{
  g_autofree char *text = NULL;

  if (!isnan (value) && !isnan (self->a_ns)) {
    g_autofree char *ratio =
        seam_text_ratio (value < self->a_ns ? self->a_ns / value : value / self->a_ns);
    text = g_strdup_printf ("%s %s than plan A", ratio, value < self->a_ns ? "faster" : "slower");
  }
  gtk_label_set_text (GTK_LABEL (self->meaning), text != NULL ? text : "");
}

static void
changed (SeamLessonQuestion *self)
{
  if (self->filling)
    return;
  double value = seam_lesson_question_get_value (self);
  if (self->ask == SEAM_ASK_NUMBER) {
    const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
    seam_css_class_set (self->entry, "error", isnan (value) && *text != '\0');
    update_meaning (self, value);
  }
  g_signal_emit_by_name (self, "changed");
}

static void
activate_cb (SeamLessonQuestion *self)
{
  g_signal_emit_by_name (self, "commit");
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers,
        SeamLessonQuestion *self)
{
  double factor = key == GDK_KEY_Up          ? STEP_SMALL
                  : key == GDK_KEY_Down      ? 1 / STEP_SMALL
                  : key == GDK_KEY_Page_Up   ? STEP_LARGE
                  : key == GDK_KEY_Page_Down ? 1 / STEP_LARGE
                                             : 0;
  double value = seam_lesson_question_get_value (self);

  /* Of an option that is chosen, Enter commits; of another one it chooses. */
  if (self->ask != SEAM_ASK_NUMBER) {
    gboolean commits;
    g_object_get (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller)), "active",
                  &commits, NULL);
    commits = commits && (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter);
    if (commits)
      activate_cb (self);
    return commits;
  }
  if (factor == 0 || isnan (value))
    return FALSE;
  seam_lesson_question_set_value (self, value * factor);
  return TRUE;
}

/* Before the widget's own keys. */
static void
watch_keys (SeamLessonQuestion *self, GtkWidget *widget)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (widget, keys);
}

static void
add_number (SeamLessonQuestion *self, const SeamLessonStep *step, GtkBox *box)
{
  g_autofree char *range = format_range (self);
  g_autofree char *hint = g_strdup_printf ("%s. Up and Down change it by 1 %%, Page Up and Page "
                                           "Down by 10 %%",
                                           range);

  self->entry = g_object_new (GTK_TYPE_ENTRY, "width-chars", 8, "max-width-chars", 10,
                              "tooltip-text", hint, NULL);
  self->meaning = seam_label_new (NULL, "dim-label", 0);
  gtk_widget_add_css_class (self->entry, "prediction");
  seam_widget_set_name (self->entry, "Your prediction");
  gtk_box_append (box, seam_box_new (GTK_ORIENTATION_HORIZONTAL, 10, NULL, self->entry,
                                     gtk_label_new (self->unit), self->meaning, NULL));
  watch_keys (self, self->entry);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (activate_cb), self);
}

/* Adds the button to those of which one is chosen. */
static void
join (SeamLessonQuestion *self, GPtrArray *buttons, GtkWidget *button, const char *name)
{
  if (buttons->len > 0)
    g_object_set (button, "group", buttons->pdata[0], NULL);
  seam_widget_set_name (button, name);
  watch_keys (self, button);
  g_signal_connect_swapped (button, "toggled", G_CALLBACK (changed), self);
  g_ptr_array_add (buttons, button);
}

static void
add_choices (SeamLessonQuestion *self, const SeamLessonStep *step, const SeamLessonFacts *facts,
             GtkBox *box)
{
  for (guint i = 0; i < step->choices->len; i++) {
    g_autofree char *text = seam_lesson_item_get_words (step->choices->pdata[i], facts);
    GtkWidget *button = gtk_check_button_new ();
    gtk_check_button_set_child (GTK_CHECK_BUTTON (button),
                                seam_label_new (text, NULL, SEAM_LABEL_WRAPS));
    join (self, self->choices, button, text);
    gtk_box_append (box, button);
  }
}

static void
add_seams (SeamLessonQuestion *self, const SeamLessonStep *step, const SeamLessonFacts *facts,
           GtkBox *box)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  gtk_string_list_append (list, "Choose a seam");
  for (int i = 0; facts != NULL && i < facts->problem->pipeline->chains[0].n_ops - 1; i++)
    gtk_string_list_take (list, seam_lesson_step_name_answer (step, facts, i));
  self->seams = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&list)), NULL);
  seam_widget_set_name (self->seams, "Your seam");
  g_signal_connect_swapped (self->seams, "notify::selected", G_CALLBACK (changed), self);
  gtk_box_append (box, self->seams);
}

static void
add_cells (SeamLessonQuestion *self, const SeamLessonStep *step, GtkBox *box)
{
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "row-spacing", 4, "column-spacing", 4,
                                  "column-homogeneous", TRUE, NULL);

  for (int i = 0; i < step->rows * step->columns; i++) {
    GtkWidget *button = gtk_toggle_button_new_with_label (" ");
    g_autofree char *name = seam_lesson_step_name_answer (step, NULL, i);
    gtk_widget_set_hexpand (button, TRUE);
    gtk_widget_set_tooltip_text (button, name);
    join (self, self->cells, button, name);
    gtk_grid_attach (GTK_GRID (grid), button, i % step->columns, i / step->columns, 1, 1);
  }
  gtk_box_append (box, grid);
}

/* What was committed, which cannot be changed. */

typedef enum { RIGHT, NOT_RIGHT, NOT_JUDGED } Verdict;

/* An option as one row: whether it was chosen, whether it is right, and why (NULL: nothing). */
static void
add_option (GtkWidget *list, const char *text, gboolean yours, Verdict verdict, const char *reply,
            const SeamLessonFacts *facts)
{
  static const struct {
    const char *badge, *yours, *css_class, *spoken;
  } words[] = {
    [RIGHT] = { "✓ right", "✓ yours, right", "success", ", right" },
    [NOT_RIGHT] = { NULL, "✕ yours", "error", ", not right" },
    [NOT_JUDGED] = { NULL, "yours", "heading", "" },
  };
  GtkWidget *lead = gtk_label_new (yours ? "◉" : "○");
  const char *badge = yours ? words[verdict].yours : words[verdict].badge;
  GtkWidget *end = badge != NULL ? seam_label_new (badge, words[verdict].css_class, 0) : NULL;
  g_autofree char *filled = reply != NULL ? seam_formula_fill (reply, facts) : NULL;
  g_autofree char *plain = seam_lesson_get_plain (filled);
  g_autofree char *whole = g_strdup_printf ("%s%s%s%s%s", text, yours ? ", your answer" : "",
                                            badge != NULL ? words[verdict].spoken : "",
                                            plain != NULL ? ". " : "", plain != NULL ? plain : "");

  gtk_widget_set_valign (lead, GTK_ALIGN_START);
  if (end != NULL)
    gtk_widget_set_valign (end, GTK_ALIGN_START);
  GtkWidget *row = seam_lesson_row_new (list, lead, text, plain, end, whole);
  if (verdict == RIGHT)
    gtk_widget_add_css_class (row, "right");
}

/* Of a seam or a cell: the one that was chosen, and the right one. */
static void
add_places (const SeamLessonStep *step, const SeamLessonFacts *facts, int chosen, int right,
            gboolean has_facts, GtkWidget *list)
{
  const int places[] = { chosen, right };

  for (int i = chosen >= 0 ? 0 : 1; i < (right >= 0 && right != chosen ? 2 : 1); i++) {
    g_autofree char *name = seam_lesson_step_name_answer (step, facts, places[i]);
    /* With reasons, the right one says why. */
    const char *reply = places[i] != right        ? step->too_low
                        : step->choices->len == 0 ? step->right
                                                  : NULL;
    add_option (list, name, places[i] == chosen,
                right < 0            ? NOT_JUDGED
                : places[i] == right ? RIGHT
                                     : NOT_RIGHT,
                has_facts ? reply : NULL, facts);
  }
}

static void
add_options (const SeamLessonStep *step, const SeamLessonFacts *facts,
             const SeamLessonAnswer *answer, int right, gboolean has_facts, GtkWidget *list)
{
  int chosen = step->ask == SEAM_ASK_CUT ? answer->reason
               : isnan (answer->value)   ? -1
                                         : (int)answer->value;

  for (int i = 0; i < (int)step->choices->len; i++) {
    const SeamLessonItem *item = step->choices->pdata[i];
    g_autofree char *text = seam_lesson_item_get_words (item, facts);
    gboolean is_known = has_facts || (step->ask == SEAM_ASK_CHOICE && right >= 0);
    gboolean is_right = has_facts ? seam_score_is_right (step, facts, i) : i == right;
    Verdict verdict = !is_known ? NOT_JUDGED : is_right ? RIGHT : NOT_RIGHT;
    const char *reply = verdict == RIGHT ? step->right : i == chosen ? item->reply : NULL;
    add_option (list, text, i == chosen, verdict, has_facts ? reply : NULL, facts);
  }
}

static void
show_answer (SeamLessonQuestion *self, const SeamLessonStep *step, const SeamLessonFacts *facts,
             const SeamLessonAnswer *answer, const SeamScore *score, GtkBox *box)
{
  double measured = score != NULL ? score->measured : answer->measured;
  int right = isnan (measured) ? -1 : (int)CLAMP (measured, -1, G_MAXINT16);
  int chosen = isnan (answer->value) ? -1 : (int)CLAMP (answer->value, -1, G_MAXINT16);

  if (step->ask == SEAM_ASK_NUMBER) {
    if (isnan (answer->value))
      return;
    self->filling = TRUE;
    add_number (self, step, box);
    set_number (self, answer->value);
    update_meaning (self, answer->value);
    gtk_widget_set_sensitive (GTK_WIDGET (self), FALSE);
    return;
  }
  if (step->ask == SEAM_ASK_CELL) {
    add_cells (self, step, box);
    for (int i = 0; i < (int)self->cells->len; i++) {
      gtk_widget_set_sensitive (self->cells->pdata[i], FALSE);
      if (i == right || i == chosen)
        gtk_button_set_label (self->cells->pdata[i], i == right ? "✓" : right < 0 ? "●" : "✕");
    }
  }
  GtkWidget *list = seam_lesson_rows_new ();
  if (step->ask != SEAM_ASK_CHOICE)
    add_places (step, facts, chosen, right, score != NULL, list);
  add_options (step, facts, answer, right, score != NULL, list);
  gtk_box_append (box, list);
}

static void
seam_lesson_question_class_init (SeamLessonQuestionClass *klass)
{
  SEAM_OWNS (klass, SeamLessonQuestion, g_free, advice);
  SEAM_OWNS (klass, SeamLessonQuestion, g_ptr_array_unref, choices, cells);
  seam_signals_install (klass, G_TYPE_NONE, "changed commit");
}

static void
seam_lesson_question_init (SeamLessonQuestion *self)
{
  self->choices = g_ptr_array_new ();
  self->cells = g_ptr_array_new ();
}

GtkWidget *
seam_lesson_question_new (const SeamLessonStep *step, const SeamLessonFacts *facts,
                          const SeamLessonAnswer *answer, const SeamScore *score)
{
  SeamLessonQuestion *self = g_object_new (SEAM_TYPE_LESSON_QUESTION, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->ask = step->ask;
  self->low = step->low;
  self->high = step->high;
  self->unit = step->unit != NULL ? step->unit : "";
  self->scale = step->unit_scale;
  const SeamPlanResult *a = seam_lesson_facts_get_measured (facts, 0);
  gboolean is_time =
      step->answer != NULL && seam_formula_get_kind (step->answer) == SEAM_VALUE_TIME;
  self->a_ns = is_time && a != NULL ? a->median_ns : NAN;
  adw_bin_set_child (ADW_BIN (self), box);
  if (answer != NULL) {
    show_answer (self, step, facts, answer, score, GTK_BOX (box));
    return GTK_WIDGET (self);
  }
  if (step->ask == SEAM_ASK_NUMBER)
    add_number (self, step, GTK_BOX (box));
  else if (step->ask == SEAM_ASK_CUT)
    add_seams (self, step, facts, GTK_BOX (box));
  else if (step->ask == SEAM_ASK_CELL)
    add_cells (self, step, GTK_BOX (box));
  add_choices (self, step, facts, GTK_BOX (box));
  return GTK_WIDGET (self);
}
