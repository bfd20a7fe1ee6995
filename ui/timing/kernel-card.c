/* SPDX-License-Identifier: MIT
 *
 * Head, boxes of numbers, figure of the limits, sentences; all of one pair of kernels.
 */
#include "ui/timing/kernel-card.h"

#include "ui/class/class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/wrap-box.h"

#include "app/figure/limits-figure.h"
#include "app/report/kernel-details.h"

#define BOX_WIDTH    350 /* px; the longest metric is on one line */
#define LIMITS_WIDTH 386
#define RULES_CHARS  48
#define NAME_CHARS   26 /* a name is not shortened to less */
#define N_BOXES      SEAM_KERNEL_LIMITS
#define MIN_WIDTH    (2 * BOX_WIDTH + 24) /* of two boxes in a line */

typedef struct {
  int plan, kernel; /* -1: none */
} Place;

struct _SeamKernelCard {
  AdwBin parent_instance;

  SeamResult *result;
  int compared; /* plan beside A; -1: there is only one */
  Place chosen, partner;
  GArray *partners; /* of Place, in the order of the drop-down */
  SeamKernelDetails *details;
  gboolean filling;

  GtkStack *stack;
  GtkLabel *head, *beside, *before, *rules, *missing;
  AdwBin *remedy;
  GtkDropDown *choice;
  GtkButton *source;
  GtkGrid *boxes[N_BOXES];
  GtkWidget *side;
  SeamFigureView *limits;
};

G_DEFINE_FINAL_TYPE (SeamKernelCard, seam_kernel_card, ADW_TYPE_BIN)

static SeamFigure *
build_limits_cb (double width, double height, gpointer data)
{
  const SeamKernelDetails *details = ((SeamKernelCard *)data)->details;

  return details != NULL && (details->occupancy[0] != NULL || details->occupancy[1] != NULL)
             ? seam_limits_figure_new (details->occupancy, details->letters, width)
             : NULL;
}

static const SeamKernel *
get_kernel (SeamKernelCard *self, Place place)
{
  return &self->result->plans[place.plan].kernels[place.kernel];
}

/* Appends a cell at the right of a line. All but the name are as wide as their text. */
static GtkWidget *
attach_cell (GtkGrid *box, int line, int column, const char *text, const char *classes)
{
  GtkWidget *cell = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 6, NULL);
  GtkWidget *label = seam_label_new (text, classes, column == 0 ? SEAM_LABEL_WRAPS : 0);

  if (column > 0)
    gtk_label_set_xalign (GTK_LABEL (label), 0.5);
  gtk_widget_set_hexpand (cell, column == 0);
  gtk_widget_set_halign (cell, column == 0 ? GTK_ALIGN_FILL : GTK_ALIGN_END);
  gtk_widget_set_valign (cell, line == 0 ? GTK_ALIGN_CENTER : GTK_ALIGN_START);
  gtk_widget_set_parent (label, cell);
  gtk_grid_attach (box, cell, column, line, 1, 1);
  return cell;
}

/* Name, A, B and Δ, which arrow keys walk over. The metric's name stands below; it is selected with
 * the pointer only, for a stop of the Tab key at each would be in the way. */
static void
add_number (GtkGrid *box, int line, const SeamKernelDetail *row, const char letters[2])
{
  const SeamNumber *number = &row->number;
  GtkWidget *metric =
      seam_label_new (row->metric, "dim-label note", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  g_autofree char *title = seam_number_format_title (number);
  g_autofree char *a = seam_number_format (number, number->a);
  g_autofree char *b = seam_number_format (number, number->b);
  g_autofree char *change = seam_number_format_change (number);
  g_auto (GStrv) parts = g_strsplit (title, SEAM_MODELLED, 2);
  g_autofree char *name = g_strjoinv (NULL, parts);
  const char *texts[] = { name, a, b, change };
  g_autofree char *line_words =
      g_strdup_printf ("%s: %c %s, %c %s, difference %s; metric %s", title, letters[0], a,
                       letters[1], b, change, row->metric);
  const char *columns[] = { NULL, (char[]){ letters[0], 0 }, (char[]){ letters[1], 0 },
                            "difference" };

  for (int i = 0; i < 4; i++) {
    GtkWidget *cell = attach_cell (box, line, i, texts[i], i == 1 || i == 2 ? "bold" : NULL);
    g_autofree char *words =
        i == 0 ? g_strdup (line_words) : g_strdup_printf ("%s %s", columns[i], texts[i]);

    gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                    -1);
    if (i == 0 && parts[1] != NULL)
      gtk_widget_set_parent (seam_label_new ("modelled", "outlined-word", 0), cell);
    /* One stop of the Tab key in a box. */
    gtk_widget_set_focusable (cell, i == 0 && line == 1);
  }
  gtk_label_set_wrap_mode (GTK_LABEL (metric), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_focusable (metric, FALSE);
  gtk_grid_attach (box, metric, 0, line + 1, 4, 1);
}

static gboolean
key_pressed_cb (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
                GtkWidget *card)
{
  int across = (key == GDK_KEY_Right) - (key == GDK_KEY_Left);
  int down = (key == GDK_KEY_Down) - (key == GDK_KEY_Up), column, line;
  GtkWidget *cell = gtk_root_get_focus (gtk_widget_get_root (card)), *next;
  GtkWidget *box = cell != NULL ? gtk_widget_get_parent (cell) : NULL;

  if (across == down || !GTK_IS_GRID (box))
    return FALSE;
  gtk_grid_query_child (GTK_GRID (box), cell, &column, &line, NULL, NULL);
  /* Every other line is a metric's. */
  next = gtk_grid_get_child_at (GTK_GRID (box), column + across, line + 2 * down);
  if (next != NULL) {
    gtk_widget_set_focusable (next, TRUE);
    gtk_widget_grab_focus (next);
    gtk_widget_set_focusable (cell, FALSE);
  }
  return TRUE;
}

static void
fill_boxes (SeamKernelCard *self)
{
  static const char *const titles[N_BOXES] = { "Throughput", "Launch and occupancy" };
  const SeamKernelDetails *details = self->details;
  int n_lines[N_BOXES] = { 0 };

  for (int box = 0; box < N_BOXES; box++) {
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->boxes[box]))) != NULL)
      gtk_grid_remove (self->boxes[box], child);
    attach_cell (self->boxes[box], 0, 0, titles[box], "heading");
    attach_cell (self->boxes[box], 0, 1, (char[]){ details->letters[0], 0 }, "plan-badge");
    attach_cell (self->boxes[box], 0, 2, (char[]){ details->letters[1], 0 }, "plan-badge filled");
    attach_cell (self->boxes[box], 0, 3, "Δ", NULL);
  }
  for (const SeamKernelDetail *row = details->rows; row < details->rows + details->n_rows; row++)
    if (row->box < N_BOXES)
      add_number (self->boxes[row->box], 1 + 2 * n_lines[row->box]++, row, details->letters);
  for (int box = 0; box < N_BOXES; box++)
    gtk_widget_set_visible (GTK_WIDGET (self->boxes[box]), n_lines[box] > 0);
}

/* Marks both kernels on the pages. */
static void
mark (SeamKernelCard *self)
{
  g_signal_emit_by_name (self, "partner-changed", self->partner.plan, self->partner.kernel);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.mark-kernels", "(iiii)", self->chosen.plan,
                              self->chosen.kernel, self->partner.plan, self->partner.kernel);
}

/* Implementation and whole name of a kernel, after `before`. */
static void
show_name (GtkLabel *label, const char *before, const SeamKernel *kernel)
{
  g_autofree char *name =
      g_strdup_printf ("%s%s  %s", before,
                       kernel->implementation != NULL ? kernel->implementation : "", kernel->name);

  gtk_label_set_text (label, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), name);
}

/* A stays at the left, whichever is chosen. */
static void
show_pair (SeamKernelCard *self)
{
  gboolean swapped = self->partner.plan >= 0 && self->partner.plan < self->chosen.plan;
  Place left = swapped ? self->partner : self->chosen;
  Place right = swapped ? self->chosen : self->partner;
  const SeamKernel *kernel = get_kernel (self, self->chosen);
  g_autofree char *head = g_strdup_printf ("%c  %s  ", 'A' + self->chosen.plan, kernel->short_name);
  g_autoptr (GString) markup = g_string_new (NULL);

  g_clear_pointer (&self->details, seam_kernel_details_free);
  self->details = seam_kernel_details_new (self->result, (int[]){ left.plan, right.plan },
                                           (int[]){ left.kernel, right.kernel });
  show_name (self->head, head, kernel);
  gtk_widget_set_visible (GTK_WIDGET (self->beside), self->partner.plan >= 0);
  if (self->partner.plan >= 0)
    show_name (self->beside, "", get_kernel (self, self->partner));
  fill_boxes (self);
  seam_figure_view_invalidate (self->limits);
  for (int i = 0; i < self->details->n_rules; i++) {
    g_autofree char *rule = g_markup_printf_escaped (
        "%s%s<b>%s</b> %s", i > 0 ? "\n\n" : "", self->details->rules[i].is_caution ? "⚠ " : "",
        self->details->rules[i].lead, self->details->rules[i].text);
    g_string_append (markup, rule);
  }
  gtk_label_set_markup (self->rules, markup->str);
  gtk_widget_set_visible (self->side, self->details->n_rules > 0);
  gtk_label_set_text (self->missing, self->details->missing != NULL ? self->details->missing : "");
  gtk_widget_set_visible (GTK_WIDGET (self->missing), self->details->missing != NULL);
  adw_bin_set_child (self->remedy, self->details->remedy != NULL
                                       ? seam_command_new (self->details->remedy)
                                       : NULL);
  mark (self);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->source), "(ii)", self->chosen.plan,
                                    kernel->group);
}

/* Offers the kernels of all other plans, and chooses the one that belongs beside this one. */
static void
fill_partners (SeamKernelCard *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int other = self->chosen.plan == 0 ? self->compared : 0;
  guint selected = GTK_INVALID_LIST_POSITION;

  self->partner = (Place){ -1, -1 };
  g_array_set_size (self->partners, 0);
  for (int plan = 0; plan < self->result->n_plans; plan++)
    for (int i = 0; plan != self->chosen.plan && i < self->result->plans[plan].n_kernels; i++) {
      const Place place = { plan, i };
      g_autofree char *name =
          g_strdup_printf ("%c  %s", 'A' + plan, get_kernel (self, place)->short_name);

      if (plan == other
          && i
                 == seam_kernel_details_find_partner (self->result, self->chosen.plan,
                                                      self->chosen.kernel, plan)) {
        self->partner = place;
        selected = self->partners->len;
      }
      gtk_string_list_append (names, name);
      g_array_append_val (self->partners, place);
    }
  self->filling = TRUE;
  gtk_drop_down_set_model (self->choice, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->choice, selected);
  gtk_widget_set_sensitive (GTK_WIDGET (self->choice), self->partners->len > 0);
  self->filling = FALSE;
}

static void
partner_chosen_cb (SeamKernelCard *self)
{
  guint selected = gtk_drop_down_get_selected (self->choice);

  if (self->filling || selected >= self->partners->len)
    return;
  self->partner = g_array_index (self->partners, Place, selected);
  show_pair (self);
}

void
seam_kernel_card_select (SeamKernelCard *self, int plan, int kernel)
{
  gboolean is_chosen = self->result != NULL && plan >= 0 && plan < self->result->n_plans
                       && kernel >= 0 && kernel < self->result->plans[plan].n_kernels;

  if (!is_chosen)
    plan = kernel = -1;
  if (plan == self->chosen.plan && kernel == self->chosen.kernel)
    return;
  self->chosen = (Place){ plan, kernel };
  if (is_chosen) {
    fill_partners (self);
    show_pair (self);
  } else {
    self->partner = self->chosen;
    mark (self);
  }
  gtk_stack_set_visible_child_name (self->stack, is_chosen ? "pair" : "none");
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "kernel.copy", is_chosen);
}

void
seam_kernel_card_set_result (SeamKernelCard *self, SeamResult *result, int compared)
{
  Place kept = result == self->result ? self->chosen : (Place){ -1, -1 };
  int first = 0, n_plans = result != NULL ? result->n_plans : 0;

  while (first < n_plans && result->plans[first].n_kernels <= 0)
    first++;
  seam_kernel_card_select (self, -1, -1);
  g_clear_pointer (&self->details, seam_kernel_details_free);
  if (result != NULL)
    seam_result_ref (result);
  g_clear_pointer (&self->result, seam_result_unref);
  self->result = result;
  self->compared = compared;
  /* The first kernel gives the card its height. */
  seam_kernel_card_select (self, first, 0);
  seam_kernel_card_select (self, kept.plan, kept.kernel);
  gtk_widget_set_visible (GTK_WIDGET (self), first < n_plans);
}

void
seam_kernel_card_set_before (SeamKernelCard *self, gboolean before)
{
  gtk_widget_set_visible (GTK_WIDGET (self->before), before);
}

static gboolean
fit_cb (gpointer data)
{
  SeamKernelCard *self = data;

  gtk_stack_set_vhomogeneous (self->stack, gtk_widget_get_width (GTK_WIDGET (self)) > MIN_WIDTH);
  return G_SOURCE_REMOVE;
}

void
seam_kernel_card_fit (SeamKernelCard *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, fit_cb, g_object_ref (self), g_object_unref);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *text = seam_kernel_details_to_tsv (SEAM_KERNEL_CARD (widget)->details);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

gboolean
seam_kernel_card_focus_numbers (SeamKernelCard *self)
{
  return self->chosen.plan >= 0
         && gtk_widget_child_focus (GTK_WIDGET (self->boxes[0]), GTK_DIR_TAB_FORWARD);
}

static void
seam_kernel_card_class_init (SeamKernelCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  SEAM_OWNS (klass, SeamKernelCard, seam_kernel_details_free, details);
  SEAM_OWNS (klass, SeamKernelCard, seam_result_unref, result);
  SEAM_OWNS (klass, SeamKernelCard, g_array_unref, partners);
  g_signal_new ("partner-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  gtk_widget_class_install_action (widget_class, "kernel.copy", NULL, copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "kernel.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "timing.show-table", NULL);
}

static GtkButton *
append_button (GtkWidget *box, const char *title, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
  return GTK_BUTTON (button);
}

static GtkLabel *
make_name (void)
{
  GtkLabel *label = seam_label_new (NULL, NULL, SEAM_LABEL_SELECTABLE);

  gtk_label_set_ellipsize (label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (label, NAME_CHARS);
  gtk_widget_set_hexpand (GTK_WIDGET (label), TRUE);
  return label;
}

static void
seam_kernel_card_init (SeamKernelCard *self)
{
  GtkWidget *none = seam_label_new ("Choose a kernel: a bar, a block or a row.", "dim-label", 0);
  GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *line = g_object_new (SEAM_TYPE_WRAP_BOX, NULL);
  GtkWidget *body = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 24, NULL);
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->chosen = self->partner = (Place){ -1, -1 };
  self->partners = g_array_new (FALSE, FALSE, sizeof (Place));
  self->head = make_name ();
  self->beside = make_name ();
  self->before = seam_label_new ("of the run before", "dim-label", 0);
  self->choice = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  self->limits = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  self->rules = seam_label_new (NULL, "kernel-rules", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  self->missing = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  self->remedy = ADW_BIN (adw_bin_new ());
  self->side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Kernel beside it", -1);
  gtk_label_set_max_width_chars (self->rules, RULES_CHARS);
  gtk_label_set_yalign (self->rules, 0);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  /* In view where the card is higher than the window. */
  gtk_widget_set_valign (none, GTK_ALIGN_START);
  seam_figure_view_set_minimum_width (self->limits, LIMITS_WIDTH);
  seam_figure_view_set_minimum_height (self->limits, SEAM_LIMITS_HEIGHT);
  seam_figure_view_set_builder (self->limits, build_limits_cb, self, NULL);
  gtk_widget_set_parent (seam_label_new ("Kernel details", "heading", 0), line);
  gtk_widget_set_parent (GTK_WIDGET (self->before), line);
  gtk_widget_set_parent (GTK_WIDGET (self->head), line);
  gtk_widget_set_parent (seam_label_new ("beside", "dim-label", 0), line);
  gtk_widget_set_parent (GTK_WIDGET (self->choice), line);
  gtk_widget_set_parent (GTK_WIDGET (self->beside), line);
  gtk_widget_set_parent (buttons, line);
  append_button (buttons, "Roofline", "win.show-roofline");
  self->source = append_button (buttons, "Source", "win.show-source((0,0))");
  append_button (buttons, "Copy", "kernel.copy");
  for (int box = 0; box < N_BOXES; box++) {
    self->boxes[box] = GTK_GRID (gtk_grid_new ());
    gtk_grid_set_column_spacing (self->boxes[box], 14);
    gtk_widget_set_size_request (GTK_WIDGET (self->boxes[box]), BOX_WIDTH, -1);
    gtk_widget_set_valign (GTK_WIDGET (self->boxes[box]), GTK_ALIGN_START);
    gtk_widget_add_css_class (GTK_WIDGET (self->boxes[box]), "kernel-box");
    gtk_widget_set_parent (GTK_WIDGET (self->boxes[box]), body);
  }
  gtk_box_append (GTK_BOX (self->side), seam_label_new ("What limits the occupancy", "heading", 0));
  gtk_box_append (GTK_BOX (self->side),
                  seam_label_new ("Blocks an SM, as occupancy", "dim-label note", 0));
  gtk_box_append (GTK_BOX (self->side), GTK_WIDGET (self->limits));
  gtk_box_append (GTK_BOX (self->side), GTK_WIDGET (self->rules));
  gtk_widget_set_hexpand (self->side, TRUE);
  gtk_widget_set_parent (self->side, body);
  gtk_box_append (GTK_BOX (pair), line);
  gtk_box_append (GTK_BOX (pair), body);
  gtk_box_append (GTK_BOX (pair), GTK_WIDGET (self->missing));
  gtk_box_append (GTK_BOX (pair), GTK_WIDGET (self->remedy));
  gtk_stack_add_named (self->stack, none, "none");
  gtk_stack_add_named (self->stack, pair, "pair");
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "card");
  g_signal_connect_object (self->choice, "notify::selected", G_CALLBACK (partner_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
