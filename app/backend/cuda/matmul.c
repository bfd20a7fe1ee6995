/* SPDX-License-Identifier: MIT
 *
 * Matrix products with cuBLASLt, bias and ReLU in its epilogue. cuBLASLt is column-major: a
 * row-major y [N, K] is its column-major K x N matrix D = W · xᵀ, where row-major W [K, C] is a
 * column-major C x K matrix read transposed. So the bias has one value a row of D, as its epilogue
 * requires.
 */
#include "app/backend/cuda/launch.h"

#include "app/backend/segment.h"

#define WORKSPACE_BYTES ((gsize)32 << 20) /* NVIDIA's advice for Hopper */
#define MAX_PROPOSALS   8

typedef struct {
  cublasLtMatmulDesc_t description;
  cublasLtMatrixLayout_t w, x, y;
  const void *w_data, *x_data;
  void *y_data;
  cublasLtMatmulHeuristicResult_t proposals[MAX_PROPOSALS];
  int n_proposals;
} Matmul;

int
matmul_count_absorbed (const SeamProblem *problem, const SeamPlan *plan, int group)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamGroup *g = &plan->groups[group];
  gboolean has_bias = FALSE;
  int n = 1, last;

  for (last = g->first + 1; last <= g->last && last <= g->first + 2; last++) {
    const SeamOpEpilogue epilogue = seam_op_get_info (&chain->ops[last])->epilogue;
    gboolean bias = epilogue == SEAM_EPILOGUE_BIAS && last == g->first + 1;

    if (!bias && epilogue != SEAM_EPILOGUE_RELU)
      break;
    has_bias = has_bias || bias;
    if (seam_segment_can_absorb (plan, group, last)
        && !(has_bias && problem->tensors[SEAM_TENSOR_OUTPUT (last)].type != SEAM_OPERAND_FP32))
      n = last - g->first + 1;
    if (epilogue == SEAM_EPILOGUE_RELU)
      break;
  }
  return n;
}

static gboolean
run_proposal (CudaDevice *device, gpointer data, int i, GError **error)
{
  Matmul *m = data;
  const float one = 1.0f, zero = 0.0f;

  return CUBLAS_TRY (cublasLtMatmul (device->cublaslt, m->description, &one, m->w_data, m->w,
                                     m->x_data, m->x, &zero, m->y_data, m->y, m->y_data, m->y,
                                     &m->proposals[i].algo, device->workspace,
                                     device->workspace_bytes, device->stream),
                     error);
}

static gboolean
enqueue (CudaDevice *device, Launch *launch, GError **error)
{
  Matmul *m = launch->library;
  return run_proposal (device, m, launch->number, error);
}

static void
clear (Launch *launch)
{
  Matmul *m = launch->library;

  if (m->y != NULL)
    cublasLtMatrixLayoutDestroy (m->y);
  if (m->x != NULL)
    cublasLtMatrixLayoutDestroy (m->x);
  if (m->w != NULL)
    cublasLtMatrixLayoutDestroy (m->w);
  if (m->description != NULL)
    cublasLtMatmulDescDestroy (m->description);
  g_free (m);
}

#define SET_ATTRIBUTE(which, value)                                                                \
  CUBLAS_TRY (cublasLtMatmulDescSetAttribute (m->description, which, &(value), sizeof (value)),    \
              error)

static gboolean
describe (Matmul *m, const SeamMatrixDims *dims, cublasComputeType_t compute, cudaDataType_t type,
          const float *bias, gboolean relu, cudaDataType_t output, GError **error)
{
  const cublasOperation_t transposed = CUBLAS_OP_T;
  const cublasLtEpilogue_t epilogue = bias != NULL && relu ? CUBLASLT_EPILOGUE_RELU_BIAS
                                      : bias != NULL       ? CUBLASLT_EPILOGUE_BIAS
                                      : relu               ? CUBLASLT_EPILOGUE_RELU
                                                           : CUBLASLT_EPILOGUE_DEFAULT;

  return CUBLAS_TRY (cublasLtMatmulDescCreate (&m->description, compute, CUDA_R_32F), error)
         && SET_ATTRIBUTE (CUBLASLT_MATMUL_DESC_TRANSA, transposed)
         && SET_ATTRIBUTE (CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue)
         && (bias == NULL || SET_ATTRIBUTE (CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias))
         && CUBLAS_TRY (cublasLtMatrixLayoutCreate (&m->w, type, dims->c, dims->k, dims->c), error)
         && CUBLAS_TRY (cublasLtMatrixLayoutCreate (&m->x, type, dims->c, dims->n, dims->c), error)
         && CUBLAS_TRY (cublasLtMatrixLayoutCreate (&m->y, output, dims->k, dims->n, dims->k),
                        error);
}

static gboolean
propose (CudaDevice *device, Matmul *m, GError **error)
{
  const gsize workspace = WORKSPACE_BYTES;
  cublasLtMatmulPreference_t preference = NULL;

  if (!CUBLAS_TRY (cublasLtMatmulPreferenceCreate (&preference), error))
    return FALSE;
  gboolean good =
      CUBLAS_TRY (cublasLtMatmulPreferenceSetAttribute (preference,
                                                        CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                        &workspace, sizeof workspace),
                  error)
      && CUBLAS_TRY (cublasLtMatmulAlgoGetHeuristic (device->cublaslt, m->description, m->w, m->x,
                                                     m->y, m->y, preference, MAX_PROPOSALS,
                                                     m->proposals, &m->n_proposals),
                     error);
  cublasLtMatmulPreferenceDestroy (preference);
  return good;
}

static cudaDataType_t
get_type (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16   ? CUDA_R_16F
         : type == SEAM_OPERAND_BF16 ? CUDA_R_16BF
                                     : CUDA_R_32F;
}

gboolean
matmul_prepare (CudaDevice *device, Launch *launch, const SeamMatrixDims *dims,
                SeamMathMode math_mode, const void *x, const void *w, const float *bias,
                gboolean relu, SeamOperandType output, void *y, SeamCancel *cancel, GError **error)
{
  static const int numbers[MAX_PROPOSALS] = { 0, 1, 2, 3, 4, 5, 6, 7 };

  launch->key = g_strdup_printf ("a matmul of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                                 " x %" G_GINT64_FORMAT " in %s%s%s%s",
                                 dims->n, dims->k, dims->c, seam_math_mode_get_name (math_mode),
                                 bias != NULL ? " with bias" : "", relu ? " with relu" : "",
                                 output != SEAM_OPERAND_FP32 ? " into 16 bits" : "");

  if (cuda_device_get_cublaslt (device, error) == NULL
      || !cuda_device_reserve_workspace (device, WORKSPACE_BYTES, error))
    return FALSE;
  Matmul *m = g_new0 (Matmul, 1);
  m->x_data = x;
  m->w_data = w;
  m->y_data = y;
  launch->library = m;
  launch->enqueue = enqueue;
  launch->clear = clear;
  if (!describe (
          m, dims, math_mode == SEAM_MATH_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F,
          get_type (seam_math_mode_get_operand (math_mode)), bias, relu, get_type (output), error)
      || !propose (device, m, error))
    return FALSE;
  launch->number = launch_choose_fastest (device, launch->key, numbers, m->n_proposals,
                                          run_proposal, m, cancel, error);
  return launch->number >= 0;
}
