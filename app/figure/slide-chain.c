/* SPDX-License-Identifier: MIT
 *
 * The chain of a plan on a slide. chain.c and strip.c draw it where the reader is near.
 */
#include "app/figure/paint.h"
#include "app/figure/slide.h"

#include <math.h>

#define NAME_SIZE   32.0
#define NAME_LEAST  SEAM_SLIDE_SMALLEST
#define NAME_PAD    14.0
#define HEIGHT      92.0
#define BAND        14.0
#define OUTLINE     9.0 /* of a group, around its blocks */
#define CUT         44.0
#define ROW_GAP     22.0
#define LETTER      70.0 /* width of the plan's letter */
#define LETTER_SIZE 44.0

typedef struct {
  SeamRect rect;
  SeamOpKind kind;
  const char *name; /* in `plan` */
} Block;

typedef struct {
  SeamPlan *plan;
  char letter[2];
  int n_blocks;
  Block blocks[SEAM_MAX_OPS];
  double size;
  int per_row;
} Chain;

static int
find_group (const SeamPlan *plan, int op)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (op <= plan->groups[i].last)
      return i;
  return plan->n_groups - 1;
}

static double
get_widest (const SeamChain *ops, double size)
{
  double widest = 0;

  for (int i = 0; i < ops->n_ops; i++)
    widest = fmax (widest, seam_paint_measure (ops->ops[i].label, size, SEAM_BOLD));
  return widest + 2 * NAME_PAD;
}

/* Draws the outline of each group's part in a row, and an arrow between groups. */
static void
draw_groups (const Chain *chain, cairo_t *cr, const SeamPalette *palette)
{
  for (int i = 0; i < chain->n_blocks; i++) {
    int group = find_group (chain->plan, i), last = i;
    SeamRect outline;
    double middle = chain->blocks[i].rect.y + HEIGHT / 2;

    if (i > 0 && find_group (chain->plan, i - 1) != group && i % chain->per_row != 0) {
      double x = chain->blocks[i - 1].rect.x + chain->blocks[i - 1].rect.width + OUTLINE + 3;
      double end = chain->blocks[i].rect.x - OUTLINE - 3;

      seam_paint_line (cr, &palette->glyph, 3, x, middle, end, middle);
      seam_paint_line (cr, &palette->glyph, 3, end - 9, middle - 7, end, middle);
      seam_paint_line (cr, &palette->glyph, 3, end - 9, middle + 7, end, middle);
    }
    while (last + 1 < chain->n_blocks && (last + 1) % chain->per_row != 0
           && find_group (chain->plan, last + 1) == group)
      last++;
    if (chain->plan->groups[group].last > chain->plan->groups[group].first) {
      outline = (SeamRect){ chain->blocks[i].rect.x - OUTLINE, chain->blocks[i].rect.y - OUTLINE,
                            chain->blocks[last].rect.x + chain->blocks[last].rect.width
                                - chain->blocks[i].rect.x + 2 * OUTLINE,
                            HEIGHT + 2 * OUTLINE };
      seam_paint_box (cr, &outline, 16, NULL, &palette->text, 4);
    }
    i = last;
  }
}

static void
chain_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Chain *chain = figure->layout;

  seam_paint_text (cr, &palette->text, chain->letter, 0,
                   OUTLINE + HEIGHT / 2 + SEAM_BASELINE (LETTER_SIZE), LETTER_SIZE, SEAM_HEAVY,
                   SEAM_ALIGN_START);
  for (int i = 0; i < chain->n_blocks; i++) {
    const Block *block = &chain->blocks[i];
    SeamRect band = { block->rect.x + 5, block->rect.y + HEIGHT - BAND - 5, block->rect.width - 10,
                      BAND };
    SeamRect plate = { block->rect.x + 6, block->rect.y + 6, block->rect.width - 12,
                       HEIGHT - BAND - 16 };

    seam_paint_block (cr, palette, block->kind, &block->rect, 8);
    seam_paint_plate (cr, palette, &plate);
    if (!palette->high_contrast)
      seam_paint_band (cr, palette, &block->kind, 1, block->kind, &band);
    seam_paint_text (cr, &palette->text, block->name, block->rect.x + block->rect.width / 2,
                     block->rect.y + (HEIGHT - BAND) / 2 + SEAM_BASELINE (chain->size), chain->size,
                     SEAM_BOLD, SEAM_ALIGN_MIDDLE);
  }
  draw_groups (chain, cr, palette);
}

static char *
summarize (const SeamPlan *plan, char letter)
{
  const SeamChain *ops = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Plan %c: ", letter);

  for (int i = 0; i < plan->n_groups; i++) {
    g_string_append (text, i > 0 ? ", then " : "");
    for (int op = plan->groups[i].first; op <= plan->groups[i].last; op++)
      g_string_append_printf (text, "%s%s", op > plan->groups[i].first ? " with " : "",
                              ops->ops[op].label);
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static const SeamFigureClass chain_class = { .draw = chain_draw };

SeamFigure *
seam_slide_chain_new (const SeamPlan *plan, char letter)
{
  const SeamChain *ops = seam_plan_get_chain (plan);
  Chain *chain = seam_owner_new (Chain);
  const double room = SEAM_SLIDE_INNER - LETTER;
  int n_rows;
  double width;

  chain->plan =
      seam_keep_full (chain, seam_plan_ref ((SeamPlan *)plan), (GDestroyNotify)seam_plan_unref);
  chain->letter[0] = letter;
  chain->n_blocks = ops->n_ops;
  /* Rows as few as the names permit, equally long. */
  for (n_rows = 1; n_rows < ops->n_ops; n_rows++) {
    chain->per_row = (ops->n_ops + n_rows - 1) / n_rows;
    for (chain->size = NAME_SIZE; chain->size > NAME_LEAST; chain->size -= 1)
      if (chain->per_row * (get_widest (ops, chain->size) + CUT) <= room + CUT)
        break;
    if (chain->per_row * (get_widest (ops, chain->size) + CUT) <= room + CUT)
      break;
  }
  chain->per_row = MAX (1, (ops->n_ops + n_rows - 1) / n_rows);
  width = floor ((room - 2 * OUTLINE - (chain->per_row - 1) * CUT) / chain->per_row);
  for (int i = 0; i < ops->n_ops; i++) {
    Block *block = &chain->blocks[i];
    int row = i / chain->per_row, column = i % chain->per_row;
    double x1 = LETTER + OUTLINE + column * (width + CUT), x2 = x1 + width;

    /* Blocks of a group meet in the middle of the seam. */
    if (column > 0 && find_group (plan, i) == find_group (plan, i - 1))
      x1 -= CUT / 2 - 1;
    if (column + 1 < chain->per_row && i + 1 < ops->n_ops
        && find_group (plan, i) == find_group (plan, i + 1))
      x2 += CUT / 2 - 1;
    block->rect =
        (SeamRect){ x1, OUTLINE + row * (HEIGHT + 2 * OUTLINE + ROW_GAP), x2 - x1, HEIGHT };
    block->kind = seam_op_get_kind (&ops->ops[i]);
    block->name = ops->ops[i].label;
  }
  n_rows = (ops->n_ops + chain->per_row - 1) / chain->per_row;
  return seam_figure_new (&chain_class, chain, SEAM_SLIDE_INNER,
                          n_rows * (HEIGHT + 2 * OUTLINE) + (n_rows - 1) * ROW_GAP,
                          summarize (plan, letter));
}
