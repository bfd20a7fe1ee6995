/* SPDX-License-Identifier: MIT
 *
 * The small language of lessons: "elapsed(A) / bytes(A) * bytes(B)", "ratio(A, B) >= 1.2 and
 * agrees(B)". Values have a kind (time, bytes, rate, …), so that a time is never compared with a
 * number of bytes; numbers carry units ("0.5 ms", "20 %"). Functions are those of facts.h. Nothing
 * can loop, write or allocate much: a lesson is a file that may come from anywhere.
 */
#pragma once

#include "app/base/owner.h"
#include "app/lesson/facts.h"

typedef struct SeamFormula SeamFormula;

/* SEAM_ERROR_INPUT with a sentence: an unknown function and the nearest one, a wrong number of
 * arguments, two kinds that cannot be compared. */
SeamFormula *seam_formula_parse (const char *text, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFormula, seam_owner_free)

SeamValueKind seam_formula_get_kind (const SeamFormula *formula);
/* Whether values of two kinds are numbers of the same thing, or both without a unit. */
gboolean seam_formula_can_compare (SeamValueKind a, SeamValueKind b);
/* An unknown number is NaN and an unknown text NULL; the caller clears `value`. `facts`, here and
 * below, may be NULL: nothing is known. */
void seam_formula_evaluate (const SeamFormula *formula, const SeamLessonFacts *facts,
                            SeamLessonValue *value);
/* The unit that its last number was written with, and what it multiplies by; NULL and 1: none. */
const char *seam_formula_get_unit (const SeamFormula *formula, double *scale);
/* "0.923 ms" with `form` "ms"; else as seam_lesson_value_format(). Newly allocated. */
char *seam_formula_format_value (const SeamLessonValue *value, const char *form);
/* What was found of the quantities that a condition asks for: "B is full", "1.84× faster, 95 %
 * interval 1.83× to 1.85×"; NULL without facts. Newly allocated. */
char *seam_formula_describe (const SeamFormula *formula, const SeamLessonFacts *facts);
/* Whether a condition holds; an unknown value never satisfies one. */
gboolean seam_formula_holds (const SeamFormula *formula, const SeamLessonFacts *facts);
/* Bits of the plans that the formula names, bit 0 is A; or only of those whose measurements it
 * reads: exploration counts as every plan. */
guint seam_formula_get_plans (const SeamFormula *formula, gboolean measured);

/* Replaces each "{formula}" or "{formula|ms}" of a text; an unknown value is a dash. Newly
 * allocated. */
char *seam_formula_fill (const char *text, const SeamLessonFacts *facts);
/* The same without the sentences that have an unknown value. */
char *seam_formula_fill_known (const char *text, const SeamLessonFacts *facts);
/* Calls `each` for each formula of a text. FALSE and SEAM_ERROR_INPUT at the first that cannot be
 * read. */
typedef void (*SeamFormulaVisit) (const SeamFormula *formula, gpointer data);
gboolean seam_formula_visit (const char *text, SeamFormulaVisit visit, gpointer data,
                             GError **error);
