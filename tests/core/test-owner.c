/* SPDX-License-Identifier: MIT
 *
 * An owner frees what is kept with it, once, and leaves the rest alone.
 */
#include "app/base/owner.h"

#include <stddef.h>

typedef struct {
  char *name;
  double numbers[3];
} Sheet;

static GString *freed;

static void
note_freed (gpointer part)
{
  g_string_append (freed, part);
}

static void
note_inside (gpointer part)
{
  g_string_append_printf (freed, "(%s)", ((Sheet *)part)->name);
}

static void
test_keep (void)
{
  static char a[] = "a", b[] = "b", inner[] = "inner";
  Sheet *sheet = seam_owner_new (Sheet), *part = seam_owner_new (Sheet);

  freed = g_string_new (NULL);
  g_assert_null (sheet->name);
  g_assert_cmpfloat (sheet->numbers[2], ==, 0);
  g_assert_cmpuint ((guintptr)sheet % _Alignof(max_align_t), ==, 0);
  sheet->name = seam_keep (sheet, g_strdup ("sheet"));
  g_assert_cmpstr (sheet->name, ==, "sheet");
  g_assert_true (seam_keep_full (sheet, a, note_freed) == a);
  /* What lies in the owner itself, or has parts of its own, is freed before the memory. */
  seam_keep_full (part, inner, note_freed);
  seam_keep_full (sheet, part, seam_owner_free);
  seam_keep_full (sheet, b, note_freed);
  g_assert_null (seam_keep (sheet, NULL));
  g_assert_null (seam_keep_full (sheet, NULL, note_freed));
  seam_owner_free (NULL);
  g_assert_cmpstr (freed->str, ==, "");
  seam_owner_free (sheet);
  g_assert_cmpstr (freed->str, ==, "ainnerb");

  g_string_truncate (freed, 0);
  sheet = seam_owner_new (Sheet);
  sheet->name = a;
  seam_keep_full (sheet, sheet, note_inside);
  seam_owner_free (sheet);
  g_assert_cmpstr (freed->str, ==, "(a)");
  g_string_free (freed, TRUE);
}

/* Far more parts than one allocation of the list holds. */
static void
test_many (void)
{
  char **texts = seam_owner_alloc (1000 * sizeof *texts);

  for (int i = 0; i < 1000; i++)
    texts[i] = seam_keep (texts, g_strdup_printf ("%d", i));
  g_assert_cmpstr (texts[0], ==, "0");
  g_assert_cmpstr (texts[999], ==, "999");
  seam_owner_free (texts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owner/keep", test_keep);
  g_test_add_func ("/owner/many", test_many);
  return g_test_run ();
}
