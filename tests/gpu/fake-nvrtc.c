/* SPDX-License-Identifier: MIT
 *
 * NVRTC in the emulated module (fake-cuda.c): "compiling" is g++ with emulate.h, and the code is
 * the path of a shared object. Shared objects are kept in $SEAMSCOPE_EMULATE_FOLDER under the
 * SHA-256 of everything that they depend on, so that the programs of the suite share them and the
 * next run compiles nothing. $SEAMSCOPE_EMULATE_FLAGS replaces "-O1": "-O0 -g" for a debugger.
 */
#include "emulate-config.h"
#include "kernels/embedded.h"
#include "tests/gpu/content-key.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <nvrtc.h>
#include <string.h>
#include <unistd.h>

/* Generated sources and hand-written ones. The latter find the stand-ins of emulate/ first. */
typedef enum { KIND_GENERATED, KIND_HAND, N_KINDS } Kind;

static const struct {
  const char *prelude, *flags;
} kinds[N_KINDS] = {
  [KIND_GENERATED] = { EMULATE_BUILD "/generated.h", EMULATE_GENERATED_FLAGS },
  [KIND_HAND] = { EMULATE_BUILD "/hand.h", EMULATE_HAND_FLAGS },
};

struct _nvrtcProgram {
  char *source, *path;
};

static const char *
get_flags (void)
{
  const char *flags = g_getenv ("SEAMSCOPE_EMULATE_FLAGS");

  return flags != NULL ? flags : EMULATE_OPTIMIZATION;
}

/* Everything besides the source that the code depends on: compiler and flags, emulate.h as the
 * preprocessor writes it with all that it includes, and every file that a kernel can include. Read
 * once, since nobody edits them during a test. */
static const GChecksum *
sum_up_kind (Kind kind)
{
  static GChecksum *sums[N_KINDS];
  static gsize once;

  if (g_once_init_enter (&once)) {
    for (Kind k = 0; k < N_KINDS; k++) {
      g_autofree char *expanded = g_strconcat (kinds[k].prelude, ".i", NULL);

      sums[k] = g_checksum_new (G_CHECKSUM_SHA256);
      content_key_add (sums[k], EMULATE_COMPILER);
      content_key_add (sums[k], kinds[k].flags);
      content_key_add (sums[k], get_flags ());
      content_key_add_file (sums[k], expanded);
      for (int i = 0; i < seam_n_cuda_texts; i++) {
        const char *name = seam_cuda_texts[i].name;
        g_autofree char *own = g_build_filename (EMULATE_SOURCES, name, NULL);
        g_autofree char *other =
            g_build_filename (EMULATE_SOURCES, "tests", "gpu", "emulate", name, NULL);

        content_key_add (sums[k], name);
        content_key_add_file (sums[k], g_access (other, R_OK) == 0 ? other : own);
      }
    }
    g_once_init_leave (&once, 1);
  }
  return sums[kind];
}

/* The path of a completed source's shared object, newly allocated. Comments hold shapes; without
 * them most shapes share their code. */
static char *
get_path (Kind kind, const char *source)
{
  g_autoptr (GChecksum) sum = g_checksum_copy (sum_up_kind (kind));
  g_auto (GStrv) lines = g_strsplit (source, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    if (!g_str_has_prefix (*line, "//"))
      content_key_add (sum, *line);
  return g_strdup_printf ("%s/%s.so", g_getenv ("SEAMSCOPE_EMULATE_FOLDER"),
                          g_checksum_get_string (sum));
}

/* The text that g++ reads: the source, and the function that cudaLaunchKernel() finds. `argument`:
 * the type of a hand-written kernel's argument; NULL: a generated kernel. */
static char *
complete_source (const char *source, const char *argument)
{
  if (argument == NULL) {
    const char *type =
        strstr (source, "SeamNestArguments") != NULL ? "SeamNestArguments" : "SeamCudaArguments";
    return g_strdup_printf (
        "%s\nextern \"C\" {\n"
        "extern __global__ const unsigned int emulate_bytes;\n"
        "const unsigned int emulate_bytes = sizeof (%s);\n"
        "__global__ int emulate_kernel (void (*kernel) (const %s), long long blocks,"
        " unsigned int threads, const %s *a) {"
        " return seam_launch (kernel, blocks, threads, *a, nullptr); }\n}\n",
        source, type, type, type);
  }
  return g_strdup_printf (
      "%s\nextern \"C\" __global__ int emulate_kernel (void (*kernel) (const %s a), dim3 grid,"
      " unsigned int threads, unsigned int cluster, bool cooperative, const void *a) {"
      " return emulate_hand (kernel, grid, threads, cluster, cooperative,"
      " static_cast<const %s *> (a)); }\n",
      source, argument, argument);
}

nvrtcResult
nvrtcCompileProgram (nvrtcProgram program, int n_options, const char *const *options)
{
  static const char hand_argument[] = "__grid_constant__ ";
  static int n_compiled;
  const char *hand = strstr (program->source, hand_argument);
  const Kind kind = hand != NULL ? KIND_HAND : KIND_GENERATED;
  g_autofree char *argument = NULL, *text = NULL, *source = NULL, *made = NULL, *command = NULL;
  g_autoptr (GError) error = NULL;

  if (hand != NULL) {
    hand += sizeof hand_argument - 1;
    argument = g_strndup (hand, strcspn (hand, " "));
  }
  text = complete_source (program->source, argument);
  g_free (program->path);
  program->path = get_path (kind, text);
  if (g_access (program->path, R_OK) == 0)
    return NVRTC_SUCCESS;
  source = g_strconcat (program->path, ".cpp", NULL);
  /* Another program may be compiling the same source. */
  made = g_strdup_printf ("%s.%d-%d", program->path, (int)getpid (),
                          g_atomic_int_add (&n_compiled, 1));
  g_mkdir_with_parents (g_getenv ("SEAMSCOPE_EMULATE_FOLDER"), 0700);
  if (!g_file_set_contents (source, text, -1, &error))
    g_error ("%s", error->message);
  command = g_strdup_printf (EMULATE_COMPILER " %s %s -shared -include %s -o %s %s && mv %s %s",
                             get_flags (), kinds[kind].flags, kinds[kind].prelude, made, source,
                             made, program->path);
  return system (command) == 0 ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

/* The program's cache distinguishes versions of the compiler; here everything above makes the
 * version. */
nvrtcResult
nvrtcVersion (int *major, int *minor)
{
  *major = 0;
  *minor = 0;
  for (Kind k = 0; k < N_KINDS; k++) {
    g_autoptr (GChecksum) sum = g_checksum_copy (sum_up_kind (k));

    *minor ^= (int)(g_str_hash (g_checksum_get_string (sum)) >> 1);
  }
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetNumSupportedArchs (int *n)
{
  *n = 1;
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetSupportedArchs (int *known)
{
  known[0] = 90;
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcCreateProgram (nvrtcProgram *program, const char *source, const char *name, int n_headers,
                    const char *const *headers, const char *const *names)
{
  *program = g_new0 (struct _nvrtcProgram, 1);
  (*program)->source = g_strdup (source);
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcDestroyProgram (nvrtcProgram *program)
{
  g_free ((*program)->source);
  g_free ((*program)->path);
  g_free (*program);
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetProgramLogSize (nvrtcProgram program, size_t *size)
{
  *size = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetProgramLog (nvrtcProgram program, char *log)
{
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetCUBINSize (nvrtcProgram program, size_t *size)
{
  *size = strlen (program->path) + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetCUBIN (nvrtcProgram program, char *code)
{
  strcpy (code, program->path);
  return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetPTXSize (nvrtcProgram program, size_t *size)
{
  return NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult
nvrtcGetPTX (nvrtcProgram program, char *code)
{
  return NVRTC_ERROR_INVALID_PROGRAM;
}

const char *
nvrtcGetErrorString (nvrtcResult result)
{
  return "emulated NVRTC error";
}
