/* SPDX-License-Identifier: MIT
 *
 * Which ops that add something have no effect, since a normalisation subtracts it again: every pair
 * of such an op and a normalisation, and ops between that keep what was added or do not.
 */
#include "app/pipeline/hint.h"

#include <string.h>

/* Ops of a chain on [4, 6, 5, 5], and the parameters that they name. */
#define HEAD                                                                                       \
  "[pipeline]\ntitle=Own\ndescription=Own.\nsource=test\n"                                         \
  "[field batch]\nlabel=a\nmin=1\nmax=99\n[field in_channels]\nlabel=b\nmin=1\nmax=99\n"           \
  "[field out_channels]\nlabel=c\nmin=1\nmax=99\n[field height]\nlabel=d\nmin=1\nmax=99\n"         \
  "[field width]\nlabel=e\nmin=1\nmax=99\n[field kernel_size]\nlabel=f\nmin=1\nmax=99\n"           \
  "[preset tiny]\nbatch=4\nin_channels=3\nout_channels=6\nheight=7\nwidth=7\nkernel_size=3\n"      \
  "[param w]\nrole=conv-weight\ninit=fan-in\n"                                                     \
  "[op conv]\ntype=conv2d\nweight=w\n"

static const struct {
  const char *keys, *param;
} ops[] = {
  ['a'] = { "type=add_scalar\nvalue=0.5" },
  ['A'] = { "type=add_scalar\nparam=p", "[param p]\nrole=scalar\ninit=normal\n" },
  ['s'] = { "type=sub_scalar\nvalue=3" },
  ['c'] = { "type=add_channel\nvector=v", "[param v]\nrole=vector\ninit=normal\n" },
  ['C'] = { "type=sub_channel\nvector=u", "[param u]\nrole=vector\ninit=normal\n" },
  ['m'] = { "type=mul_scalar\nvalue=2" },
  ['M'] = { "type=multiply_channel\nvector=t", "[param t]\nrole=vector\ninit=normal\n" },
  ['r'] = { "type=relu" },
  ['n'] = { "type=min_scalar\nvalue=1" },
  ['p'] = { "type=max_pool2d\nkernel=2\npadding=1" },
  ['v'] = { "type=avg_pool2d\nkernel=2" },
  ['V'] = { "type=avg_pool2d\nkernel=2\npadding=1" },
  ['e'] = { "type=reduce_mean\naxes=1\nkeepdim=true" },
  ['+'] = { "type=add_tensor\noperand=conv" },
  ['B'] = { "type=batch_norm" },
  ['G'] = { "type=groupnorm\ngroups=2" },
  ['H'] = { "type=groupnorm\ngroups=6" },
  ['I'] = { "type=instance_norm" },
  ['L'] = { "type=layer_norm\naxes=3" },
  ['K'] = { "type=layer_norm\naxes=1;2;3" },
  ['S'] = { "type=softmax\naxes=1" },
  ['T'] = { "type=softmax\naxes=3" },
};

/* What is said about the first op after the convolution. */
static char *
find_hint (const char *letters)
{
  g_autoptr (GString) text = g_string_new (HEAD), names = g_string_new ("conv;");
  g_autoptr (GError) error = NULL;

  for (const char *p = letters; *p != '\0'; p++) {
    g_string_append_printf (names, "op%d;", (int)(p - letters));
    g_string_append_printf (text, "[op op%d]\n%s\n%s", (int)(p - letters), ops[(int)*p].keys,
                            ops[(int)*p].param != NULL ? ops[(int)*p].param : "");
  }
  g_autofree char *list = g_strdup_printf ("source=test\nops=%s\n", names->str);
  g_string_replace (text, "source=test\n", list, 1);
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text->str, "own", &error);
  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_assert_no_error (error);
  return seam_op_find_hint (problem, &pipeline->chains[0], 1);
}

static void
assert_void (const char *letters, gboolean expected)
{
  g_autofree char *hint = find_hint (letters);

  g_test_message ("%s: %s", letters, hint);
  g_assert_true ((hint != NULL && strstr (hint, "has no effect") != NULL) == expected);
}

static void
test_pairs (void)
{
  /* A number for each channel stays where a norm works on several channels. */
  for (const char *adder = "aAscC"; *adder != '\0'; adder++)
    for (const char *norm = "BGHILKST"; *norm != '\0'; norm++) {
      const char letters[] = { *adder, *norm, '\0' };
      assert_void (letters, strchr ("aAs", *adder) != NULL || strchr ("GKS", *norm) == NULL);
    }
  /* What multiplies is not subtracted. */
  for (const char *other = "mMrn"; *other != '\0'; other++) {
    const char letters[] = { *other, 'B', '\0' };
    assert_void (letters, FALSE);
  }
}

static void
test_between (void)
{
  static const char *const gone[] = {
    "amB", "aMB", "acS", "cMB", "apK", "avK", "cpB", "cvI", "aeL"
  };
  static const char *const stays[] = { "aMK", "aMS", "arB", "anB", "aVB", "ceL", "+B", "a+", "a" };

  for (gsize i = 0; i < G_N_ELEMENTS (gone); i++)
    assert_void (gone[i], TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (stays); i++)
    assert_void (stays[i], FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hint/pairs", test_pairs);
  g_test_add_func ("/hint/between", test_between);
  return g_test_run ();
}
