/* SPDX-License-Identifier: MIT
 *
 * What classes say in class_init (ui/class/class.h): when an object gives back what it owns, and
 * the signals that it emits.
 */
#include "ui/class/class.h"

#define TEST_TYPE_OWNER (test_owner_get_type ())
G_DECLARE_FINAL_TYPE (TestOwner, test_owner, TEST, OWNER, GObject)

struct _TestOwner {
  GObject parent_instance;

  GObject *object, *none;
  GObject *weak;
  guint source;
  char *text;
};

G_DEFINE_FINAL_TYPE (TestOwner, test_owner, G_TYPE_OBJECT)

static int n_first, n_freed;

static void
free_text (char *text)
{
  n_freed++;
  g_free (text);
}

static void
first (TestOwner *self)
{
  if (n_first++ == 0) {
    g_assert_nonnull (self->object);
    g_assert_cmpuint (self->source, !=, 0);
  }
}

static void
test_owner_class_init (TestOwnerClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (first));
  SEAM_OWNS (klass, TestOwner, g_object_unref, object, none);
  SEAM_OWNS (klass, TestOwner, g_source_remove, source);
  SEAM_OWNS (klass, TestOwner, g_object_remove_weak_pointer, weak);
  SEAM_OWNS (klass, TestOwner, free_text, text);
  seam_signals_install (klass, G_TYPE_NONE, "began ended");
  seam_signals_install (klass, G_TYPE_STRING, "said");
}

static void
test_owner_init (TestOwner *self)
{
}

static gboolean
never_cb (gpointer data)
{
  g_assert_not_reached ();
}

static void
test_giving_back (void)
{
  TestOwner *owner = g_object_new (TEST_TYPE_OWNER, NULL);
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL), *other = g_object_new (G_TYPE_OBJECT, NULL);
  guint source;

  owner->object = g_object_ref (object);
  g_set_weak_pointer (&owner->weak, other);
  source = owner->source = g_timeout_add_seconds (3600, never_cb, NULL);
  owner->text = g_strdup ("text");
  g_object_add_weak_pointer (object, (gpointer *)&object);
  g_object_unref (object);
  g_assert_nonnull (object);

  g_object_run_dispose (G_OBJECT (owner));
  g_assert_null (object);
  g_assert_null (owner->object);
  g_assert_null (owner->weak);
  g_assert_cmpuint (owner->source, ==, 0);
  g_assert_null (g_main_context_find_source_by_id (NULL, source));
  g_assert_cmpstr (owner->text, ==, "text");
  g_assert_cmpint (n_freed, ==, 0);

  g_object_unref (owner);
  g_assert_cmpint (n_first, ==, 2);
  g_assert_cmpint (n_freed, ==, 1);
  /* It no longer knows the place of the pointer. */
  g_object_unref (other);
}

/* One object owns the other. */
static void
test_inside_another (void)
{
  TestOwner *outer = g_object_new (TEST_TYPE_OWNER, NULL);
  TestOwner *inner = g_object_new (TEST_TYPE_OWNER, NULL);

  n_freed = 0;
  inner->text = g_strdup ("inner");
  outer->text = g_strdup ("outer");
  outer->object = G_OBJECT (inner);
  outer->source = inner->source = 0;
  n_first = 1;
  g_object_unref (outer);
  g_assert_cmpint (n_freed, ==, 2);
}

static void
said_cb (TestOwner *owner, const char *text, GString *heard)
{
  g_string_append (heard, text);
}

static void
ended_cb (TestOwner *owner, GString *heard)
{
  g_string_append_c (heard, '.');
}

static void
test_signals (void)
{
  g_autoptr (TestOwner) owner = g_object_new (TEST_TYPE_OWNER, NULL);
  g_autoptr (GString) heard = g_string_new (NULL);

  n_first = 1;
  g_signal_connect (owner, "said", G_CALLBACK (said_cb), heard);
  g_signal_connect (owner, "ended", G_CALLBACK (ended_cb), heard);
  g_signal_emit_by_name (owner, "began");
  g_signal_emit_by_name (owner, "said", "all");
  g_signal_emit_by_name (owner, "ended");
  g_assert_cmpstr (heard->str, ==, "all.");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owners/giving-back", test_giving_back);
  g_test_add_func ("/owners/inside-another", test_inside_another);
  g_test_add_func ("/owners/signals", test_signals);
  return g_test_run ();
}
