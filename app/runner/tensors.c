/* SPDX-License-Identifier: MIT
 *
 * The input and the parameters of a run: made from the seed piece by piece, or read from a folder
 * of .npy files, one at a time, so that the host never holds more than one of them besides the
 * device.
 */
#include "app/runner/run-private.h"

#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/base/text.h"

#include <string.h>

/* Stop is checked after this many numbers made from the seed, which take ten times as long as
 * copying them. A multiple of 4, where seam_problem_fill_part() can start. */
#define MADE_ELEMENTS ((gint64)2 << 20)
/* Zeros that are uploaded at a time. */
#define ZERO_BYTES ((gint64)64 << 20)

static gboolean
check_shape (const char *path, const SeamTensor *tensor, const SeamNpy *npy, GError **error)
{
  gboolean same = npy->n_elements == tensor->n_elements;
  int own = 0;

  /* Axes of size 1 make no difference: frameworks write [K, 1, 1], and here it is [K]. */
  for (int i = 0; same && i < npy->n_dims; i++) {
    while (own < tensor->shape.n_dims && tensor->shape.dims[own] == 1)
      own++;
    same = npy->dims[i] == 1
           || (own < tensor->shape.n_dims && npy->dims[i] == tensor->shape.dims[own++]);
  }
  if (same)
    return TRUE;
  g_autofree char *has = seam_text_dims (npy->dims, npy->n_dims);
  g_autofree char *needs = seam_text_dims (tensor->shape.dims, tensor->shape.n_dims);
  return seam_fail (
      error, SEAM_ERROR_FILE,
      "%s has the shape %s, and this run needs %s: choose the shape that the files were "
      "made for, or other files.",
      path, has, needs);
}

static char *
make_path (const SeamProblem *problem, const char *folder, int index)
{
  g_autofree char *name = g_strconcat (problem->tensors[index].name, ".npy", NULL);
  g_autofree char *file = seam_file_name_make (name);

  return g_build_filename (folder, file, NULL);
}

char *
seam_runner_describe_missing_files (const SeamProblem *problem, const SeamRunRequest *request)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; request->tensors_dir != NULL && i < problem->n_tensors; i++) {
    if (!seam_problem_is_constant (problem, i))
      continue;
    g_autofree char *path = make_path (problem, request->tensors_dir, i);
    float value;
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    seam_problem_fill_part (problem, i, 0, SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_FRAMEWORK, 0,
                            1, &value);
    g_string_append_printf (text, "%s%s.npy is not in the folder of tensors: every element is %g.",
                            text->len > 0 ? " " : "", problem->tensors[i].name, value);
  }
  return g_string_free (text, text->len == 0);
}

/* The seed's numbers stand for a tensor without a file: a parameter that is one number everywhere,
 * or the mask of a dropout. */
static gboolean
may_lack_file (const SeamProblem *problem, int index)
{
  const int param = index - SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);

  return seam_problem_is_constant (problem, index)
         || (param >= 0 && problem->pipeline->params[param].role == SEAM_PARAM_MASK);
}

static gboolean
read_tensor (const SeamProblem *problem, const char *folder, int index, guint64 seed, float *data,
             GString *changes, GError **error)
{
  const SeamTensor *tensor = &problem->tensors[index];
  g_autofree char *path = make_path (problem, folder, index);

  if (!g_file_test (path, G_FILE_TEST_EXISTS)) {
    if (may_lack_file (problem, index)) {
      seam_problem_fill_tensor (problem, index, seed, SEAM_DISTRIBUTION_UNIFORM,
                                SEAM_INIT_MODE_FRAMEWORK, data);
      return TRUE;
    }
    return seam_fail (error, SEAM_ERROR_FILE,
                      "%s does not exist: the folder has to hold input.npy and one file for each "
                      "parameter of %s.",
                      path, problem->pipeline->id);
  }
  g_autoptr (SeamNpy) npy = seam_npy_read (path, error);
  if (npy == NULL || !check_shape (path, tensor, npy, error))
    return FALSE;
  g_autofree char *changed = NULL;
  if (!seam_npy_get_floats (npy, path, data, &changed, error))
    return FALSE;
  if (changed != NULL)
    g_string_append_printf (changes, "%s%s", changes->len > 0 ? " " : "", changed);
  return TRUE;
}

/* Works piece by piece, so that Stop acts at once and the host never holds more than one piece. */
static gboolean
fill_from_seed (SeamRunner *runner, const SeamRunRequest *request, int index, SeamCancel *cancel,
                GError **error)
{
  const SeamTensor *tensor = &runner->problem->tensors[index];
  gint64 n_elements = tensor->n_elements;
  g_autofree float *piece =
      seam_runner_host_memory (MIN (n_elements, MADE_ELEMENTS) * (gint64)sizeof (float), error);

  if (piece == NULL)
    return FALSE;
  for (gint64 first = 0; first < n_elements; first += MADE_ELEMENTS) {
    gint64 n = MIN (MADE_ELEMENTS, n_elements - first);
    if (seam_cancel_check (cancel, error))
      return FALSE;
    seam_problem_fill_part (runner->problem, index, request->settings.seed,
                            request->settings.distribution, request->settings.init_mode, first, n,
                            piece);
    if (!seam_runner_upload_values (runner, runner->tensors[index], tensor->type, first, piece, n,
                                    cancel, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
fill_from_file (SeamRunner *runner, const SeamRunRequest *request, int index, GString *changes,
                SeamCancel *cancel, GError **error)
{
  const SeamTensor *tensor = &runner->problem->tensors[index];
  g_autofree float *data =
      seam_runner_host_memory (tensor->n_elements * (gint64)sizeof (float), error);

  if (data == NULL || seam_cancel_check (cancel, error)
      || !read_tensor (runner->problem, request->tensors_dir, index, request->settings.seed, data,
                       changes, error)
      || !seam_runner_upload_values (runner, runner->tensors[index], tensor->type, 0, data,
                                     tensor->n_elements, cancel, error))
    return FALSE;
  /* Kept for the FP64 reference, since the file may be gone by then. */
  if (tensor->type != SEAM_OPERAND_FP32)
    runner->given[index] = g_steal_pointer (&data);
  return TRUE;
}

/* For the pitfall of an input of zeros. */
static gboolean
fill_with_zeros (SeamRunner *runner, int index, SeamCancel *cancel, GError **error)
{
  gint64 bytes = runner->problem->tensors[index].bytes;
  g_autofree void *piece = seam_runner_host_memory (MIN (bytes, ZERO_BYTES), error);

  if (piece == NULL)
    return FALSE;
  memset (piece, 0, (gsize)MIN (bytes, ZERO_BYTES));
  for (gint64 offset = 0; offset < bytes; offset += ZERO_BYTES)
    if (!seam_runner_upload (runner, runner->tensors[index], offset, piece,
                             MIN (ZERO_BYTES, bytes - offset), cancel, error))
      return FALSE;
  return TRUE;
}

static gboolean
make_tensor (SeamRunner *runner, const SeamRunRequest *request, int index, GString *changes,
             SeamCancel *cancel, GError **error)
{
  runner->tensors[index] =
      seam_runner_allocate (runner, runner->problem->tensors[index].bytes, error);
  if (runner->tensors[index] == NULL)
    return FALSE;
  if (index == SEAM_TENSOR_INPUT && (request->pitfalls & SEAM_PITFALL_ZEROS))
    return fill_with_zeros (runner, index, cancel, error);
  return request->tensors_dir == NULL
             ? fill_from_seed (runner, request, index, cancel, error)
             : fill_from_file (runner, request, index, changes, cancel, error);
}

gboolean
seam_runner_make_tensors (SeamRunner *runner, const SeamRunRequest *request, GString *changes,
                          SeamCancel *cancel, void (*progress) (double fraction, gpointer data),
                          gpointer progress_data, GError **error)
{
  const SeamProblem *problem = runner->problem;
  int n_params = problem->pipeline->n_params;
  int first = SEAM_TENSOR_PARAM (problem->pipeline->chains[0].n_ops, 0);

  for (int i = -1; i < n_params; i++) {
    if (!make_tensor (runner, request, i < 0 ? SEAM_TENSOR_INPUT : first + i, changes, cancel,
                      error))
      return FALSE;
    progress ((i + 2.0) / (n_params + 1.0), progress_data);
  }
  return TRUE;
}

/* Makes the numbers from the seed again, from any element on. */
static gboolean
make_again (SeamRunner *runner, int index, gint64 first, gint64 n, float *values,
            SeamCancel *cancel, GError **error)
{
  gint64 before = first % 4;
  g_autofree float *piece =
      seam_runner_host_memory (MIN (n + before, MADE_ELEMENTS) * (gint64)sizeof (float), error);

  if (piece == NULL)
    return FALSE;
  for (gint64 done = -before; done < n; done += MADE_ELEMENTS) {
    gint64 length = MIN (MADE_ELEMENTS, n - done), skip = MAX (-done, 0);
    if (seam_cancel_check (cancel, error))
      return FALSE;
    seam_problem_fill_part (runner->problem, index, runner->seed, runner->distribution,
                            runner->init_mode, first + done, length, piece);
    memcpy (values + done + skip, piece + skip, (gsize)(length - skip) * sizeof (float));
  }
  return TRUE;
}

gboolean
seam_runner_read_given (SeamRunner *runner, int index, gint64 first, gint64 n, float *values,
                        SeamCancel *cancel, GError **error)
{
  SeamOperandType type = runner->problem->tensors[index].type;

  /* Zeros are the same in every type. */
  if (type == SEAM_OPERAND_FP32
      || (index == SEAM_TENSOR_INPUT && (runner->pitfalls & SEAM_PITFALL_ZEROS)))
    return seam_runner_download_values (runner, values, runner->tensors[index], type, first, n,
                                        cancel, error);
  if (runner->given[index] == NULL)
    return make_again (runner, index, first, n, values, cancel, error);
  memcpy (values, runner->given[index] + first, (gsize)n * sizeof (float));
  return TRUE;
}
