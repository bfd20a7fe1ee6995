/* SPDX-License-Identifier: MIT
 *
 * Questions about the last run, answered from the outputs that the runner keeps: differences,
 * slices, files.
 */
#include "app/runner/run-private.h"

#include "app/base/file-name.h"
#include "app/base/npy.h"

#include <math.h>

#define MAX_SLICE_SIDE     1024
#define MAX_SLICE_ELEMENTS ((gint64)MAX_SLICE_SIDE * MAX_SLICE_SIDE)

/* Whether plan `index` has an output to look at. */
static gboolean
check_plan (SeamRunner *runner, int index, GError **error)
{
  if (runner->problem == NULL || runner->device == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "There is no run to look at yet: run first.");
  if (index < 0 || index >= runner->n_plans)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The last run has %d plan%s, numbered from 0; there is no plan %d.",
                      runner->n_plans, runner->n_plans == 1 ? "" : "s", index);
  SeamRunnerPlan *plan = &runner->plans[index];
  if (plan->is_doubtful) {
    guint64 hash;
    if (!seam_runner_hash (runner, plan->output, NULL, &hash, error))
      return FALSE;
    plan->is_doubtful = FALSE;
    plan->has_output = hash == plan->hash;
  }
  if (!plan->has_output)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      plan->was_checked
                          ? "The output of the plan %s was broken off by Stop: run again."
                          : "The plan %s has no output, because it did not run.",
                      plan->resolved.text);
  return TRUE;
}

static void
ignore_progress (double fraction, gpointer data)
{
}

static gboolean
check_pair (SeamRunner *runner, int a, int b, gboolean by_bound, SeamCancel *cancel, GError **error)
{
  if (!check_plan (runner, a, error))
    return FALSE;
  if (b != -1)
    return check_plan (runner, b, error)
           && (!by_bound || seam_runner_ensure_pair_bounds (runner, cancel, error));
  return seam_runner_ensure_fp64 (runner, cancel, ignore_progress, NULL, error);
}

SeamDifference *
seam_runner_difference (SeamRunner *runner, int a, int b, double atol, double rtol, gint64 max_side,
                        SeamCancel *cancel, GError **error)
{
  if (atol < 0 || rtol < 0 || isinf (atol) || isinf (rtol) || isnan (atol) != isnan (rtol))
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The tolerances atol and rtol have to be 0 or more, and finite.");
  if (!check_pair (runner, a, b, isnan (atol), cancel, error))
    return NULL;
  return seam_runner_compare (runner, a, b, atol, rtol, CLAMP (max_side, 1, MAX_SLICE_SIDE), error);
}

/* The place of a slice in the flat output: its element (i, j) is first + i * pitch + j. */
typedef struct {
  gint64 first, pitch, n_rows, n_columns;
} Window;

static gboolean
clip (SeamRunner *runner, const SeamSlice *wanted, Window *window, GError **error)
{
  const SeamShapeView view = seam_problem_get_output_view (runner->problem);
  gint64 height, width, base = 0;

  seam_shape_view_get_area (&view, &height, &width);
  if (wanted->sample < 0 || wanted->channel < 0 || wanted->first_row < 0 || wanted->first_column < 0
      || wanted->n_rows < 1 || wanted->n_columns < 1 || wanted->first_row >= height
      || wanted->first_column >= width
      || (view.inner > 1 && (wanted->sample >= view.outer || wanted->channel >= view.channels)))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The slice that is asked for lies outside the output.");
  if (view.inner > 1)
    base = (wanted->sample * view.channels + wanted->channel) * view.inner;
  window->pitch = width;
  window->first = base + wanted->first_row * width + wanted->first_column;
  window->n_columns = MIN (MIN (wanted->n_columns, MAX_SLICE_SIDE), width - wanted->first_column);
  window->n_rows = MIN (MIN (wanted->n_rows, MAX_SLICE_ELEMENTS / window->n_columns),
                        height - wanted->first_row);
  return TRUE;
}

/* Reads into `values`; doubles into b of `slice`. */
static gboolean
read_window (SeamRunner *runner, SeamBuffer *buffer, gboolean is_double, SeamOperandType type,
             const Window *window, float *values, SeamSlice *slice, GError **error)
{
  SeamDevice *device = runner->device;
  /* Whole rows are contiguous: one transfer instead of a thousand. */
  gboolean whole = window->n_columns == window->pitch;
  gint64 n_runs = whole ? 1 : window->n_rows;
  gint64 length = whole ? window->n_rows * window->n_columns : window->n_columns;
  g_autofree double *wide = is_double ? g_new (double, length) : NULL;

  for (gint64 i = 0; i < n_runs; i++) {
    float *row = values + i * length;
    gint64 first = window->first + i * window->pitch;
    if (is_double
            ? !device->backend->download (device, wide, buffer, first * (gint64)sizeof (double),
                                          length * (gint64)sizeof (double), error)
            : !seam_runner_download_values (runner, row, buffer, type, first, length, NULL, error))
      return FALSE;
    for (gint64 j = 0; is_double && j < length; j++)
      seam_slice_set_b (slice, i * length + j, wide[j]);
  }
  return TRUE;
}

SeamSlice *
seam_runner_slice (SeamRunner *runner, int a, int b, const SeamSlice *wanted, GError **error)
{
  Window window;

  if (!check_pair (runner, a, b, TRUE, NULL, error) || !clip (runner, wanted, &window, error))
    return NULL;
  g_autoptr (SeamSlice) slice = seam_slice_new (window.n_rows, window.n_columns);
  slice->sample = wanted->sample;
  slice->channel = wanted->channel;
  slice->first_row = wanted->first_row;
  slice->first_column = wanted->first_column;
  const SeamOperandType type = seam_runner_get_output (runner)->type;
  slice->bounds = g_new (float, window.n_rows *window.n_columns);
  if (!read_window (runner, runner->plans[a].output, FALSE, type, &window, slice->a, NULL, error))
    return NULL;
  if (b < 0)
    slice->rest = g_new0 (float, window.n_rows *window.n_columns);
  if (b < 0 && runner->sampled != NULL)
    return seam_sampled_reference_read (runner, runner->sampled, slice, error)
               ? g_steal_pointer (&slice)
               : NULL;
  if (!read_window (runner, b < 0 ? runner->fp64 : runner->plans[b].output, b < 0, type, &window,
                    slice->b, slice, error)
      || !read_window (runner, b < 0 ? runner->bounds : runner->pair_bounds, FALSE,
                       SEAM_OPERAND_FP32, &window, slice->bounds, NULL, error))
    return NULL;
  return g_steal_pointer (&slice);
}

/* An .npy file has no room for a warning, so outputs with falsified numbers are not saved. */
static gboolean
may_be_saved (const SeamRunner *runner, GError **error)
{
  guint pitfalls = runner->pitfalls & (SEAM_PITFALL_ZEROS | SEAM_PITFALL_HIDDEN_TF32);
  g_autofree char *names = seam_pitfalls_format (pitfalls);
  g_autofree char *words = seam_pitfalls_describe (names);

  if (words == NULL)
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_UNSUPPORTED,
      "Arrays are not saved from a run with the pitfall %s: an .npy file could not say "
      "that its numbers are wrong on purpose.",
      words);
}

gboolean
seam_runner_save_output (SeamRunner *runner, int index, const char *path, GError **error)
{
  if (!check_plan (runner, index, error) || !may_be_saved (runner, error))
    return FALSE;
  const SeamTensor *tensor = seam_runner_get_output (runner);
  gint64 n = tensor->n_elements;
  g_autofree float *data = seam_runner_host_memory (n * (gint64)sizeof (float), error);
  return data != NULL
         && seam_runner_download_values (runner, data, runner->plans[index].output, tensor->type, 0,
                                         n, NULL, error)
         && seam_npy_write_floats (path, data, tensor->shape.dims, tensor->shape.n_dims, error);
}

gboolean
seam_runner_save_reference (SeamRunner *runner, gboolean bounds, const char *path, GError **error)
{
  if (runner->problem == NULL || runner->device == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "There is no run to look at yet: run first.");
  if (!may_be_saved (runner, error)
      || !seam_runner_ensure_fp64 (runner, NULL, ignore_progress, NULL, error))
    return FALSE;
  if (runner->sampled != NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "The FP64 reference of an output this large is computed on sampled slices, "
                      "which no file holds: choose a smaller shape.");
  const SeamTensor *tensor = seam_runner_get_output (runner);
  SeamBuffer *buffer = bounds ? runner->bounds : runner->fp64;
  gint64 bytes = tensor->n_elements * (gint64)(bounds ? sizeof (float) : sizeof (double));
  g_autofree void *data = seam_runner_host_memory (bytes, error);
  if (data == NULL
      || !runner->device->backend->download (runner->device, data, buffer, 0, bytes, error))
    return FALSE;
  return bounds
             ? seam_npy_write_floats (path, data, tensor->shape.dims, tensor->shape.n_dims, error)
             : seam_npy_write_doubles (path, data, tensor->shape.dims, tensor->shape.n_dims, error);
}

GBytes *
seam_runner_read_output (SeamRunner *runner, int index, gint64 offset, gint64 n, gint64 *size,
                         GError **error)
{
  const gint64 item = sizeof (float);

  if (!check_plan (runner, index, error) || !may_be_saved (runner, error))
    return NULL;
  const SeamTensor *tensor = seam_runner_get_output (runner);
  g_autoptr (GString) bytes =
      seam_npy_make_header ("<f4", tensor->shape.dims, tensor->shape.n_dims);
  const gint64 head = (gint64)bytes->len;
  *size = head + tensor->n_elements * item;
  offset = MIN (offset, *size);
  n = MIN (n, *size - offset);
  /* The elements that the part touches come behind the header, whether that is asked for or not. */
  const gint64 first = MAX (offset - head, 0) / item;
  const gint64 n_elements = (MAX (offset + n - head, 0) + item - 1) / item - first;
  g_string_set_size (bytes, (gsize)(head + n_elements * item));
  if (!seam_runner_download_values (runner, (float *)(bytes->str + head),
                                    runner->plans[index].output, tensor->type, first, n_elements,
                                    NULL, error))
    return NULL;
  return g_bytes_new (bytes->str + offset - first * item, (gsize)n);
}

gboolean
seam_runner_save_tensors (SeamRunner *runner, const char *folder, GError **error)
{
  if (runner->problem == NULL || runner->device == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "There are no tensors to save yet: run first.");
  if (!may_be_saved (runner, error))
    return FALSE;
  for (int i = 0; i < runner->problem->n_tensors; i++) {
    const SeamTensor *tensor = &runner->problem->tensors[i];
    if (runner->tensors[i] == NULL)
      continue;
    g_autofree char *file = g_strconcat (tensor->name, ".npy", NULL);
    g_autofree char *path = seam_file_name_place (folder, file, error);
    if (path == NULL)
      return FALSE;
    g_autofree float *data =
        seam_runner_host_memory (tensor->n_elements * (gint64)sizeof (float), error);
    if (data == NULL
        || !seam_runner_read_given (runner, i, 0, tensor->n_elements, data, NULL, error)
        || !seam_npy_write_floats (path, data, tensor->shape.dims, tensor->shape.n_dims, error))
      return FALSE;
  }
  return TRUE;
}
