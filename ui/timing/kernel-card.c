/* SPDX-License-Identifier: MIT
 *
 * Head, table of numbers, figure of the limits, sentences; all of one pair of kernels.
 */
#include "ui/timing/kernel-card.h"

#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/wrap-box.h"

#include "app/figure/limits-figure.h"
#include "app/report/kernel-details.h"

#define NUMBERS_WIDTH 320
#define LIMITS_WIDTH  420
#define RULES_CHARS   56

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
  GtkLabel *head;
  GtkDropDown *choice;
  SeamTableView *numbers;
  SeamFigureView *limits;
  GtkLabel *rules;
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

/* A stays at the left, whichever is chosen. */
static void
show_pair (SeamKernelCard *self)
{
  gboolean swapped = self->partner.plan >= 0 && self->partner.plan < self->chosen.plan;
  Place left = swapped ? self->partner : self->chosen;
  Place right = swapped ? self->chosen : self->partner;
  const SeamKernel *kernel = get_kernel (self, self->chosen);
  g_autofree char *head =
      g_strdup_printf ("%c  %s  %s  %s", 'A' + self->chosen.plan, kernel->short_name,
                       kernel->implementation != NULL ? kernel->implementation : "", kernel->name);
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autoptr (SeamTable) table = NULL;

  g_clear_pointer (&self->details, seam_kernel_details_free);
  self->details = seam_kernel_details_new (self->result, (int[]){ left.plan, right.plan },
                                           (int[]){ left.kernel, right.kernel });
  gtk_label_set_text (self->head, head);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->head), head);
  table = seam_kernel_details_table_make (self->details);
  seam_table_view_set_table (self->numbers, table);
  seam_figure_view_invalidate (self->limits);
  for (int i = 0; i < self->details->n_rules; i++) {
    g_autofree char *rule = g_markup_printf_escaped (
        "%s<b>%s</b> %s\n\n", self->details->rules[i].is_caution ? "⚠ " : "",
        self->details->rules[i].lead, self->details->rules[i].text);
    g_string_append (markup, rule);
  }
  if (self->details->missing != NULL) {
    g_autofree char *missing = g_markup_escape_text (self->details->missing, -1);
    g_string_append (markup, missing);
  }
  gtk_label_set_markup (self->rules, markup->str);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->rules)),
                          self->details->n_rules > 0);
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

  if (is_chosen && (plan != self->chosen.plan || kernel != self->chosen.kernel)) {
    self->chosen = (Place){ plan, kernel };
    fill_partners (self);
    show_pair (self);
  }
  gtk_stack_set_visible_child_name (self->stack, is_chosen ? "pair" : "none");
}

void
seam_kernel_card_set_result (SeamKernelCard *self, SeamResult *result, int compared)
{
  int first = 0, n_plans = result != NULL ? result->n_plans : 0;

  while (first < n_plans && result->plans[first].n_kernels <= 0)
    first++;
  g_clear_pointer (&self->details, seam_kernel_details_free);
  g_clear_pointer (&self->result, seam_result_unref);
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  self->compared = compared;
  self->chosen = (Place){ -1, -1 };
  /* The first kernel gives the card its height. */
  seam_kernel_card_select (self, first, 0);
  seam_kernel_card_select (self, -1, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), first < n_plans);
}

static void
seam_kernel_card_finalize (GObject *object)
{
  SeamKernelCard *self = SEAM_KERNEL_CARD (object);

  g_clear_pointer (&self->details, seam_kernel_details_free);
  g_clear_pointer (&self->result, seam_result_unref);
  g_array_unref (self->partners);
  G_OBJECT_CLASS (seam_kernel_card_parent_class)->finalize (object);
}

static void
seam_kernel_card_class_init (SeamKernelCardClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = seam_kernel_card_finalize;
}

static void
append_button (GtkWidget *line, const char *title, const char *page)
{
  GtkWidget *button = gtk_button_new_with_label (title);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.page");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", page);
  gtk_widget_set_parent (button, line);
}

static void
seam_kernel_card_init (SeamKernelCard *self)
{
  GtkWidget *none = seam_label_new ("Choose a kernel: a bar, a block or a row.", "dim-label", 0);
  GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  GtkWidget *line = g_object_new (SEAM_TYPE_WRAP_BOX, NULL);
  GtkWidget *body = g_object_new (SEAM_TYPE_WRAP_BOX, NULL);
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->partners = g_array_new (FALSE, FALSE, sizeof (Place));
  self->head = seam_label_new (NULL, NULL, SEAM_LABEL_SELECTABLE);
  self->choice = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  self->numbers = seam_table_view_new (seam_kernel_details_table_make (NULL), NULL, FALSE,
                                       "Numbers of the two kernels");
  self->limits = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  self->rules = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_label_set_ellipsize (self->head, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->head), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->numbers), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Kernel beside it", -1);
  gtk_widget_set_size_request (GTK_WIDGET (self->numbers), NUMBERS_WIDTH, -1);
  gtk_label_set_max_width_chars (self->rules, RULES_CHARS);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  seam_table_view_show_all_rows (self->numbers);
  seam_figure_view_set_minimum_width (self->limits, LIMITS_WIDTH);
  seam_figure_view_set_minimum_height (self->limits, SEAM_LIMITS_HEIGHT);
  seam_figure_view_set_builder (self->limits, build_limits_cb, self, NULL);
  gtk_widget_set_parent (seam_label_new ("Kernel details", "heading", 0), line);
  gtk_widget_set_parent (GTK_WIDGET (self->head), line);
  gtk_widget_set_parent (seam_label_new ("beside", "dim-label", 0), line);
  gtk_widget_set_parent (GTK_WIDGET (self->choice), line);
  append_button (line, "Roofline", "traffic");
  append_button (line, "Source", "source");
  gtk_box_append (GTK_BOX (side), seam_label_new ("Blocks an SM, as occupancy", "heading", 0));
  gtk_box_append (GTK_BOX (side), GTK_WIDGET (self->limits));
  gtk_box_append (GTK_BOX (side), GTK_WIDGET (self->rules));
  gtk_widget_set_parent (GTK_WIDGET (self->numbers), body);
  gtk_widget_set_parent (side, body);
  gtk_box_append (GTK_BOX (pair), line);
  gtk_box_append (GTK_BOX (pair), body);
  gtk_stack_add_named (self->stack, none, "none");
  gtk_stack_add_named (self->stack, pair, "pair");
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "card");
  g_signal_connect_object (self->choice, "notify::selected", G_CALLBACK (partner_chosen_cb), self,
                           G_CONNECT_SWAPPED);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}
