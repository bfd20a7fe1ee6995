/* SPDX-License-Identifier: MIT
 *
 * Cells of the two tables.
 */
#include "app/report/ledger.h"

#include "app/figure/grid.h"

#include <math.h>

SeamUnit
seam_ledger_get_unit (const SeamTrafficLedger *ledger)
{
  double largest = ledger->modelled[0];

  if (ledger->n_sides > 1)
    largest = fmax (largest, ledger->modelled[1]);
  return seam_unit_for_bytes (largest);
}

char *
seam_ledger_format_bytes (double bytes, SeamUnit unit)
{
  if (!(bytes > 0))
    return g_strdup (SEAM_DASH);
  return seam_text_fixed (bytes / unit.scale, 2);
}

char *
seam_ledger_format_change (double bytes, SeamUnit unit)
{
  return seam_text_change (bytes / unit.scale, 2);
}

char *
seam_ledger_format_apart (double apart)
{
  g_autofree char *number = NULL;

  if (isnan (apart))
    return g_strdup (SEAM_DASH);
  number = seam_text_change (100 * apart, 1);
  return g_strconcat (number, " %", NULL);
}

/* Both of a side: written, and read with what is read again. What A moves and B does not is A's
 * number, struck through. */
static void
take_side (SeamGrid *grid, const SeamLedgerRow *row, int side, SeamUnit unit)
{
  double written = row->sides[side].written;
  double read = row->sides[side].read + row->sides[side].reread;
  double written_a = row->sides[0].written;
  double read_a = row->sides[0].read + row->sides[0].reread;
  gboolean gone_write = side > 0 && seam_ledger_is_gone (written_a, written);
  gboolean gone_read = side > 0 && seam_ledger_is_gone (read_a, read);

  if (row->kind == SEAM_LEDGER_COPIES) {
    seam_grid_take (grid, g_strdup (""), SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (row->sums[side], unit), SEAM_INK_TEXT, FALSE);
    return;
  }
  seam_grid_take (grid, seam_ledger_format_bytes (gone_write ? written_a : written, unit),
                  gone_write ? SEAM_INK_DIM : SEAM_INK_TEXT, gone_write);
  seam_grid_take (grid, seam_ledger_format_bytes (gone_read ? read_a : read, unit),
                  gone_read ? SEAM_INK_DIM : SEAM_INK_TEXT, gone_read);
}

static void
take_change (SeamGrid *grid, double change, SeamUnit unit)
{
  seam_grid_take (grid, seam_ledger_format_change (change, unit),
                  change < 0   ? SEAM_INK_GOOD
                  : change > 0 ? SEAM_INK_BAD
                               : SEAM_INK_DIM,
                  FALSE);
}

/* A whole plan's sum stands under its reads. */
static void
add_total (SeamGrid *grid, const char *title, const SeamTrafficLedger *ledger, const double *sums,
           SeamUnit unit)
{
  seam_grid_add_row (grid, TRUE);
  seam_grid_take (grid, g_strdup (title), SEAM_INK_TEXT, FALSE);
  seam_grid_take (grid, NULL, SEAM_INK_TEXT, FALSE);
  seam_grid_take (grid, NULL, SEAM_INK_TEXT, FALSE);
  for (int side = 0; side < ledger->n_sides; side++) {
    seam_grid_take (grid, NULL, SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (sums[side], unit), SEAM_INK_TEXT, FALSE);
  }
  if (ledger->n_sides == 2 && !isnan (sums[1] - sums[0]))
    take_change (grid, sums[1] - sums[0], unit);
}

static char *
summarize (const SeamTrafficLedger *ledger)
{
  GString *text = g_string_new ("Traffic ledger:");
  g_autofree char *notes = seam_traffic_ledger_describe (ledger);

  for (int side = 0; side < ledger->n_sides; side++) {
    g_autofree char *bytes = seam_text_bytes (ledger->modelled[side]);

    g_string_append_printf (text, "%s %c moves %s", side > 0 ? "," : "", ledger->letters[side],
                            bytes);
  }
  g_string_append_printf (text, ". %s", notes);
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_ledger_figure_new (const SeamTrafficLedger *ledger, double width)
{
  SeamUnit unit = seam_ledger_get_unit (ledger);
  g_autofree char *size_title = g_strdup_printf ("Size (%s)", unit.name);
  char b = ledger->letters[1];
  g_autofree char *change_title = g_strdup_printf ("%c − A (%s)", b, unit.name);
  g_autofree char *write_title = g_strdup_printf ("%c write", b);
  g_autofree char *read_title = g_strdup_printf ("%c read", b);
  const SeamGridColumn columns[] = {
    { .title = "Tensor written by", .expand = TRUE },
    { .title = "Shape", .optional = TRUE },
    { .title = g_intern_string (size_title), .numeric = TRUE },
    { .title = "A write", .numeric = TRUE },
    { .title = "A read", .numeric = TRUE },
    { .title = g_intern_string (write_title), .numeric = TRUE },
    { .title = g_intern_string (read_title), .numeric = TRUE },
    { .title = g_intern_string (change_title), .numeric = TRUE },
  };
  SeamGrid *grid = seam_grid_new (columns, ledger->n_sides > 1 ? 8 : 5);

  for (int i = 0; i < ledger->n_rows; i++) {
    const SeamLedgerRow *row = &ledger->rows[i];

    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup (row->label), SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, g_strdup (row->shape), SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (row->bytes, unit), SEAM_INK_TEXT, FALSE);
    for (int side = 0; side < ledger->n_sides; side++)
      take_side (grid, row, side, unit);
    if (ledger->n_sides > 1)
      take_change (grid, row->sums[1] - row->sums[0], unit);
  }
  add_total (grid, "Modelled", ledger, ledger->modelled, unit);
  add_total (grid, "DRAM counters", ledger, ledger->measured, unit);
  return seam_grid_finish (grid, width, summarize (ledger));
}

SeamFigure *
seam_ledger_groups_figure_new (const SeamTrafficLedger *ledger, double width)
{
  SeamUnit unit = seam_ledger_get_unit (ledger);
  double longest = 0;
  SeamUnit time;
  SeamGrid *grid;

  for (int i = 0; i < ledger->n_groups; i++)
    longest = fmax (longest, ledger->groups[i].time_ns);
  time = seam_unit_for_time (longest);
  {
    g_autofree char *time_title =
        longest > 0 ? g_strdup_printf ("Time (%s)", time.name) : g_strdup ("Time");
    g_autofree char *written_title = g_strdup_printf ("Writes (%s)", unit.name);
    g_autofree char *modelled_title = g_strdup_printf ("Modelled (%s)", unit.name);
    const SeamGridColumn columns[] = {
      { .title = "Plan" },
      { .title = "Ops", .expand = TRUE },
      { .title = "Kernels", .numeric = TRUE, .optional = TRUE },
      { .title = g_intern_string (time_title), .numeric = TRUE },
      { .title = g_intern_string (written_title), .numeric = TRUE },
      { .title = "Reads", .numeric = TRUE },
      { .title = "Reads again", .numeric = TRUE },
      { .title = "Copies", .numeric = TRUE, .optional = TRUE },
      { .title = g_intern_string (modelled_title), .numeric = TRUE },
      { .title = "Measured", .numeric = TRUE },
      { .title = "Apart", .numeric = TRUE },
    };

    grid = seam_grid_new (columns, G_N_ELEMENTS (columns));
  }
  for (int i = 0; i < ledger->n_groups; i++) {
    const SeamLedgerGroup *group = &ledger->groups[i];
    gboolean marked = group->remark != NULL;

    seam_grid_add_row (grid, FALSE);
    seam_grid_take (grid, g_strdup_printf ("%c", ledger->letters[group->side]), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, g_strdup (group->ops), SEAM_INK_TEXT, FALSE);
    seam_grid_take (
        grid, group->n_kernels >= 0 ? seam_text_count (group->n_kernels) : g_strdup (SEAM_DASH),
        SEAM_INK_DIM, FALSE);
    seam_grid_take (grid, seam_text_fixed (group->time_ns / time.scale, 3), SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (group->modelled.written, unit), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (group->modelled.read, unit), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (group->modelled.reread, unit), SEAM_INK_TEXT,
                    FALSE);
    seam_grid_take (grid, seam_ledger_format_bytes (group->copies, unit), SEAM_INK_TEXT, FALSE);
    seam_grid_take (
        grid,
        seam_ledger_format_bytes (seam_transfers_sum (&group->modelled) + group->copies, unit),
        SEAM_INK_TEXT, FALSE);
    seam_grid_take (grid,
                    seam_ledger_format_bytes (group->measured_read + group->measured_write, unit),
                    SEAM_INK_TEXT, FALSE);
    {
      g_autofree char *apart = seam_ledger_format_apart (group->apart);

      seam_grid_take (grid, g_strdup_printf ("%s%s", marked ? "! " : "", apart),
                      marked ? SEAM_INK_CAUTION : SEAM_INK_DIM, FALSE);
    }
  }
  return seam_grid_finish (grid, width, summarize (ledger));
}
