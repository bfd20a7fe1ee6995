/* SPDX-License-Identifier: MIT
 *
 * The verdict on two outputs, in words: how many elements are over their limit, and where, as far
 * as the overview shows it. The place of an error often tells its cause: a column's operand, the
 * remainder of a tile, a sample that was never written.
 */
#include "app/compare/compare.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Counts one kind of value that no output should contain. */
static void
append_odd (GString *detail, gint64 n, const char *what, const char *where)
{
  if (n == 0)
    return;
  g_autofree char *count = seam_text_count (n);
  g_string_append_printf (detail, " %s element%s of %s %s %s.", count, n == 1 ? "" : "s", where,
                          n == 1 ? "is" : "are", what);
}

static void
append_worst (GString *detail, const SeamDifference *difference)
{
  if (difference->worst_index < 0)
    return;
  if (isnan (seam_difference_get_largest (difference))) {
    if (difference->n_failing < difference->n_looked)
      g_string_append (detail, " All other elements are equal.");
    return;
  }
  g_autofree char *largest = seam_text_scientific (difference->max_abs);
  g_autofree char *place =
      seam_difference_format_plane (&difference->spec, difference->worst_index);
  const gboolean finite = isfinite (difference->worst_a) && isfinite (difference->worst_b);
  g_string_append_printf (detail, " Largest %sdifference %s", finite ? "" : "finite ", largest);
  /* If the output contains NaN or infinity, the worst element is one of those instead of the
   * largest number; where bounds judge, it is that with the largest part of its bound. */
  if (finite && !seam_difference_is_by_bound (&difference->spec))
    g_string_append_printf (detail, ", at %s", place);
  g_string_append_c (detail, '.');
}

char *
seam_agreement_format_bound (double ratio)
{
  if (ratio < .01)
    return g_strdup (ratio > 0 ? "under 0.01 of the bound" : "0 of the bound");
  g_autofree char *number = ratio >= 1 ? seam_text_times (ratio) : seam_text_fixed (ratio, 2);
  return g_strdup_printf (ratio >= 1 ? "%s times the bound" : "%s of the bound", number);
}

char *
seam_agreement_describe_bound (const SeamDifference *difference)
{
  return isnan (difference->max_bound_ratio)
             ? NULL
             : seam_agreement_format_bound (difference->max_bound_ratio);
}

/* The headline, or "Outputs agree: at most 0.43 of the bound, at sample 3, channel 7"; newly
 * allocated. */
static char *
make_title (const SeamAgreement *agreement, const SeamDifference *difference, gboolean sampled)
{
  g_autofree char *part = seam_agreement_describe_bound (difference);

  if (!isfinite (difference->worst_a)) {
    g_autofree char *place =
        seam_difference_format_plane (&difference->spec, difference->worst_index);
    return g_strdup_printf ("%s: %s at %s", agreement->headline,
                            isnan (difference->worst_a) ? "NaN" : "infinite", place);
  }
  /* What fails by a person's tolerances, or where the chain makes NaN, may be within its bound. */
  if (part == NULL || difference->bound_index < 0
      || !seam_difference_is_by_bound (&difference->spec)
      || agreement->outputs == SEAM_OUTPUTS_SHOWN_NOTHING
      || (!agreement->agree && difference->max_bound_ratio <= 1))
    return g_strdup (agreement->headline);
  g_autofree char *place =
      seam_difference_format_plane (&difference->spec, difference->bound_index);
  return g_strdup_printf ("Outputs %s%s: %s%s, at %s", agreement->agree ? "agree" : "differ",
                          sampled ? " where sampled" : "",
                          difference->max_bound_ratio > SEAM_MOST_TIMES ? ""
                          : agreement->agree                            ? "at most "
                                                                        : "up to ",
                          part, place);
}

char *
seam_agreement_format_share (gint64 n, gint64 n_elements)
{
  double percent = 100 * (double)n / (double)MAX (n_elements, 1);

  if (n == n_elements || n == 0)
    return g_strdup (n == 0 ? "0" : "100");
  return percent > 99.99  ? g_strdup ("> 99.99")
         : percent < 0.01 ? g_strdup ("< 0.01")
                          : seam_text_fixed (percent, 2);
}

char *
seam_agreement_describe_extent (const SeamDifference *difference)
{
  if (difference->n_slices == 0)
    return NULL;
  g_autofree char *share =
      seam_agreement_format_share (difference->n_looked, difference->n_elements);
  return g_strdup_printf ("%d sampled slice%s, %s %% of the elements", difference->n_slices,
                          difference->n_slices == 1 ? "" : "s", share);
}

char *
seam_agreement_describe_rule (const SeamSettings *settings)
{
  if (isnan (settings->atol))
    return g_strdup ("the bound of each element");
  g_autofree char *atol = seam_text_scientific (settings->atol);
  g_autofree char *rtol = seam_text_scientific (settings->rtol);
  return g_strdup_printf ("|a − b| ≤ %s + %s·|b|", atol, rtol);
}

char *
seam_agreement_describe_limits (const SeamDifference *difference)
{
  if (difference == NULL || !seam_difference_is_by_bound (&difference->spec)
      || difference->n_unjudged == difference->n_looked)
    return NULL;
  const gint64 n = difference->n_unjudged > 0 ? difference->n_unjudged : difference->n_nan_b;
  g_autofree char *number = seam_text_count (n);
  const char *are = n == 1 ? "element is" : "elements are";
  if (difference->n_unjudged > 0)
    return g_strdup_printf (
        "%s %s not judged: operands or reference are infinite, or a right value "
        "may leave FP32.",
        number, are);
  if (difference->n_failing > 0
      || (n == 0 && difference->n_shown != 0 && difference->max_abs_b > 0))
    return NULL;
  if (n > 0)
    return g_strdup_printf ("%s %s NaN on both sides, which the chain makes of this input.", number,
                            are);
  return g_strdup (difference->max_abs_b == 0
                       ? "Every element of the output compared with is 0: this shows little."
                       : "No element is larger than its bound, so that an output of zeros would "
                         "agree, too: this shows little.");
}

#define MOST_LESS_PRECISE 4

char *
seam_agreement_describe_precision (const SeamDifference *a, const SeamDifference *b)
{
  if (a == NULL || b == NULL || b->n_failing > 0)
    return NULL;
  double times = b->rms_abs / fmax (a->rms_abs, 0x1p-24 * a->rms_b);
  if (!(times > MOST_LESS_PRECISE))
    return NULL;
  g_autofree char *number = seam_text_significant (times, 2);
  return g_strdup_printf ("Less precise: its root mean square error is %s times that of the plan "
                          "compared with. That is "
                          "not wrong.",
                          number);
}

#define SHOWS_NOTHING "This comparison shows nothing"

char *
seam_agreement_describe_nothing (const SeamDifference *difference)
{
  if (seam_difference_judge (difference) != SEAM_OUTPUTS_SHOWN_NOTHING)
    return NULL;
  if (difference->n_nan_b == difference->n_looked)
    return g_strdup (SHOWS_NOTHING ": all elements compared with are NaN.");
  if (seam_difference_is_by_bound (&difference->spec))
    return g_strdup (SHOWS_NOTHING
                     ": no element could be judged. Operands or reference are infinite, "
                     "or right values may leave FP32.");
  g_autofree char *largest = seam_text_scientific (difference->max_abs_b);
  g_autofree char *atol = seam_text_scientific (difference->spec.atol);
  return g_strdup_printf (SHOWS_NOTHING ": the largest value, %s, is below the tolerance %s.",
                          largest, atol);
}

SeamAgreement *
seam_agreement_new (const SeamDifference *difference)
{
  SeamAgreement *agreement = seam_owner_new (SeamAgreement);
  GString *detail = g_string_new (NULL);
  g_autofree char *all = seam_text_count (difference->n_looked);
  g_autofree char *extent = seam_agreement_describe_extent (difference);
  g_autofree char *cause = NULL;
  g_autofree char *nothing = seam_agreement_describe_nothing (difference);
  const char *sampled = extent != NULL ? " sampled" : "";
  static const char *const marks[] = { "✕", "⚠", "✓" };

  agreement->outputs = seam_difference_judge (difference);
  agreement->agree = agreement->outputs == SEAM_OUTPUTS_AGREE;
  agreement->mark = marks[agreement->outputs];
  if (nothing != NULL) {
    agreement->headline = seam_keep (agreement, g_strdup (SHOWS_NOTHING));
    const char *why = nothing + strlen (SHOWS_NOTHING ": ");
    g_string_append_printf (detail, "%c%s", g_ascii_toupper (why[0]), why + 1);
  } else if (agreement->agree) {
    agreement->headline = seam_keep (
        agreement, g_strconcat ("Outputs agree", extent != NULL ? " where sampled" : "", NULL));
    if (difference->max_abs == 0) {
      g_string_append_printf (detail, "All %s%s elements are equal.", all, sampled);
    } else {
      g_autofree char *largest = seam_text_scientific (difference->max_abs);
      g_string_append_printf (detail, "All %s%s elements agree; largest difference %s.", all,
                              sampled, largest);
    }
  } else {
    g_autofree char *failing = seam_text_count (difference->n_failing);
    g_autofree char *share =
        seam_agreement_format_share (difference->n_failing, difference->n_looked);
    agreement->headline = seam_keep (
        agreement, difference->n_failing == difference->n_looked
                       ? g_strdup_printf ("Outputs differ in all%s elements", sampled)
                       : g_strdup_printf ("Outputs differ in %s %% of%s elements", share, sampled));
    g_string_append_printf (detail, "%s of %s%s %s.", failing, all, sampled,
                            SEAM_OUTSIDE (&difference->spec));
    append_worst (detail, difference);
    append_odd (detail, difference->n_nan_a, "NaN (not written, or computed from such)",
                "this plan");
    append_odd (detail, difference->n_infinite_a, "infinite", "this plan");
    append_odd (detail, difference->n_nan_b, "NaN", "the output compared with");
    append_odd (detail, difference->n_infinite_b, "infinite", "the output compared with");
    /* For a difference without its grids, the text made earlier is used. */
    char *where = seam_region_describe (difference, &cause);
    agreement->region =
        seam_keep (agreement, where != NULL ? where : g_strdup (difference->region));
    if (agreement->region != NULL)
      g_string_append_printf (detail, " %s", agreement->region);
    if (cause != NULL)
      g_string_append_printf (detail, " %s", cause);
  }
  agreement->title =
      seam_keep (agreement, make_title (agreement, difference, difference->n_slices > 0));
  g_autofree char *limits = seam_agreement_describe_limits (difference);
  if (limits != NULL)
    g_string_append_printf (detail, " %s", limits);
  if (difference->untested != NULL)
    g_string_append_printf (detail, " %s", difference->untested);
  if (extent != NULL)
    g_string_append_printf (detail, " Compared on %s; the others were not looked at.", extent);
  agreement->detail = seam_keep (agreement, g_string_free (detail, FALSE));
  return agreement;
}
