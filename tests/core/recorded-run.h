/* SPDX-License-Identifier: MIT
 *
 * What the recorded runs of data/samples found, for tests that look for it on the screen, so that a
 * new recording changes no test. A is the sample's plan unfused, B published, C full.
 */
#pragma once

#include "app/lesson/formula.h"
#include "app/lesson/lesson.h"

/* The sample of lesson-example.md. */
#define RECORDED_EXAMPLE "h200-conv-relu-hardswish"

static const char *const recorded_plans[] = { "unfused", "published", "full", NULL };

/* Replaces each "{formula}" of lessons (data/help/lessons.md) in `text`. Newly allocated. */
static inline char *
recorded_fill (const char *sample, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLessonFacts) subject = seam_lesson_load_sample (sample, recorded_plans, &error);

  g_assert_no_error (error);
  return seam_formula_fill (text, subject);
}

/* A regular expression for the time of plan B or C, which is under 1 ms, to two digits, and for how
 * many times faster than A it is: an exploration of the same plans differs in the third digit.
 * Newly allocated. */
static inline char *
recorded_match_time (const char *sample, char plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_lesson_load_run (sample, recorded_plans, &error);

  g_assert_no_error (error);
  const SeamPlanResult *plans = run->result->plans;
  double ns = plans[plan - 'A'].median_ns, ratio = plans[0].median_ns / ns;
  int time = (int)(ns / 1e4), faster = (int)(ratio < 10 ? 10 * ratio : ratio);

  g_assert_cmpint (time, <, 100);
  return ratio < 10 ? g_strdup_printf ("(?<![0-9.])(0\\.%02d[0-9]|%d[0-9] µs|%d\\.%d[0-9]×)", time,
                                       time, faster / 10, faster % 10)
                    : g_strdup_printf ("(?<![0-9.])(0\\.%02d[0-9]|%d[0-9] µs|%d\\.[0-9]×)", time,
                                       time, faster);
}
