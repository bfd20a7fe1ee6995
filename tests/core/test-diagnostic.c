/* SPDX-License-Identifier: MIT
 *
 * Messages of compilers (gcc 12, clang 14, NVRTC 13), parsed into line, column and text.
 */
#include "app/backend/diagnostic.h"

static void
check (GPtrArray *list, guint index, int line, int column, gboolean is_error, const char *text)
{
  const SeamDiagnostic *d;

  g_assert_cmpuint (list->len, >, index);
  d = list->pdata[index];
  g_assert_cmpint (d->line, ==, line);
  g_assert_cmpint (d->column, ==, column);
  g_assert_cmpint (d->is_error, ==, is_error);
  g_assert_cmpstr (d->text, ==, text);
}

static void
test_gcc (void)
{
  g_autoptr (GPtrArray) list = seam_diagnostics_parse (
      "In file included from group.c:5:\n"
      "./kernels/cpu/run.h: In function 'stage_0':\n"
      "group.c: In function 'stage_0':\n"
      "group.c:18:11: error: 'after_reluu' undeclared (first use in this function); did you mean "
      "'after_relu'?\n"
      "   18 |     y0[i] = after_reluu;\n"
      "      |             ^~~~~~~~~~~\n"
      "group.c:18:11: note: each undeclared identifier is reported only once\n"
      "group.c:19:1: warning: empty declaration\n"
      "./kernels/ops.h:70:9: error: expected ';' before '}' token\n"
      "group.c:30: fatal error: nothing.h: No such file or directory\n"
      "collect2: error: ld returned 1 exit status\n");

  g_assert_cmpuint (list->len, ==, 5);
  check (list, 0, 18, 11, TRUE,
         "'after_reluu' undeclared (first use in this function); did you mean 'after_relu'?");
  check (list, 1, 19, 1, FALSE, "empty declaration");
  check (list, 2, 0, 0, TRUE, "./kernels/ops.h, line 70: expected ';' before '}' token");
  check (list, 3, 30, 0, TRUE, "nothing.h: No such file or directory");
  g_assert_true (((SeamDiagnostic *)list->pdata[4])->is_error);
  g_assert_cmpint (((SeamDiagnostic *)list->pdata[4])->line, ==, 0);
}

static void
test_nvrtc (void)
{
  g_autoptr (GPtrArray) list = seam_diagnostics_parse (
      "generated.cu(14): error: identifier \"after_reluu\" is undefined\n"
      "      y[0] = after_reluu;\n"
      "             ^\n"
      "\n"
      "generated.cu(9): warning #177-D: variable \"z\" was declared but never referenced\n"
      "      float z;\n"
      "            ^\n"
      "\n"
      "kernels/ops.h(3): catastrophic error: cannot open source file \"x.h\"\n"
      "1 error detected in the compilation of \"generated.cu\".\n");

  g_assert_cmpuint (list->len, ==, 3);
  check (list, 0, 14, 12, TRUE, "identifier \"after_reluu\" is undefined");
  check (list, 1, 9, 11, FALSE, "variable \"z\" was declared but never referenced");
  check (list, 2, 0, 0, TRUE, "kernels/ops.h, line 3: cannot open source file \"x.h\"");
}

/* What is written reads back unchanged, also inside a message. */
static void
test_format (void)
{
  g_autofree char *text = seam_diagnostics_explain (
      "cc could not compile the code", "group.c:7:3: error: a: b\ngroup.c:8:1: warning: c");
  g_autoptr (GPtrArray) list = seam_diagnostics_parse (text);
  g_autofree char *again = seam_diagnostics_format (list);

  g_assert_cmpstr (text, ==,
                   "cc could not compile the code:\n"
                   "line 7, column 3: error: a: b\n"
                   "line 8, column 1: warning: c");
  g_assert_cmpuint (list->len, ==, 2);
  check (list, 0, 7, 3, TRUE, "a: b");
  check (list, 1, 8, 1, FALSE, "c");
  g_assert_cmpstr (again, ==, "line 7, column 3: error: a: b\nline 8, column 1: warning: c");
}

static void
test_odd (void)
{
  static const char *const odd[] = { "",
                                     ":",
                                     "(",
                                     "group.c:",
                                     "group.c:1",
                                     "group.c(1",
                                     "line ",
                                     "line 99999999999: error: x",
                                     "a:0: error: x",
                                     "note: error",
                                     "line 3, column : nothing",
                                     "x(3: y" };
  g_autofree char *none = seam_diagnostics_explain ("It failed", "");
  g_autofree char *other = seam_diagnostics_explain ("It failed", "Segmentation fault");

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++) {
    g_autoptr (GPtrArray) list = seam_diagnostics_parse (odd[i]);
    for (guint j = 0; j < list->len; j++)
      g_assert_cmpint (((SeamDiagnostic *)list->pdata[j])->line, ==, 0);
  }
  g_autoptr (GPtrArray) nothing = seam_diagnostics_parse (NULL);
  g_assert_cmpuint (nothing->len, ==, 0);
  g_assert_cmpstr (none, ==, "It failed: the compiler left no log.");
  g_assert_cmpstr (other, ==, "It failed: Segmentation fault");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagnostic/gcc", test_gcc);
  g_test_add_func ("/diagnostic/nvrtc", test_nvrtc);
  g_test_add_func ("/diagnostic/format", test_format);
  g_test_add_func ("/diagnostic/odd", test_odd);
  return g_test_run ();
}
