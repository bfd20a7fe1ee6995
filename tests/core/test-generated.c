/* SPDX-License-Identifier: MIT
 *
 * Generated C on the CPU: every partition gives what the loops give, op after op; the cache is
 * found, and mended when it is damaged; code that does not compile is explained.
 */
#include "app/backend/backend-cpu.h"
#include "tests/core/cpu-fixture.h"

#include <glib/gstdio.h>

static char *cache;

static Fixture *
new_fixture (const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  SeamProblem *problem;
  Fixture *fixture;

  g_assert_no_error (error);
  problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_assert_no_error (error);
  fixture = fixture_new (problem);
  fixture_fill (fixture, 5, SEAM_DISTRIBUTION_NORMAL);
  return fixture;
}

/* The partition with every group but those of one library op executed by `implementation`. */
static SeamPlan *
choose (const Fixture *fixture, guint32 seams, SeamImplementation implementation)
{
  SeamPlan *plan = seam_plan_new (fixture->problem->pipeline, 0, seams);

  for (int i = 0; i < plan->n_groups; i++) {
    SeamPlan *next;
    if (i == 0 && plan->groups[i].last == 0)
      continue;
    next = seam_plan_choose (plan, i, implementation);
    seam_plan_unref (plan);
    plan = next;
  }
  return plan;
}

/* A product and a sum in two ops are two roundings in the loops and one in the code. */
static gboolean
has_product_and_sum (const SeamChain *chain)
{
  for (int i = 1; i < chain->n_ops; i++) {
    SeamOpType before = chain->ops[i - 1].type;
    if ((before == SEAM_OP_MULTIPLY_CHANNEL || before == SEAM_OP_MULTIPLY_TENSOR)
        && (chain->ops[i].type == SEAM_OP_ADD_CHANNEL || chain->ops[i].type == SEAM_OP_ADD_SCALAR))
      return TRUE;
  }
  return FALSE;
}

static void
test_partitions (gconstpointer id)
{
  Fixture *fixture = new_fixture (id);
  const SeamChain *chain = &fixture->problem->pipeline->chains[0];
  double allowed = has_product_and_sum (chain) ? 4e-6 : 0;
  gint64 n = fixture_n_outputs (fixture);

  for (guint32 seams = 0; seams < 1u << (chain->n_ops - 1); seams++) {
    g_autoptr (SeamPlan) loops = choose (fixture, seams, SEAM_IMPLEMENTATION_CPU);
    g_autoptr (SeamPlan) code = choose (fixture, seams, SEAM_IMPLEMENTATION_GENERATED);
    g_autofree float *a = fixture_run (fixture, loops);
    g_autofree float *b = fixture_run (fixture, code);
    double largest = 0;

    for (gint64 i = 0; i < n; i++) {
      double distance = fabs ((double)a[i] - (double)b[i]) / fmax (1, fabs ((double)a[i]));
      if (!(distance <= largest))
        largest = isnan (distance) ? INFINITY : distance;
    }
    if (!(largest <= allowed))
      g_error ("%s: off by %g, allowed %g", code->notation, largest, allowed);
  }
  fixture_free (fixture);
}

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
check_adds (const SeamCpuDevice *device, float wanted)
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

/* Code that another user can have put in the place of an entry is not run, and what is loaded is a
 * copy that cannot be changed, not the file. */
static void
test_planted (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);
  const SeamCpuDevice *cpu = (SeamCpuDevice *)device;
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
  const SeamCpuDevice *cpu = (SeamCpuDevice *)device;
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

  /* A text that reads itself for ever is ended by the compiler's own limit, not by a crash. */
  g_assert_null (seam_cpu_module_new (cpu, "#include \"group.c\"\n", FALSE, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  seam_device_close (device);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = NULL;
  g_autofree char *remove = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  cache = g_dir_make_tmp ("seamscope-test-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  pipelines = seam_pipeline_list (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    g_autofree char *path = g_strconcat ("/generated/partitions/", pipeline->id, NULL);
    g_test_add_data_func (path, pipeline->id, test_partitions);
  }
  g_test_add_func ("/generated/cache", test_cache);
  g_test_add_func ("/generated/planted", test_planted);
  g_test_add_func ("/generated/errors", test_errors);
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
