/* SPDX-License-Identifier: MIT
 *
 * The verdict of the Difference tab: see difference-verdict.h.
 */
#include "ui/difference/difference-verdict.h"

#include "ui/state/watch.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/template.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>

struct _SeamDifferenceVerdict {
  AdwBin parent_instance;

  GtkImage *verdict_icon;
  GtkLabel *headline, *detail;
  GtkLabel *fact_largest, *fact_mean, *fact_nan;
  SeamDifferenceSubject *subject;
  SeamDifferenceLook *look;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceVerdict, seam_difference_verdict, ADW_TYPE_BIN)

static const SeamDifference *
get_difference (SeamDifferenceVerdict *self)
{
  return seam_difference_source_get_difference (seam_difference_subject_get_source (self->subject));
}

/* A count of units names the unit; the sentence beside it stays absolute. */
static void
set_fact (GtkLabel *label, double value, SeamMapUnit unit)
{
  g_autofree char *number = seam_map_format_value (value);
  g_autofree char *text =
      g_strconcat (number, unit == SEAM_UNIT_ULP && isfinite (value) ? " ULP" : "", NULL);

  gtk_label_set_text (label, text);
}

static void
update_facts (SeamDifferenceVerdict *self)
{
  const SeamDifference *difference = get_difference (self);
  SeamMapUnit unit = seam_difference_look_get_unit (self->look);
  g_autofree char *both = NULL;
  double largest, mean;

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  if (difference == NULL) {
    gtk_label_set_text (self->fact_largest, SEAM_DASH);
    gtk_label_set_text (self->fact_mean, SEAM_DASH);
    gtk_label_set_text (self->fact_nan, SEAM_DASH);
    return;
  }
  seam_map_get_extremes (difference, unit, &largest, &mean);
  set_fact (self->fact_largest, largest, unit);
  set_fact (self->fact_mean, mean, unit);
  both = seam_map_format_odd (difference);
  gtk_label_set_text (self->fact_nan, both);
}

static void
set_words (SeamDifferenceVerdict *self, const char *icon, const char *headline, const char *detail)
{
  gtk_image_set_from_icon_name (self->verdict_icon, icon);
  gtk_label_set_text (self->headline, headline);
  gtk_label_set_text (self->detail, detail);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->detail), detail);
}

/* For a plan that is wrong on purpose, the text says why. */
static void
show_agreement (SeamDifferenceVerdict *self, const SeamAgreement *agreement)
{
  SeamDifferencePair sides = seam_difference_subject_get_sides (self->subject);
  const SeamPlan *plan = seam_difference_subject_get_plan (self->subject, sides.tested);
  const char *note = plan != NULL ? seam_plan_get_chain (plan)->note : NULL;
  g_autofree char *detail = note != NULL && agreement->outputs == SEAM_OUTPUTS_DIFFER
                                ? g_strdup_printf ("%s %s", agreement->detail, note)
                                : g_strdup (agreement->detail);

  static const char *const icons[] = { "window-close-symbolic", "dialog-warning-symbolic",
                                       "emblem-ok-symbolic" };

  set_words (self, icons[agreement->outputs], agreement->title, detail);
}

static void
difference_cb (SeamDifferenceVerdict *self)
{
  const SeamDifference *difference = get_difference (self);
  const char *error =
      seam_difference_source_get_error (seam_difference_subject_get_source (self->subject));
  g_autoptr (SeamAgreement) agreement = difference != NULL ? seam_agreement_new (difference) : NULL;

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  if (agreement != NULL)
    show_agreement (self, agreement);
  else if (error != NULL)
    set_words (self, "dialog-warning-symbolic", "Not compared", error);
  else
    set_words (self, "content-loading-symbolic", "Comparing…",
               seam_difference_subject_get_sides (self->subject).against == SEAM_SIDE_FP64
                   ? "The double precision reference is computed on the CPU, at large shapes on "
                     "sampled slices. This takes some seconds."
                   : "");
  seam_css_class_set (self->verdict_icon, "error",
                      agreement != NULL && agreement->outputs == SEAM_OUTPUTS_DIFFER);
  seam_css_class_set (self->verdict_icon, "success", agreement != NULL && agreement->agree);
  update_facts (self);
}

static void
seam_difference_verdict_class_init (SeamDifferenceVerdictClass *klass)
{
  SEAM_OWNS (klass, SeamDifferenceVerdict, g_object_unref, look, subject);
  SEAM_TEMPLATE (klass, SeamDifferenceVerdict, "difference-verdict.ui", detail, fact_largest,
                 fact_mean, fact_nan, headline, verdict_icon);
}

static void
seam_difference_verdict_init (SeamDifferenceVerdict *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
seam_difference_verdict_follow (SeamDifferenceVerdict *self, SeamDifferenceSubject *subject,
                                SeamDifferenceLook *look)
{
  self->subject = g_object_ref (subject);
  self->look = g_object_ref (look);
  seam_watch_now (self, G_CALLBACK (difference_cb), seam_difference_subject_get_source (subject),
                  "difference");
  seam_watch_now (self, G_CALLBACK (update_facts), look, "unit");
}
