/* SPDX-License-Identifier: MIT
 *
 * The registry of products: names, options, endings and functions fit together, and every product
 * is made from its source and written to the requested place. The contents of the products are
 * tested in test-exports.c.
 */
#include "product-fixture.h"

static void
test_entries (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean figures_began = FALSE;

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    gboolean is_figure = product->kind == SEAM_PRODUCT_FIGURE;
    const char *const *endings = seam_product_get_endings (product);

    g_test_message ("%s", product->name);
    g_assert_true (g_hash_table_add (names, (gpointer)product->name));
    g_assert_true (seam_products_find (product->name) == product);
    g_assert_nonnull (product->title);
    g_assert_cmpint (__builtin_popcount (product->of), ==, 1);
    g_assert_cmpint ((product->make_text != NULL) + (product->make_rows != NULL)
                         + (product->make_figure != NULL) + (product->make_page != NULL),
                     ==, 1);
    g_assert_cmpint (product->make_text == NULL && product->make_rows == NULL, ==, is_figure);
    g_assert_cmpint (product->width > 0, ==, is_figure);
    /* Each option has a line of help. */
    g_assert_true (product->option == NULL || product->words != NULL);
    g_assert_false (is_figure && product->option != NULL);
    if ((product->of & SEAM_OF_RESULTS) == 0 && seam_product_is_only (product, product->of))
      g_assert_nonnull (product->words);
    if (product->kind == SEAM_PRODUCT_TABLE)
      g_assert_true (g_str_has_prefix (product->name, "csv-"));
    g_assert_cmpstr (endings[0], ==,
                     is_figure                             ? ".png"
                     : product->kind == SEAM_PRODUCT_TABLE ? ".csv"
                                                           : ".json");
    /* Commands write texts before figures. */
    figures_began |= is_figure;
    g_assert_true (is_figure || !figures_began);
  }
  g_assert_null (seam_products_find ("trafic"));
  g_assert_cmpstr (seam_product_get_stem (seam_products_find ("csv-kernels")), ==, "kernels");
  g_assert_cmpstr (seam_product_get_stem (seam_products_find ("samples")), ==, "samples");
}

/* One option of the command line may stand for two products, depending on the source. */
static void
test_options (void)
{
  const SeamProduct *explore = seam_products_find ("csv-explore");
  const SeamProduct *sweep = seam_products_find ("csv-sweep");
  const SeamProduct *lattice = seam_products_find ("lattice");
  guint all = SEAM_OF_RESULTS | SEAM_OF_SEARCHES;

  g_assert_true (seam_products_find_option ("csv-survey", all) == explore);
  g_assert_cmpstr (seam_product_get_option (sweep, all), ==, "csv-survey");
  g_assert_null (seam_products_find_option ("csv-survey", SEAM_OF_RESULTS));
  g_assert_cmpstr (seam_products_find_option ("csv", SEAM_OF_RESULTS)->name, ==, "csv-plans");
  g_assert_null (seam_product_get_option (seam_products_find ("csv-overview"), SEAM_OF_RESULTS));

  /* If a command's source has only one product of a kind, the option is just the name of the
   * kind. */
  g_assert_true (seam_products_find_option ("csv", SEAM_OF_SWEEP) == sweep);
  g_assert_true (seam_product_is_only (lattice, SEAM_OF_EXPLORE));
  g_assert_false (seam_product_is_only (lattice, SEAM_OF_SEARCHES));
  g_assert_false (seam_product_is_only (lattice, SEAM_OF_SWEEP));
  g_assert_cmpstr (seam_products_find_option ("json", SEAM_OF_CALIBRATION)->name, ==,
                   "calibration-json");
  g_assert_cmpstr (seam_products_find_option ("figure", SEAM_OF_WHY)->name, ==, "why");
  g_assert_null (seam_products_find_option ("json", SEAM_OF_WHY)); /* the rows of the table */
}

static void
test_all_are_written (void)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-products-XXXXXX", NULL);

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    g_autoptr (SeamResult) result = fixture_product_result (NULL);
    g_autoptr (FixtureSource) fixture = fixture_source_new (product, result);
    const SeamProductSource *source = &fixture->source;
    const char *ending =
        product->kind == SEAM_PRODUCT_FIGURE ? ".svg" : seam_product_get_endings (product)[0];
    g_autofree char *path = g_strconcat (folder, "/", product->name, ending, NULL);
    g_autofree char *written = NULL;
    g_autoptr (GError) error = NULL;

    g_test_message ("%s", product->name);
    seam_product_write (product, source, path, &error);
    g_assert_no_error (error);
    g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
    if (product->kind == SEAM_PRODUCT_FIGURE) {
      g_autoptr (SeamFigure) figure = seam_product_make_figure (product, source, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (figure->width, ==, product->width);
      g_assert_nonnull (strstr (written, "<svg"));
    } else {
      g_autofree char *text = seam_product_make_text (product, source, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (written, ==, text);
    }
    g_unlink (path);
  }
  g_rmdir (folder);
}

/* A product that cannot be made leaves no file, and a sentence says why. */
static void
test_refusals (void)
{
  g_autoptr (SeamResult) result = fixture_result ("conv-relu-hardswish", "tiny", "published");
  g_autofree char *folder = g_dir_make_tmp ("seam-products-XXXXXX", NULL);
  g_autofree char *steps = g_build_filename (folder, "steps.csv", NULL);
  g_autofree char *docx = g_build_filename (folder, "timing.docx", NULL);
  SeamProductSource source = { .results = &result, .n_results = 1, .second = -1 };
  g_autoptr (GError) error = NULL;

  g_assert_false (
      seam_product_write (seam_products_find ("csv-waterfall"), &source, steps, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "Only one plan was run"));
  g_assert_false (g_file_test (steps, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  /* The picture needs a chosen seam. */
  g_assert_null (seam_product_make_figure (seam_products_find ("why"), &source, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);

  /* The ending decides the format of a figure. */
  g_assert_false (seam_product_write (seam_products_find ("timing"), &source, docx, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_false (g_file_test (docx, G_FILE_TEST_EXISTS));
  g_rmdir (folder);
}

/* Without a chosen comparison, the tables of errors are of every plan of the run. */
static void
test_comparison_is_chosen (void)
{
  g_autoptr (SeamResult) result = fixture_result ("conv-relu-hardswish", "tiny", "published");
  SeamProductSource source = { .results = &result, .n_results = 1, .second = 1 };
  SeamWorstElement worst = { 0, 12345.5, 1 };
  SeamDifference chosen = *result->plans[1].difference;
  const SeamProduct *product = seam_products_find ("csv-worst");
  g_autofree char *all = NULL, *one = NULL;

  result->plans[1].difference->n_worst = 1;
  result->plans[1].difference->worst[0] = (SeamWorstElement){ 0, 3, 1 };
  chosen.n_worst = 1;
  chosen.worst = &worst;
  all = seam_product_make_text (product, &source, NULL);
  source.difference = &chosen;
  source.tested = 1;
  one = seam_product_make_text (product, &source, NULL);
  g_assert_null (strstr (all, "12345.5"));
  g_assert_nonnull (strstr (one, "12345.5"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/products/entries", test_entries);
  g_test_add_func ("/report/products/options", test_options);
  g_test_add_func ("/report/products/all-are-written", test_all_are_written);
  g_test_add_func ("/report/products/refusals", test_refusals);
  g_test_add_func ("/report/products/comparison-is-chosen", test_comparison_is_chosen);
  return g_test_run ();
}
