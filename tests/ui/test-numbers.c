/* SPDX-License-Identifier: MIT
 *
 * The numbers behind a difference: the table of the worst elements, the slice and the readout
 * follow one another; the slice shows the values of both sides in turn; the maps show ULP and a
 * kernel's tiles; tables and figures are exported as files.
 */
#include "tests/ui/window-fixture.h"

#include "app/base/text.h"
#include "app/report/products.h"

#include <locale.h>

#define SLICE   "^Slice at full resolution"
#define N_WORST 16

typedef struct {
  int row, column;
} Place;

/* --- Files --- */

static GPtrArray *
write_table (const char *action, const char *name)
{
  g_autofree char *path = ui_write (action, name);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *rows = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit_set (g_strstrip (text), "\r\n", -1);
  for (int i = 0; lines[i] != NULL; i++)
    if (lines[i][0] != '\0')
      g_ptr_array_add (rows, g_strsplit (lines[i], ",", -1));
  return rows;
}

/* A field of the table; row 0 has the names of the columns. */
static const char *
get_field (GPtrArray *rows, guint row, const char *column)
{
  char **names = rows->pdata[0], **fields = rows->pdata[row];

  for (guint i = 0; names[i] != NULL; i++)
    if (g_strcmp0 (names[i], column) == 0) {
      g_assert_cmpuint (g_strv_length (fields), ==, g_strv_length (names));
      return fields[i];
    }
  g_error ("The table has no column %s.", column);
}

/* --- The page --- */

static void
read_worst (Place *worst)
{
  g_autoptr (GPtrArray) rows = write_table ("export-csv-worst-to", "worst.csv");
  g_autofree char *path = ui_path ("worst.csv");

  g_assert_cmpuint (rows->len, ==, 1 + N_WORST);
  for (guint i = 0; i < N_WORST; i++)
    worst[i] =
        (Place){ atoi (get_field (rows, i + 1, "row")), atoi (get_field (rows, i + 1, "column")) };
  g_assert_cmpint (remove (path), ==, 0);
}

static gboolean
is_pointed_at (gpointer data)
{
  const Place *place = data;
  g_autofree char *text = ui_get_description (ui_see (SLICE, 0));
  g_autofree char *start = g_strdup_printf ("Row %d, feature %d: A ", place->row, place->column);

  return text != NULL && g_str_has_prefix (text, start);
}

static void
wait_for_place (Place place)
{
  g_autofree char *what =
      g_strdup_printf ("the pointer at row %d, feature %d", place.row, place.column);

  ui_wait (what, is_pointed_at, &place);
}

/* Opens the difference of the exhibit and returns its worst elements. */
static void
open_exhibit (Place *worst)
{
  ui_open_at ("^matmul-swish-bias-groupnorm:", "^tiny$");
  ui_click (ui_see ("^Plan B: ", GTK_TYPE_MENU_BUTTON));
  ui_click (ui_see ("^As published$", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Plan B: As published$", GTK_TYPE_MENU_BUTTON);
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see (UI_VERDICT "B is wrong$", GTK_TYPE_LABEL);
  ui_press ("<Alt>2");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  read_worst (worst);
  wait_for_place (worst[0]);
  gtk_widget_grab_focus (ui_see (SLICE, 0));
}

/* --- Tests --- */

static double
get_right_edge (GtkWidget *label)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (label, GTK_WIDGET (ui_window ()), &bounds));
  return graphene_rect_get_x (&bounds) + graphene_rect_get_width (&bounds);
}

static double
get_top (GtkWidget *label)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (label, GTK_WIDGET (ui_window ()), &bounds));
  return graphene_rect_get_y (&bounds);
}

/* The cells under the title “#”, from the first row to the last. */
static GPtrArray *
list_ranks (void)
{
  GtkWidget *title = ui_see ("^#$", GTK_TYPE_LABEL);
  GtkWidget *table = gtk_widget_get_ancestor (title, GTK_TYPE_COLUMN_VIEW);
  GPtrArray *cells = ui_list (table, "^[0-9]+$", GTK_TYPE_LABEL);

  for (guint i = 0; i < cells->len;)
    if (ABS (get_right_edge (cells->pdata[i]) - get_right_edge (title)) < 12)
      i++;
    else
      g_ptr_array_remove_index (cells, i);
  return cells;
}

static gboolean
has_ranks (gpointer data)
{
  g_autoptr (GPtrArray) ranks = list_ranks ();

  return ranks->len == N_WORST;
}

/* What the readout says beside a name; newly allocated. */
static char *
read_pointer (const char *name)
{
  GtkWidget *readout = ui_see ("^Element under the pointer$", 0);
  g_autoptr (GPtrArray) labels = ui_list (readout, NULL, GTK_TYPE_LABEL);

  for (guint i = 0; i + 1 < labels->len; i++) {
    g_autofree char *text = ui_get_name (labels->pdata[i]);
    if (g_strcmp0 (text, name) == 0)
      return ui_get_name (labels->pdata[i + 1]);
  }
  g_error ("The readout has no %s.", name);
}

/* At this element of the exported table the readout has its values beside their own letters. */
static void
assert_readout (GPtrArray *rows, guint row, Place place)
{
  g_autofree char *trusted =
      seam_text_significant (g_ascii_strtod (get_field (rows, row, "trusted"), NULL), 4);
  g_autofree char *tested =
      seam_text_significant (g_ascii_strtod (get_field (rows, row, "value"), NULL), 4);
  g_autofree char *a = NULL, *b = NULL;

  wait_for_place (place);
  a = read_pointer ("A");
  b = read_pointer ("B");
  g_assert_cmpstr (a, ==, trusted);
  g_assert_cmpstr (b, ==, tested);
  g_assert_cmpstr (a, !=, b);
}

/* W goes down the list; clicking a row of the table, or moving through it by keys, does the
 * same. */
static void
test_worst (void)
{
  Place worst[N_WORST];
  g_autoptr (GPtrArray) rows = NULL;

  open_exhibit (worst);
  rows = write_table ("export-csv-worst-to", "values.csv");
  assert_readout (rows, 1, worst[0]);
  ui_press ("w");
  assert_readout (rows, 2, worst[1]);
  ui_press ("w");
  assert_readout (rows, 3, worst[2]);

  ui_wait ("the ranks under their title", has_ranks, NULL);
  g_assert_cmpfloat (get_top (ui_see ("^#$", GTK_TYPE_LABEL)), ==,
                     get_top (ui_see ("^Of bound$", GTK_TYPE_LABEL)));
  g_autoptr (GPtrArray) ranks = list_ranks ();
  for (guint i = 0; i < ranks->len; i++) {
    g_autofree char *name = ui_get_name (ranks->pdata[i]);
    g_assert_cmpint (atoi (name), ==, (int)i + 1);
  }
  ui_click (ranks->pdata[4]);
  wait_for_place (worst[4]);
  ui_press ("Down");
  wait_for_place (worst[5]);
  ui_press ("w");
  wait_for_place (worst[6]);
  ui_close ();
}

/* Shift+W goes down the cells of the overview, here of one element each, and finds the worst
 * element of a cell in the outputs. */
static void
test_worst_cells (void)
{
  Place worst[N_WORST];

  open_exhibit (worst);
  /* With a tolerance the largest differences are the worst, as in the cells. */
  ui_type (ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY), "1e-6");
  ui_see ("outside tolerance", GTK_TYPE_LABEL);
  g_assert_cmpstr (
      gtk_entry_get_placeholder_text (GTK_ENTRY (ui_see ("^Relative tolerance$", GTK_TYPE_ENTRY))),
      ==, "0");
  read_worst (worst);
  gtk_widget_grab_focus (ui_see (SLICE, 0));
  ui_press ("<Shift>w");
  wait_for_place (worst[0]);
  ui_press ("<Shift>w");
  wait_for_place (worst[1]);
  ui_press ("<Shift>w");
  wait_for_place (worst[2]);
  /* The cursor may move in between; Shift+W goes on from the last cell. */
  ui_press ("Right");
  ui_press ("<Shift>w");
  wait_for_place (worst[3]);
  ui_close ();
}

static gboolean
is_late (gpointer data)
{
  *(gboolean *)data = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *)data;
}

/* B shows both sides in turn, in the picture alone; the menu shows one side permanently. */
static void
test_values_in_turn (void)
{
  Place worst[N_WORST];
  gboolean late = FALSE;

  open_exhibit (worst);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", TRUE, NULL);
  ui_press ("b");
  ui_see (SLICE ".*It shows the values of B.$", 0);
  ui_see (SLICE ".*It shows the values of A.$", 0);
  ui_see (SLICE ".*It shows the values of B.$", 0);
  g_assert_true (is_pointed_at (&worst[0]));
  /* Leaving the page ends the alternation. */
  ui_press ("<Alt>1");
  ui_press ("<Alt>2");
  ui_see (SLICE ".*over the bound\\.$", 0);

  /* The choice in the menu ends the alternation. If a change were still due, it would come
   * before this timeout. */
  gtk_widget_grab_focus (ui_see (SLICE, 0));
  ui_press ("b");
  ui_see (SLICE ".*It shows the values of B.$", 0);
  ui_choose (ui_see ("^What the slice shows", GTK_TYPE_DROP_DOWN), "^Values of B$");
  ui_see ("^Colour scale of the values of both sides", 0);
  g_timeout_add (1300, is_late, &late);
  ui_wait ("twice the time of a turn", is_true, &late);
  g_assert_nonnull (ui_find (SLICE ".*It shows the values of B.$", 0));
  ui_choose (ui_see ("^What the slice shows", GTK_TYPE_DROP_DOWN), "^Difference$");
  ui_see ("^Colour scale of .A − B.", 0);
  ui_close ();
}

/* The maps in ULP, and over them the tiles of either plan's kernel; the sheet names both. */
static void
test_unit_and_tiles (void)
{
  Place worst[N_WORST];

  open_exhibit (worst);
  ui_choose (ui_see ("^Kind of difference", GTK_TYPE_DROP_DOWN), "^ULP$");
  ui_see ("^Colour scale of .A − B., in units in the last place of FP32", 0);
  ui_see ("^.A − B. ULP$", GTK_TYPE_LABEL);
  gtk_widget_grab_focus (ui_see (SLICE, 0));
  ui_press ("t");
  /* On a CPU, this program's own tiles write the output of every group. */
  ui_see ("^Lines: tiles of B, as its last kernel writes them, \\d+ rows? × [\\d,]+ columns\\.$",
          GTK_TYPE_LABEL);
  ui_press ("<Shift>t");
  ui_see ("^Lines: tiles of A, as its last kernel writes them", GTK_TYPE_LABEL);
  ui_write_picture ("export-difference-to", "ulp.png", 999, 0);
  ui_click (ui_see ("^Tiles of the kernel", GTK_TYPE_BUTTON));
  ui_miss ("^Lines: tiles of", GTK_TYPE_LABEL);
  ui_choose (ui_see ("^Kind of difference", GTK_TYPE_DROP_DOWN), "^Absolute$");
  ui_see ("^Colour scale of .A − B., absolute", 0);
  ui_close ();
}

static void
test_exports (void)
{
  Place worst[N_WORST];
  g_autoptr (GPtrArray) rows = NULL;
  gint64 n_elements = 0;

  open_exhibit (worst);
  rows = write_table ("export-csv-histogram-to", "histogram.csv");
  for (guint i = 1; i < rows->len; i++) {
    g_assert_cmpstr (get_field (rows, i, "plan"), ==, "as-published");
    g_assert_cmpstr (get_field (rows, i, "against"), ==, "unfused");
    n_elements += atoi (get_field (rows, i, "n_elements"));
  }
  g_assert_cmpint (n_elements, >, 0);
  ui_write_picture ("export-numbers-to", "numbers.png", 999, 399);
  ui_close ();
}

/* Every product of a result, from a session, in the first of its file types. */
static void
test_every_product (void)
{
  Place worst[N_WORST];
  int n = 0;

  open_exhibit (worst);
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    const char *ending = seam_product_get_endings (product)[0];
    g_autofree char *action = g_strconcat ("export-", product->name, "-to", NULL);
    g_autofree char *name = g_strconcat ("each-", product->name, ending, NULL);

    if ((product->of & SEAM_OF_RESULTS) == 0)
      continue;
    g_test_message ("%s", product->name);
    n++;
    if (product->kind == SEAM_PRODUCT_FIGURE) {
      ui_write_picture (action, name, 2 * (int)product->width - 1, 399);
    } else {
      g_autofree char *path = ui_write (action, name), *text = NULL;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (product->kind == SEAM_PRODUCT_JSON)
        g_assert_cmpint (text[0], ==, '{');
      else
        g_assert_nonnull (strstr (text, "\r\n"));
    }
  }
  g_assert_cmpint (n, >, 15);
  ui_close ();
}

/* Whether nothing on the page extends beyond its right edge. */
static gboolean
fits_width (gpointer data)
{
  GtkWidget *page = gtk_widget_get_ancestor (data, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (page));

  return gtk_adjustment_get_page_size (across) > 100
         && gtk_adjustment_get_upper (across) <= gtk_adjustment_get_page_size (across);
}

/* Returns the minimum width of the maps, or their height for a width. */
static int
measure_maps (GtkWidget *overview, int width)
{
  GtkWidget *layout = gtk_widget_get_ancestor (overview, g_type_from_name ("SeamDifferenceLayout"));
  int least;

  gtk_widget_measure (layout, width < 0 ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL,
                      width, &least, NULL, NULL, NULL);
  return least;
}

/* A recorded run that agrees: there is one note, and the maps on request; for a place that the
 * file lacks, a message names the elements that it has, which are shown; a narrow page has all of
 * this. */
static void
test_agreement (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"),
                        "samples/laptop-cpu-matmul-swish-bias-groupnorm.seamscope", NULL);
  GtkWidget *overview;

  ui_leave_start_page ();
  ui_open ((const char *[]){ path, NULL });
  ui_press ("<Alt>2");
  ui_see ("^All 8,388,608 elements agree$", GTK_TYPE_LABEL);
  ui_miss ("^Slice at full resolution", 0);
  ui_click (ui_see ("^Show the differences that agree$", GTK_TYPE_CHECK_BUTTON));
  ui_miss ("^All 8,388,608 elements agree$", GTK_TYPE_LABEL);
  overview = ui_see ("^Overview of the difference", 0);
  ui_see ("^Slice at full resolution from row 0, column 1051", 0);
  ui_see ("^Colour scale .* equal elements have no colour", 0);
  ui_click_at (overview, .5, .8);
  ui_see ("^The file holds no single elements of that place. Shown is what it holds: rows 0 to",
          GTK_TYPE_LABEL);
  ui_see ("^Row$", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^[|]A − B[|]: –$", 0));
  ui_wait ("all within the page", fits_width, overview);
  /* The maps fit beside the sidebar of a window of 1024 × 700, where they stand one below the
   * other and so are higher. */
  g_assert_cmpint (measure_maps (overview, -1), <, 600);
  g_assert_cmpint (measure_maps (overview, 600), >, measure_maps (overview, 900));
  ui_close ();
}

/* With a decimal comma in the locale, typed numbers work with a comma and with a point, and files
 * keep their points. */
static void
test_german (void)
{
  Place worst[N_WORST];
  GtkWidget *atol;

  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL) {
    g_test_skip ("there is no locale de_DE.UTF-8; tests/run makes one");
    return;
  }
  open_exhibit (worst);
  atol = ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY);
  ui_type (atol, "1.000,5");
  ui_see ("is below the tolerance 1\\.0×10³\\.", GTK_TYPE_LABEL);
  ui_type (atol, "1,5e-6");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  ui_type (atol, "1000.5");
  ui_see ("is below the tolerance 1\\.0×10³\\.", GTK_TYPE_LABEL);
  ui_type (atol, "1,234");
  ui_see ("^Absolute tolerance$", GTK_TYPE_ENTRY);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (atol), "1.234 or 1234"));
  ui_type (atol, "0,5e-6");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  /* Every field has its place, so that no number has a comma. */
  g_autoptr (GPtrArray) rows = write_table ("export-csv-worst-to", "german.csv");
  g_assert_nonnull (strchr (get_field (rows, 1, "abs_error"), '.'));
  ui_close ();
  setlocale (LC_ALL, "C.UTF-8");
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/numbers/worst", test_worst);
  g_test_add_func ("/numbers/worst-cells", test_worst_cells);
  g_test_add_func ("/numbers/values-in-turn", test_values_in_turn);
  g_test_add_func ("/numbers/unit-and-tiles", test_unit_and_tiles);
  g_test_add_func ("/numbers/agreement", test_agreement);
  g_test_add_func ("/numbers/exports", test_exports);
  g_test_add_func ("/numbers/german", test_german);
  g_test_add_func ("/numbers/every-product", test_every_product);
  return ui_run ();
}
