/* SPDX-License-Identifier: MIT
 *
 * A group as one primitive of oneDNN, and the reorders around it. Memory of the primitive's own
 * layouts and its scratchpad belong to the group. oneDNN itself keeps the code that it compiled for
 * primitives of equal descriptions.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"

#include <dnnl.h>
#include <dnnl_debug.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* --- Forms --- */

/* Bits of a form: which tensors have the layout that oneDNN chooses. The weight of a convolution
 * always has. */
#define FREE_WEIGHT 1 /* of a matmul */
#define FREE_INPUT  1 /* of a convolution */
#define FREE_OUTPUT 2

typedef enum { INPUT, WEIGHT, OUTPUT, N_TENSORS } Which;

static const char *const reorder_names[N_TENSORS] = { "reorder input", "reorder weight",
                                                      "reorder output" };

struct SeamOnednn {
  gboolean is_convolution;
  gboolean is_bf16; /* products of bf16 operands */
  int n_threads;
  dnnl_primitive_desc_t description;
  dnnl_primitive_t primitive, reorders[N_TENSORS]; /* a reorder may be NULL */
  dnnl_memory_t plain[N_TENSORS], own[N_TENSORS];  /* equal if there is no reorder */
  dnnl_memory_t bias, scratchpad;                  /* may be NULL */
  int n_vectors;
  dnnl_memory_t vectors[SEAM_MAX_OPS];
  int vector_posts[SEAM_MAX_OPS]; /* which post-op reads it */
  void *memory[N_TENSORS + 1];    /* of tensors in own layouts, and of the scratchpad; owned */
  GString *words;                 /* about the post-ops */
};

int
seam_onednn_count_forms (const SeamGroupSpec *spec)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamShapeView view =
      seam_shape_view (seam_problem_get_shape (spec->problem, SEAM_TENSOR_OUTPUT (group->first)));

  return view.inner == 1 && !seam_nest_is_plain (spec) ? 2 : 4;
}

static dnnl_engine_t
get_engine (void)
{
  static gsize once = 0;
  static dnnl_engine_t engine = NULL;

  if (g_once_init_enter (&once)) {
    if (dnnl_engine_create (&engine, dnnl_cpu, 0) != dnnl_success)
      engine = NULL;
    g_once_init_leave (&once, 1);
  }
  return engine;
}

static gboolean
check (dnnl_status_t status, const char *what, GError **error)
{
  if (status == dnnl_success)
    return TRUE;
  if (status == dnnl_out_of_memory)
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is not enough memory for oneDNN (%s); choose a smaller shape.", what);
  return seam_fail (
      error, SEAM_ERROR_UNSUPPORTED,
      "oneDNN has no kernel for this group (%s, status %d); leave the choice to the program.", what,
      (int)status);
}

static dnnl_data_type_t
get_type (SeamOperandType type)
{
  return type == SEAM_OPERAND_BF16 ? dnnl_bf16 : dnnl_f32;
}

/* The memory descriptions of the group's tensors as they lie in memory. */
static void
describe_tensors (const SeamPrepared *g, const SeamGroupSpec *spec, gboolean is_convolution,
                  gboolean is_bf16, dnnl_memory_desc_t plain[N_TENSORS])
{
  const SeamOpCase *c = &g->matrix;
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const dnnl_data_type_t input = is_bf16 ? get_type (g->factors[0]) : dnnl_f32;
  const dnnl_data_type_t weight = is_bf16 ? get_type (g->factors[1]) : dnnl_f32;
  dnnl_data_type_t output =
      get_type (spec->problem->tensors[SEAM_TENSOR_OUTPUT (group->last)].type);

  if (is_convolution) {
    const int n = c->in[0].n_dims;
    const dnnl_format_tag_t tag = n == 4 ? dnnl_abcd : dnnl_abcde;
    dnnl_dims_t kernel = { c->out.dims[1], c->in[0].dims[1] }, in, out;

    for (int i = 0; i < n; i++) {
      kernel[i] = i < 2 ? kernel[i] : c->numbers[SEAM_NUMBER_KERNEL];
      in[i] = c->in[0].dims[i];
      out[i] = c->out.dims[i];
    }
    dnnl_memory_desc_init_by_tag (&plain[INPUT], n, in, input, tag);
    /* A transposed convolution has [C, K] in memory, and oneDNN names the outputs first. */
    dnnl_memory_desc_init_by_tag (&plain[WEIGHT], n, kernel, weight,
                                  !seam_op_is_transposed (c) ? tag
                                  : n == 4                   ? dnnl_bacd
                                                             : dnnl_bacde);
    dnnl_memory_desc_init_by_tag (&plain[OUTPUT], n, out, output, tag);
    return;
  }
  dnnl_memory_desc_init_by_tag (&plain[INPUT], 2, (dnnl_dims_t){ g->n, g->depth }, input, dnnl_ab);
  /* [K, C] is the transposed matrix. */
  dnnl_memory_desc_init_by_tag (&plain[WEIGHT], 2, (dnnl_dims_t){ g->depth, g->k }, weight,
                                dnnl_ba);
  dnnl_memory_desc_init_by_tag (&plain[OUTPUT], 2, (dnnl_dims_t){ g->n, g->k }, output, dnnl_ab);
}

/* A vector with an element for each channel, as an operand of the output's dimensions. */
static void
describe_vector (const SeamPrepared *g, gboolean is_convolution, dnnl_memory_desc_t *vector)
{
  if (is_convolution)
    dnnl_memory_desc_init_by_tag (vector, 4, (dnnl_dims_t){ 1, g->k, 1, 1 }, dnnl_f32, dnnl_abcd);
  else
    dnnl_memory_desc_init_by_tag (vector, 2, (dnnl_dims_t){ 1, g->k }, dnnl_f32, dnnl_ab);
}

static gboolean
create_memory (dnnl_memory_t *memory, const dnnl_memory_desc_t *description, void *data,
               GError **error)
{
  return check (dnnl_memory_create (memory, description, get_engine (), data), "a tensor", error);
}

static void
append_words (GString *words, const SeamChain *chain, int first, int n, const char *what)
{
  for (int i = first; i < first + n; i++)
    g_string_append_printf (words, "%s: %s\n", chain->ops[i].name,
                            i == first ? what : "in the same post-op");
}

/* Fills `posts` with the group's ops after the matrix op and its bias. */
static gboolean
append_post_ops (SeamOnednn *o, const SeamPrepared *g, const SeamGroupSpec *spec,
                 SeamBuffer *const *tensors, dnnl_post_ops_t posts, GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  int first = group->first + 1 + (seam_onednn_get_bias (chain, group) != NULL), n;
  dnnl_memory_desc_t vector;

  if (first > group->first + 1)
    append_words (o->words, chain, group->first + 1, 1, "bias of the primitive");
  describe_vector (g, o->is_convolution, &vector);
  for (int i = first, index = 0; i <= group->last; i += n, index++) {
    const SeamOp *op = &chain->ops[i];
    SeamPostOp post;

    n = seam_onednn_match (chain, group, i, &post);
    if (!post.is_binary) {
      if (!check (dnnl_post_ops_append_eltwise (posts, 1, (dnnl_alg_kind_t)post.algorithm,
                                                (float)post.alpha, (float)post.beta),
                  op->label, error))
        return FALSE;
      append_words (o->words, chain, i, n, dnnl_alg_kind2str ((dnnl_alg_kind_t)post.algorithm));
      continue;
    }
    if (!check (dnnl_post_ops_append_binary (posts, (dnnl_alg_kind_t)post.algorithm, &vector),
                op->label, error))
      return FALSE;
    append_words (o->words, chain, i, n, dnnl_alg_kind2str ((dnnl_alg_kind_t)post.algorithm));
    void *data =
        tensors != NULL ? tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])]->data : NULL;
    if (!create_memory (&o->vectors[o->n_vectors], &vector, data, error))
      return FALSE;
    o->vector_posts[o->n_vectors++] = index;
  }
  return TRUE;
}

static dnnl_status_t
describe_convolution (SeamOnednn *o, const SeamOpCase *c, const dnnl_memory_desc_t *wanted,
                      const dnnl_memory_desc_t *bias, dnnl_primitive_attr_t attributes)
{
  const gint64 p = c->numbers[SEAM_NUMBER_PADDING], s = c->numbers[SEAM_NUMBER_STRIDE];
  /* An output padding takes away from the padding behind the image. */
  const gint64 behind = p - c->numbers[SEAM_NUMBER_OUTPUT_PADDING];
  const dnnl_dims_t strides = { s, s, s }, before = { p, p, p };
  const dnnl_dims_t after = { behind, behind, behind };
  dnnl_convolution_desc_t convolution;
  dnnl_deconvolution_desc_t transposed;
  dnnl_status_t status;

  if (seam_op_is_transposed (c)) {
    status = dnnl_deconvolution_forward_desc_init (
        &transposed, dnnl_forward_inference, dnnl_deconvolution_direct, &wanted[INPUT],
        &wanted[WEIGHT], bias, &wanted[OUTPUT], strides, before, after);
    return status != dnnl_success ? status
                                  : dnnl_primitive_desc_create (&o->description, &transposed,
                                                                attributes, get_engine (), NULL);
  }
  status = dnnl_convolution_forward_desc_init (
      &convolution, dnnl_forward_inference, dnnl_convolution_direct, &wanted[INPUT],
      &wanted[WEIGHT], bias, &wanted[OUTPUT], strides, before, after);
  return status != dnnl_success ? status
                                : dnnl_primitive_desc_create (&o->description, &convolution,
                                                              attributes, get_engine (), NULL);
}

/* Creates the description of the primitive in a form. */
static gboolean
create_description (SeamOnednn *o, const SeamPrepared *g, const SeamGroupSpec *spec, int form,
                    const dnnl_memory_desc_t plain[N_TENSORS], SeamBuffer *const *tensors,
                    GError **error)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamOp *bias_op = seam_onednn_get_bias (chain, &spec->plan->groups[spec->group]);
  dnnl_memory_desc_t wanted[N_TENSORS], bias, *bias_or_null = NULL;
  dnnl_primitive_attr_t attributes = NULL;
  dnnl_post_ops_t posts = NULL;
  dnnl_status_t status;
  const char *kernel = NULL;

  for (int i = 0; i < N_TENSORS; i++) {
    gboolean is_free = o->is_convolution ? i == WEIGHT || (i == INPUT && (form & FREE_INPUT))
                                               || (i == OUTPUT && (form & FREE_OUTPUT))
                                         : i == WEIGHT && (form & FREE_WEIGHT);
    wanted[i] = plain[i];
    if (i != OUTPUT && o->is_bf16)
      wanted[i].data_type = dnnl_bf16;
    if (is_free)
      dnnl_memory_desc_init_by_tag (&wanted[i], plain[i].ndims, plain[i].dims, wanted[i].data_type,
                                    dnnl_format_tag_any);
    else if (wanted[i].data_type != plain[i].data_type)
      dnnl_memory_desc_init_by_strides (&wanted[i], plain[i].ndims, plain[i].dims,
                                        wanted[i].data_type, plain[i].format_desc.blocking.strides);
  }
  if (bias_op != NULL) {
    if (o->is_convolution)
      dnnl_memory_desc_init_by_tag (&bias, 1, (dnnl_dims_t){ g->k }, dnnl_f32, dnnl_a);
    else
      describe_vector (g, FALSE, &bias);
    bias_or_null = &bias;
    void *data = tensors != NULL
                     ? tensors[SEAM_TENSOR_PARAM (chain->n_ops, bias_op->params[0])]->data
                     : NULL;
    if (!create_memory (&o->bias, &bias, data, error))
      return FALSE;
  }

  gboolean good =
      check (dnnl_primitive_attr_create (&attributes), "attributes", error)
      && check (dnnl_primitive_attr_set_scratchpad_mode (attributes, dnnl_scratchpad_mode_user),
                "scratchpad", error)
      && check (dnnl_post_ops_create (&posts), "post-ops", error)
      && append_post_ops (o, g, spec, tensors, posts, error)
      && check (dnnl_primitive_attr_set_post_ops (attributes, posts), "post-ops", error);
  if (good && o->is_convolution) {
    good = check (describe_convolution (o, &g->matrix, wanted, bias_or_null, attributes),
                  "convolution", error);
  } else if (good) {
    dnnl_matmul_desc_t operation;

    status = dnnl_matmul_desc_init (&operation, &wanted[INPUT], &wanted[WEIGHT], bias_or_null,
                                    &wanted[OUTPUT]);
    if (status == dnnl_success)
      status =
          dnnl_primitive_desc_create (&o->description, &operation, attributes, get_engine (), NULL);
    good = check (status, "matmul", error);
  }
  if (posts != NULL)
    dnnl_post_ops_destroy (posts);
  if (attributes != NULL)
    dnnl_primitive_attr_destroy (attributes);
  if (!good)
    return FALSE;
  /* The reference is hundreds of times slower. */
  dnnl_primitive_desc_query (o->description, dnnl_query_impl_info_str, 0, (void *)&kernel);
  if (kernel == NULL || !g_str_has_prefix (kernel, "ref"))
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                    "oneDNN has only its slow reference (%s) for this group and these layouts; "
                    "leave the choice to the program.",
                    kernel);
}

static const dnnl_memory_desc_t *
get_own_description (const SeamOnednn *o, Which which)
{
  static const dnnl_query_t queries[N_TENSORS] = { dnnl_query_src_md, dnnl_query_weights_md,
                                                   dnnl_query_dst_md };

  return dnnl_primitive_desc_query_md (o->description, queries[which], 0);
}

static gboolean
allocate (void **memory, gsize bytes, GError **error)
{
  guint64 available = seam_cpu_get_memory (TRUE);

  *memory = NULL;
  /* The system promises more memory than it has. */
  if ((available == 0 || bytes < available)
      && posix_memalign (memory, SEAM_CPU_ALIGNMENT, MAX (bytes, 1)) == 0)
    return TRUE;
  *memory = NULL;
  return seam_fail (error, SEAM_ERROR_MEMORY,
                    "There is not enough memory for tensors in the layouts of oneDNN; choose a "
                    "smaller shape, or write “@cpu”.");
}

/* Gives the tensor the layout of the primitive, with a reorder where that is another one. */
static gboolean
create_tensor (SeamOnednn *o, Which which, const dnnl_memory_desc_t *plain, void *data,
               GError **error)
{
  const dnnl_memory_desc_t *own = get_own_description (o, which);
  gboolean is_output = which == OUTPUT;
  dnnl_primitive_desc_t description;

  if (!create_memory (&o->plain[which], plain, data, error))
    return FALSE;
  if (dnnl_memory_desc_equal (own, plain)) {
    o->own[which] = o->plain[which];
    return TRUE;
  }
  if (data == NULL)
    return TRUE; /* for a description */
  if (!allocate (&o->memory[which], dnnl_memory_desc_get_size (own), error)
      || !create_memory (&o->own[which], own, o->memory[which], error)
      || !check (dnnl_reorder_primitive_desc_create (&description, is_output ? own : plain,
                                                     get_engine (), is_output ? plain : own,
                                                     get_engine (), NULL),
                 reorder_names[which], error))
    return FALSE;
  gboolean good =
      check (dnnl_primitive_create (&o->reorders[which], description), reorder_names[which], error);
  dnnl_primitive_desc_destroy (description);
  return good;
}

static gboolean
create (SeamOnednn *o, const SeamPrepared *g, const SeamGroupSpec *spec, int form,
        SeamBuffer *const *tensors, GError **error)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  dnnl_memory_desc_t plain[N_TENSORS];

  if (get_engine () == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "oneDNN finds no engine for this processor; write “@cpu”.");
  describe_tensors (g, spec, o->is_convolution, o->is_bf16, plain);
  if (!create_description (o, g, spec, form, plain, tensors, error))
    return FALSE;
  const void *data[N_TENSORS] = { NULL };
  if (tensors != NULL) {
    data[INPUT] = o->is_bf16 ? g->input : seam_cpu_get_input (g);
    data[WEIGHT] = o->is_bf16 ? g->weight : seam_cpu_get_weight (g);
    data[OUTPUT] = tensors[SEAM_TENSOR_OUTPUT (group->last)]->data;
  }
  for (int i = 0; i < N_TENSORS; i++)
    if (!create_tensor (o, (Which)i, &plain[i], (void *)data[i], error))
      return FALSE;
  if (tensors == NULL)
    return TRUE;
  const dnnl_memory_desc_t *scratchpad =
      dnnl_primitive_desc_query_md (o->description, dnnl_query_scratchpad_md, 0);
  gsize bytes = scratchpad != NULL ? dnnl_memory_desc_get_size (scratchpad) : 0;
  if (bytes > 0
      && (!allocate (&o->memory[N_TENSORS], bytes, error)
          || !create_memory (&o->scratchpad, scratchpad, o->memory[N_TENSORS], error)))
    return FALSE;
  return check (dnnl_primitive_create (&o->primitive, o->description), "primitive", error);
}

SeamOnednn *
seam_onednn_new (const SeamPrepared *g, const SeamGroupSpec *spec, int form,
                 SeamBuffer *const *tensors, GError **error)
{
  SeamOnednn *o = g_new0 (SeamOnednn, 1);
  int n_threads = omp_get_max_threads ();

  o->is_convolution =
      g->matrix.info->attributes->rank > 0 && (g->plane > 1 || seam_nest_is_plain (spec));
  o->is_bf16 = seam_onednn_uses_bf16 (spec);
  o->n_threads = g->n_threads;
  o->words = g_string_new (NULL);
  /* oneDNN divides the work when it creates a primitive. */
  omp_set_num_threads (o->n_threads);
  gboolean good = create (o, g, spec, form, tensors, error);
  omp_set_num_threads (n_threads);
  if (good)
    return o;
  seam_onednn_free (o);
  return NULL;
}

void
seam_onednn_free (SeamOnednn *o)
{
  if (o == NULL)
    return;
  for (int i = 0; i < N_TENSORS; i++) {
    if (o->own[i] != NULL && o->own[i] != o->plain[i])
      dnnl_memory_destroy (o->own[i]);
    if (o->plain[i] != NULL)
      dnnl_memory_destroy (o->plain[i]);
    if (o->reorders[i] != NULL)
      dnnl_primitive_destroy (o->reorders[i]);
  }
  for (int i = 0; i < o->n_vectors; i++)
    dnnl_memory_destroy (o->vectors[i]);
  if (o->bias != NULL)
    dnnl_memory_destroy (o->bias);
  if (o->scratchpad != NULL)
    dnnl_memory_destroy (o->scratchpad);
  if (o->primitive != NULL)
    dnnl_primitive_destroy (o->primitive);
  if (o->description != NULL)
    dnnl_primitive_desc_destroy (o->description);
  for (gsize i = 0; i < G_N_ELEMENTS (o->memory); i++)
    free (o->memory[i]);
  g_string_free (o->words, TRUE);
  g_free (o);
}

/* --- Execution --- */

gboolean
seam_onednn_reads_copies (const SeamOnednn *o)
{
  return !o->is_bf16;
}

/* The part of the primitive itself; parts below N_TENSORS are reorders. */
#define PRIMITIVE N_TENSORS

static void
add_reorder (const SeamOnednn *o, SeamPrepared *g, Which which)
{
  const dnnl_memory_desc_t *plain, *own;

  if (o->reorders[which] == NULL)
    return;
  dnnl_memory_get_memory_desc (o->plain[which], &plain);
  dnnl_memory_get_memory_desc (o->own[which], &own);
  g->parts[g->n_parts++] = (SeamCpuPart){
    .kind = SEAM_CPU_PART_ONEDNN,
    .index = (int)which,
    .name = reorder_names[which],
    .bytes = (double)dnnl_memory_desc_get_size (plain) + (double)dnnl_memory_desc_get_size (own),
  };
}

void
seam_onednn_add_parts (const SeamOnednn *o, SeamPrepared *g)
{
  add_reorder (o, g, INPUT);
  add_reorder (o, g, WEIGHT);
  g->parts[g->n_parts++] =
      (SeamCpuPart){ .kind = SEAM_CPU_PART_ONEDNN, .index = PRIMITIVE, .bytes = g->bytes };
  add_reorder (o, g, OUTPUT);
}

static dnnl_status_t
reorder (SeamOnednn *o, Which which, dnnl_stream_t stream)
{
  dnnl_memory_t plain = o->plain[which], own = o->own[which];
  const dnnl_exec_arg_t arguments[] = {
    { DNNL_ARG_FROM, which == OUTPUT ? own : plain },
    { DNNL_ARG_TO, which == OUTPUT ? plain : own },
  };

  return dnnl_primitive_execute (o->reorders[which], stream, G_N_ELEMENTS (arguments), arguments);
}

static dnnl_status_t
execute (SeamOnednn *o, dnnl_stream_t stream)
{
  dnnl_exec_arg_t arguments[5 + SEAM_MAX_OPS] = {
    { DNNL_ARG_SRC, o->own[INPUT] },
    { DNNL_ARG_WEIGHTS, o->own[WEIGHT] },
    { DNNL_ARG_DST, o->own[OUTPUT] },
  };
  int n = 3;

  if (o->bias != NULL)
    arguments[n++] = (dnnl_exec_arg_t){ DNNL_ARG_BIAS, o->bias };
  if (o->scratchpad != NULL)
    arguments[n++] = (dnnl_exec_arg_t){ DNNL_ARG_SCRATCHPAD, o->scratchpad };
  for (int i = 0; i < o->n_vectors; i++)
    arguments[n++] =
        (dnnl_exec_arg_t){ DNNL_ARG_ATTR_MULTIPLE_POST_OP (o->vector_posts[i]) | DNNL_ARG_SRC_1,
                           o->vectors[i] };
  return dnnl_primitive_execute (o->primitive, stream, n, arguments);
}

void
seam_onednn_run (SeamOnednn *o, SeamPrepared *g, int part)
{
  int n_threads = omp_get_max_threads ();
  dnnl_stream_t stream = NULL;

  /* Another group may have moved the copies. */
  if (!o->is_bf16) {
    dnnl_memory_set_data_handle (o->plain[INPUT], (void *)seam_cpu_get_input (g));
    dnnl_memory_set_data_handle (o->plain[WEIGHT], (void *)seam_cpu_get_weight (g));
  }
  omp_set_num_threads (o->n_threads);
  dnnl_status_t status = dnnl_stream_create (&stream, get_engine (), dnnl_stream_default_flags);
  if (status == dnnl_success)
    status = part == PRIMITIVE ? execute (o, stream) : reorder (o, (Which)part, stream);
  if (status == dnnl_success)
    status = dnnl_stream_wait (stream);
  if (stream != NULL)
    dnnl_stream_destroy (stream);
  omp_set_num_threads (n_threads);
  if (status != dnnl_success)
    g_atomic_int_set (&g->failed, TRUE);
}

/* --- In words --- */

/* A layout as oneDNN writes its tags: the dimensions a, b, … from the slowest to the fastest, large
 * where they are cut into blocks, then the blocks. */
static void
append_layout (GString *text, const dnnl_memory_desc_t *description)
{
  const dnnl_blocking_desc_t *blocking = &description->format_desc.blocking;
  gboolean is_written[DNNL_MAX_NDIMS] = { FALSE };

  if (description->format_kind != dnnl_blocked) {
    g_string_append (text, "a layout of its own");
    return;
  }
  for (int n = 0; n < description->ndims; n++) {
    int slowest = -1;
    gboolean is_cut = FALSE;

    for (int i = 0; i < description->ndims; i++)
      if (!is_written[i] && (slowest < 0 || blocking->strides[i] > blocking->strides[slowest]))
        slowest = i;
    is_written[slowest] = TRUE;
    for (int i = 0; i < blocking->inner_nblks; i++)
      is_cut = is_cut || blocking->inner_idxs[i] == slowest;
    g_string_append_c (text, (char)((is_cut ? 'A' : 'a') + slowest));
  }
  for (int i = 0; i < blocking->inner_nblks; i++)
    g_string_append_printf (text, "%d%c", (int)blocking->inner_blks[i],
                            (char)('a' + blocking->inner_idxs[i]));
}

static void
append_tensor (GString *text, const SeamOnednn *o, Which which, const char *name)
{
  const dnnl_memory_desc_t *own = get_own_description (o, which), *plain;

  dnnl_memory_get_memory_desc (o->plain[which], &plain);
  g_string_append_printf (text, "%s: %s, layout ", name, dnnl_dt2str (own->data_type));
  append_layout (text, own);
  g_string_append (text, dnnl_memory_desc_equal (own, plain) ? ", as it is in memory\n"
                                                             : ", reordered in every execution\n");
}

void
seam_onednn_describe (const SeamOnednn *o, const char *name, GString *text)
{
  const char *kernel = "unknown";

  dnnl_primitive_desc_query (o->description, dnnl_query_impl_info_str, 0, (void *)&kernel);
  g_string_append_printf (text,
                          "One primitive of %s, %d thread%s.\n\n"
                          "%s: %s, kernel %s\n%s\n",
                          seam_onednn_get_version (), o->n_threads, o->n_threads == 1 ? "" : "s",
                          name, o->is_convolution ? "convolution" : "matmul", kernel,
                          o->words->str);
  append_tensor (text, o, INPUT, "Input");
  append_tensor (text, o, WEIGHT, "Weight");
  append_tensor (text, o, OUTPUT, "Output");
  g_string_append (text,
                   "A layout lists the dimensions a, b, … from the slowest to the fastest; those "
                   "cut into blocks are large.\n");
}

/* --- Calibration --- */

/* Sides of the product: 2 MB an operand, some milliseconds on two cores. */
#define SIDE 1024

/* Times the product of two matrices of `bf16`, with sums in FP32 in `sums`. */
static dnnl_status_t
time_product (guint16 *bf16, float *sums, double *time_ns)
{
  dnnl_memory_desc_t descriptions[N_TENSORS];
  dnnl_memory_t memory[N_TENSORS] = { NULL };
  void *const data[N_TENSORS] = { bf16, bf16, sums };
  dnnl_primitive_desc_t description = NULL;
  dnnl_primitive_t primitive = NULL;
  dnnl_stream_t stream = NULL;
  dnnl_matmul_desc_t operation;
  dnnl_status_t status = dnnl_stream_create (&stream, get_engine (), dnnl_stream_default_flags);

  for (int i = 0; i < N_TENSORS && status == dnnl_success; i++) {
    dnnl_memory_desc_init_by_tag (&descriptions[i], 2, (dnnl_dims_t){ SIDE, SIDE },
                                  i == OUTPUT ? dnnl_f32 : dnnl_bf16, dnnl_ab);
    status = dnnl_memory_create (&memory[i], &descriptions[i], get_engine (), data[i]);
  }
  if (status == dnnl_success)
    status = dnnl_matmul_desc_init (&operation, &descriptions[INPUT], &descriptions[WEIGHT], NULL,
                                    &descriptions[OUTPUT]);
  if (status == dnnl_success)
    status = dnnl_primitive_desc_create (&description, &operation, NULL, get_engine (), NULL);
  if (status == dnnl_success)
    status = dnnl_primitive_create (&primitive, description);
  /* The first execution takes memory. */
  for (int i = 0; i < 2 && status == dnnl_success; i++) {
    const dnnl_exec_arg_t arguments[] = { { DNNL_ARG_SRC, memory[INPUT] },
                                          { DNNL_ARG_WEIGHTS, memory[WEIGHT] },
                                          { DNNL_ARG_DST, memory[OUTPUT] } };
    double start = seam_cpu_now_ns ();

    status = dnnl_primitive_execute (primitive, stream, G_N_ELEMENTS (arguments), arguments);
    if (status == dnnl_success)
      status = dnnl_stream_wait (stream);
    *time_ns = seam_cpu_now_ns () - start;
  }
  if (primitive != NULL)
    dnnl_primitive_destroy (primitive);
  if (description != NULL)
    dnnl_primitive_desc_destroy (description);
  for (int i = 0; i < N_TENSORS; i++)
    if (memory[i] != NULL)
      dnnl_memory_destroy (memory[i]);
  if (stream != NULL)
    dnnl_stream_destroy (stream);
  return status;
}

gboolean
seam_onednn_time_bf16 (double *amount, double *time_ns, GError **error)
{
  const gsize n = (gsize)SIDE * SIDE;
  void *memory = NULL;

  if (!seam_onednn_has_bf16 ())
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "This processor does not multiply bf16; its numbers are computed in FP32.");
  if (!allocate (&memory, n * (sizeof (guint16) + sizeof (float)), error))
    return FALSE;
  guint16 *bf16 = (guint16 *)((float *)memory + n);
  for (gsize i = 0; i < n; i++)
    bf16[i] = 0x3f40; /* 0.75 */
  gboolean good = check (time_product (bf16, memory, time_ns), "bf16", error);
  free (memory);
  *amount = 2.0 * SIDE * (double)n;
  return good;
}
