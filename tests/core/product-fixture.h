/* SPDX-License-Identifier: MIT
 *
 * Synthetic sources of every kind of product (app/report/products.h), for conv-relu-hardswish on a
 * device that does not exist.
 */
#pragma once

#include "figure-fixture.h"

#include "app/explore/explore.h"
#include "app/report/products.h"

/* A synthetic result, made with these pitfalls (NULL: none). */
static inline SeamResult *
fixture_product_result (const char *pitfalls)
{
  SeamResult *result = fixture_result ("conv-relu-hardswish", "tiny", "published");
  SeamDifference *difference = result->plans[1].difference;

  result->pitfalls = g_strdup (pitfalls);
  /* The counts in the fixture are those of a larger shape. */
  memset (difference->histogram, 0, SEAM_HISTOGRAM_BINS * sizeof *difference->histogram);
  difference->histogram[8] = 5;
  difference->n_worst = 1;
  difference->worst[0] = (SeamWorstElement){ 0, 3, 1 };
  return result;
}

static inline SeamDeviceInfo *
fixture_device (void)
{
  SeamDeviceInfo *device = seam_device_info_new ("cuda:0");

  device->name = g_strdup ("Synthetic device");
  device->driver = g_strdup ("580");
  return device;
}

/* A request with pitfalls, which not every search takes over. */
static inline SeamRunRequest *
fixture_request (void)
{
  g_autoptr (SeamProblem) problem = fixture_problem ("conv-relu-hardswish", "tiny");
  SeamRunRequest *request = seam_run_request_new (problem->pipeline);

  memcpy (request->values, problem->values, sizeof request->values);
  request->pitfalls = SEAM_PITFALL_ZEROS | SEAM_PITFALL_WARM_L2;
  request->target = g_strdup ("cuda:0");
  return request;
}

/* A search that looks measured: some of its points took longer than others. */
static inline SeamSearch *
fixture_search (const SeamRunRequest *asked, SeamProductOf of)
{
  g_autoptr (SeamRunRequest) request = seam_run_request_copy (asked);
  SeamSearch *search = of == SEAM_OF_SWEEP
                           ? seam_sweep_new_from_texts (request, "batch=1:8:log2", NULL, NULL)
                           : seam_explore_new (request, NULL);

  search->device = fixture_device ();
  search->math_mode = SEAM_MATH_TF32;
  for (int i = 0; i < search->n_points; i++) {
    SeamPoint *point = &search->points[i];

    point->state = SEAM_POINT_MEASURED;
    point->notation = g_strdup (point->plan);
    point->median_ns = point->against_ns = 1e6;
    point->n_samples = i == 0 ? 5 : 20;
    point->measured_at = g_strdup ("2026-11-21T07:00:00Z");
  }
  return search;
}

/* An estimate of one plan, all of whose seams can be fused. */
static inline SeamEstimate *
fixture_estimate (const SeamProblem *problem, const SeamPlan *plan)
{
  SeamEstimate *estimate = g_new0 (SeamEstimate, 1);
  SeamPlanEstimate *of_plan = g_new0 (SeamPlanEstimate, 1);

  estimate->floor_source = g_strdup ("data sheet");
  estimate->rates = (SeamRates){ .bytes_per_s = 4e12, .flop_per_s = 4e14, .cold = TRUE };
  estimate->n_plans = 1;
  estimate->plans = of_plan;
  of_plan->text = g_strdup (plan->name);
  of_plan->name = g_strdup (plan->name);
  of_plan->notation = g_strdup (plan->notation);
  of_plan->n_seams = seam_plan_get_chain (plan)->n_ops - 1;
  of_plan->seams = g_new0 (SeamSeamEstimate, of_plan->n_seams);
  for (int i = 0; i < of_plan->n_seams; i++)
    of_plan->seams[i].can_toggle = TRUE;
  seam_ceiling (problem, &estimate->rates, &estimate->ceiling);
  return estimate;
}

/* A lab whose cases all have the same two plans. */
static inline SeamLab *
fixture_lab (const SeamRunRequest *request)
{
  SeamLab *lab = seam_lab_new (request, SEAM_PITFALL_ZEROS);
  SeamRunRequest *next;
  int index = -1;

  while ((next = seam_lab_next (lab, &index)) != NULL) {
    g_autoptr (SeamRunRequest) asked = next;
    g_autofree char *names = seam_pitfalls_format (asked->pitfalls);
    g_autoptr (SeamResult) result = fixture_product_result (names);

    g_assert_true (seam_lab_take (lab, index, result, NULL));
  }
  return lab;
}

static inline SeamCalibration *
fixture_calibration (void)
{
  SeamCalibration *calibration = seam_calibration_new ();

  calibration->device = g_strdup ("Synthetic device");
  calibration->driver = g_strdup ("580");
  calibration->target = g_strdup ("cuda:0");
  calibration->measured_at = g_strdup ("2026-11-21T07:00:00Z");
  calibration->program_version = g_strdup ("0.1.0");
  return calibration;
}

/* A source and all objects that it borrows. */
typedef struct {
  SeamProductSource source;
  SeamResult *result;
  SeamProblem *problem;
  SeamPlan *plan;
  SeamRunRequest *request;
  SeamDeviceInfo *device;
  SeamEstimate *estimate;
  SeamSearch *search;
  SeamComparison *comparison;
  SeamLab *lab;
  SeamCalibration *calibration;
  SeamWhy *why;
} FixtureSource;

static inline void
fixture_source_free (FixtureSource *self)
{
  seam_owner_free (self->why);
  seam_calibration_free (self->calibration);
  seam_lab_free (self->lab);
  seam_comparison_free (self->comparison);
  seam_search_free (self->search);
  seam_estimate_free (self->estimate);
  seam_device_info_free (self->device);
  seam_run_request_free (self->request);
  seam_plan_unref (self->plan);
  seam_problem_free (self->problem);
  seam_result_unref (self->result);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FixtureSource, fixture_source_free)

/* Makes the source of this product. `result` is its run, or side B of a comparison with a run
 * without pitfalls. The test fails if it does not know the product's kind. */
static inline FixtureSource *
fixture_source_new (const SeamProduct *product, SeamResult *result)
{
  FixtureSource *self = g_new0 (FixtureSource, 1);
  SeamProductSource *source = &self->source;

  self->result = seam_result_ref (result);
  self->request = fixture_request ();
  switch (product->of) {
  case SEAM_OF_RUN:
  case SEAM_OF_RUNS:
  case SEAM_OF_PLANS:
  case SEAM_OF_OUTPUTS:
    source->results = &self->result;
    source->n_results = 1;
    source->second = 1;
    source->difference = result->plans[1].difference;
    source->tested = 1;
    break;
  case SEAM_OF_EXPLORE:
  case SEAM_OF_SWEEP:
    source->search = self->search = fixture_search (self->request, product->of);
    break;
  case SEAM_OF_ESTIMATE:
  case SEAM_OF_WHY:
    self->problem = fixture_problem ("conv-relu-hardswish", "tiny");
    source->problem = self->problem;
    source->plan = self->plan = fixture_plan (self->problem, "unfused");
    source->estimate = self->estimate = fixture_estimate (self->problem, self->plan);
    source->request = self->request;
    source->target = self->device = fixture_device ();
    self->why = seam_why_new (self->problem, self->plan, 0, TRUE, NULL, self->device);
    source->whys = &self->why;
    source->n_whys = 1;
    break;
  case SEAM_OF_COMPARISON: {
    g_autoptr (SeamResult) honest = fixture_product_result (NULL);

    self->comparison = seam_comparison_new (honest, result);
    source->comparisons = &self->comparison;
    source->n_comparisons = 1;
    break;
  }
  case SEAM_OF_LAB:
    source->lab = self->lab = fixture_lab (self->request);
    break;
  case SEAM_OF_CALIBRATION:
    source->calibration = self->calibration = fixture_calibration ();
    break;
  default:
    g_error ("%s is made of something that fixture_source_new() does not make.", product->name);
  }
  return self;
}
