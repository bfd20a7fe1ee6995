/* SPDX-License-Identifier: MIT
 *
 * get_source(): for every segment of a group's scheme the text that NVRTC compiles, the file of a
 * precompiled kernel, or a description of the library call; with the files that the text includes.
 */
#include "app/backend/cuda/cuda-source.h"

#include "app/backend/cuda/generator.h"
#include "app/backend/cuda/hand.h"
#include "app/backend/cuda/nest-kernels.h"
#include "app/backend/generate.h"
#include "kernels/embedded.h"

#include <string.h>

/* --- Included files --- */

static const char *
find_text (const char *name)
{
  for (int i = 0; i < seam_n_cuda_texts; i++)
    if (strcmp (seam_cuda_texts[i].name, name) == 0)
      return seam_cuda_texts[i].text;
  return NULL;
}

static void
add_includes (SeamSource *source, const char *text)
{
  static const char directive[] = "#include \"";

  for (const char *p = text; (p = strstr (p, directive)) != NULL;) {
    const char *start = p + strlen (directive), *end = strchr (start, '"');
    g_autofree char *name = end != NULL ? g_strndup (start, (gsize)(end - start)) : NULL;
    const char *found = name != NULL ? find_text (name) : NULL;
    guint before = source->includes->len;

    p = start;
    if (found == NULL)
      continue;
    seam_source_add_include (source, name, found);
    if (source->includes->len > before)
      add_includes (source, found);
  }
}

/* --- Precompiled kernels --- */

static void
append_operands (GString *text, const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamOp *op = &chain->ops[s->first];

  for (int i = 0; i < s->n_inputs; i++) {
    g_string_append_printf (text, "//   inputs[%d]: ", i);
    seam_generate_append_shape (text, &spec->problem->tensors[s->inputs[i]]);
    g_string_append_c (text, '\n');
  }
  for (int i = 0; i < 2; i++) {
    if (op->params[i] < 0)
      continue;
    g_string_append_printf (text, "//   %s: ",
                            seam_op_is_normalisation (op) ? seam_op_get_info (op)->params[i]
                                                          : "vectors[0]");
    seam_generate_append_shape (
        text, &spec->problem->tensors[SEAM_TENSOR_PARAM (chain->n_ops, op->params[i])]);
    g_string_append_c (text, '\n');
  }
  g_string_append (text, "//   outputs[0]: ");
  seam_generate_append_shape (text, &spec->problem->tensors[s->outputs[0]]);
  g_string_append_c (text, '\n');
}

static void
append_call (GString *text, const char *call, const SeamCudaGeometry *g, const char *kernel)
{
  g_string_append_printf (text,
                          "  // %s: %lld blocks of %u threads, %d value%s at a time\n"
                          "  %s;\n",
                          kernel, (long long)g->blocks, g->threads, g->vector,
                          g->vector == 1 ? "" : "s", call);
}

static char *
write_precompiled (const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamOp *op = &seam_plan_get_chain (spec->plan)->ops[s->first];
  gboolean groupnorm = seam_op_is_normalisation (op);
  GString *text = g_string_new ("// Seamscope's hand-written kernel, compiled ahead, for ");
  SeamCudaArguments a = { 0 };
  SeamCudaGeometry g;

  generated_set_shape (&a, spec->problem, seam_plan_get_chain (spec->plan), s);
  g_string_append_printf (text,
                          "%s: %s\n// The kernel is in the included file; what follows is its "
                          "launch.\n",
                          spec->problem->pipeline->id, op->name);
  append_operands (text, spec, s);
  g_string_append_printf (text,
                          "#include \"kernels/cuda/%s.cu\"\n\n"
                          "void\n"
                          "launch (SeamCudaArguments a, cudaStream_t stream)\n"
                          "{\n",
                          groupnorm ? "groupnorm" : "elementwise");
  if (!groupnorm) {
    g_autofree char *type = g_ascii_strup (seam_op_type_get_name (op->type), -1);
    g_autofree char *call =
        g_strdup_printf ("seam_cuda_elementwise (SEAM_OP_%s, &a, stream)", type);

    g = seam_cuda_geometry_elementwise (&a);
    append_call (text, call, &g, g.matrix ? "elementwise_matrix" : "elementwise_planes");
  } else if (a.group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS) {
    g = seam_cuda_geometry_one_pass (&a);
    append_call (text, "seam_cuda_groupnorm_one_pass (&a, stream)", &g, "groupnorm_one_pass");
  } else {
    g = seam_cuda_geometry_two_pass (&a);
    append_call (text, "seam_cuda_groupnorm_statistics (&a, stream)", &g, "groupnorm_statistics");
    append_call (text, "seam_cuda_groupnorm_apply (&a, stream)", &g, "groupnorm_apply");
  }
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}

/* The kernel of an exhibit's library op. */
static char *
write_half_sums (const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  GString *text = g_string_new ("// Wrong on purpose, an exhibit: sums in FP16, for ");

  g_string_append_printf (text, "%s: %s\n// The kernel is in the included file.\n",
                          spec->problem->pipeline->id, chain->ops[s->first].name);
  append_operands (text, spec, s);
  g_string_append (text, "#include \"kernels/cuda/exhibits.cu\"\n");
  return g_string_free (text, FALSE);
}

/* --- Segments --- */

static SeamSource *
make_source (CudaDevice *device, const SeamGroupSpec *spec, const GroupScheme *scheme,
             const SeamSegment *s, GError **error)
{
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[s->first];
  gboolean convolution = group_op_get_library (first) == LIBRARY_CUDNN;
  gboolean is_edited = group_scheme_is_edited (spec, scheme, s);
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  const char *language = "cuda";

  if (s->library && scheme->half_sums) {
    title = g_strdup ("hand-written kernel (compiled ahead)");
    text = write_half_sums (spec, s);
  } else if (s->library && scheme->hand.version != NULL) {
    title = g_strdup_printf ("%shand-written kernel (%s)", is_edited ? "edited " : "",
                             scheme->hand.version->implementation.name);
    text = is_edited ? g_strdup (spec->edit) : hand_write_source (device, &scheme->hand);
  } else if (s->library) {
    title = g_strdup (convolution ? "cuDNN convolution" : "cuBLASLt matmul");
    language = "text";
    text = convolution ? source_describe_convolution (device, spec, s)
                       : source_describe_matmul (spec, s);
  } else if (scheme->each) {
    g_autoptr (NestKernels) kernels =
        nest_kernels_new (spec, s->first, s->last, seam_math_mode_get_operand (spec->math_mode),
                          device->base.info->n_processors, error);

    if (kernels == NULL)
      return NULL;
    title = g_strdup (is_edited ? "edited kernel" : "generated kernel");
    text = is_edited ? g_strdup (spec->edit) : g_steal_pointer (&kernels->source);
  } else if (group_scheme_is_precompiled (spec, scheme, s)) {
    title = g_strdup ("hand-written kernel (compiled ahead)");
    text = write_precompiled (spec, s);
  } else {
    g_autoptr (Generated) generated = generated_new (spec->problem, spec->plan, s, error);

    if (generated == NULL)
      return NULL;
    title = g_strdup (is_edited ? "edited kernel" : "generated kernel");
    text = is_edited ? g_strdup (spec->edit) : g_steal_pointer (&generated->source);
  }
  SeamSource *source = seam_source_new (title, language, s->first, s->last);
  source->text = g_steal_pointer (&text);
  if (strcmp (language, "cuda") == 0)
    add_includes (source, source->text);
  return source;
}

GPtrArray *
cuda_get_source (SeamDevice *base, const SeamGroupSpec *spec, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autoptr (GPtrArray) list = seam_source_list_new ();
  GroupScheme scheme;

  if (!cuda_device_enter (device, error))
    return NULL;
  group_scheme_make (device, spec, TRUE, &scheme);
  gboolean good = scheme.support.level != SEAM_SUPPORT_NO;
  if (!good)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, scheme.support.reason);
  for (int i = 0; good && i < scheme.segments.n; i++) {
    SeamSource *source = make_source (device, spec, &scheme, &scheme.segments.segments[i], error);

    good = source != NULL;
    if (good)
      g_ptr_array_add (list, source);
  }
  group_scheme_clear (&scheme);
  return good ? g_steal_pointer (&list) : NULL;
}
