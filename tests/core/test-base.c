/* SPDX-License-Identifier: MIT
 *
 * Text, files and random numbers: the formats people read, strict parsing, .npy in and out with
 * damaged files, and the generator against its published vectors.
 */
#include "app/base/error.h"
#include "app/base/npy.h"
#include "app/base/own-file.h"
#include "app/base/random.h"
#include "app/base/scratch.h"
#include "app/base/text.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Takes `actual`. */
static void
assert_text (char *actual, const char *expected)
{
  g_assert_cmpstr (actual, ==, expected);
  g_free (actual);
}

static void
test_numbers (void)
{
  assert_text (seam_text_fixed (1234.5678, 3), "1,234.568");
  assert_text (seam_text_fixed (-0.5, 1), "−0.5");
  assert_text (seam_text_fixed (0.0004, 3), "< 0.001");
  assert_text (seam_text_fixed (-0.0004, 3), "−0.0004");
  assert_text (seam_text_fixed (-3e-9, 3), "−3.0×10⁻⁹");
  assert_text (seam_text_fixed (0.0006, 3), "0.001");
  assert_text (seam_text_fixed (0, 3), "0.000");
  assert_text (seam_text_fixed (0.4, 0), "< 1");
  assert_text (seam_text_fixed (NAN, 2), "–");
  assert_text (seam_text_fixed (-INFINITY, 2), "−∞");
  assert_text (seam_text_fixed (999999.9996, 3), "1,000,000.000");
  assert_text (seam_text_change (0.5, 3), "+0.500");
  assert_text (seam_text_change (-1234.5678, 2), "−1,234.57");
  assert_text (seam_text_change (0.0004, 3), "+0.0004");
  assert_text (seam_text_change (-0.0004, 3), "−0.0004");
  assert_text (seam_text_change (-0.00048, 3), "−0.0005");
  assert_text (seam_text_change (0, 3), "0");
  assert_text (seam_text_change (NAN, 3), "–");
  assert_text (seam_text_significant (2.5678, 3), "2.57");
  assert_text (seam_text_significant (0.012345, 3), "0.0123");
  assert_text (seam_text_significant (9.999, 3), "10.0");
  assert_text (seam_text_significant (12345, 3), "12,345");
  assert_text (seam_text_significant (0, 3), "0");
  assert_text (seam_text_significant (NAN, 3), "–");
  assert_text (seam_text_scientific (1.4e-6), "1.4×10⁻⁶");
  assert_text (seam_text_scientific (-9.96e12), "−1.0×10¹³");
  assert_text (seam_text_scientific (3.42), "3.4");
  assert_text (seam_text_scientific (0), "0");
  assert_text (seam_text_count (134217728), "134,217,728");
  assert_text (seam_text_count (999), "999");
  assert_text (seam_text_count (G_MININT64), "−9,223,372,036,854,775,808");
  assert_text (seam_text_ratio (1.8437), "1.84×");
  assert_text (seam_text_ratio (1.9e37), "over 10⁴×");
  assert_text (seam_text_times (22), "22.0");
  assert_text (seam_text_times (1e-9), "< 0.0001");
  assert_text (seam_text_times (0), "0");
  assert_text (seam_text_ratio (NAN), "–");
  assert_text (seam_text_percent (0.6741), "67.4");
  assert_text (seam_text_percent_off (1.034), "3.40");
  assert_text (seam_text_percent_off (0.995), "−0.50");
  assert_text (seam_text_percent_off (1 - 1.1e-16), "0.00");
  assert_text (seam_text_percent_off (NAN), "–");
  assert_text (seam_text_time (2.57e6), "2.57 ms");
  assert_text (seam_text_time (999.4), "999 ns");
  assert_text (seam_text_time (999999), "1.00 ms");
  assert_text (seam_text_bytes (1.0574e9), "1.06 GB");
  assert_text (seam_text_bytes (512), "512 B");
  assert_text (seam_text_rate (3.9e12), "3.90 TB/s");
  assert_text (seam_text_flop (38.05e9), "38.0 GFLOP");
  assert_text (seam_text_flop_rate (495e12), "495 TFLOP/s");
  assert_text (seam_text_flop_rate (NAN), SEAM_DASH);
  assert_text (seam_text_dims ((gint64[]){ 128, 32, 254, 254 }, 4), "[128, 32, 254, 254]");
  assert_text (seam_text_list ((const char *[]){ "a", "b", "c", NULL }), "a, b and c");
  assert_text (seam_text_list ((const char *[]){ "a", NULL }), "a");
  assert_text (seam_text_list ((const char *[]){ NULL }), "");
}

static void
test_units (void)
{
  g_assert_cmpstr (seam_unit_for_time (999).name, ==, "ns");
  g_assert_cmpstr (seam_unit_for_time (1000).name, ==, "µs");
  g_assert_cmpstr (seam_unit_for_time (2.5e6).name, ==, "ms");
  g_assert_cmpfloat (seam_unit_for_time (2.5e6).scale, ==, 1e6);
  g_assert_cmpstr (seam_unit_for_time (1e15).name, ==, "s");
  g_assert_cmpstr (seam_unit_for_time (NAN).name, ==, "ns");
  g_assert_cmpstr (seam_unit_for_bytes (2e9).name, ==, "GB");
  g_assert_cmpstr (seam_unit_for_rate (4.3e12).name, ==, "TB/s");
}

static void
test_parse_int64 (void)
{
  static const struct {
    const char *text;
    gint64 expected; /* -1: refused */
  } cases[] = {
    { "7", 7 },
    { " 42 ", 42 },
    { "32,768", 32768 },
    { "1,000,000", 1000000 },
    { "+5", 5 },
    { "", -1 },
    { " ", -1 },
    { "-", -1 },
    { "12a", -1 },
    { "1e3", -1 },
    { "1.0", -1 },
    { "1,00", -1 },
    { ",100", -1 },
    { "1000,000", -1 },
    { "1,000,", -1 },
    { "0x10", -1 },
    { "1000001", -1 },
    { "-1", -1 },
    { "99999999999999999999", -1 },
    { "\xff\xfe", -1 },
    { "five", -1 },
    { "1 2", -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    gint64 value = -7;
    gboolean parsed = seam_text_parse_int64 (cases[i].text, "Height", 0, 1000000, &value, &error);
    g_test_message ("%zu", i);
    g_assert_cmpint (parsed, ==, cases[i].expected >= 0);
    g_assert_cmpint (value, ==, parsed ? cases[i].expected : -7);
    if (!parsed) {
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
      g_assert_true (g_str_has_prefix (error->message, "Height: "));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      g_assert_nonnull (strstr (error->message, "1,000,000"));
    }
  }
}

static void
test_parse_double (void)
{
  static const struct {
    const char *text;
    double expected; /* NaN: refused */
  } cases[] = {
    { "0.5", 0.5 }, { " 1e-3 ", 1e-3 }, { "10", 10 },   { "nan", NAN },   { "inf", NAN },
    { "", NAN },    { "0x1p3", NAN },   { "1,5", NAN }, { "1e999", NAN }, { "11", NAN },
    { "-1", NAN },  { "1.2.3", NAN },   { "e", NAN },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    double value = -7;
    gboolean parsed = seam_text_parse_double (cases[i].text, "Budget", 0, 10, &value, &error);
    g_test_message ("%s", cases[i].text);
    g_assert_cmpint (parsed, ==, !isnan (cases[i].expected));
    if (parsed)
      g_assert_cmpfloat (value, ==, cases[i].expected);
    else
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  }
}

static void
test_nearest (void)
{
  const char *names[] = { "unfused", "published", "epilogue", "full", "as-published", NULL };
  g_autofree char *huge = g_strnfill (5000, 'a');

  g_assert_cmpstr (seam_text_nearest ("publishd", names), ==, "published");
  g_assert_cmpstr (seam_text_nearest ("Unfuesd", names), ==, "unfused");
  g_assert_cmpstr (seam_text_nearest ("epi", names), ==, "epilogue");
  g_assert_cmpstr (seam_text_nearest ("ful", names), ==, "full");
  g_assert_null (seam_text_nearest ("zebra", names));
  g_assert_null (seam_text_nearest ("", names));
  g_assert_null (seam_text_nearest (huge, names));
}

typedef struct {
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("seam-base-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.npy", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0); /* fails when a temporary file is left */
  g_free (fixture->folder);
  g_free (fixture->path);
}

static void
test_npy_round_trip (Fixture *fixture, gconstpointer data)
{
  float floats[6] = { 0, -1.5f, NAN, INFINITY, 1e-40f, 3 };
  double doubles[2] = { G_PI, -0.0 };
  gint64 dims[3] = { 1, 2, 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamNpy) first = NULL, second = NULL;

  seam_npy_write_floats (fixture->path, floats, dims, 3, &error);
  g_assert_no_error (error);
  first = seam_npy_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (first->n_dims, ==, 3);
  g_assert_cmpint (first->dims[2], ==, 3);
  g_assert_cmpint (first->n_elements, ==, 6);
  g_assert_false (first->is_double);
  g_assert_cmpmem (first->data, 24, floats, 24);

  /* Over the old file, one dimension (a Python tuple of one needs its comma). */
  seam_npy_write_doubles (fixture->path, doubles, (gint64[]){ 2 }, 1, &error);
  g_assert_no_error (error);
  second = seam_npy_read (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_true (second->is_double);
  g_assert_cmpint (second->n_dims, ==, 1);
  g_assert_cmpmem (second->data, 16, doubles, 16);
}

/* A file that NumPy wrote. */
static void
test_npy_golden (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_TEST_GOLDEN"), "conv-relu-bias",
                                            "case1", "output_f64.npy", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamNpy) npy = seam_npy_read (path, &error);

  g_assert_no_error (error);
  g_assert_true (npy->is_double);
  g_assert_cmpint (npy->n_dims, ==, 4);
  g_assert_cmpint (npy->n_elements, ==, 1 * 7 * 7 * 11);
}

static void
test_npy_damaged (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *header;
    gsize n_data;
    const char *expected;
  } cases[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 23, "truncated" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 25, "longer" },
    { "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", 24, "big-endian" },
    { "{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }", 24, "big-endian" },
    { "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }", 24, "'<i8'" },
    { "{'descr': '|i1', 'fortran_order': False, 'shape': (24,), }", 24, "'|i1'" },
    { "{'descr': '<i2', 'fortran_order': False, 'shape': (12,), }", 24, "'<i2'" },
    { "{'descr': '<i4', 'fortran_order': False, 'shape': (6,), }", 24, "'<i4'" },
    { "{'descr': '|u1', 'fortran_order': False, 'shape': (24,), }", 24, "'|u1'" },
    { "{'descr': '<u8', 'fortran_order': False, 'shape': (3,), }", 24, "'<u8'" },
    { "{'descr': '>i4', 'fortran_order': False, 'shape': (6,), }", 24, "'>i4'" },
    { "{'descr': '<f2', 'fortran_order': False, 'shape': (12,), }", 24, "'<f2'" },
    { "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", 16, "'<f16'" },
    { "{'descr': '|b1', 'fortran_order': False, 'shape': (24,), }", 24, "'|b1'" },
    { "{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", 24, "'<c8'" },
    { "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24, "Fortran" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, x), }", 24, "shape" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", 24, "shape" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6), }", 24,
      "dimensions" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 24,
      "too large" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693951,), }", 24,
      "too large" },
    { "{'descr': '<f4', 'shape': (2, 3), }", 24, "header" },
    { "", 24, "header" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    gsize n_header = strlen (cases[i].header);
    guint8 length[2] = { n_header & 0xff, (guint8)(n_header >> 8) };
    guint8 zeros[32] = { 0 };
    g_test_message ("%s", cases[i].expected);
    g_byte_array_append (bytes, (const guint8 *)"\x93NUMPY\x01\x00", 8);
    g_byte_array_append (bytes, length, 2);
    g_byte_array_append (bytes, (const guint8 *)cases[i].header, n_header);
    g_byte_array_append (bytes, zeros, cases[i].n_data);
    g_assert_true (g_file_set_contents (fixture->path, (char *)bytes->data, bytes->len, NULL));
    g_assert_null (seam_npy_read (fixture->path, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
    g_assert_nonnull (strstr (error->message, cases[i].expected));
    g_assert_nonnull (strstr (error->message, fixture->path));
  }
}

/* FP64 as FP32: what does not fit is refused, what changes beyond the usual rounding is told. */
static void
test_npy_floats (Fixture *fixture, gconstpointer data)
{
  static const struct {
    double value; /* element [1, 0, 2] of 2 x 2 x 3 */
    const char *refused, *told;
    float result;
  } cases[] = {
    { 1e300, "element [1, 0, 2] is 1.0000000000000001e+300", NULL, 0 },
    { -3.5e38, "element [1, 0, 2] is -3.5e+38", NULL, 0 },
    { 0x1.ffffffp127, "element [1, 0, 2]", NULL, 0 }, /* the first that rounds to infinity */
    { 0x1.fffffefffffffp127, NULL, NULL, 0x1.fffffep127f },
    { INFINITY, NULL, NULL, INFINITY },
    { 0.1, NULL, NULL, 0.1f },
    { 16777216, NULL, NULL, 16777216 },
    { 16777217, NULL,
      "element [1, 0, 2] is 16777217, which FP32 does not have, so that the run uses 16777216 ",
      16777216 },
    { 16777218, NULL, NULL, 16777218 },
    { -9007199254740991, NULL, "is -9007199254740991,", -9007199254740992.0f },
    { 9007199254740994, NULL, NULL, 9007199254740994.0f },
    { 0x1p63, NULL, NULL, 0x1p63f },
    { 1e-300, NULL, "is 1e-300, which FP32 does not have, so that the run uses 0 ", 0 },
    { 1e-40, NULL, NULL, 1e-40f },
  };
  const gint64 dims[] = { 2, 2, 3 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int again = 0; again < 2; again++) {
      double values[12] = { [8] = cases[i].value, [11] = again ? cases[i].value : -0.0 };
      float floats[12];
      g_autofree char *changed = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamNpy) npy = NULL;

      g_assert_true (seam_npy_write_doubles (fixture->path, values, dims, 3, &error));
      npy = seam_npy_read (fixture->path, &error);
      g_assert_no_error (error);
      g_test_message ("%.17g", cases[i].value);
      if (cases[i].refused != NULL) {
        g_assert_false (seam_npy_get_floats (npy, fixture->path, floats, &changed, &error));
        g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
        g_assert_nonnull (strstr (error->message, cases[i].refused));
        g_assert_nonnull (strstr (error->message, fixture->path));
        continue;
      }
      g_assert_true (seam_npy_get_floats (npy, fixture->path, floats, &changed, &error));
      g_assert_cmpfloat (floats[8], ==, cases[i].result);
      g_assert_cmpfloat (floats[11], ==, again ? cases[i].result : 0);
      g_assert_true ((changed != NULL) == (cases[i].told != NULL));
      if (changed != NULL) {
        g_assert_nonnull (strstr (changed, cases[i].told));
        g_assert_true (g_str_has_prefix (changed, "a.npy: "));
      }
    }
}

static void
assert_write_fails (const char *path, const char *expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (seam_file_write (path, "text", 4, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, expected));
}

/* The next write removes temporary files of a killed writer. Those of a living writer, and files
 * whose names only look alike, stay. */
static void
test_temporaries (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *name;
    gboolean stays;
  } files[] = {
    { ".seamscope-0123abcd.tmp", FALSE }, { ".seamscope-89abcdef.tmp", TRUE }, /* locked below */
    { ".seamscope-0123abcd.tmpx", TRUE }, { ".seamscope-0123abcg.tmp", TRUE },
    { ".seamscope-0123abc.tmp", TRUE },   { "seamscope-0123abcd.tmp", TRUE },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFileWriter) writer = seam_file_writer_new (fixture->path, &error);
  int locked = -1;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, files[i].name, NULL);
    int fd = open (path, O_RDWR | O_CREAT, 0666);
    g_assert_cmpint (fd, >=, 0);
    if (i != 1) {
      close (fd);
      continue;
    }
    locked = fd;
    g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  }
  g_assert_true (seam_file_write (fixture->path, "one", 3, &error));
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, files[i].name, NULL);
    g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, files[i].stays);
    g_unlink (path);
  }
  close (locked);
  /* The other writer's file has stayed because that writer was alive. */
  g_assert_true (seam_file_writer_commit (writer, &error));
  g_assert_no_error (error);
}

static gpointer
lock_cb (gpointer path)
{
  return seam_file_lock (path, 30, NULL);
}

/* The next start of a program removes temporary files of a killed writer, also in a folder to
 * which nothing is written again. The file of a living writer stays. */
static void
test_start_removes_temporaries (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFileWriter) writer = seam_file_writer_new (fixture->path, &error);
  g_autoptr (GDir) dir = NULL;
  int status;
  pid_t child;

  g_assert_no_error (error);
  child = fork ();
  if (child == 0) {
    seam_file_writer_new (other, NULL);
    raise (SIGKILL);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (WTERMSIG (status), ==, SIGKILL);
  dir = g_dir_open (fixture->folder, 0, NULL);
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_nonnull (g_dir_read_name (dir));
  seam_file_init ();
  g_dir_rewind (dir);
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_null (g_dir_read_name (dir));
  g_assert_true (seam_file_writer_commit (writer, &error));
  g_assert_no_error (error);
}

/* A lock has one holder at a time, which may be a thread, and leaves no file behind. */
static void
test_lock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  SeamFileLock *first = seam_file_lock (fixture->path, 0, &error), *second;
  GThread *thread;

  g_assert_no_error (error);
  g_assert_null (seam_file_lock (fixture->path, 0, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "another program is writing to it"));
  thread = g_thread_new (NULL, lock_cb, fixture->path);
  seam_file_unlock (first);
  second = g_thread_join (thread);
  g_assert_nonnull (second);
  seam_file_unlock (second);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
}

/* Exceeding the file size limit is an error and does not end the process. */
static void
test_size_limit (Fixture *fixture, gconstpointer data)
{
  pid_t child = fork ();
  int status;

  g_assert_cmpint (child, >=, 0);
  if (child == 0) {
    struct rlimit limit = { 4096, 4096 };
    static const char bytes[8192];
    g_autoptr (GError) error = NULL;
    seam_file_init ();
    setrlimit (RLIMIT_FSIZE, &limit);
    _exit (!seam_file_write (fixture->path, bytes, sizeof bytes, &error)
                   && strstr (error->message, "ulimit -f") != NULL
               ? 0
               : 1);
  }
  waitpid (child, &status, 0);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
}

static void
test_file_write (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autofree char *inside = g_build_filename (fixture->path, "x", NULL);
  g_autofree char *missing = g_build_filename (fixture->folder, "no", "x", NULL);
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  g_autoptr (GError) error = NULL;
  struct stat st;

  g_assert_true (seam_file_write (fixture->path, "one", 3, &error));
  g_assert_cmpint (g_chmod (fixture->path, 0640), ==, 0);
  g_assert_cmpint (symlink ("a.npy", link), ==, 0);
  /* Writing through a link keeps the link; the file that it points to changes and keeps its
   * mode. */
  g_assert_true (seam_file_write (link, "three", 5, &error));
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "three");
  g_assert_cmpint (g_stat (fixture->path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0640);
  g_unlink (link);

  assert_write_fails (inside, "folder does not exist");
  assert_write_fails (missing, "folder does not exist");
  assert_write_fails (fixture->folder, "folder");
  if (g_file_test ("/dev/full", G_FILE_TEST_EXISTS)) {
    assert_write_fails ("/dev/full", "disk is full");
    g_assert_cmpint (g_stat ("/dev/full", &st), ==, 0);
    g_assert_true (S_ISCHR (st.st_mode)); /* not replaced by a file */
  }
}

/* Random123's kat_vectors for philox4x32, 10 rounds. */
static void
test_philox_vectors (void)
{
  static const struct {
    guint32 counter[4], key[2], out[4];
  } vectors[] = {
    { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
    { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
      { 0xffffffff, 0xffffffff },
      { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
    { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
      { 0xa4093822, 0x299f31d0 },
      { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
  };
  guint32 out[4];

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++) {
    seam_random_philox (vectors[i].counter, vectors[i].key, out);
    g_assert_cmpmem (out, sizeof out, vectors[i].out, sizeof out);
  }
  seam_random_block (0, 0, 0, out);
  g_assert_cmpmem (out, sizeof out, vectors[0].out, sizeof out);
  /* FNV-1a's published values. */
  g_assert_cmphex (seam_random_stream (""), ==, 0x811c9dc5);
  g_assert_cmphex (seam_random_stream ("foobar"), ==, 0xbf9cf968);
}

static void
test_distributions (void)
{
  const gint64 n = 200001;
  g_autofree float *uniform = g_new (float, n), *normal = g_new (float, n);
  g_autofree float *other = g_new (float, n);
  double sum = 0, sum2 = 0, sum4 = 0, mean = 0;
  guint32 words[4];

  seam_random_uniform_part (uniform, 0, n, 7, 11, -0.25f, 0.75f);
  for (gint64 i = 0; i < n; i++) {
    g_assert_true (uniform[i] >= -0.25f && uniform[i] < 0.75f);
    mean += uniform[i];
  }
  g_assert_cmpfloat_with_epsilon (mean / n, 0.25, 4 * 0.2887 / sqrt (n));
  /* Element i is word i % 4 of block i / 4, whatever the number of threads. */
  seam_random_block (7, 11, 40000 / 4, words);
  g_assert_cmpfloat (uniform[40000], ==, -0.25f + (float)(words[0] >> 8) * 0x1p-24f);
  /* A shorter tensor is the beginning of a longer one; another seed or stream is another tensor. */
  seam_random_uniform_part (other, 0, 1003, 7, 11, -0.25f, 0.75f);
  g_assert_cmpmem (other, 1003 * 4, uniform, 1003 * 4);
  seam_random_uniform_part (other, 0, 1003, 8, 11, -0.25f, 0.75f);
  g_assert_cmpfloat (other[0], !=, uniform[0]);
  seam_random_uniform_part (other, 0, 1003, 7, 12, -0.25f, 0.75f);
  g_assert_cmpfloat (other[0], !=, uniform[0]);

  seam_random_normal_part (normal, 0, n, 7, 11, 1, 2);
  for (gint64 i = 0; i < n; i++) {
    double z = (normal[i] - 1) / 2;
    sum += z;
    sum2 += z * z;
    sum4 += z * z * z * z;
  }
  g_assert_cmpfloat_with_epsilon (sum / n, 0, 4 / sqrt (n));
  g_assert_cmpfloat_with_epsilon (sum2 / n, 1, 4 * sqrt (2.0 / n));
  g_assert_cmpfloat_with_epsilon (sum4 / n, 3, 4 * sqrt (96.0 / n));
}

/* Opens a file that only its owner may write. `says` is a part of the sentence that refuses it;
 * NULL: it is opened. */
static void
check_own_file (const char *path, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = seam_own_file_read (path, &error);

  if (says == NULL) {
    g_assert_no_error (error);
    g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "code", 4);
    return;
  }
  g_assert_null (bytes);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

static void
test_own_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("seamscope-base-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "code", NULL);
  g_autofree char *other_name = g_build_filename (folder, "link", NULL);
  g_autofree char *sub = g_build_filename (folder, "sub", NULL);

  check_own_file (path, "cannot be opened");
  g_assert_true (g_file_set_contents (path, "code", 4, NULL));
  g_chmod (path, 0644);
  check_own_file (path, NULL);
  g_assert_cmpint (symlink ("code", other_name), ==, 0);
  check_own_file (other_name, "symbolic link");
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  check_own_file (sub, "not a regular file");
  g_rmdir (sub);
  g_chmod (path, 0646);
  check_own_file (path, "Other users can write to");
  g_chmod (path, 0644);
  g_chmod (folder, 0777);
  check_own_file (path, "Other users can write to");
  g_chmod (folder, 0700);
  if (geteuid () == 0) {
    g_assert_cmpint (chown (path, 12345, 0), ==, 0);
    check_own_file (path, "belongs to another user (uid 12345)");
    g_assert_cmpint (chown (path, 0, 12345), ==, 0);
    g_chmod (path, 0664);
    check_own_file (path, "Other users can write to");
    g_chmod (path, 0644);
    g_assert_cmpint (chown (folder, 12345, 0), ==, 0);
    check_own_file (path, "belongs to another user (uid 12345)");
  }
  g_remove (other_name);
  g_remove (path);
  g_rmdir (folder);
}

/* The next start removes the folder of a process that was killed; folders in use stay. */
static void
check_scratch (void)
{
  const char *tmp = g_get_tmp_dir ();
  g_autofree char *dead = g_build_filename (tmp, "seamscope-code-dead01", NULL);
  g_autofree char *inside = g_build_filename (dead, "kernels", NULL);
  g_autofree char *file = g_build_filename (inside, "left.o", NULL);
  g_autofree char *foreign = g_build_filename (tmp, "seamscope-other", NULL);
  g_autofree char *kept = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamScratch) scratch = seam_scratch_new (&error);

  g_assert_no_error (error);
  kept = g_build_filename (scratch->path, "file", NULL);
  g_assert_true (g_file_set_contents (kept, "x", 1, NULL));
  g_assert_cmpint (g_mkdir_with_parents (inside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_cmpint (g_mkdir (foreign, 0700), ==, 0);

  seam_scratch_clean ();
  g_assert_false (g_file_test (dead, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_rmdir (foreign), ==, 0);
}

static void
test_scratch (void)
{
  g_autofree char *tmp = NULL;

  if (g_test_subprocess ()) {
    check_scratch ();
    return;
  }
  tmp = g_dir_make_tmp ("seamscope-base-XXXXXX", NULL);
  g_setenv ("TMPDIR", tmp, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("TMPDIR");
  g_test_trap_assert_passed ();
  /* All folders are gone, also the one that was in use. */
  g_assert_cmpint (g_rmdir (tmp), ==, 0);
}

/* GLib takes relative folders; the program must not write below wherever it was started. */
static void
test_relative_folders (void)
{
  if (!g_test_subprocess ()) {
    g_autofree char *tmp = g_dir_make_tmp ("seam-base-XXXXXX", NULL);
    g_auto (GStrv) before = g_get_environ ();
    g_setenv ("XDG_STATE_HOME", "relative/state", TRUE);
    g_setenv ("XDG_DATA_HOME", "", TRUE);
    g_setenv ("XDG_CACHE_HOME", tmp, TRUE);
    g_test_trap_subprocess (NULL, 0, 0);
    for (const char *const *name =
             (const char *const[]){ "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", NULL };
         *name != NULL; name++) {
      const char *value = g_environ_getenv (before, *name);
      if (value != NULL)
        g_setenv (*name, value, TRUE);
      else
        g_unsetenv (*name);
    }
    g_test_trap_assert_passed ();
    g_rmdir (tmp);
    return;
  }
  seam_file_init ();
  g_assert_true (g_path_is_absolute (g_get_user_state_dir ()));
  g_assert_true (g_path_is_absolute (g_get_user_data_dir ()));
  g_assert_cmpstr (g_get_user_cache_dir (), ==, g_getenv ("XDG_CACHE_HOME"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/numbers", test_numbers);
  g_test_add_func ("/text/units", test_units);
  g_test_add_func ("/text/parse-int64", test_parse_int64);
  g_test_add_func ("/text/parse-double", test_parse_double);
  g_test_add_func ("/text/nearest", test_nearest);
  g_test_add ("/npy/round-trip", Fixture, NULL, set_up, test_npy_round_trip, tear_down);
  g_test_add_func ("/npy/golden", test_npy_golden);
  g_test_add ("/npy/floats", Fixture, NULL, set_up, test_npy_floats, tear_down);
  g_test_add ("/npy/damaged", Fixture, NULL, set_up, test_npy_damaged, tear_down);
  g_test_add ("/file/write", Fixture, NULL, set_up, test_file_write, tear_down);
  g_test_add ("/file/temporaries", Fixture, NULL, set_up, test_temporaries, tear_down);
  g_test_add ("/file/start-removes-temporaries", Fixture, NULL, set_up,
              test_start_removes_temporaries, tear_down);
  g_test_add ("/file/lock", Fixture, NULL, set_up, test_lock, tear_down);
  g_test_add ("/file/size-limit", Fixture, NULL, set_up, test_size_limit, tear_down);
  g_test_add_func ("/file/relative-folders", test_relative_folders);
  g_test_add_func ("/own-file/refused", test_own_file);
  g_test_add_func ("/scratch/clean", test_scratch);
  g_test_add_func ("/random/philox", test_philox_vectors);
  g_test_add_func ("/random/distributions", test_distributions);
  return g_test_run ();
}
