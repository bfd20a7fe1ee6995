/* SPDX-License-Identifier: MIT
 *
 * The strip figure: a plan as blocks and seams. strip-layout.c has the geometry; this file chooses
 * the texts that fit, and draws.
 */
#include "app/figure/strip.h"

#include "app/base/text.h"
#include "app/figure/paint.h"
#include "app/figure/strip-layout.h"
#include "app/pipeline/hint.h"

#include <math.h>

#define RING_RADIUS 9.0
/* Heights of the line with the shapes that change, and of the row with the further inputs. */
#define SHAPE_LINE  14.0
#define FURTHER_ROW 42.0
/* Width of the block on a finishing kernel's tab. */
#define TAB_BLOCK 14.0
#define TAB_EDGE  6.0 /* beside its words */
/* Radius of the mark of an op that changes nothing. */
#define VOID_RADIUS 7.5
#define FROM_INPUT  (-2)

typedef struct {
  SeamOpKind kind;
  char *label, *detail; /* fitted; detail NULL: none */
  double label_size;
  int operand;         /* earlier op whose output this one reads from memory, FROM_INPUT, or -1 */
  char *operand_label; /* on the line above the strip */
  gboolean is_void;    /* it changes nothing, or a later op takes its effect away */
  char *further[SEAM_MAX_OP_INPUTS]; /* name and bytes of further inputs; NULL: none */
} Op;

typedef struct {
  gboolean locked;
  char *bytes;
  char *reads; /* "read 2×" or NULL */
  char *shape; /* of the value, where it is another one than before; NULL */
} Seam;

typedef struct {
  int first, last;
  char *label;      /* NULL for a single op without a tab */
  gboolean has_tab; /* a finishing kernel, in the label */
  gboolean cannot_run;
  gboolean not_fused; /* several launches, or none, so the outline is dashed */
} Group;

typedef struct {
  SeamStripLayout layout;
  Op ops[SEAM_MAX_OPS];
  Seam seams[SEAM_MAX_OPS];
  Group groups[SEAM_MAX_OPS];
  int n_groups;
  char *input_bytes, *output_bytes, *output_shape;
  double foot; /* top of the further inputs */
  char letter;
  gboolean covered;
  char *title, *counts, *cuts; /* left column; NULL if there is none */
} Strip;

/* ---- drawing ---- */

static void
draw_block_texts (Strip *strip, cairo_t *cr, const SeamPalette *palette, int op)
{
  const SeamStripLayout *layout = &strip->layout;
  const Op *o = &strip->ops[op];
  double middle = layout->op_x[op] + layout->block / 2, y = layout->top;
  double width = seam_paint_measure (o->label, o->label_size, SEAM_BOLD);
  SeamRect plate;

  if (o->detail != NULL)
    width = MAX (width, seam_paint_measure (o->detail, SEAM_SIZE_SMALL, SEAM_REGULAR));
  width = MIN (width + 8, layout->block - 2);
  plate = (SeamRect){ middle - width / 2, y + 3, width, o->detail != NULL ? 31 : 25 };
  seam_paint_plate (cr, palette, &plate);
  seam_paint_text (cr, &palette->text, o->label, middle, y + (o->detail != NULL ? 16 : 22),
                   o->label_size, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, palette->high_contrast ? &palette->text : &palette->dim_text, o->detail,
                   middle, y + 30, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
}

static void
draw_op (Strip *strip, cairo_t *cr, const SeamPalette *palette, int op)
{
  const SeamRect *rect = &strip->layout.ops[op];
  SeamRect band = { rect->x + 3, rect->y + rect->height - 9, rect->width - 6, 6 };
  int first, last;

  seam_strip_get_group (&strip->layout, op, &first, &last);
  seam_paint_block (cr, palette, strip->ops[op].kind, rect, last > first ? 3 : 9);
  if (!palette->high_contrast)
    seam_paint_band (cr, palette, &strip->ops[op].kind, 1, strip->ops[op].kind, &band);
  draw_block_texts (strip, cr, palette, op);
  if (strip->ops[op].is_void) {
    const double x = strip->layout.op_x[op] + strip->layout.block - 4, y = rect->y + 3;
    const SeamRect disc = { x - VOID_RADIUS, y - VOID_RADIUS, 2 * VOID_RADIUS, 2 * VOID_RADIUS };

    seam_paint_box (cr, &disc, VOID_RADIUS, &palette->card, &palette->text, 1.2);
    seam_paint_line (cr, &palette->text, 1.4, x - 3, y - 2, x + 3, y - 2);
    seam_paint_line (cr, &palette->text, 1.4, x - 3, y + 2, x + 3, y + 2);
  }
}

/* A finishing kernel as a tab of its group; in a group of several ops with a little block of the
 * last one's kind. */
static void
draw_tab (Strip *strip, cairo_t *cr, const SeamPalette *palette, const Group *group, double middle)
{
  const gboolean is_fused = group->last > group->first;
  const double width = seam_paint_measure (group->label, SEAM_SIZE_AXIS, SEAM_REGULAR);
  const double top = strip->layout.top + SEAM_STRIP_BLOCK_HEIGHT;
  const double left = is_fused ? TAB_BLOCK + 8 : TAB_EDGE;
  const SeamRect tab = { middle - width / 2 - left, top + 13, width + left + TAB_EDGE, 18 };

  seam_paint_line (cr, &palette->text, 1.2, middle, top + (is_fused ? SEAM_STRIP_OUTLINE : 0),
                   middle, tab.y);
  seam_paint_box (cr, &tab, 6, &palette->soft, &palette->text, 1.2);
  if (is_fused) {
    const SeamRect block = { tab.x + 4, tab.y + 4, TAB_BLOCK, 10 };
    seam_paint_block (cr, palette, strip->ops[group->last].kind, &block, 2);
  }
}

/* Inputs that only this op reads, under it, since no fusion removes them. */
static void
draw_further (Strip *strip, cairo_t *cr, const SeamPalette *palette, int op)
{
  const SeamStripLayout *layout = &strip->layout;
  int n = 0;

  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
    /* Beside the middle, where a group has its words. */
    const double x = layout->op_x[op] + 24 + 40 * n, y = strip->foot;
    const double top = layout->top + SEAM_STRIP_BLOCK_HEIGHT + 3;

    if (strip->ops[op].further[j] == NULL)
      continue;
    seam_paint_tensor (cr, palette, &palette->glyph, x, y);
    seam_paint_line (cr, &palette->glyph, 1.6, x, y - 2, x, top + 4);
    seam_paint_arrow_head (cr, &palette->glyph, x, top, 3);
    seam_paint_text (cr, &palette->text, strip->ops[op].further[j], x - SEAM_TENSOR_WIDTH / 2,
                     y + 27 + 14 * n, SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
    n++;
  }
}

static gboolean
is_group_selected (const SeamFigure *figure, int first, int last)
{
  const SeamHit *hit = &figure->selected;

  return hit->kind == SEAM_HIT_OP && hit->index >= first && hit->index <= last;
}

static void
draw_outline (const SeamFigure *figure, cairo_t *cr, const SeamPalette *palette, const Group *group)
{
  const Strip *strip = figure->layout;
  SeamRect outline = seam_strip_get_outline (&strip->layout, group->first, group->last);
  gboolean selected = is_group_selected (figure, group->first, group->last);

  const double dashes[] = { 7, 4 };

  if (group->not_fused)
    cairo_set_dash (cr, dashes, 2, 0);
  seam_paint_box (cr, &outline, 13, &palette->soft, selected ? &palette->selection : &palette->text,
                  selected ? 2.5 : 2);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_stitch (Strip *strip, cairo_t *cr, const SeamPalette *palette, int seam)
{
  const SeamStripLayout *layout = &strip->layout;
  SeamRect left = layout->ops[seam];
  double x = left.x + left.width, middle = layout->top + SEAM_STRIP_BLOCK_HEIGHT / 2;
  SeamRect pill = { x - 4.5, middle - 9, 9, 18 };

  if (strip->seams[seam].locked) {
    pill = (SeamRect){ x - 8, middle - 9, 16, 18 };
    seam_paint_box (cr, &pill, 6, &palette->card, &palette->text, 1.2);
    seam_paint_lock (cr, palette, x, middle);
    return;
  }
  seam_paint_box (cr, &pill, 4.5, &palette->card, &palette->text, 1.2);
  seam_paint_line (cr, &palette->text, 1.4, x, middle - 4, x, middle + 4);
}

static void
draw_cut (const SeamFigure *figure, cairo_t *cr, const SeamPalette *palette, int seam)
{
  const Strip *strip = figure->layout;
  const SeamStripLayout *layout = &strip->layout;
  const Seam *s = &strip->seams[seam];
  const SeamRect *area = &layout->seams[seam], *ring = &layout->seam_rings[seam];
  gboolean hovered = figure->hover.kind == SEAM_HIT_SEAM && figure->hover.index == seam;
  const SeamColor *color = hovered ? &palette->accent : &palette->glyph;
  double left = area->x, right = area->x + area->width, x = floor (ring->x + ring->width / 2);
  double middle = layout->top + SEAM_STRIP_BLOCK_HEIGHT / 2, line = middle - 6, glyph = middle + 10;
  int first, last;

  /* The lines do not touch the outline of a fused neighbour. */
  seam_strip_get_group (layout, seam, &first, &last);
  left += last > first ? SEAM_STRIP_OUTLINE + 1 : 3;
  seam_strip_get_group (layout, seam + 1, &first, &last);
  right -= last > first ? SEAM_STRIP_OUTLINE + 1 : 4;

  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, 1.6);
  cairo_move_to (cr, left, line);
  cairo_line_to (cr, x - 6, line);
  cairo_line_to (cr, x - 6, glyph);
  cairo_move_to (cr, x + 6, glyph);
  cairo_line_to (cr, x + 6, line);
  cairo_line_to (cr, right, line);
  cairo_stroke (cr);
  seam_paint_arrow_head (cr, color, right, line, 0);
  seam_paint_tensor (cr, palette, color, x, glyph);
  if (s->locked)
    seam_paint_lock (cr, palette, x, middle - 16);
  seam_paint_text (cr, &palette->text, s->bytes, x, glyph + 28, SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
  if (s->shape == NULL) {
    seam_paint_text (cr, &palette->dim_text, s->reads, x, glyph + 42, SEAM_SIZE_SMALL, SEAM_REGULAR,
                     SEAM_ALIGN_MIDDLE);
    return;
  }
  /* A wide one stands below the words of the groups on both sides. */
  const gboolean is_wide =
      s->reads != NULL || seam_paint_measure (s->shape, SEAM_SIZE_SMALL, SEAM_BOLD) > right - left;
  seam_paint_text (cr, &palette->text, s->shape, x, glyph + 42 + (is_wide ? SHAPE_LINE : 0),
                   SEAM_SIZE_SMALL, SEAM_BOLD, SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, &palette->dim_text, s->reads, x, glyph + 42, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
}

/* The input or output glyph; its labels stay within the figure. */
static void
draw_end (Strip *strip, cairo_t *cr, const SeamPalette *palette, double x, const char *bytes,
          const char *name)
{
  const SeamStripLayout *layout = &strip->layout;
  double middle = layout->top + SEAM_STRIP_BLOCK_HEIGHT / 2;
  double half = seam_paint_measure (bytes, SEAM_SIZE_AXIS, SEAM_BOLD) / 2;
  double text_x = CLAMP (x, layout->left + half, MAX (layout->left + half, layout->width - half));

  seam_paint_tensor (cr, palette, &palette->glyph, x, middle - 6);
  seam_paint_text (cr, &palette->text, bytes, text_x, middle + 22, SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, &palette->dim_text, name, text_x, middle + 36, SEAM_SIZE_SMALL, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
}

static void
draw_ends (Strip *strip, cairo_t *cr, const SeamPalette *palette)
{
  const SeamStripLayout *layout = &strip->layout;
  double middle = layout->top + SEAM_STRIP_BLOCK_HEIGHT / 2, x1, x2;
  int last = layout->n_ops - 1, a, b;

  seam_strip_get_group (layout, 0, &a, &b);
  x1 = layout->input_x + SEAM_TENSOR_WIDTH / 2 + 3;
  x2 = layout->op_x[0] - (b > a ? SEAM_STRIP_OUTLINE + 1 : 4);
  seam_paint_line (cr, &palette->glyph, 1.6, x1, middle, x2, middle);
  seam_paint_arrow_head (cr, &palette->glyph, x2, middle, 0);

  seam_strip_get_group (layout, last, &a, &b);
  x1 = layout->op_x[last] + layout->block + (b > a ? SEAM_STRIP_OUTLINE + 1 : 4);
  x2 = layout->output_x - SEAM_TENSOR_WIDTH / 2 - 3;
  seam_paint_line (cr, &palette->glyph, 1.6, x1, middle, x2, middle);
  seam_paint_arrow_head (cr, &palette->glyph, x2, middle, 0);

  draw_end (strip, cr, palette, layout->input_x, strip->input_bytes, "input");
  draw_end (strip, cr, palette, layout->output_x, strip->output_bytes, "output");
  if (strip->output_shape != NULL) {
    const double half = seam_paint_measure (strip->output_shape, SEAM_SIZE_SMALL, SEAM_BOLD) / 2;

    seam_paint_text (cr, &palette->text, strip->output_shape,
                     MIN (layout->output_x, layout->width - half), middle + 50, SEAM_SIZE_SMALL,
                     SEAM_BOLD, SEAM_ALIGN_MIDDLE);
  }
}

/* An operand that is read from memory again: a line over the strip, from the op that wrote it to
 * the op that reads it. */
static void
draw_operand (Strip *strip, cairo_t *cr, const SeamPalette *palette, int op)
{
  const SeamStripLayout *layout = &strip->layout;
  const Op *o = &strip->ops[op];
  const double radius = 7;
  const gboolean is_input = o->operand == FROM_INPUT;
  double x1 = is_input ? layout->input_x : layout->op_x[o->operand] + layout->block - 15;
  double x2 = layout->op_x[op] + 15;
  double y = layout->top - 18, middle = (x1 + x2) / 2, foot1, foot2, half;
  int first, last;

  seam_strip_get_group (layout, MAX (o->operand, 0), &first, &last);
  foot1 = layout->top
          + (is_input       ? SEAM_STRIP_BLOCK_HEIGHT / 2 - 8
             : last > first ? -SEAM_STRIP_OUTLINE
                            : 0);
  seam_strip_get_group (layout, op, &first, &last);
  foot2 = layout->top - (last > first ? SEAM_STRIP_OUTLINE + 1 : 1);

  seam_palette_set_source (cr, &palette->glyph);
  cairo_set_line_width (cr, 1.4);
  cairo_move_to (cr, x1, foot1);
  cairo_line_to (cr, x1, y + radius);
  cairo_arc (cr, x1 + radius, y + radius, radius, G_PI, 3 * G_PI / 2);
  cairo_line_to (cr, x2 - radius, y);
  cairo_arc (cr, x2 - radius, y + radius, radius, -G_PI / 2, 0);
  cairo_line_to (cr, x2, foot2);
  cairo_stroke (cr);
  seam_paint_arrow_head (cr, &palette->glyph, x2, foot2, 1);

  half = seam_paint_measure (o->operand_label, SEAM_SIZE_SMALL, SEAM_REGULAR) / 2 + 5;
  if (2 * half < x2 - x1 - 2 * radius)
    seam_paint_label (cr, palette, &palette->dim_text, o->operand_label, middle,
                      y + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL, SEAM_REGULAR,
                      SEAM_ALIGN_MIDDLE);
}

static void
draw_left_column (Strip *strip, cairo_t *cr, const SeamPalette *palette)
{
  double y = strip->layout.top - 2;

  if (strip->title == NULL)
    return;
  seam_paint_badge (cr, palette, strip->letter, 0, y);
  seam_paint_text (cr, &palette->text, strip->title, SEAM_BADGE_SIZE + 10,
                   y + 11 + SEAM_BASELINE (SEAM_SIZE_TITLE), SEAM_SIZE_TITLE, SEAM_BOLD,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, strip->counts, 0, y + 43, 12.5, SEAM_REGULAR,
                   SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, strip->cuts, 0, y + 61, 12.5, SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

static void
strip_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Strip *strip = figure->layout;
  const SeamStripLayout *layout = &strip->layout;

  draw_left_column (strip, cr, palette);
  draw_ends (strip, cr, palette);

  for (int i = 0; i < strip->n_groups; i++)
    if (strip->groups[i].last > strip->groups[i].first)
      draw_outline (figure, cr, palette, &strip->groups[i]);
  for (int i = 0; i < layout->n_ops; i++)
    draw_op (strip, cr, palette, i);

  for (int i = 0; i < layout->n_ops - 1; i++) {
    SeamHit hit = { .kind = SEAM_HIT_SEAM, .index = i };

    if (seam_hit_equal (&figure->hover, &hit) || seam_hit_equal (&figure->selected, &hit))
      seam_paint_box (cr, &layout->seam_rings[i], RING_RADIUS, &palette->selection_fill, NULL, 0);
    if (layout->fused >> i & 1)
      draw_stitch (strip, cr, palette, i);
    else
      draw_cut (figure, cr, palette, i);
  }
  for (int i = 0; i < layout->n_ops; i++)
    if (strip->ops[i].operand != -1)
      draw_operand (strip, cr, palette, i);
  for (int i = 0; i < layout->n_ops; i++)
    draw_further (strip, cr, palette, i);

  for (int i = 0; i < strip->n_groups; i++) {
    const Group *group = &strip->groups[i];
    double x1 = layout->op_x[group->first], x2 = layout->op_x[group->last] + layout->block;

    if (group->has_tab)
      draw_tab (strip, cr, palette, group, (x1 + x2) / 2);
    seam_paint_text (cr, group->cannot_run ? &palette->bad : &palette->dim_text, group->label,
                     (x1 + x2) / 2, layout->top + SEAM_STRIP_BLOCK_HEIGHT + 26, SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  }
}

static const SeamFigureClass strip_class = {
  .draw = strip_draw,
};

/* ---- construction ---- */

static void
fit_op (Strip *strip, int op, const SeamProblem *problem, const SeamChain *chain)
{
  const SeamOp *source = &chain->ops[op];
  static const double sizes[] = { SEAM_SIZE_LABEL, 12.5, SEAM_SIZE_SMALL };
  /* As wide as possible: of six blocks beside the sidebar at 1280 px, one just holds
   * “groupnorm”. */
  double available = strip->layout.block - 3;
  const char *words = seam_op_get_void_words (problem, chain, op);
  Op *o = &strip->ops[op];

  o->kind = seam_op_get_kind (source);
  o->is_void = words != NULL;
  for (guint i = strip->layout.flat ? 1 : 0; i < G_N_ELEMENTS (sizes); i++) {
    o->label_size = sizes[i];
    if (seam_paint_measure (source->label, sizes[i], SEAM_BOLD) <= available)
      break;
  }
  o->label =
      seam_keep (strip, seam_paint_ellipsize (source->label, available, o->label_size, SEAM_BOLD));

  if (!strip->layout.flat) {
    g_autofree char *detail =
        words != NULL ? g_strdup (words) : seam_op_describe (problem, chain, op);

    if (detail != NULL && *detail != '\0'
        && seam_paint_measure (detail, SEAM_SIZE_SMALL, SEAM_REGULAR) <= available)
      o->detail = seam_keep (strip, g_steal_pointer (&detail));
  }
}

int
seam_strip_find_group (const SeamPlan *plan, int op)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (op >= plan->groups[i].first && op <= plan->groups[i].last)
      return i;
  return -1;
}

/* An op before the last one whose output this op reads, FROM_INPUT for the chain's input, or -1. */
static int
find_earlier (const SeamChain *chain, int op)
{
  for (int i = 0; i < SEAM_MAX_OP_INPUTS; i++) {
    const int from = seam_tensor_get_op (chain, chain->ops[op].inputs[i]);
    if (from >= 0 && (i > 0 || from != op - 1))
      return from;
    if (op > 0 && chain->ops[op].inputs[i] == SEAM_TENSOR_INPUT)
      return FROM_INPUT;
  }
  return -1;
}

static void
set_operand (Strip *strip, int op, const SeamProblem *problem, const SeamPlan *plan,
             const SeamChain *chain)
{
  int operand = find_earlier (chain, op);
  Op *o = &strip->ops[op];

  o->operand = -1;
  if (operand == -1)
    return;
  /* Within one group the value is still in registers. */
  if (seam_strip_find_group (plan, MAX (operand, 0)) == seam_strip_find_group (plan, op))
    return;
  o->operand = operand;
  {
    const int tensor = operand >= 0 ? SEAM_TENSOR_OUTPUT (operand) : SEAM_TENSOR_INPUT;
    g_autofree char *bytes = seam_text_bytes (problem->tensors[tensor].bytes);

    o->operand_label = seam_keep_printf (strip, "read again, %s", bytes);
  }
}

/* The further inputs of an op; returns whether there are any. */
static gboolean
set_further (Strip *strip, int op, const SeamProblem *problem, const SeamChain *chain)
{
  gboolean found = FALSE;

  for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++) {
    const int tensor = chain->ops[op].inputs[j];
    if (tensor < SEAM_TENSOR_PARAM (chain->n_ops, 0))
      continue;
    g_autofree char *bytes = seam_text_bytes (problem->tensors[tensor].bytes);
    strip->ops[op].further[j] =
        seam_keep_printf (strip, "%s %s", problem->tensors[tensor].name, bytes);
    found = TRUE;
  }
  return found;
}

/* The shape of an op's output where it is not that of its input; NULL. */
static char *
describe_change (Strip *strip, const SeamProblem *problem, const SeamChain *chain, int op)
{
  const SeamShape *y = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op));
  const SeamShape *x = seam_problem_get_shape (problem, chain->ops[op].inputs[0]);

  /* A matrix op makes other channels, which the fields of the sidebar say. */
  if (seam_shape_equal (x, y) || seam_op_is_matrix (&chain->ops[op]))
    return NULL;
  return seam_keep (strip, seam_shape_format (y));
}

/* The longest text that fits; NULL if none does. Takes the array's strings. */
static char *
choose_label (char **candidates, double width)
{
  char *chosen = NULL;

  for (int i = 0; candidates[i] != NULL; i++) {
    if (chosen == NULL && seam_paint_measure (candidates[i], SEAM_SIZE_AXIS, SEAM_REGULAR) <= width)
      chosen = candidates[i];
    else
      g_free (candidates[i]);
  }
  return chosen;
}

static void
set_group (Strip *strip, int index, const SeamProblem *problem, const SeamPlan *plan,
           const SeamPlanEstimate *estimate)
{
  const SeamSupport *support = NULL;
  Group *group = &strip->groups[index];
  SeamGroupCost cost;
  SeamRect outline;
  const char *executed = NULL;
  char *candidates[4] = { NULL };

  group->first = plan->groups[index].first;
  group->last = plan->groups[index].last;
  if (estimate != NULL && index < estimate->n_groups)
    support = &estimate->groups[index];
  group->cannot_run = support != NULL && support->level == SEAM_SUPPORT_NO;
  group->not_fused = support != NULL && support->level != SEAM_SUPPORT_YES;
  group->has_tab = support != NULL && support->partial_bytes > 0 && !group->cannot_run;
  if (group->first == group->last && !group->cannot_run && !group->has_tab)
    return;

  outline = seam_strip_get_outline (&strip->layout, group->first, group->last);
  seam_group_cost (problem, plan, index, &cost);
  if (support != NULL)
    executed = support->executed;

  if (group->cannot_run) {
    candidates[0] = g_strdup ("✕ cannot run on this target");
    candidates[1] = g_strdup ("✕ cannot run");
  } else if (support != NULL && support->level == SEAM_SUPPORT_SPLIT) {
    candidates[0] =
        support->n_kernels > 1
            ? g_strdup_printf ("not one kernel: %d kernels%s%s", support->n_kernels,
                               executed != NULL ? " · " : "", executed != NULL ? executed : "")
            : g_strdup_printf ("not one kernel%s%s", executed != NULL ? " · " : "",
                               executed != NULL ? executed : "");
    candidates[1] = g_strdup ("not one kernel");
  } else if (group->has_tab) {
    g_autofree char *bytes = seam_text_bytes (support->partial_bytes);

    candidates[0] = g_strdup_printf ("finishing kernel: %s of partial results", bytes);
    candidates[1] = g_strdup_printf ("finish %s", bytes);
    candidates[2] = g_strdup ("finish");
  } else {
    const char *dot = executed != NULL ? " · " : "", *by = executed != NULL ? executed : "";

    candidates[0] = g_strdup_printf (
        "one group%s%s%s", cost.n_passes == 2 && !strip->covered ? ", two passes over memory" : "",
        dot, by);
    candidates[1] = g_strdup_printf (
        "one group%s%s%s", cost.n_passes == 2 && !strip->covered ? ", two passes" : "", dot, by);
    candidates[2] = g_strdup (executed != NULL ? executed : "one group");
  }
  group->label =
      seam_keep (strip, choose_label (candidates, outline.width - 2 * SEAM_STRIP_OUTLINE));
  group->has_tab = group->has_tab && group->label != NULL;
}

static void
set_seams (Strip *strip, const SeamProblem *problem, const SeamPlan *plan,
           const SeamPlanEstimate *estimate)
{
  for (int i = 0; i < strip->layout.n_ops - 1; i++) {
    Seam *seam = &strip->seams[i];
    int reader = seam_strip_find_group (plan, i + 1);
    SeamGroupCost cost;

    seam->locked = estimate != NULL && i < estimate->n_seams && !estimate->seams[i].can_toggle;
    seam->bytes =
        seam_keep (strip, seam_text_bytes (problem->tensors[SEAM_TENSOR_OUTPUT (i)].bytes));
    if (strip->layout.fused >> i & 1 || reader < 0)
      continue;
    seam_group_cost (problem, plan, reader, &cost);
    if (cost.n_passes > 1 && !strip->covered)
      seam->reads = seam_keep_printf (strip, "read %d%s", cost.n_passes, SEAM_TIMES);
  }
}

static void
set_left_column (Strip *strip, const SeamProblem *problem, const SeamPlan *plan,
                 const SeamPlanEstimate *estimate, char letter)
{
  double available = strip->layout.left - 12;
  int n_seams = strip->layout.n_ops - 1, n_fused = 0;
  g_autofree char *bytes = NULL, *counts = NULL, *cuts = NULL;
  SeamPlanCost cost;

  if (!(strip->layout.left > SEAM_BADGE_SIZE + 20))
    return;
  for (int i = 0; i < n_seams; i++)
    n_fused += strip->layout.fused >> i & 1;
  seam_plan_cost (problem, plan, &cost);
  if (estimate != NULL)
    cost.bytes += seam_plan_estimate_get_copied_bytes (estimate);
  {
    SeamUnit unit = seam_unit_for_bytes (cost.bytes);
    g_autofree char *number =
        seam_text_fixed (cost.bytes / unit.scale, cost.bytes / unit.scale < 100 ? 2 : 1);

    bytes = g_strdup_printf ("%s %s", number, unit.name);
  }
  if (estimate != NULL && estimate->n_kernels > 0)
    counts = g_strdup_printf ("%d kernel%s · %s", estimate->n_kernels,
                              estimate->n_kernels == 1 ? "" : "s", bytes);
  else
    counts =
        g_strdup_printf ("%d group%s · %s", plan->n_groups, plan->n_groups == 1 ? "" : "s", bytes);
  if (n_fused == 0)
    cuts = g_strdup ("every seam cut");
  else if (n_fused == n_seams)
    cuts = g_strdup ("every seam fused");
  else
    cuts = g_strdup_printf ("%d seam%s fused", n_fused, n_fused == 1 ? "" : "s");

  strip->letter = letter;
  strip->title = seam_keep (strip, seam_paint_ellipsize (seam_plan_get_title (plan),
                                                         available - SEAM_BADGE_SIZE - 10,
                                                         SEAM_SIZE_TITLE, SEAM_BOLD));
  strip->counts = seam_keep (strip, seam_paint_ellipsize (counts, available, 12.5, SEAM_REGULAR));
  strip->cuts = seam_keep (strip, seam_paint_ellipsize (cuts, available, 12.5, SEAM_REGULAR));
}

static char *
make_summary (const SeamPlan *plan, const SeamChain *chain, const SeamPlanEstimate *estimate,
              char letter)
{
  GString *text = g_string_new (NULL);

  g_string_append (text, "Plan ");
  if (letter != '\0')
    g_string_append_printf (text, "%c, ", letter);
  g_string_append_printf (text, "%s: %d op%s in %d group%s.", seam_plan_get_title (plan),
                          chain->n_ops, chain->n_ops == 1 ? "" : "s", plan->n_groups,
                          plan->n_groups == 1 ? "" : "s");
  for (int i = 0; i < plan->n_groups; i++) {
    const SeamGroup *group = &plan->groups[i];

    g_string_append (text, i == 0 ? " " : "; ");
    for (int op = group->first; op <= group->last; op++)
      g_string_append_printf (text, "%s%s", op > group->first ? " + " : "", chain->ops[op].label);
    if (estimate != NULL && i < estimate->n_groups && estimate->groups[i].partial_bytes > 0) {
      g_autofree char *bytes = seam_text_bytes (estimate->groups[i].partial_bytes);
      g_string_append_printf (text, " with a finishing kernel for %s of partial results", bytes);
    }
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static gboolean
has_back_reference (const SeamChain *chain)
{
  for (int i = 0; i < chain->n_ops; i++)
    if (find_earlier (chain, i) != -1)
      return TRUE;
  return FALSE;
}

/* The whole area between two blocks is the seam's button. A group's outline shows that one of its
 * ops is selected. */
static void
add_spots (SeamFigure *figure, const SeamStripLayout *layout)
{

  for (int i = 0; i < layout->n_ops; i++) {
    SeamRect block = { layout->op_x[i], layout->top, layout->block, SEAM_STRIP_BLOCK_HEIGHT };
    SeamSpot op = { { .kind = SEAM_HIT_OP, .index = i }, block, layout->ops[i], RING_RADIUS };
    SeamSpot seam = {
      { .kind = SEAM_HIT_SEAM, .index = i }, layout->seams[i], layout->seam_rings[i], RING_RADIUS
    };
    int first, last;

    seam_strip_get_group (layout, i, &first, &last);
    op.shown_by_draw = last > first;
    seam_figure_add_spot_full (figure, &op);
    if (i < layout->n_ops - 1)
      seam_figure_add_spot_full (figure, &seam);
  }
  seam_figure_add_spot (figure, (SeamHit){ .kind = SEAM_HIT_TENSOR, .index = SEAM_TENSOR_INPUT },
                        layout->input, RING_RADIUS);
  seam_figure_add_spot (figure, (SeamHit){ .kind = SEAM_HIT_TENSOR, .index = layout->n_ops },
                        layout->output, RING_RADIUS);
}

SeamFigure *
seam_strip_figure_new (const SeamProblem *problem, const SeamPlan *plan,
                       const SeamPlanEstimate *estimate, const SeamStripOptions *options)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  Strip *strip = seam_owner_new (Strip);
  SeamFigure *figure;

  strip->covered = options->covered;
  seam_strip_layout (&strip->layout, chain->n_ops, seam_plan_get_fused_seams (plan), options->width,
                     options->left, options->compact, has_back_reference (chain));

  gboolean has_further = FALSE, has_shapes = FALSE;
  for (int i = 0; i < chain->n_ops; i++) {
    fit_op (strip, i, problem, chain);
    set_operand (strip, i, problem, plan, chain);
    has_further |= set_further (strip, i, problem, chain);
    strip->seams[i].shape = describe_change (strip, problem, chain, i);
    has_shapes |= strip->seams[i].shape != NULL;
  }
  strip->output_shape = strip->seams[chain->n_ops - 1].shape;
  /* The same for all plans. */
  strip->layout.height += has_shapes ? SHAPE_LINE : 0;
  strip->foot = strip->layout.height - 8;
  strip->layout.height += has_further ? FURTHER_ROW : 0;
  set_seams (strip, problem, plan, estimate);
  strip->n_groups = plan->n_groups;
  for (int i = 0; i < plan->n_groups; i++)
    set_group (strip, i, problem, plan, estimate);
  strip->input_bytes =
      seam_keep (strip, seam_text_bytes (problem->tensors[SEAM_TENSOR_INPUT].bytes));
  strip->output_bytes = seam_keep (
      strip, seam_text_bytes (problem->tensors[SEAM_TENSOR_OUTPUT (chain->n_ops - 1)].bytes));
  set_left_column (strip, problem, plan, estimate, options->letter);
  figure = seam_figure_new (&strip_class, strip, strip->layout.width, strip->layout.height,
                            make_summary (plan, chain, estimate, options->letter));
  add_spots (figure, &strip->layout);
  return figure;
}
