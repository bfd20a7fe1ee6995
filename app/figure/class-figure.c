/* SPDX-License-Identifier: MIT
 *
 * Predictions of a class. The layout has the sizes of every figure; for a slide it is laid out
 * narrower and drawn larger, text and all.
 */
#include "app/figure/class-figure.h"

#include "app/base/doubles.h"
#include "app/figure/axis.h"
#include "app/figure/cover.h"

#include <math.h>

#define SMALLEST     SEAM_SIZE_AXIS
#define HEAD_SIZE    14.5
#define HEAD_HEIGHT  26.0
#define POST_SIZE    14.0
#define POST_ROW     17.0
#define FOOT         24.0 /* numbers of the axis */
#define INSET        6.0  /* half a mark at 0 */
#define RIGHT        34.0 /* for the unit after the last number, and marks beyond the axis */
#define MARK_SIZE    11.0
#define PITCH        13.0
#define TICK_SPACING 110.0
#define WIDEST       2.0 /* of the axis, in times of plan A */
#define MEDIAN_FROM  3
#define MIN_WIDTH    300.0
#define MIN_HEIGHT   150.0
#define CHOICE_ROW   30.0
#define LEAST_ROW    19.0
#define CHOICE_SHARE .75 /* of the width, at most, for the words */
#define CHOICE_COVER "right answer: covered"

typedef struct {
  double x, y;
} Dot;

/* An upright line at a value, with its labels at the top. */
typedef struct {
  gboolean shown;
  double x, top;
  char *label;
  double label_x, baseline;
  SeamAlign align;
} Post;

typedef struct {
  char *text, *count;
  SeamRect bar;
  gboolean right;
} Choice;

typedef struct {
  double scale, width, height;
  char *head, *said; /* "26 predictions", "Half of you said …" or NULL */
  double head_width;
  char *cover; /* NULL: none */
  SeamRect cover_rect;
  /* The dot plot. */
  SeamRect plot;
  SeamAxis axis;
  int n_dots;
  Dot *dots;
  double mark;
  char *beyond; /* "2 beyond 2.5 ms", or NULL */
  Post a, measured, guess;
  /* The choice. */
  int n_choices;
  Choice *choices;
} Class;

/* Sorted, without NaN. */
static double *
sort_values (const SeamClassOptions *options, int *n)
{
  double *values = g_new (double, MAX (1, options->n_values));

  *n = 0;
  for (int i = 0; i < options->n_values; i++)
    if (isfinite (options->values[i]))
      values[(*n)++] = options->values[i];
  qsort (values, (size_t)*n, sizeof *values, seam_compare_doubles);
  return values;
}

static double
get_median (const double *values, int n)
{
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static char *
format_value (const Class *class, double value)
{
  g_autofree char *number = seam_text_significant (value / class->axis.unit.scale, 3);

  return class->axis.unit.name != NULL ? g_strdup_printf ("%s %s", number, class->axis.unit.name)
                                       : g_steal_pointer (&number);
}

/* ---- the dot plot ---- */

static double
get_largest (const SeamClassOptions *options, const double *values, int n)
{
  double largest = options->a > 0 ? options->a : 0;

  if (options->range > 0)
    largest = fmax (largest,
                    options->a > 0 ? fmin (options->range, WIDEST * options->a) : options->range);
  if (!(largest > 0) && n > 0)
    largest = values[n - 1];
  if (!options->covered && options->measured > 0)
    largest = fmax (largest, options->measured);
  return largest > 0 ? largest : options->is_time ? 1e6 : 1;
}

static void
choose_axis (Class *class, const SeamClassOptions *options, const double *values, int n)
{
  double largest = get_largest (options, values, n);
  SeamUnit unit = options->unit.name != NULL ? options->unit
                  : options->is_time         ? seam_unit_for_time (largest)
                                             : (SeamUnit){ NULL, 1 };

  class->axis =
      seam_axis_from_zero (largest, unit, CLAMP ((int)(class->plot.width / TICK_SPACING), 2, 8));
  seam_axis_place_x (&class->axis, class->plot.x, class->plot.x + class->plot.width);
}

/* Equal values, and those whose marks would overlap, are one stack in the middle of their values.
 * Values beyond the axis are one stack behind its end. */
static void
place_dots (Class *class, const double *values, int n)
{
  g_autofree int *level = g_new0 (int, MAX (1, n));
  double room = class->plot.height - MARK_SIZE / 2, pitch;
  int highest = 0, n_beyond = 0;

  class->n_dots = n;
  class->dots = seam_keep (class, g_new0 (Dot, MAX (1, n)));
  for (int i = 0, end; i < n; i = end) {
    gboolean beyond = values[i] > class->axis.to;
    double first = seam_axis_get_px (&class->axis, fmax (0, values[i])), last = first, x;

    for (end = i + 1; end < n; end++) {
      double px = seam_axis_get_px (&class->axis, fmax (0, values[end]));

      if (!beyond && (px - first > MARK_SIZE * .8 || values[end] > class->axis.to))
        break;
      last = px;
    }
    x = beyond ? class->plot.x + class->plot.width + MARK_SIZE * 1.5 : (first + last) / 2;
    for (int k = i; k < end; k++) {
      class->dots[k].x = x;
      level[k] = k - i;
    }
    highest = MAX (highest, end - i);
    if (beyond)
      n_beyond = end - i;
  }
  pitch = fmin (PITCH, room / MAX (1, highest));
  class->mark = fmax (2, MARK_SIZE * pitch / PITCH);
  for (int i = 0; i < n; i++)
    class->dots[i].y = class->plot.y + class->plot.height - class->mark * .9 - level[i] * pitch;
  if (n_beyond > 0) {
    g_autofree char *end = format_value (class, class->axis.to);

    class->beyond = seam_keep_printf (class, "%d beyond %s", n_beyond, end);
  }
}

static void
place_post (Class *class, Post *post, double value, char *label, double top, double mark)
{
  double width;

  post->shown = TRUE;
  post->label = seam_keep (class, label);
  post->x = seam_axis_get_px (&class->axis, value);
  post->top = top;
  post->baseline = top + POST_SIZE * .8;
  width = seam_paint_measure (label, POST_SIZE, SEAM_BOLD) + mark + 8;
  post->align =
      post->x + width <= class->plot.x + class->plot.width ? SEAM_ALIGN_START : SEAM_ALIGN_END;
  post->label_x = post->align == SEAM_ALIGN_START ? post->x + mark + 8 : post->x - 6;
}

/* The horizontal extent of a post's label. */
static void
get_extent (const Post *post, double *x1, double *x2)
{
  double width = seam_paint_measure (post->label, POST_SIZE, SEAM_BOLD);

  *x1 = post->label_x - seam_align_offset (post->align, width);
  *x2 = *x1 + width;
}

static const char *
get_word (const SeamClassOptions *options)
{
  return options->is_modelled ? "modelled" : "measured";
}

static void
place_posts (Class *class, const SeamClassOptions *options)
{
  double top = class->plot.y + 2, a_top = top + POST_ROW;

  if (!options->covered && options->measured > 0) {
    g_autofree char *value = format_value (class, options->measured);

    place_post (class, &class->measured, options->measured,
                g_strdup_printf ("%s %s", get_word (options), value), top, MARK_SIZE + 8);
    if (options->guess > 0 && isfinite (options->guess)) {
      g_autofree char *guess = format_value (class, options->guess);
      Post *post = &class->guess;

      *post = class->measured;
      post->label = seam_keep_printf (class, "model %s", guess);
      post->baseline += POST_ROW;
      post->top = top + POST_ROW;
    }
  }
  if (options->a > 0 && options->a <= class->axis.to) {
    g_autofree char *value = format_value (class, options->a);
    double x1, x2, other1, other2;

    place_post (class, &class->a, options->a, g_strdup_printf ("A %s", value), a_top, 0);
    if (class->a.align == SEAM_ALIGN_START && class->a.x - class->plot.x > class->plot.width / 2) {
      class->a.align = SEAM_ALIGN_END;
      class->a.label_x = class->a.x - 6;
    }
    if (class->measured.shown) {
      get_extent (&class->a, &x1, &x2);
      get_extent (&class->measured, &other1, &other2);
      if (x1 < fmax (other2, class->measured.x) + 8
          && x2 > fmin (other1 - MARK_SIZE - 8, class->measured.x) - 8) {
        class->a.baseline += POST_ROW;
        class->a.top += POST_ROW;
      }
    }
  }
}

/* ---- words ---- */

static char *
make_said (const Class *class, const SeamClassOptions *options, const double *values, int n)
{
  GString *said;
  g_autofree char *median = NULL;
  int n_near = 0;

  if (options->covered || n < MEDIAN_FROM)
    return NULL;
  median = format_value (class, get_median (values, n));
  said = g_string_new (NULL);
  g_string_append_printf (said, "Half of you said %s or less", median);
  if (options->near > 1 && options->measured > 0) {
    double low = isfinite (options->measured_low) ? options->measured_low : options->measured;
    double high = isfinite (options->measured_high) ? options->measured_high : options->measured;

    for (int i = 0; i < n; i++)
      n_near += values[i] >= low / options->near && values[i] <= high * options->near;
    {
      g_autofree char *ratio = seam_text_significant (options->near, 2);

      g_string_append_printf (said, "; %d of %d came within %s×", n_near, n, ratio);
    }
  }
  g_string_append_c (said, '.');
  return g_string_free (said, FALSE);
}

static char *
make_head (const SeamClassOptions *options, int n)
{
  if (n == 0)
    return g_strdup ("Show of hands?");
  return g_strdup_printf ("%d %s%s", n, options->of_learners ? "learner" : "prediction",
                          n == 1 ? "" : "s");
}

static void
place_head (Class *class, const SeamClassOptions *options, int n, char *said, const char *cover)
{
  double left = MARK_SIZE + 9;

  class->head = seam_keep (class, make_head (options, n));
  class->said = seam_keep (class, said);
  class->head_width = seam_paint_measure (class->head, HEAD_SIZE, SEAM_BOLD);
  if (class->said != NULL
      && left + class->head_width + 10 + seam_paint_measure (said, HEAD_SIZE, SEAM_REGULAR)
             > class->width)
    class->said = NULL;
  if (options->covered) {
    double width = seam_cover_measure (cover, HEAD_SIZE);

    class->cover = seam_keep (class, g_strdup (cover));
    class->cover_rect = (SeamRect){ class->width - width, 0, width, HEAD_HEIGHT - 2 };
  }
}

static void
place_plot (Class *class, const SeamClassOptions *options)
{
  g_autofree double *values = NULL;
  g_autofree char *cover = NULL;
  int n;

  values = sort_values (options, &n);
  class->plot = (SeamRect){ INSET, HEAD_HEIGHT + 6, class->width - INSET - RIGHT,
                            class->height - HEAD_HEIGHT - 6 - FOOT };
  choose_axis (class, options, values, n);
  place_dots (class, values, n);
  place_posts (class, options);
  cover = g_strdup_printf ("%s value: covered", get_word (options));
  place_head (class, options, n, make_said (class, options, values, n), cover);
}

/* ---- the choice ---- */

static void
place_choices (Class *class, const SeamClassOptions *options)
{
  double y = HEAD_HEIGHT + 8, text_width = 0, count_width = 0, x, room;
  double row = CLAMP ((class->height - y) / options->n_choices, LEAST_ROW, CHOICE_ROW);
  int largest = 1, n = 0;

  class->n_choices = options->n_choices;
  class->choices = seam_keep (class, g_new0 (Choice, options->n_choices));
  for (int i = 0; i < options->n_choices; i++) {
    Choice *choice = &class->choices[i];

    n += i < options->n_choices - options->n_more ? options->counts[i] : 0;
    largest = MAX (largest, options->counts[i]);
    choice->right = !options->covered && i == options->right;
    choice->count =
        seam_keep_printf (class, "%d%s", options->counts[i], choice->right ? "  ✓ right" : "");
    choice->text =
        seam_keep (class, seam_paint_ellipsize (options->choices[i], class->width * CHOICE_SHARE,
                                                POST_SIZE, SEAM_BOLD));
    text_width = fmax (text_width, seam_paint_measure (choice->text, POST_SIZE, SEAM_BOLD));
  }
  /* Room for the words beside the count in any case, so that no bar moves when they appear. */
  count_width = seam_paint_measure ("000  ✓ right", POST_SIZE, SEAM_BOLD) + 8;
  x = text_width + 14;
  room = fmax (20, class->width - x - count_width);
  for (int i = 0; i < options->n_choices; i++, y += row)
    class->choices[i].bar = (SeamRect){ x, y + 2, room * options->counts[i] / largest, row - 5 };
  class->height = fmax (class->height, y);
  /* What more there is to say has its room while it is covered, so that nothing moves. */
  class->n_choices -= options->covered ? options->n_more : 0;
  place_head (class, options, n, NULL, CHOICE_COVER);
}

/* ---- drawing ---- */

static void
draw_head (const Class *class, cairo_t *cr, const SeamPalette *palette)
{
  double middle = HEAD_HEIGHT / 2 - 1, baseline = middle + SEAM_BASELINE (HEAD_SIZE);
  double x = MARK_SIZE + 9;

  seam_value_mark_draw (cr, palette, SEAM_VALUE_PREDICTED, MARK_SIZE / 2 + 1, middle, MARK_SIZE);
  seam_paint_text (cr, &palette->text, class->head, x, baseline, HEAD_SIZE, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->text, class->said, x + class->head_width + 10, baseline, HEAD_SIZE,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  if (class->cover != NULL)
    seam_cover_draw (cr, palette, &class->cover_rect, class->cover, HEAD_SIZE);
}

static void
draw_label (const Post *post, int weight, gboolean dim, cairo_t *cr, const SeamPalette *palette)
{
  seam_paint_label (cr, palette, dim ? &palette->dim_text : &palette->text, post->label,
                    post->label_x, post->baseline, POST_SIZE, weight, post->align);
}

static void
draw_post_mark (const Post *post, SeamValueMark mark, cairo_t *cr, const SeamPalette *palette)
{
  double x1, x2;

  get_extent (post, &x1, &x2);
  seam_value_mark_draw (cr, palette, mark, x1 - MARK_SIZE / 2 - 5,
                        post->baseline - SEAM_BASELINE (POST_SIZE), MARK_SIZE);
}

static void
draw_posts (const Class *class, cairo_t *cr, const SeamPalette *palette)
{
  double foot = class->plot.y + class->plot.height;
  SeamRect square = { class->a.x - 3.5, foot - 3.5, 7, 7 };

  if (class->a.shown) {
    seam_paint_line (cr, &palette->text, 1.2, class->a.x, class->a.top, class->a.x, foot);
    draw_label (&class->a, SEAM_BOLD, FALSE, cr, palette);
    seam_paint_box (cr, &square, 1, &palette->card, &palette->text, 1.6);
  }
  if (!class->measured.shown)
    return;
  seam_paint_line (cr, &palette->selection, 2.2, class->measured.x, class->measured.top,
                   class->measured.x, foot);
  draw_label (&class->measured, SEAM_BOLD, FALSE, cr, palette);
  draw_post_mark (&class->measured, SEAM_VALUE_MEASURED, cr, palette);
  if (class->guess.shown) {
    draw_label (&class->guess, SEAM_REGULAR, TRUE, cr, palette);
    draw_post_mark (&class->guess, SEAM_VALUE_GUESSED, cr, palette);
  }
  seam_mark_draw (cr, SEAM_MARK_DISC, class->measured.x, foot, MARK_SIZE + 3, &palette->card, NULL,
                  0);
  seam_value_mark_draw (cr, palette, SEAM_VALUE_MEASURED, class->measured.x, foot, MARK_SIZE);
}

static void
draw_plot (const Class *class, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *plot = &class->plot;
  double foot = plot->y + plot->height;

  seam_axis_draw (&class->axis, plot, NULL, cr, palette);
  seam_paint_line (cr, &palette->text, 1.2, plot->x, foot, plot->x + plot->width, foot);
  for (int i = 0; i < class->n_dots; i++)
    seam_value_mark_draw (cr, palette, SEAM_VALUE_PREDICTED, class->dots[i].x, class->dots[i].y,
                          class->mark);
  draw_posts (class, cr, palette);
  if (class->beyond != NULL)
    seam_paint_label (cr, palette, &palette->text, class->beyond, class->width - 4,
                      foot - 3 - PITCH * 1.4, SMALLEST, SEAM_REGULAR, SEAM_ALIGN_END);
}

static void
draw_choice (const Choice *choice, cairo_t *cr, const SeamPalette *palette)
{
  double middle = choice->bar.y + choice->bar.height / 2;
  double baseline = middle + SEAM_BASELINE (POST_SIZE);

  seam_paint_text (cr, &palette->text, choice->text, 0, baseline, POST_SIZE,
                   choice->right ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_box (cr, &choice->bar, 2, &palette->soft, &palette->text, choice->right ? 2.4 : 1.2);
  seam_paint_text (cr, choice->right ? &palette->good : &palette->text, choice->count,
                   choice->bar.x + choice->bar.width + 8, baseline, POST_SIZE, SEAM_BOLD,
                   SEAM_ALIGN_START);
}

static void
class_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Class *class = figure->layout;

  cairo_save (cr);
  cairo_scale (cr, class->scale, class->scale);
  draw_head (class, cr, palette);
  if (class->choices == NULL)
    draw_plot (class, cr, palette);
  for (int i = 0; i < class->n_choices; i++)
    draw_choice (&class->choices[i], cr, palette);
  cairo_restore (cr);
}

static char *
summarize (const Class *class, const SeamClassOptions *options)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s%s", class->head,
                          g_str_has_suffix (class->head, "?") ? "" : ".");
  for (int i = 0; i < class->n_choices; i++)
    g_string_append_printf (text, " %s: %s.", options->choices[i], class->choices[i].count);
  if (class->said != NULL)
    g_string_append_printf (text, " %s", class->said);
  if (class->beyond != NULL)
    g_string_append_printf (text, " %s.", class->beyond);
  if (class->a.shown)
    g_string_append_printf (text, " Plan %s.", class->a.label);
  if (class->cover != NULL)
    g_string_append_printf (text, " %c%s.", g_ascii_toupper (*class->cover), class->cover + 1);
  if (class->measured.shown)
    g_string_append_printf (text, " M%s.", class->measured.label + 1);
  if (class->guess.shown)
    g_string_append_printf (text, " M%s.", class->guess.label + 1);
  return g_string_free (text, FALSE);
}

static const SeamFigureClass class_class = { .draw = class_draw };

SeamFigure *
seam_class_figure_new (const SeamClassOptions *options)
{
  Class *class = seam_owner_new (Class);
  SeamFigure *figure;

  class->scale = options->text_size > 0 ? options->text_size / SMALLEST : 1;
  class->width = fmax (options->width / class->scale, MIN_WIDTH);
  class->height = fmax (options->height / class->scale, MIN_HEIGHT);
  if (options->n_choices > 0)
    place_choices (class, options);
  else
    place_plot (class, options);
  figure = seam_figure_new (&class_class, class, class->width * class->scale,
                            class->height * class->scale, summarize (class, options));
  for (int i = 0; i < class->n_dots; i++)
    seam_figure_add_point (figure, (SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = i },
                           class->dots[i].x * class->scale, class->dots[i].y * class->scale);
  return figure;
}
