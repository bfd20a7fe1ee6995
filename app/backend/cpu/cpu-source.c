/* SPDX-License-Identifier: MIT
 *
 * Describes how the CPU executes a group: the generated C, if there is any, and in words the order
 * and sizes of the loops, as prepare() chooses them. backend-cpu.h describes the scheme, cpu-run.c
 * has the code.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"

#include "kernels/embedded.h"

#include <string.h>

#define COUNT "%" G_GINT64_FORMAT

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

static void
append_op (GString *text, const SeamGroupSpec *spec, int op, const char *indent)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  g_autofree char *words = seam_op_describe (spec->problem, chain, op);

  g_string_append_printf (text, "%s%s: %s\n", indent, chain->ops[op].name, words);
}

/* The sentence about a stage's generated function, which replaces its ops. */
static void
append_call (GString *text, const SeamPrepared *g, int stage, const char *indent)
{
  if (g->stages[stage].text.has_function && g->plane == 1)
    g_string_append_printf (text, "%sstage_%d\n", indent, stage);
  else if (g->stages[stage].text.has_function)
    g_string_append_printf (text,
                            "%sfor each run of up to " COUNT " elements\n"
                            "%s  stage_%d\n",
                            indent, g->device->run, indent, stage);
  if (stage + 1 < g->n_stages)
    g_string_append_printf (text, "%s%sadd to the statistics for the GroupNorm that follows\n",
                            indent, g->plane > 1 ? "  " : "");
}

/* Lists the ops of a stage except the matrix op, each over a run of elements. */
static void
append_run (GString *text, const SeamPrepared *g, const SeamGroupSpec *spec, int stage,
            const char *indent)
{
  gboolean is_generated = seam_cpu_would_generate (spec);
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  g_autofree char *deeper = g_strconcat (indent, "  ", NULL);
  GString *ops = g_string_new (NULL);
  gboolean has_moments = FALSE;
  int at = 0;

  if (is_generated) {
    append_call (text, g, stage, indent);
    g_string_free (ops, TRUE);
    return;
  }
  for (int op = g->first_op; op <= g->last_op; op++) {
    gboolean is_normalisation = seam_op_is_normalisation (&chain->ops[op]);

    if (is_normalisation && at == stage)
      has_moments = TRUE;
    at += is_normalisation;
    if (at == stage && !seam_op_is_matrix (&chain->ops[op]))
      append_op (ops, spec, op, deeper);
  }
  /* Statistics are taken from whole rows, but from planes run by run. */
  if (ops->len > 0 || (has_moments && g->plane > 1))
    g_string_append_printf (text,
                            "%sfor each run of up to " COUNT
                            " elements, which stays in the L1 cache between ops\n%s",
                            indent, g->device->run, ops->str);
  if (has_moments)
    g_string_append_printf (
        text, "%sadd count, mean and squared distances for the GroupNorm that follows\n",
        g->plane > 1 ? deeper : indent);
  g_string_free (ops, TRUE);
}

/* "for each of 3 bundles ", "for 1 bundle ". */
static void
append_loop (GString *text, gint64 n, const char *one, const char *many)
{
  g_string_append_printf (text, "for %s" COUNT " %s ", n == 1 ? "" : "each of ", n,
                          n == 1 ? one : many);
}

/* [N, K]: tiles of rows and columns, each goes through all stages. */
static void
append_matrix_layout (GString *text, const SeamPrepared *g, const SeamGroupSpec *spec)
{
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[g->first_op];

  append_loop (text, divide_up (g->n, g->tile_rows) * divide_up (g->k, g->tile_columns), "tile",
               "tiles");
  g_string_append_printf (text,
                          "of " COUNT " %s x " COUNT " %s, one thread each (OpenMP, dynamic)\n",
                          g->tile_rows, g->tile_rows == 1 ? "row" : "rows", g->tile_columns,
                          g->tile_columns == 1 ? "column" : "columns");
  if (g->has_matrix)
    g_string_append_printf (text, "  %s: sgemm of oneDNN, sums of " COUNT " products\n",
                            first->name, g->depth);
  g_string_append (text, "  for each row of the tile\n");
  for (int stage = 0; stage < g->n_stages; stage++)
    append_run (text, g, spec, stage, "    ");
}

static void
append_convolution (GString *text, const SeamPrepared *g, const char *name, const char *indent)
{
  const SeamCpuConvolution *c = &g->convolution;

  g_string_append_printf (text, "%sfor each " COUNT " channels of the tile\n%s  %s: ", indent,
                          g->matrix_channels, indent, name);
  if (g->is_direct)
    g_string_append_printf (text,
                            COUNT " x " COUNT " convolution of " COUNT
                                  " channels, direct loops with a block of sums in registers\n",
                            c->r, c->r, c->c);
  else
    g_string_append_printf (text, "im2col into a matrix of " COUNT " rows, then sgemm of oneDNN\n",
                            g->depth);
}

/* [N, K, plane]: bundles of whole normalisation groups, cut into tiles for each stage. */
static void
append_plane_layout (GString *text, const SeamPrepared *g, const SeamGroupSpec *spec)
{
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[g->first_op];

  append_loop (text, divide_up (g->n, g->bundle_samples) * divide_up (g->k, g->bundle_channels),
               "bundle", "bundles");
  g_string_append_printf (text, "of " COUNT " %s x " COUNT " %s%s\n", g->bundle_samples,
                          g->bundle_samples == 1 ? "sample" : "samples", g->bundle_channels,
                          g->bundle_channels == 1 ? "channel" : "channels",
                          g->is_hot ? ", one thread each (OpenMP, dynamic)" : "");
  for (int s = 0; s < g->n_stages; s++) {
    const SeamCpuStage *stage = &g->stages[s];

    g_string_append_printf (text, "  for each tile of " COUNT " %s x " COUNT " %s%s\n",
                            stage->tile_channels,
                            stage->tile_channels == 1 ? "channel" : "channels", stage->tile_pixels,
                            stage->tile_pixels == 1 ? "pixel" : "pixels",
                            g->is_hot ? "" : ", one thread each (OpenMP, dynamic)");
    if (s == 0 && g->has_matrix) {
      append_convolution (text, g, first->name, "    ");
      append_run (text, g, spec, s, "      ");
    } else {
      append_run (text, g, spec, s, "    ");
    }
    if (s + 1 < g->n_stages)
      g_string_append (text, "  combine the statistics of each normalisation group in FP64\n");
  }
}

/* The whole scheme, either around generated code or alone. */
static char *
describe (const SeamGroupSpec *spec, const SeamPrepared *g)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (
      text,
      "%s\n"
      "Loops: %s, %d floats a vector; threads: %d; in the source: "
      "app/backend/cpu/cpu-run.c, kernels/cpu.\n",
      seam_cpu_would_generate (spec)
          ? "What the program does around this code:"
          : "The loops of this program, in words: nothing is generated for this group.",
      g->device->loops->name, g->device->loops->vector_width, g->n_threads);
  if (seam_nest_is_plain (spec)) {
    seam_cpu_plain_describe (spec, text);
    return g_string_free (text, FALSE);
  }
  if (g->plane == 1)
    g_string_append_printf (text, "Output: " COUNT " rows x " COUNT " columns.\n\n", g->n, g->k);
  else
    g_string_append_printf (
        text, "Output: " COUNT " samples x " COUNT " channels x " COUNT " pixels.\n\n", g->n, g->k,
        g->plane);
  if (g->has_copies)
    g_string_append_printf (text,
                            "%s input and weight %s %s, into copies that the products read (all "
                            "threads)\n",
                            g->factors[0] != SEAM_OPERAND_FP32 ? "widen" : "round",
                            g->factors[0] != SEAM_OPERAND_FP32 ? "from" : "to",
                            seam_storage_get_type_title (g->storage));
  if (seam_cpu_choose_way (&g->device->device, spec) == SEAM_CPU_BY_TRYING)
    g_string_append (text, "The first run tries oneDNN's own kernels as well, and keeps the faster "
                           "way on this computer.\n\n");
  if (g->plane == 1)
    append_matrix_layout (text, g, spec);
  else
    append_plane_layout (text, g, spec);
  g_string_append (text, "\nValues between these ops stay in the cache; the group writes what a "
                         "later group reads.\n");
  if (spec->problem->storage != SEAM_STORAGE_FP32)
    g_string_append_printf (text,
                            "%s have %s in memory: each run is widened to FP32 when it is read "
                            "and\n"
                            "rounded to nearest even when it is written.\n",
                            spec->problem->storage == SEAM_STORAGE_ALL
                                ? "Tensors between groups and the output"
                                : "Tensors between groups",
                            seam_storage_get_type_title (g->storage));
  return g_string_free (text, FALSE);
}

static SeamSource *
make_words (const SeamGroupSpec *spec, const SeamPrepared *g)
{
  SeamSource *source = seam_source_new ("CPU loops", "text", g->first_op, g->last_op);

  source->text = describe (spec, g);
  return source;
}

/* The words precede the code, as comments. */
static SeamSource *
make_code (const SeamGroupSpec *spec, SeamPrepared *g)
{
  g_autofree char *title =
      g_strdup_printf ("%s C, compiled by %s", spec->edit != NULL ? "edited" : "generated",
                       seam_cpu_compiler_get ());
  SeamSource *source = seam_source_new (title, "c", g->first_op, g->last_op);
  g_autofree char *code = seam_cpu_generate (spec, g);
  g_autofree char *words = describe (spec, g);
  g_auto (GStrv) lines = g_strsplit (g_strchomp (words), "\n", -1);
  gsize head = strcspn (code, "#");
  GString *text = g_string_new_len (code, (gssize)head);

  g_string_append (text, "//\n");
  for (int i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "//%s%s\n", *lines[i] != '\0' ? " " : "", lines[i]);
  g_string_append (text, code + head);
  source->text = g_string_free (text, FALSE);
  if (spec->edit != NULL) {
    g_free (source->text);
    source->text = g_strdup (spec->edit);
  }
  for (int i = 0; i < seam_n_cpu_texts; i++)
    seam_source_add_include (source, seam_cpu_texts[i].name, seam_cpu_texts[i].text);
  return source;
}

static SeamSource *
make_primitive (const SeamGroupSpec *spec, const SeamPrepared *g, GError **error)
{
  SeamOnednn *onednn = seam_cpu_outline_onednn (g, spec, error);

  if (onednn == NULL)
    return NULL;
  SeamSource *source = seam_source_new ("oneDNN primitive", "text", g->first_op, g->last_op);
  GString *text = g_string_new (NULL);
  seam_onednn_describe (onednn, seam_plan_get_chain (spec->plan)->ops[g->first_op].name, text);
  seam_onednn_free (onednn);
  source->text = g_string_free (text, FALSE);
  return source;
}

GPtrArray *
seam_cpu_get_source (SeamDevice *device, const SeamGroupSpec *spec, GError **error)
{
  g_autoptr (GPtrArray) list = seam_source_list_new ();
  SeamSupport support;
  SeamPrepared g;

  seam_cpu_supports (device, spec, &support);
  if (support.level == SEAM_SUPPORT_NO) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, support.reason);
    seam_support_clear (&support);
    return NULL;
  }
  gboolean is_onednn = g_strcmp0 (support.implementation, SEAM_IMPLEMENTATION_ONEDNN) == 0;
  seam_support_clear (&support);
  seam_cpu_outline (device, spec, &g);
  SeamSource *source = is_onednn                        ? make_primitive (spec, &g, error)
                       : seam_cpu_would_generate (spec) ? make_code (spec, &g)
                                                        : make_words (spec, &g);
  if (source == NULL)
    return NULL;
  g_ptr_array_add (list, source);
  return g_steal_pointer (&list);
}
