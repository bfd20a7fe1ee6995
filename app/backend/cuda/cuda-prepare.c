/* SPDX-License-Identifier: MIT
 *
 * Makes a group's launches from its scheme: scratch memory, segments in order, and a fallback if a
 * library cannot run an engine that it proposed.
 */
#include "app/backend/cuda/graph.h"
#include "app/backend/cuda/hand.h"

#include "app/backend/candidate.h"
#include "app/pipeline/defect.h"

void
launch_free (Launch *launch)
{
  if (launch == NULL)
    return;
  if (launch->library != NULL && launch->clear != NULL)
    launch->clear (launch);
  else
    g_free (launch->library);
  g_free (launch->short_name);
  g_free (launch->key);
  g_free (launch);
}

static void
free_device_memory (gpointer data)
{
  cudaFree (data);
}

static void
unload (gpointer data)
{
  cudaLibraryUnload (data);
}

float *
preparation_take_scratch (Preparation *p, gint64 bytes, GError **error)
{
  void *data = NULL;

  if (!CUDA_TRY (cudaMalloc (&data, MAX (bytes, 16)), error))
    return NULL;
  g_ptr_array_add (p->prepared->scratch, data);
  return data;
}

/* Whether only the next segment reads `tensor`, as its chain value, and `tensor` comes from segment
 * `index` and is no output of the group. Then it may share memory with the group's last output. */
static gboolean
can_share_output (const Preparation *p, int index, int tensor)
{
  const SeamSegments *segments = &p->scheme->segments;

  if (tensor != SEAM_TENSOR_OUTPUT (segments->segments[index].last) || index + 1 >= segments->n)
    return FALSE;
  /* They can share memory only if their elements have the same size. */
  if (p->spec->problem->tensors[tensor].type
      != p->spec->problem->tensors[SEAM_TENSOR_OUTPUT (segments->segments[segments->n - 1].last)]
             .type)
    return FALSE;
  /* Elements that an exhibit does not write keep their old content, so nothing may share its
   * memory. */
  if (seam_chain_has_store_defect (p->chain))
    return FALSE;
  for (int i = index + 2; i < segments->n; i++)
    for (int j = 0; j < segments->segments[i].n_inputs; j++)
      if (segments->segments[i].inputs[j] == tensor)
        return FALSE;
  return TRUE;
}

/* Gives every output of segment `index` an address. */
static gboolean
place_outputs (Preparation *p, int index, GError **error)
{
  const SeamSegment *s = &p->scheme->segments.segments[index];
  int last = SEAM_TENSOR_OUTPUT (p->spec->plan->groups[p->spec->group].last);

  for (int i = 0; i < s->n_outputs; i++) {
    int tensor = s->outputs[i];

    if (p->tensors[tensor] != NULL)
      continue;
    if (can_share_output (p, index, tensor))
      p->tensors[tensor] = p->tensors[last];
    else if ((p->tensors[tensor] =
                  preparation_take_scratch (p, p->spec->problem->tensors[tensor].bytes, error))
             == NULL)
      return FALSE;
  }
  return TRUE;
}

Launch *
preparation_add_launch (Preparation *p, int first, int last, char *short_name,
                        const char *implementation, double bytes)
{
  Launch *launch = g_new0 (Launch, 1);

  launch->first_op = first;
  launch->last_op = last;
  launch->short_name = short_name;
  launch->implementation = implementation;
  launch->bytes = bytes;
  g_ptr_array_add (p->prepared->launches, launch);
  return launch;
}

double
preparation_tensor_bytes (const Preparation *p, int tensor)
{
  return (double)p->spec->problem->tensors[tensor].bytes;
}

int
preparation_param_tensor (const Preparation *p, int op, int which)
{
  return SEAM_TENSOR_PARAM (p->chain->n_ops, p->chain->ops[op].params[which]);
}

/* Adds the segment of a library, which is the group's first. Its algorithm is kept if it computes
 * what the ops do one by one; if not, the next one is taken. */
static gboolean
add_library (Preparation *p, const SeamSegment *s, GError **error)
{
  SeamPrepared *prepared = p->prepared;
  const SeamTensor *tensor = &p->spec->problem->tensors[SEAM_TENSOR_OUTPUT (s->last)];
  const int n_scratch = (int)prepared->scratch->len;
  SeamBuffer output = { p->tensors[SEAM_TENSOR_OUTPUT (s->last)], tensor->bytes };
  SeamCandidate candidate = {
    .device = &p->device->base,
    .choices = p->device->choices,
    .prepared = prepared,
    .spec = p->spec,
    .first = s->first,
    .last = s->last,
    .tensors = p->buffers,
    .output = &output,
    .cancel = p->cancel,
  };

  for (gboolean agrees = FALSE; !agrees;) {
    g_ptr_array_set_size (prepared->launches, 0);
    g_ptr_array_set_size (prepared->scratch, n_scratch);
    if (!(group_op_get_library (&p->chain->ops[s->first]) == LIBRARY_CUDNN
              ? preparation_add_convolution (p, s, error)
              : preparation_add_matmul (p, s, error)))
      return FALSE;
    candidate.key = p->call->key;
    candidate.number = p->call->number;
    if (!seam_candidate_settle (&candidate, &agrees, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_segment (Preparation *p, int index, GError **error)
{
  const SeamSegment *s = &p->scheme->segments.segments[index];

  if (!p->only_code && !place_outputs (p, index, error))
    return FALSE;
  if (s->library && p->scheme->half_sums)
    return preparation_add_half_sums (p, s, error);
  if (s->library && p->scheme->hand.version != NULL)
    return preparation_add_hand (p, &p->scheme->hand, error);
  if (s->library)
    return add_library (p, s, error);
  if (p->scheme->each)
    return preparation_add_nest (p, s, error);
  if (group_scheme_is_precompiled (p->spec, p->scheme, s))
    return preparation_add_precompiled (p, s, error);
  return preparation_add_generated (p, s, error);
}

static SeamPrepared *
prepare_scheme (CudaDevice *device, const SeamGroupSpec *spec, const GroupScheme *scheme,
                SeamBuffer *const *tensors, SeamCancel *cancel, GError **error)
{
  SeamPrepared *prepared = g_new0 (SeamPrepared, 1);
  Preparation p = {
    .device = device,
    .spec = spec,
    .chain = seam_plan_get_chain (spec->plan),
    .scheme = scheme,
    .cancel = cancel,
    .prepared = prepared,
    .only_code = tensors == NULL,
    .buffers = tensors,
  };

  prepared->group = spec->group;
  prepared->executed = g_strdup (scheme->support.executed);
  prepared->launches = g_ptr_array_new_with_free_func ((GDestroyNotify)launch_free);
  prepared->scratch = g_ptr_array_new_with_free_func (free_device_memory);
  prepared->modules = g_ptr_array_new_with_free_func (unload);
  for (int i = 0; i < spec->problem->n_tensors; i++)
    p.tensors[i] = tensors != NULL && tensors[i] != NULL ? tensors[i]->data : NULL;
  for (int i = 0; i < scheme->segments.n; i++) {
    if (p.only_code && !group_scheme_is_edited (spec, scheme, &scheme->segments.segments[i]))
      continue;
    if (seam_cancel_check (cancel, error) || !add_segment (&p, i, error)) {
      cuda_free_prepared (&device->base, prepared);
      return NULL;
    }
  }
  return prepared;
}

SeamPrepared *
cuda_prepare (SeamDevice *base, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
              SeamCancel *cancel, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autoptr (GError) local = NULL;
  SeamPrepared *prepared = NULL;
  GroupScheme scheme;
  gboolean chosen = spec->plan->groups[spec->group].implementation != NULL;

  if (!cuda_device_enter (device, error))
    return NULL;
  group_scheme_make (device, spec, TRUE, &scheme);
  if (scheme.support.level != SEAM_SUPPORT_NO)
    prepared = prepare_scheme (device, spec, &scheme, tensors, cancel, &local);
  else
    local = g_error_new_literal (SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, scheme.support.reason);

  /* An engine that cuDNN proposed can still fail when it is compiled or run. Then the group is cut
   * after the convolution, or it runs by a kernel of this program, unless the plan names cuDNN. */
  if (prepared == NULL && !chosen
      && (scheme.fused || (scheme.each && scheme.segments.segments[0].library))
      && (g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)
          || g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY))) {
    g_clear_error (&local);
    group_scheme_clear (&scheme);
    group_scheme_make (device, spec, FALSE, &scheme);
    prepared = prepare_scheme (device, spec, &scheme, tensors, cancel, &local);
  }
  group_scheme_clear (&scheme);
  if (prepared == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return prepared;
}

void
cuda_free_prepared (SeamDevice *base, SeamPrepared *prepared)
{
  CudaDevice *device = (CudaDevice *)base;

  if (prepared == NULL)
    return;
  cuda_device_enter (device, NULL);
  cudaStreamSynchronize (device->stream);
  cuda_graph_free (prepared->graph);
  g_ptr_array_unref (prepared->launches);
  g_ptr_array_unref (prepared->modules);
  g_ptr_array_unref (prepared->scratch);
  cudaGetLastError ();
  g_free (prepared->executed);
  g_free (prepared->note);
  g_free (prepared);
}

const char *
cuda_get_executed (SeamPrepared *prepared)
{
  return prepared->executed;
}

void
cuda_get_tile (SeamPrepared *prepared, SeamTile *tile)
{
  *tile = prepared->tile;
}

const char *
cuda_get_note (SeamPrepared *prepared)
{
  return prepared->note;
}
