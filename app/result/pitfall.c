/* SPDX-License-Identifier: MIT
 *
 * Names and words of the pitfalls, in one table.
 */
#include "app/result/pitfall.h"

#include <string.h>

static const struct {
  const char *name, *title, *words, *sentence;
} pitfalls[SEAM_N_PITFALLS] = {
  { "zeros", "Zeros as input", "zeros as input",
    "The input is all zeros. A GPU draws less power on zeros and may clock higher, and errors of a "
    "plan can vanish in the zeros." },
  { "no-warm-up", "No warm-up", "no warm-up",
    "Every sample is the first execution after preparing, A always before B: memory is touched for "
    "the first time, kernels are loaded, clocks have not settled." },
  { "warm-l2", "Warm L2", "warm L2",
    "The last-level cache is not emptied between samples: what fits in it is read from there, "
    "though in a real program other work comes between." },
  { "hidden-tf32", "Hidden TF32", "hidden TF32",
    "B multiplies in TF32, ten bits of mantissa, while the result says FP32 and A computes in it: "
    "precision is sold as speed." },
  { "host-timer", "Host timer", "host timer",
    "The wrong clock of the host: on a GPU it is read before the device has finished, so that it "
    "times the launches; on the CPU it is processor time, which adds up all threads." },
  { "flush-inside", "Flush in the window", "flush in the timed window",
    "Emptying the cache is part of the time: the same amount is added to both plans and hides what "
    "they differ by." },
};

static int
get_index (SeamPitfall pitfall)
{
  int i = 0;

  while (i < SEAM_N_PITFALLS - 1 && SEAM_PITFALL_AT (i) != pitfall)
    i++;
  return i;
}

const char *
seam_pitfall_get_name (SeamPitfall pitfall)
{
  return pitfalls[get_index (pitfall)].name;
}

const char *
seam_pitfall_get_title (SeamPitfall pitfall)
{
  return pitfalls[get_index (pitfall)].title;
}

const char *
seam_pitfall_get_sentence (SeamPitfall pitfall)
{
  return pitfalls[get_index (pitfall)].sentence;
}

static int
find_name (const char *name)
{
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    if (strcmp (pitfalls[i].name, name) == 0)
      return i;
  return -1;
}

gboolean
seam_pitfalls_parse (const char *names, guint *flags, GError **error)
{
  g_auto (GStrv) words = g_strsplit (names, ",", -1);

  *flags = 0;
  for (int k = 0; words[k] != NULL; k++) {
    int i = find_name (g_strstrip (words[k]));

    if (i < 0) {
      g_autofree char *all = seam_pitfalls_format ((1u << SEAM_N_PITFALLS) - 1);
      g_auto (GStrv) known = g_strsplit (all, ",", -1);
      g_autofree char *list = g_strjoinv (", ", known);
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "There is no pitfall “%s”; there are %s, several with commas between.",
                        words[k], list);
    }
    *flags |= (guint)SEAM_PITFALL_AT (i);
  }
  return TRUE;
}

char *
seam_pitfalls_format (guint flags)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    if (flags & (guint)SEAM_PITFALL_AT (i))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", pitfalls[i].name);
  return g_string_free (text, text->len == 0);
}

char *
seam_pitfalls_describe (const char *names)
{
  g_auto (GStrv) words = g_strsplit (names != NULL ? names : "", ",", -1);
  GString *text = g_string_new (NULL);

  for (int k = 0; words[k] != NULL; k++) {
    int i = find_name (words[k]);

    if (*words[k] != '\0')
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              i >= 0 ? pitfalls[i].words : words[k]);
  }
  return g_string_free (text, text->len == 0);
}

char *
seam_pitfalls_warn (const char *names)
{
  g_autofree char *words = seam_pitfalls_describe (names);

  return words != NULL ? g_strconcat ("With pitfall, wrong on purpose: ", words, NULL) : NULL;
}
