/* SPDX-License-Identifier: MIT
 *
 * Tests of the hand-written kernels without a GPU: which version a group gets on which GPU, and the
 * reasons for refusals; every version compiles for the five pipelines with the instructions that it
 * is written for (read back with cuobjdump if that is installed, else from NVRTC's log), without
 * unknown spills.
 */
#include "app/backend/cuda/cuda-groups.h"
#include "app/backend/cuda/hand.h"
#include "app/backend/cuda/cuda-tiles.h"
#include "tests/core/remove-tree.h"
#include "tests/gpu/kept-listing.h"

#include <glib/gstdio.h>
#include <string.h>

static char *cuobjdump; /* NULL: not installed */
static char *folder;

/* A device with the properties that the choice of a version reads. */
static CudaDevice *
make_device (int major, int shared_limit)
{
  CudaDevice *device = g_new0 (CudaDevice, 1);

  device->base.info = seam_device_info_new ("cuda:0");
  device->base.info->name = g_strdup_printf ("GPU of capability %d.0", major);
  device->base.info->n_processors = 132;
  device->n_resident_blocks = 132;
  device->major = major;
  device->shared_limit = shared_limit;
  return device;
}

static void
free_device (CudaDevice *device)
{
  seam_device_info_free (device->base.info);
  g_free (device);
}

static SeamPlan *
parse (SeamPipeline *pipeline, const char *text)
{
  g_autoptr (GError) error = NULL;
  SeamPlan *plan = seam_plan_parse (pipeline, text, &error);

  g_assert_no_error (error);
  return plan;
}

/* The output of cuobjdump for `code` with one option. */
static char *
dump (GBytes *code, const char *option)
{
  g_autofree char *path = g_build_filename (folder, "kernel.cubin", NULL);
  const char *arguments[] = { cuobjdump, option, path, NULL };
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (g_file_set_contents (path, g_bytes_get_data (code, NULL),
                                      (gssize)g_bytes_get_size (code), &error));
  g_assert_true (
      g_spawn_sync (NULL, (char **)arguments, NULL, 0, NULL, NULL, &text, NULL, NULL, &error));
  g_unlink (path);
  return text;
}

/* Bytes of stack that a version is known to use: ptxas lacks one register for hand-reload in
 * FP32, whose waits count their polls, and spills four bytes; and for hand-portable in FP32 one or
 * two, which are addresses of copies. */
static gint64
get_known_frame (const HandChoice *choice)
{
  const char *name = choice->version->implementation.name;

  return (g_str_equal (name, "hand-reload") || g_str_equal (name, "hand-portable"))
                 && choice->problem.math_mode == SEAM_MATH_FP32
             ? 8
             : 0;
}

/* Without cuobjdump, or for another GPU: the same checks on ptxas's log and on the PTX. */
static void
check_listing (const HandChoice *choice, const char *source, int major)
{
  static const char frame[] = " bytes stack frame";
  const char *instruction = choice->version->specific ? "wgmma.mma_async" : "mma.sync";
  CompilerListing found;

  kept_listing_get (source, major, hand_get_flags (choice), &found);
  g_assert_nonnull (found.log);
  g_assert_nonnull (strstr (found.log, frame));
  for (const char *p = found.log; (p = strstr (p, frame)) != NULL; p++) {
    const char *number = p;

    while (number > found.log && g_ascii_isdigit (number[-1]))
      number--;
    if (g_ascii_strtoll (number, NULL, 10) > get_known_frame (choice))
      g_error ("%s uses a stack frame: %s", choice->version->header, found.log);
  }
  if (!g_str_equal (choice->version->implementation.name, "hand-simt")
      && g_strstr_len (g_bytes_get_data (found.ptx, NULL), (gssize)g_bytes_get_size (found.ptx),
                       instruction)
             == NULL)
    g_error ("%s has no %s", choice->version->header, instruction);
  compiler_listing_clear (&found);
}

/* No stack frame, so that nothing is spilled; and the matrix instruction that the version is
 * written for. */
static void
check_code (const HandChoice *choice, GBytes *code)
{
  g_autofree char *usage = NULL, *assembly = NULL;
  const char *instruction = choice->version->specific ? "HGMMA" : "HMMA";

  usage = dump (code, "--dump-resource-usage");
  g_assert_nonnull (strstr (usage, "STACK:"));
  for (const char *p = usage; (p = strstr (p, "STACK:")) != NULL; p++)
    if (g_ascii_strtoll (p + 6, NULL, 10) > get_known_frame (choice))
      g_error ("%s uses a stack frame: %s", choice->version->header, usage);
  assembly = dump (code, "--dump-sass");
  if (g_str_equal (choice->version->implementation.name, "hand-simt"))
    g_assert_null (strstr (assembly, "MMA."));
  else if (strstr (assembly, instruction) == NULL)
    g_error ("%s has no %s", choice->version->header, instruction);
}

typedef struct {
  const char *pipeline;
  SeamMathMode math_mode;
} Case;

static void
compile (const CudaDevice *device, const HandChoice *choice)
{
  g_autofree char *source = hand_write_source (device, choice);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code = NULL;

  if (cuobjdump == NULL)
    check_listing (choice, source, 9);
  if (!choice->version->specific)
    check_listing (choice, source, 8);
  /* Without cuobjdump, the code itself is useful only on a visit to a GPU, if it is kept for
   * one. */
  if (cuobjdump == NULL && g_getenv ("SEAMSCOPE_TEST_CACHE") == NULL)
    return;
  code = compiler_compile (source, 9, 0, hand_get_flags (choice), NULL, &error);
  if (code == NULL)
    g_error ("%s\n%s", source, error->message);
  if (cuobjdump != NULL)
    check_code (choice, code);
}

/* Compiles the first two ops in one kernel whose output has 16 bits in memory, and all ops in
 * one kernel with input, weight and output of 16 bits. */
static int
compile_stored (const CudaDevice *device, const Case *c)
{
  static const char *const words[] = { "hand", "hand-portable" };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (c->pipeline, &error);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  int n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (words); i++) {
    const SeamStorage storage = i % 2 == 0 ? SEAM_STORAGE_BETWEEN : SEAM_STORAGE_ALL;
    const guint32 all = (1u << (pipeline->chains[0].n_ops - 1)) - 1;
    g_autoptr (SeamPlan) plan =
        seam_plan_new (pipeline, 0, storage == SEAM_STORAGE_BETWEEN ? 1 : all);
    const SeamGroupSpec spec = { problem, plan, 0, c->math_mode };
    g_autofree char *reason = NULL;
    HandChoice choice;

    seam_problem_set_storage (problem, storage, seam_math_mode_get_operand (c->math_mode));
    plan->groups[0].implementation = words[i / 2];
    hand_choose (device, &spec, &choice, &reason);
    if (g_str_equal (words[i / 2], "hand-portable") && storage == SEAM_STORAGE_ALL) {
      g_assert_null (choice.version);
      g_assert_nonnull (strstr (reason, "reads an FP32 input"));
      continue;
    }
    g_assert_nonnull (choice.version);
    g_assert_true (choice.version->specific == g_str_equal (words[i / 2], "hand"));
    compile (device, &choice);
    n++;
  }
  return n;
}

static void
test_sources (gconstpointer data)
{
  static const char *const words[] = { "hand",        "hand-portable",  "hand-simt",
                                       "hand-reload", "hand-recompute", "hand-resident",
                                       "hand-first" };
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (c->pipeline, &error);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  g_autoptr (SeamPlan) full = parse (pipeline, "full");
  CudaDevice *device = make_device (9, 232448);
  gboolean rounds_to_16 = seam_math_mode_get_operand (c->math_mode) != SEAM_OPERAND_FP32;
  int n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autofree char *text = g_strconcat (full->notation, "@", words[i], NULL);
    g_autoptr (SeamPlan) plan = parse (pipeline, text);
    const SeamGroupSpec spec = { problem, plan, 0, c->math_mode };
    g_autofree char *reason = NULL;
    HandChoice choice;

    hand_choose (device, &spec, &choice, &reason);
    if (choice.version == NULL) {
      /* The strategies are for GroupNorm after a convolution, the SIMT version does not round, and
       * the first lesson multiplies matrices in TF32. */
      g_assert_true (reason != NULL || i >= 3);
      g_assert_true (
          (i >= 3 && i <= 5 && !g_str_equal (c->pipeline, "conv-bias-scale-sigmoid-groupnorm"))
          || (i == 2 && rounds_to_16)
          || (i == 6
              && (g_str_has_prefix (c->pipeline, "conv")
                  || seam_math_mode_get_base (c->math_mode) != SEAM_MATH_TF32)));
      continue;
    }
    g_assert_true (choice.version->specific == (i == 0 || i >= 3));
    compile (device, &choice);
    n++;
  }
  if (rounds_to_16)
    n += compile_stored (device, c);
  g_test_message ("%d versions compiled", n);
  g_assert_cmpint (n, >=, rounds_to_16 ? 5 : 3);
  free_device (device);
}

/* The answer of supports() for plan `text`. */
static void
ask (CudaDevice *device, const char *id, const char *shape, const char *text,
     SeamMathMode math_mode, GroupScheme *scheme)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "kernelbench", shape, &error);
  SeamPlan *plan = parse (pipeline, text);
  SeamGroupSpec spec = { problem, plan, 0, math_mode };

  g_assert_no_error (error);
  group_scheme_make (device, &spec, FALSE, scheme);
  /* The scheme borrows these, but they are not read after this. */
  seam_plan_unref (plan);
  seam_problem_free (problem);
}

static void
test_answers (void)
{
  static const struct {
    int major;
    const char *pipeline, *shape, *plan, *executed, *says;
    SeamMathMode math_mode;
  } cases[] = {
    { 9, "gemm-bias-relu", NULL, "full", "hand (FP16x3)", NULL },
    { 9, "gemm-bias-relu", "in_features=33", "full", "hand-portable (TF32x3)", NULL },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@library", "cublaslt", NULL },
    { 9, "gemm-bias-relu", NULL, "unfused", "cublaslt", NULL },
    { 9, "gemm-bias-relu", NULL, "matmul@hand|bias|relu", "hand (FP16x3)", NULL },
    { 8, "gemm-bias-relu", NULL, "full", "hand-portable (TF32x3)", NULL },
    { 8, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-resident", NULL,
      "There is no such hand-written kernel" },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-simt", "hand-simt (FP32)", NULL },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-first", "hand-first", NULL,
      SEAM_MATH_TF32 },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-first", NULL, "multiplies TF32 only" },
    { 9, "gemm-bias-relu", "in_features=33", "matmul+bias+relu@hand-first", NULL,
      "must be a multiple of 4", SEAM_MATH_TF32 },
    { 8, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-first", NULL, "Hopper", SEAM_MATH_TF32 },
    { 9, "matmul-swish-bias-groupnorm", NULL,
      "matmul+matmul_bias+sigmoid+mul+bias+groupnorm@hand-first", "hand-first + generated",
      "ends before GroupNorm", SEAM_MATH_TF32 },
    { 9, "matmul-swish-bias-groupnorm", NULL, "full", "hand (FP16x3)", NULL },
    /* groups of 12 columns fit no tile, and GroupNorm follows */
    { 9, "matmul-swish-bias-groupnorm", "out_features=48,groups=4", "full",
      "hand (FP16x3) + generated", "columns" },
    { 9, "conv-bias-scale-sigmoid-groupnorm", NULL, "full", "hand-resident (FP16x3)", NULL },
    { 8, "conv-bias-scale-sigmoid-groupnorm", NULL, "full", "hand-portable (TF32x3)", NULL },
    { 8, "conv-bias-scale-sigmoid-groupnorm", NULL,
      "conv+conv_bias+bias+scale+sigmoid+groupnorm@hand-resident", NULL, "Hopper" },
    { 9, "conv-relu-bias", NULL, "full", "hand (FP16x3)", NULL },
    { 9, "conv-relu-hardswish", NULL, "full", "hand (FP16x3)", NULL },
    /* relu's output is read by mul, which is in another group */
    { 9, "conv-relu-hardswish", NULL, "conv+conv_bias+relu+add3|div6+clamp+mul@hand",
      "cudnn + generated", "needed outside" },
    { 9, "conv-relu-hardswish", NULL, "conv|conv_bias+relu@hand|add3+div6+clamp+mul", "cudnn",
      NULL },
    { 8, "gemm-bias-relu", NULL, "full", "hand-portable", NULL, SEAM_MATH_BF16 },
    { 9, "gemm-bias-relu", NULL, "full", "hand", NULL, SEAM_MATH_BF16 },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand", "hand", NULL, SEAM_MATH_BF16 },
    { 9, "gemm-bias-relu", "in_features=36", "full", "hand-portable", NULL, SEAM_MATH_FP16 },
    { 9, "gemm-bias-relu", "in_features=33", "full", "hand-portable", NULL, SEAM_MATH_FP16 },
    { 9, "gemm-bias-relu", NULL, "unfused", "cublaslt", NULL, SEAM_MATH_FP16 },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-simt", NULL, "does not round",
      SEAM_MATH_FP16 },
    { 9, "conv-relu-bias", NULL, "full", "hand", NULL, SEAM_MATH_BF16 },
    { 8, "conv-relu-bias", NULL, "full", "hand-portable", NULL, SEAM_MATH_FP16 },
    { 9, "conv-relu-hardswish", NULL, "full", "hand", NULL, SEAM_MATH_FP16 },
    { 9, "conv-bias-scale-sigmoid-groupnorm", NULL, "full", "hand-resident", NULL, SEAM_MATH_BF16 },
    { 9, "conv-bias-scale-sigmoid-groupnorm", NULL,
      "conv+conv_bias+bias+scale+sigmoid+groupnorm@hand-recompute", "hand-recompute", NULL,
      SEAM_MATH_FP16 },
    { 9, "gemm-bias-relu", NULL, "full", "hand (FP16, scaled rows)", NULL, SEAM_MATH_TF32X },
    { 9, "matmul-swish-bias-groupnorm", NULL, "full", "hand (FP16, scaled rows)", NULL,
      SEAM_MATH_TF32X },
    { 9, "gemm-bias-relu", "in_features=36", "full", "hand (TF32)",
      "matmul is executed in TF32, no less accurate than math mode tf32x", SEAM_MATH_TF32X },
    { 8, "gemm-bias-relu", NULL, "full", "hand-portable (TF32)", "executed in TF32",
      SEAM_MATH_TF32X },
    { 9, "gemm-bias-relu", NULL, "matmul+bias+relu@hand-simt", "hand-simt (FP32)",
      "executed in FP32", SEAM_MATH_TF32X },
    { 9, "gemm-bias-relu", NULL, "unfused", "cublaslt (TF32)", "executed in TF32",
      SEAM_MATH_TF32X },
    { 9, "conv-relu-bias", NULL, "full", "hand (FP16, scaled samples)", NULL, SEAM_MATH_TF32X },
    /* the kernel that computes again in TF32 would not fit */
    { 9, "conv-relu-bias", "in_channels=96", "full", "hand-portable (TF32)", "executed in TF32",
      SEAM_MATH_TF32X },
    { 9, "conv-bias-scale-sigmoid-groupnorm", NULL, "full", "hand-resident (TF32)",
      "conv2d is executed in TF32", SEAM_MATH_TF32X },
    { 9, "conv-relu-hardswish", NULL, "full", "hand (TF32)", "conv2d is executed in TF32",
      SEAM_MATH_TF32X },
    { 9, "conv-relu-bias", NULL, "unfused", "cudnn (TF32)", "executed in TF32", SEAM_MATH_TF32X },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    CudaDevice *device = make_device (cases[i].major, cases[i].major == 9 ? 232448 : 166912);
    GroupScheme scheme;

    ask (device, cases[i].pipeline, cases[i].shape, cases[i].plan, cases[i].math_mode, &scheme);
    if (cases[i].executed == NULL)
      g_assert_cmpint (scheme.support.level, ==, SEAM_SUPPORT_NO);
    else
      g_assert_cmpstr (scheme.support.executed, ==, cases[i].executed);
    if (cases[i].says != NULL && strstr (scheme.support.reason, cases[i].says) == NULL)
      g_error ("%s: %s", cases[i].plan, scheme.support.reason);
    group_scheme_clear (&scheme);
    free_device (device);
  }
}

/* A group for which no hand-written kernel can be chosen says so. */
static void
test_refused (void)
{
  CudaDevice *device = make_device (9, 232448);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  g_autoptr (SeamPlan) plan =
      parse (pipeline, "conv|conv_bias+relu@hand|add3+div6+clamp+mul@hand-simt");

  for (int group = 1; group <= 2; group++) {
    SeamGroupSpec spec = { problem, plan, group, SEAM_MATH_TF32 };
    GroupScheme scheme;

    group_scheme_make (device, &spec, FALSE, &scheme);
    g_assert_cmpint (scheme.support.level, ==, SEAM_SUPPORT_NO);
    g_assert_nonnull (strstr (scheme.support.reason, "start with conv2d or matmul"));
    group_scheme_clear (&scheme);
  }
  free_device (device);
}

/* The blocks of hand-resident wait for each other. If the driver gives this program too few
 * multiprocessors for all of them, another version runs and says so, and a plan that names
 * hand-resident is refused. */
static void
test_resident (void)
{
  static const int n_resident_blocks[] = { 132, 32, 0 };

  for (guint i = 0; i < G_N_ELEMENTS (n_resident_blocks); i++) {
    CudaDevice *device = make_device (9, 232448);
    GroupScheme scheme;

    device->n_resident_blocks = n_resident_blocks[i];
    ask (device, "conv-bias-scale-sigmoid-groupnorm", NULL, "full", SEAM_MATH_TF32, &scheme);
    g_assert_cmpstr (scheme.support.executed, ==, i == 0 ? "hand-resident" : "hand-recompute");
    g_assert_cmpint (scheme.support.level, ==, SEAM_SUPPORT_YES);
    if (i == 0)
      g_assert_null (scheme.support.reason);
    else
      g_assert_nonnull (strstr (scheme.support.reason, "that this program may use"));
    group_scheme_clear (&scheme);
    ask (device, "conv-bias-scale-sigmoid-groupnorm", NULL,
         "conv+conv_bias+bias+scale+sigmoid+groupnorm@hand-resident", SEAM_MATH_TF32, &scheme);
    if (i == 0) {
      g_assert_cmpstr (scheme.support.executed, ==, "hand-resident");
    } else {
      g_assert_cmpint (scheme.support.level, ==, SEAM_SUPPORT_NO);
      g_assert_nonnull (strstr (scheme.support.reason, "that this program may use"));
    }
    group_scheme_clear (&scheme);
    free_device (device);
  }
}

/* The tail is approximated only if Hopper's kernels normalise results of rounded operands: not
 * in class F, and not in the portable versions. Its results are then bounded, and hand-resident
 * parks its tiles. */
static void
test_rounded_tail (void)
{
  static const struct {
    SeamMathMode math_mode;
    const char *version;
    gboolean rounded;
  } cases[] = {
    { SEAM_MATH_FP32, "hand-resident", FALSE }, { SEAM_MATH_TF32, "hand-resident", TRUE },
    { SEAM_MATH_BF16, "hand-recompute", TRUE }, { SEAM_MATH_TF32, "hand-portable", FALSE },
    { SEAM_MATH_TF32, "hand-simt", FALSE },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_find ("conv-bias-scale-sigmoid-groupnorm", &error);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  CudaDevice *device = make_device (9, 232448);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text =
        g_strconcat ("conv+conv_bias+bias+scale+sigmoid+groupnorm@", cases[i].version, NULL);
    g_autoptr (SeamPlan) plan = parse (pipeline, text);
    const SeamGroupSpec spec = { problem, plan, 0, cases[i].math_mode };
    g_autofree char *reason = NULL, *source = NULL;
    HandChoice choice;

    hand_choose (device, &spec, &choice, &reason);
    g_assert_nonnull (choice.version);
    source = hand_write_source (device, &choice);
    g_assert_true ((strstr (source, "= seam_op_tanh (seam_op_multiply_add (after_conv, ") != NULL)
                   == cases[i].rounded);
    g_assert_true ((strstr (source, "epsilon = 4 * SEAM_GROUPNORM_EPSILON") != NULL)
                   == cases[i].rounded);
    g_assert_true ((strstr (source, "= seam_op_sigmoid (after_scale)") != NULL)
                   == !cases[i].rounded);
    g_assert_true ((strstr (source, "bounded = true") != NULL) == cases[i].rounded);
    g_assert_true ((strstr (source, "parks = 1") != NULL)
                   == (cases[i].rounded && g_str_equal (cases[i].version, "hand-resident")));
  }
  free_device (device);
}

/* --- A custom text in place of a hand-written kernel --- */

#define EDIT_PLAN "conv+conv_bias+relu+add3+div6+clamp+mul"

typedef struct {
  CudaDevice *device;
  SeamPipeline *pipeline;
  SeamProblem *problem;
  SeamPlan *plan;
  SeamGroupSpec spec;
  GroupScheme scheme;
} EditCase;

/* #57 with the group's implementation `word` ("" or "@edited"), and its text. */
static void
edit_case_init (EditCase *c, const char *shape, const char *word, const char *edit)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strconcat (EDIT_PLAN, word, NULL);

  c->device = make_device (9, 232448);
  c->pipeline = seam_pipeline_find ("conv-relu-hardswish", &error);
  c->problem = seam_problem_new_from_text (c->pipeline, "kernelbench", shape, &error);
  c->plan = parse (c->pipeline, text);
  c->spec = (SeamGroupSpec){ c->problem, c->plan, 0, SEAM_MATH_TF32, edit };
  g_assert_no_error (error);
  group_scheme_make (c->device, &c->spec, FALSE, &c->scheme);
}

static void
edit_case_clear (EditCase *c)
{
  group_scheme_clear (&c->scheme);
  seam_plan_unref (c->plan);
  seam_problem_free (c->problem);
  seam_pipeline_unref (c->pipeline);
  free_device (c->device);
}

static char *
write_for (const char *word)
{
  EditCase c;
  char *text;

  edit_case_init (&c, NULL, word, NULL);
  g_assert_nonnull (c.scheme.hand.version);
  text = hand_write_source (c.device, &c.scheme.hand);
  edit_case_clear (&c);
  return text;
}

static char *
replace (const char *text, const char *old, const char *new)
{
  g_auto (GStrv) parts = g_strsplit (text, old, -1);

  if (g_strv_length (parts) < 2)
    g_error ("“%s” is not in:\n%s", old, text);
  return g_strjoinv (new, parts);
}

static void
test_edited (void)
{
  g_autofree char *own = write_for ("");
  g_autofree char *portable = write_for ("@hand-portable");
  g_autofree char *mine = g_strconcat ("// mine\n", own, NULL);
  g_autofree char *compiled = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code = NULL;
  const char *name;
  EditCase c;

  /* The text is the whole kernel, not an #include of it. */
  g_assert_nonnull (strstr (own, "seam_convolution_few (const SeamConvolutionFewArguments &"));
  g_assert_nonnull (strstr (own, "struct Tail"));
  g_assert_true (hand_read_name (own, &name));
  g_assert_cmpstr (name, ==, "hand");
  g_assert_true (hand_read_name (portable, &name));
  g_assert_cmpstr (name, ==, "hand-portable");
  g_assert_false (hand_read_name ("// Generated by Seamscope", &name));

  /* A text written for another shape: the program inserts this shape's numbers. */
  edit_case_init (&c, "batch=4", "@edited", mine);
  g_assert_cmpint (c.scheme.support.level, ==, SEAM_SUPPORT_YES);
  g_assert_cmpstr (c.scheme.support.executed, ==, "edited");
  compiled = hand_write_compiled (c.device, &c.scheme.hand, mine, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (compiled, "// mine\n"));
  g_assert_nonnull (strstr (mine, "batch = 128;"));
  g_assert_null (strstr (compiled, "batch = 128;"));
  g_assert_nonnull (strstr (compiled, "batch = 4;"));
  code = compiler_compile (compiled, 9, 0, hand_get_flags (&c.scheme.hand), NULL, &error);
  g_assert_no_error (error);
  edit_case_clear (&c);

  /* The text names its version, which runs whichever version would be chosen otherwise. */
  edit_case_init (&c, NULL, "@edited", portable);
  g_assert_cmpstr (c.scheme.hand.version->implementation.name, ==, "hand-portable");
  edit_case_clear (&c);

  /* With a generated kernel's text, the convolution stays with cuDNN. */
  edit_case_init (&c, NULL, "@edited", "// generated\n");
  g_assert_null (c.scheme.hand.version);
  g_assert_cmpstr (c.scheme.support.executed, ==, "cudnn + edited");
  edit_case_clear (&c);
}

static void
test_edited_wrong (void)
{
  g_autofree char *own = write_for ("");
  g_autofree char *misspelt = replace (own, "= seam_op_relu (", "= seam_op_rely (");
  g_autofree char *lost = replace (own, "// ==== Below:", "//");
  g_autofree char *head = g_strndup (misspelt, (gsize)(strstr (misspelt, "rely") - misspelt));
  g_auto (GStrv) lines = g_strsplit (head, "\n", -1);
  g_autofree char *place = g_strdup_printf ("line %u, column ", g_strv_length (lines));
  g_autofree char *compiled = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code = NULL;
  EditCase c;

  edit_case_init (&c, NULL, "@edited", misspelt);
  compiled = hand_write_compiled (c.device, &c.scheme.hand, misspelt, &error);
  g_assert_no_error (error);
  code = compiler_compile (compiled, 9, 0, hand_get_flags (&c.scheme.hand), NULL, &error);
  g_assert_null (code);
  if (strstr (error->message, place) == NULL || strstr (error->message, "seam_op_rely") == NULL)
    g_error ("no “%s” in: %s", place, error->message);
  g_clear_error (&error);
  g_assert_null (hand_write_compiled (c.device, &c.scheme.hand, lost, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  edit_case_clear (&c);

  /* A shape that the version refuses. */
  edit_case_init (&c, "in_channels=17", "@edited", own);
  if (c.scheme.hand.version == NULL) {
    g_assert_cmpint (c.scheme.support.level, ==, SEAM_SUPPORT_NO);
    g_assert_nonnull (strstr (c.scheme.support.reason, "hand-written kernel"));
  }
  edit_case_clear (&c);
}

/* In PTX of real kernels, lines of the tail and of included files have instructions. */
static void
test_listing (void)
{
  static const char *const words[] = { "", "@hand-portable", "@hand-simt" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (SeamListing) listing = seam_listing_new (SEAM_LISTING_PTX, g_strdup ("PTX"));
    g_autoptr (GError) error = NULL;
    g_autofree char *text = write_for (words[i]);
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autofree char *note = NULL, *ptx = NULL;
    CompilerListing found;
    int n_marked = 0, n_tail = 0;
    EditCase c;

    edit_case_init (&c, NULL, words[i], NULL);
    compiler_list (text, 9, 0, hand_get_flags (&c.scheme.hand), NULL, &found, &error);
    g_assert_no_error (error);
    edit_case_clear (&c);
    g_assert_nonnull (found.cubin);
    ptx = g_strndup (g_bytes_get_data (found.ptx, NULL), g_bytes_get_size (found.ptx));
    seam_listing_read_loc (listing, ptx);
    for (guint line = 0; lines[line] != NULL; line++) {
      g_autoptr (GArray) of = seam_listing_find_lines (listing, "", line + 1);
      n_marked += of->len > 0;
      n_tail += of->len > 0 && strstr (lines[line], " after_") != NULL;
    }
    g_test_message ("%s: %d of %u lines have PTX", words[i], n_marked, g_strv_length (lines));
    g_assert_cmpint (n_marked, >, 20);
    g_assert_cmpint (n_tail, >, 2);
    g_assert_cmpuint (listing->files->len, >, 1);
    for (guint f = 1; f < listing->files->len; f++)
      g_assert_true (g_str_has_prefix (listing->files->pdata[f], "kernels/"));
    note = seam_listing_describe_ptxas (found.log);
    g_assert_nonnull (strstr (note, "seam_convolution: "));
    g_assert_nonnull (strstr (note, "no spills"));
    compiler_listing_clear (&found);
  }
}

/* The tile of an element is the block in which the kernels of elementwise.cuh and groupnorm.cuh
 * compute it: checked block by block over whole outputs. */
static void
check_tiles (const SeamTile *tile, const SeamTileView *view, long long n_blocks,
             long long block_elements)
{
  g_autofree gint64 *counts = g_new0 (gint64, n_blocks);

  for (gint64 row = 0; row < view->rows; row++)
    for (gint64 column = 0; column < view->columns; column++)
      for (gint64 at = 0; at < view->height * view->width; at++) {
        gint64 number =
            seam_tile_get_number (tile, view, row, column, at / view->width, at % view->width);
        g_assert_cmpint (number, >=, 0);
        g_assert_cmpint (number, <, n_blocks);
        counts[number]++;
      }
  for (long long i = 0; i < n_blocks; i++) {
    g_assert_cmpint (counts[i], >, 0);
    g_assert_cmpint (counts[i], <=, block_elements);
  }
}

static void
test_tiles (void)
{
  static const SeamTileView views[] = {
    { 9, 1536, 1, 1 }, { 5, 77, 1, 1 }, { 3, 12, 40, 30 },
    { 2, 6, 51, 51 },  { 4, 4, 5, 5 },  { 2, 8, 90, 90 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (views); i++) {
    const SeamTileView *v = &views[i];
    gint64 plane = v->height * v->width;
    SeamCudaArguments a = { 0 };
    seam_cuda_set_shape (&a, v->rows, v->columns, plane, v->columns % 2 == 0 ? 2 : 7);
    SeamCudaGeometry g = seam_cuda_geometry_elementwise (&a);
    SeamTile tile = tile_of_elementwise (&a, &g);
    int loads = g.matrix ? SEAM_CUDA_ROWS (g.vector) : SEAM_CUDA_LOADS (g.vector);
    check_tiles (&tile, v, g.blocks, (long long)g.threads * g.vector * loads);

    if (a.group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS) {
      g = seam_cuda_geometry_one_pass (&a);
      tile = tile_of_one_pass (&a, &g);
      check_tiles (&tile, v, g.blocks, tile.run);
    }
    g = seam_cuda_geometry_two_pass (&a);
    tile = tile_of_two_pass (&a, &g);
    check_tiles (&tile, v, g.blocks,
                 (long long)g.threads * g.vector * SEAM_CUDA_TILE_LOADS (g.vector));
  }
}

int
main (int argc, char **argv)
{
  static const char *const pipelines[] = {
    "conv-relu-bias",
    "gemm-bias-relu",
    "matmul-swish-bias-groupnorm",
    "conv-bias-scale-sigmoid-groupnorm",
    "conv-relu-hardswish",
  };
  static Case cases[SEAM_N_MATH_MODES * G_N_ELEMENTS (pipelines)];
  g_autofree char *kernel_cache = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("seamscope-hand-XXXXXX", NULL);
  /* Every test compiles for itself; the compiled code can be kept for a visit to a GPU. */
  kernel_cache = g_build_filename (folder, "cache", NULL);
  g_setenv ("XDG_CACHE_HOME",
            g_getenv ("SEAMSCOPE_TEST_CACHE") != NULL ? g_getenv ("SEAMSCOPE_TEST_CACHE")
                                                      : kernel_cache,
            TRUE);
  cuobjdump = g_find_program_in_path ("cuobjdump");
  if (cuobjdump == NULL && g_file_test ("/usr/local/cuda/bin/cuobjdump", G_FILE_TEST_EXISTS))
    cuobjdump = g_strdup ("/usr/local/cuda/bin/cuobjdump");
  g_test_add_func ("/hand/answers", test_answers);
  g_test_add_func ("/hand/edited", test_edited);
  g_test_add_func ("/hand/edited-wrong", test_edited_wrong);
  g_test_add_func ("/hand/listing", test_listing);
  g_test_add_func ("/hand/refused", test_refused);
  g_test_add_func ("/hand/resident", test_resident);
  g_test_add_func ("/hand/rounded-tail", test_rounded_tail);
  g_test_add_func ("/hand/tiles", test_tiles);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = NULL;

    cases[i] = (Case){ pipelines[i / SEAM_N_MATH_MODES], (SeamMathMode)(i % SEAM_N_MATH_MODES) };
    path = g_strdup_printf ("/hand/sources/%s/%s", cases[i].pipeline,
                            seam_math_mode_get_name (cases[i].math_mode));
    g_test_add_data_func (path, &cases[i], test_sources);
  }
  status = g_test_run ();
  remove_tree (folder);
  g_free (folder);
  g_free (cuobjdump);
  return status;
}
