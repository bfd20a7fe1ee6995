/* SPDX-License-Identifier: MIT
 *
 * The cache of compiled C: entries are found, and replaced if they are damaged; entries that other
 * users could have written are not run; code that does not compile is explained. The tests use a
 * cache of their own. What the code computes is in test-generated.c.
 */
#include "app/backend/cpu/backend-cpu.h"

#include <glib/gstdio.h>
#include <string.h>

static char *cache;

/* The only entry of the cache's folder, newly allocated. */
static char *
find_entry (void)
{
  g_autofree char *folder = g_build_filename (cache, "seamscope", "kernels-cpu", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;
  char *path = name != NULL ? g_build_filename (folder, name, NULL) : NULL;

  if (dir != NULL)
    g_assert_null (g_dir_read_name (dir));
  return path;
}

static const char add_one[] = "#include \"kernels/cpu/exp.h\"\n"
                              "#include \"kernels/cpu/run.h\"\n"
                              "void stage_0 (const SeamCpuRun *run)\n"
                              "{\n"
                              "  for (int64_t i = 0; i < run->n; i++)\n"
                              "    run->write[0][i] = seam_op_add (run->read[0][i], 1.0f);\n"
                              "}\n";

static void
check_adds (SeamCpuDevice *device, float wanted)
{
  g_autoptr (GError) error = NULL;
  SeamCpuModule *module = seam_cpu_module_new (device, add_one, FALSE, NULL, &error);
  float values[3] = { 1, 2, 3 };
  SeamCpuRun run = { .n = 3, .read[0] = values, .write[0] = values };
  SeamCpuFunction function;

  g_assert_no_error (error);
  function = seam_cpu_module_get (module, "stage_0", &error);
  g_assert_no_error (error);
  function (&run);
  g_assert_cmpfloat (values[2], ==, wanted);
  g_assert_null (seam_cpu_module_get (module, "stage_1", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "stage_1"));
  seam_cpu_module_free (module);
}

static void
remove_entries (void)
{
  g_autofree char *folder = g_build_filename (cache, "seamscope", "kernels-cpu", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
}

static void
test_cache (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  g_autofree char *path = NULL, *again = NULL, *whole = NULL, *data = NULL;
  gsize length = 0, n = 0;

  remove_entries ();
  check_adds ((SeamCpuDevice *)device, 4);
  path = find_entry ();
  g_assert_nonnull (path);
  g_assert_true (g_file_get_contents (path, &whole, &length, &error));
  check_adds ((SeamCpuDevice *)device, 4);
  again = find_entry ();
  g_assert_cmpstr (again, ==, path);

  /* A torn entry and one with a changed byte are not loaded: both would crash. */
  g_assert_true (g_file_set_contents (path, whole, (gssize)length / 2, &error));
  check_adds ((SeamCpuDevice *)device, 4);
  g_assert_true (g_file_get_contents (path, &data, &n, &error));
  g_assert_cmpuint (n, ==, length);
  data[length / 2] = (char)(data[length / 2] ^ 0x55);
  g_assert_true (g_file_set_contents (path, data, (gssize)length, &error));
  check_adds ((SeamCpuDevice *)device, 4);
  seam_device_close (device);
}

/* Code that another user could have put in the place of an entry is not run. What is loaded is a
 * copy that cannot be changed, not the file. */
static void
test_planted (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  SeamCpuDevice *cpu = (SeamCpuDevice *)device;
  g_autofree char *path = NULL, *planted_path = NULL, *planted = NULL, *maps = NULL;
  g_auto (GStrv) parts = g_strsplit (add_one, "1.0f", 2);
  g_autofree char *add_two = g_strjoinv ("2.0f", parts);
  gsize length = 0;
  SeamCpuModule *module;

  remove_entries ();
  module = seam_cpu_module_new (cpu, add_two, FALSE, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, &error));
  g_assert_nonnull (strstr (maps, "memfd:seamscope-code"));
  g_assert_null (strstr (maps, "kernels-cpu"));
  seam_cpu_module_free (module);
  planted_path = find_entry ();
  g_assert_true (g_file_get_contents (planted_path, &planted, &length, &error));
  remove_entries ();

  check_adds (cpu, 4);
  path = find_entry ();
  g_assert_true (g_file_set_contents (path, planted, (gssize)length, &error));
  check_adds (cpu, 5);
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  check_adds (cpu, 4);
  seam_device_close (device);
}

static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  SeamCpuDevice *cpu = (SeamCpuDevice *)device;
  SeamCancel cancel = { 0 };

  g_assert_null (
      seam_cpu_module_new (cpu, "int x;\nvoid stage_0 (void) { y = 1; }\n", FALSE, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "line 2, column"));
  g_clear_error (&error);

  seam_cancel_raise (&cancel);
  g_assert_null (seam_cpu_module_new (cpu, "int z;\n", FALSE, &cancel, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_clear_error (&error);

  /* The compiler's own limit ends a text that includes itself without end; nothing crashes. */
  g_assert_null (seam_cpu_module_new (cpu, "#include \"group.c\"\n", FALSE, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  seam_device_close (device);
}

static gboolean
is_code_loaded (void)
{
  g_autofree char *maps = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL));
  return strstr (maps, "memfd:seamscope-code") != NULL;
}

/* Code that may have started a thread, or left a function to be called later, stays loaded, whether
 * it comes from the compiler or from the cache. */
static void
test_stays (void)
{
  static const char with_thread[] = "#include <pthread.h>\n"
                                    "static void *go (void *unused) { return unused; }\n"
                                    "void stage_0 (void)\n"
                                    "{\n"
                                    "  pthread_t thread;\n"
                                    "  pthread_create (&thread, 0, go, 0);\n"
                                    "}\n";
  const struct {
    const char *text;
    gboolean stays;
  } cases[] = { { add_one, FALSE }, { with_thread, TRUE }, { with_thread, TRUE } };
  g_autoptr (GError) error = NULL;

  remove_entries ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    SeamDevice *device = seam_backend_open ("cpu", &error);
    g_assert_no_error (error);
    SeamCpuModule *module =
        seam_cpu_module_new ((SeamCpuDevice *)device, cases[i].text, FALSE, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (is_code_loaded ());
    seam_cpu_module_free (module);
    g_assert_cmpint (is_code_loaded (), ==, cases[i].stays);
    g_assert_cmpint (device->keeps_code, ==, cases[i].stays);
    seam_device_close (device);
  }
}

/* A loop over all maps, one after the other in either order, computes whole vectors: comparisons,
 * too. */
static void
test_vectors (void)
{
  static const struct {
    const char *name, *needs;
  } widths[] = { { "avx2", "%ymm" }, { "avx512", "%zmm" } };
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  SeamCpuDevice narrow = *(SeamCpuDevice *)device;
  int n_listed = 0;

  for (int i = 0; i < 2 * (int)G_N_ELEMENTS (widths); i++) {
    GString *maps = g_string_new (NULL);
    g_autofree char *text = NULL, *assembly = NULL;

    for (int k = 0; k < SEAM_N_OP_TYPES; k++) {
      const SeamOpType type = i % 2 == 0 ? k : SEAM_N_OP_TYPES - 1 - k;

      if (seam_op_type_get_info (type)->op_class == SEAM_CLASS_MAP)
        g_string_append_printf (maps, "    y = seam_op_apply_%s (y, 2, t[i], 0.25f, 0.75f);\n",
                                seam_op_type_get_name (type));
    }
    text = g_strdup_printf ("#include \"kernels/cpu/exp.h\"\n"
                            "#include \"kernels/cpu/run.h\"\n"
                            "void stage_0 (const SeamCpuRun *run)\n"
                            "{\n"
                            "  const float *x = run->read[0], *t = run->read[1];\n"
                            "  float *z = run->write[0];\n"
                            "  const int64_t n = run->n;\n"
                            "#pragma omp simd\n"
                            "  for (int64_t i = 0; i < n; i++) {\n"
                            "    float y = x[i];\n"
                            "%s"
                            "    z[i] = y;\n"
                            "  }\n"
                            "}\n",
                            maps->str);
    g_string_free (maps, TRUE);
    narrow.loops = seam_cpu_loops_find (widths[i / 2].name);
    if (narrow.loops == NULL)
      continue;
    assembly = seam_cpu_list (&narrow, text, NULL, NULL, &error);
    g_assert_no_error (error);
    g_assert_nonnull (strstr (assembly, widths[i / 2].needs));
    n_listed++;
  }
  seam_device_close (device);
  if (n_listed == 0)
    g_test_skip ("this processor has no AVX2");
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *remove = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  cache = g_dir_make_tmp ("seamscope-test-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_add_func ("/backend-cpu-compile/cache", test_cache);
  g_test_add_func ("/backend-cpu-compile/planted", test_planted);
  g_test_add_func ("/backend-cpu-compile/errors", test_errors);
  g_test_add_func ("/backend-cpu-compile/stays", test_stays);
  g_test_add_func ("/backend-cpu-compile/vectors", test_vectors);
  status = g_test_run ();
  remove_entries ();
  for (const char *const *part =
           (const char *const[]){ "seamscope/kernels-cpu", "seamscope", "", NULL };
       *part != NULL; part++) {
    g_free (remove);
    remove = g_build_filename (cache, *part, NULL);
    g_rmdir (remove);
  }
  return status;
}
