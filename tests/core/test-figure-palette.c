/* SPDX-License-Identifier: MIT
 *
 * Colours of the kinds of op are told apart, also by the colour-blind: CIE76 distances (D65) of
 * what Machado, Oliveira and Fernandes' matrices (2009, severity 1) make of them. The floors are
 * those of the design; within one picture kinds differ by their patterns, too.
 */
#include "app/figure/palette.h"

#include <math.h>

#define SRGB_LINEAR 0.04045

enum { NORMAL, PROTAN, DEUTAN, TRITAN, N_SIGHTS };

static const double matrices[N_SIGHTS][3][3] = {
  [NORMAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
  [PROTAN] = { { 0.152286, 1.052583, -0.204868 },
               { 0.114503, 0.786281, 0.099216 },
               { -0.003882, -0.048116, 1.051998 } },
  [DEUTAN] = { { 0.367322, 0.860646, -0.227968 },
               { 0.280085, 0.672501, 0.047413 },
               { -0.011820, 0.042940, 0.968881 } },
  [TRITAN] = { { 1.255528, -0.076749, -0.178779 },
               { -0.078411, 0.930809, 0.147602 },
               { 0.004733, 0.691367, 0.303900 } },
};

static double
make_linear (double value)
{
  return value <= SRGB_LINEAR ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
compress (double t)
{
  return t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
}

static void
get_lab (const SeamColor *color, int sight, double lab[3])
{
  static const double to_xyz[3][3] = { { 0.4124564, 0.3575761, 0.1804375 },
                                       { 0.2126729, 0.7151522, 0.0721750 },
                                       { 0.0193339, 0.1191920, 0.9503041 } };
  static const double white[3] = { 0.95047, 1, 1.08883 };
  const double linear[3] = { make_linear (color->r), make_linear (color->g),
                             make_linear (color->b) };
  double seen[3] = { 0 }, f[3];

  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      seen[i] += matrices[sight][i][j] * linear[j];
    seen[i] = CLAMP (seen[i], 0, 1);
  }
  for (int i = 0; i < 3; i++) {
    double sum = 0;
    for (int j = 0; j < 3; j++)
      sum += to_xyz[i][j] * seen[j];
    f[i] = compress (sum / white[i]);
  }
  lab[0] = 116 * f[1] - 16;
  lab[1] = 500 * (f[0] - f[1]);
  lab[2] = 200 * (f[1] - f[2]);
}

static double
get_distance (const SeamPalette *palette, SeamOpKind a, SeamOpKind b, int sight)
{
  double x[3], y[3];

  get_lab (&palette->kinds[a], sight, x);
  get_lab (&palette->kinds[b], sight, y);
  return sqrt ((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1])
               + (x[2] - y[2]) * (x[2] - y[2]));
}

/* Windows and reductions against every other kind. */
static void
test_distances (void)
{
  static const struct {
    SeamOpKind kind;
    gboolean dark;
    int floors[N_SIGHTS];
  } rows[] = {
    { SEAM_KIND_WINDOW, FALSE, { 41, 31, 30, 24 } },
    { SEAM_KIND_WINDOW, TRUE, { 36, 32, 34, 28 } },
    { SEAM_KIND_REDUCTION, FALSE, { 46, 26, 21, 36 } },
    { SEAM_KIND_REDUCTION, TRUE, { 68, 32, 23, 34 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (int sight = 0; sight < N_SIGHTS; sight++)
      for (int other = 0; other < SEAM_N_KINDS; other++) {
        const double distance =
            get_distance (seam_palette_get (rows[i].dark, FALSE), rows[i].kind, other, sight);
        /* A copy is grey, and has a pattern of its own. */
        const int least = other == SEAM_KIND_COPY ? 26 : rows[i].floors[sight];

        if (other == (int)rows[i].kind)
          continue;
        if (distance < least - 0.5)
          g_error ("row %u, sight %d, kind %d: %.1f, at least %d", i, sight, other, distance,
                   least);
      }
}

/* All kinds but copies, and the two new ones against each other. */
static void
test_all (void)
{
  static const int floors[N_SIGHTS] = { 26, 26, 20, 12 };

  for (int dark = 0; dark < 2; dark++)
    for (int sight = 0; sight < N_SIGHTS; sight++) {
      const SeamPalette *palette = seam_palette_get (dark, FALSE);

      g_assert_cmpfloat (get_distance (palette, SEAM_KIND_WINDOW, SEAM_KIND_REDUCTION, sight), >=,
                         51.5);
      for (int a = 0; a < SEAM_N_KINDS; a++)
        for (int b = 0; b < a; b++)
          if (a != SEAM_KIND_COPY && b != SEAM_KIND_COPY)
            g_assert_cmpfloat (get_distance (palette, a, b, sight), >=, floors[sight] - 0.5);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/palette/distances", test_distances);
  g_test_add_func ("/figure/palette/all", test_all);
  return g_test_run ();
}
