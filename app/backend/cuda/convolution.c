/* SPDX-License-Identifier: MIT
 *
 * Convolutions with cuDNN, alone or with the elementwise ops after them in one graph: finds the
 * fastest engine, and whether cuDNN can fuse.
 */
#include "app/backend/cuda/launch.h"

#include "app/backend/cuda/cudnn-graph.h"
#include "app/backend/nest.h"

/* Enough plans to find a good one. Engines that are compiled at run time take about a second
 * each; for conv-relu-hardswish on an H200 more than four were needed to find the fastest (0.55
 * ms instead of 0.81). A small convolution takes microseconds, so its best engine is not worth a
 * wait. */
#define MAX_PLANS             12
#define ENOUGH_PLANS          3
#define MAX_COMPILING_S       12.0
#define MAX_COMPILING_SMALL_S 1.0
#define SMALL_OPERATIONS      1e9

typedef struct {
  CudnnGraph *graph;
  CudnnPlan *plans[MAX_PLANS];
  int numbers[MAX_PLANS]; /* of each plan: its index in cuDNN's order, and the form */
  int n_plans, chosen;
  gboolean is_workspace_safe;
  float *tensors[SEAM_MAX_TENSORS];
} Convolution;

static gboolean
run_plan (CudaDevice *device, gpointer data, int i, GError **error)
{
  Convolution *c = data;
  return cudnn_plan_enqueue (c->plans[i], c->tensors, device->workspace, error);
}

static gboolean
enqueue (CudaDevice *device, Launch *launch, GError **error)
{
  Convolution *c = launch->library;
  return run_plan (device, c, c->chosen, error);
}

static void
clear (Launch *launch)
{
  Convolution *c = launch->library;

  for (int i = 0; i < c->n_plans; i++)
    cudnn_plan_free (c->plans[i]);
  cudnn_graph_free (c->graph);
  g_free (c);
}

gboolean
convolution_form_is_last (ConvolutionForm form)
{
  return form == CONVOLUTION_CHANNELS_LAST || form == CONVOLUTION_ROUNDED_LAST;
}

gboolean
convolution_form_is_rounded (ConvolutionForm form)
{
  return form == CONVOLUTION_ROUNDED_FIRST || form == CONVOLUTION_ROUNDED_LAST;
}

int
convolution_count_forms (SeamMathMode math_mode)
{
  return seam_math_mode_get_operand (math_mode) == SEAM_OPERAND_FP32 ? CONVOLUTION_ROUNDED_FIRST
                                                                     : N_CONVOLUTION_FORMS;
}

int
convolution_get_form (int number)
{
  return number % N_CONVOLUTION_FORMS;
}

static CudnnGraph *
make_graph (cudnnHandle_t handle, const SeamProblem *problem, const SeamChain *chain, int first,
            int last, SeamMathMode math_mode, ConvolutionForm form, GError **error)
{
  const SeamOperandType operand = seam_math_mode_get_operand (math_mode);
  const CudnnGraphSpec spec = {
    .problem = problem,
    .chain = chain,
    .first = first,
    .last = last,
    .channels_last = convolution_form_is_last (form),
    .operand = operand,
    .output = convolution_form_is_rounded (form) ? operand : SEAM_OPERAND_FP32,
  };

  return cudnn_graph_new (handle, NULL, &spec, error);
}

char *
convolution_make_key (const SeamProblem *problem, const SeamPlan *plan, SeamMathMode math_mode,
                      int first, int last)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const int input = chain->ops[first].inputs[0];
  GString *key = g_string_new (NULL);
  SeamNest nest;

  seam_nest_init (&nest, problem, chain, first);
  const SeamGeneral *g = &nest.general;
  g_autofree char *shape = seam_shape_format (&nest.c.in[0]);
  seam_choices_append_ops (key, chain, first, last);
  g_string_append_printf (key, " of %s to %ld channels, kernel size %ld", shape, g->k,
                          g->kernel[2]);
  if (g->stride[2] != 1 || g->padding[2] != 0)
    g_string_append_printf (key, ", stride %ld, padding %ld", g->stride[2], g->padding[2]);
  g_string_append_printf (
      key, " in %s%s%s", seam_math_mode_get_name (math_mode),
      problem->tensors[input].type != SEAM_OPERAND_FP32 ? " from 16 bits" : "",
      problem->tensors[SEAM_TENSOR_OUTPUT (last)].type != SEAM_OPERAND_FP32 ? " into 16 bits" : "");
  return g_string_free (key, FALSE);
}

/* Whether cuDNN 9.14's engines for 16-bit operands would fault. They put copies in another layout
 * one after another into their workspace, and store 16 bytes at a time there: after an input of 504
 * bytes the output's copy starts at 1,400, and the GPU faults (seen on an H200). */
static gboolean
is_workspace_safe (const SeamTensor *input, SeamMathMode math_mode)
{
  return seam_math_mode_get_operand (math_mode) == SEAM_OPERAND_FP32
         || input->n_elements * 2 % 16 == 0;
}

/* Adds the plan of a configuration; FALSE if it has none here. */
static gboolean
add_plan (Convolution *c, cudnnBackendDescriptor_t config, int number, gsize limit, GError **error)
{
  CudnnPlan *plan = cudnn_plan_new (c->graph, config, error);

  if (plan == NULL)
    return FALSE;
  if ((gsize)plan->workspace_bytes <= limit
      && (plan->workspace_bytes == 0 || c->is_workspace_safe)) {
    c->numbers[c->n_plans] = number;
    c->plans[c->n_plans++] = plan;
    return TRUE;
  }
  if ((gsize)plan->workspace_bytes > limit)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY, "its workspace does not fit.");
  else
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "its copy of an input of this size would not be aligned.");
  cudnn_plan_free (plan);
  return FALSE;
}

/* Plans to choose from: the one chosen earlier (`known` >= 0), else the first ones that compile. */
static gboolean
make_plans (CudaDevice *device, Convolution *c, double operations, SeamMathMode math_mode,
            ConvolutionForm form, int known, SeamCancel *cancel, GError **error)
{
  const int known_config =
      convolution_get_form (known) == (int)form ? known / N_CONVOLUTION_FORMS : -1;
  const double patience = operations < SMALL_OPERATIONS ? MAX_COMPILING_SMALL_S : MAX_COMPILING_S;
  g_autoptr (GPtrArray) configs = cudnn_graph_list_configs (c->graph, math_mode, error);
  const gsize limit = cuda_device_workspace_limit (device);
  const gint64 started = g_get_monotonic_time ();
  g_autoptr (GError) last = NULL;
  gsize workspace = 0;

  if (configs == NULL)
    return FALSE;
  if (known_config >= 0 && known_config < (int)configs->len)
    add_plan (c, configs->pdata[known_config], known, limit, NULL);
  for (guint i = 0; i < configs->len && c->n_plans < MAX_PLANS; i++) {
    if (known_config >= 0 && c->n_plans > 0)
      break;
    if (seam_cancel_check (cancel, error))
      return FALSE;
    if (c->n_plans >= ENOUGH_PLANS
        && (double)(g_get_monotonic_time () - started) > patience * G_USEC_PER_SEC)
      break;
    g_clear_error (&last);
    add_plan (c, configs->pdata[i], (int)i * N_CONVOLUTION_FORMS + (int)form, limit, &last);
  }
  if (c->n_plans == 0)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "cuDNN has no engine for this convolution in math mode %s%s%s",
                      seam_math_mode_get_name (math_mode), last != NULL ? ": " : ".",
                      last != NULL ? last->message : "");
  for (int i = 0; i < c->n_plans; i++)
    workspace = MAX (workspace, (gsize)c->plans[i]->workspace_bytes);
  return cuda_device_reserve_workspace (device, workspace, error);
}

gboolean
convolution_prepare (CudaDevice *device, Launch *launch, const SeamProblem *problem,
                     const SeamPlan *plan, SeamMathMode math_mode, ConvolutionForm form,
                     float *const *tensors, SeamCancel *cancel, GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  cudnnHandle_t handle = cuda_device_get_cudnn (device, error);

  if (handle == NULL)
    return FALSE;
  Convolution *c = g_new0 (Convolution, 1);
  launch->library = c;
  launch->enqueue = enqueue;
  launch->clear = clear;
  launch->key = convolution_make_key (problem, plan, math_mode, launch->first_op, launch->last_op);
  for (int i = 0; i < problem->n_tensors; i++)
    c->tensors[i] = tensors[i];
  c->is_workspace_safe =
      is_workspace_safe (&problem->tensors[chain->ops[launch->first_op].inputs[0]], math_mode);
  c->graph = make_graph (handle, problem, chain, launch->first_op, launch->last_op, math_mode, form,
                         error);
  if (c->graph == NULL
      || !make_plans (device, c, seam_op_get_flop (problem, chain, launch->first_op), math_mode,
                      form, seam_choices_get (device->choices, launch->key), cancel, error))
    return FALSE;
  /* A single engine is also tried the first time, because some engines fail only when they run. */
  c->chosen = launch_choose_fastest (device, launch->key, c->numbers, c->n_plans, run_plan, c,
                                     cancel, error);
  if (c->chosen < 0)
    return FALSE;
  launch->number = c->numbers[c->chosen];
  /* Frees the other candidates. */
  for (int i = 0; i < c->n_plans; i++)
    if (i != c->chosen)
      g_clear_pointer (&c->plans[i], cudnn_plan_free);
  return TRUE;
}

gboolean
convolution_can_fuse (CudaDevice *device, const SeamProblem *problem, const SeamPlan *plan,
                      SeamMathMode math_mode, int first, int last, const char **reason)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  /* If the output has 16 bits in memory, uses only the forms that round it. */
  const ConvolutionForm first_form =
      problem->tensors[SEAM_TENSOR_OUTPUT (last)].type != SEAM_OPERAND_FP32
          ? CONVOLUTION_ROUNDED_FIRST
          : CONVOLUTION_CHANNELS_FIRST;
  g_autofree char *key = convolution_make_key (problem, plan, math_mode, first, last);
  const char *known = g_hash_table_lookup (device->answers, key);

  if (known == NULL) {
    cudnnHandle_t handle = cuda_device_get_cudnn (device, NULL);
    gboolean has_engine = FALSE;
    char *answer;

    for (int form = first_form;
         form < convolution_count_forms (math_mode) && handle != NULL && !has_engine; form++) {
      g_autoptr (CudnnGraph) graph =
          make_graph (handle, problem, chain, first, last, math_mode, form, NULL);
      g_autoptr (GPtrArray) configs = NULL;

      if (graph != NULL)
        configs = cudnn_graph_list_configs (graph, math_mode, NULL);
      has_engine = configs != NULL && configs->len > 0;
    }
    if (has_engine)
      answer = g_strdup ("");
    else if (math_mode == SEAM_MATH_FP32
             && convolution_can_fuse (device, problem, plan, SEAM_MATH_TF32, first, last, reason))
      answer =
          g_strdup ("cuDNN fuses these ops into a convolution only on tensor cores, which math "
                    "mode fp32 excludes.");
    else if (seam_math_mode_get_operand (math_mode) != SEAM_OPERAND_FP32)
      answer = g_strdup ("cuDNN fuses ops into a convolution of 16-bit operands only where vectors "
                         "and output have 16 bits, too; here vectors are FP32.");
    else
      answer = g_strdup ("cuDNN has no engine that fuses these ops into this convolution.");
    g_hash_table_insert (device->answers, g_strdup (key), answer);
    known = answer;
  }
  *reason = known;
  return known[0] == '\0';
}
