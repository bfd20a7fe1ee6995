/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli help: help on the program or a command, a help page, a term of the glossary, or
 * passages of the pages that contain some words.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/help/help-text.h"
#include "app/help/help.h"

#include <string.h>

#define WIDTH 100 /* also for the help of commands */

static const SeamOption options[] = {
  { "search", NULL, "list the sections of the pages that contain all the words", FALSE },
  { NULL },
};

static const char program_text[] =
    "Examples:\n"
    "  seamscope-cli list\n"
    "  seamscope-cli run conv-relu-hardswish\n"
    "  seamscope-cli run '#37' --preset tiny --plan unfused --plan as-published\n"
    "  seamscope-cli doctor\n"
    "\n"
    "Exit status: 0 done, 1 ran but outputs differ, 2 bad use, 3 could not run, or stopped before\n"
    "all was measured.\n";

/* Goes on without pages if they are not installed, because help on commands needs none. */
static void
print_pages (FILE *stream)
{
  g_autoptr (GPtrArray) pages = seam_help_list (NULL);

  if (pages == NULL || pages->len == 0)
    return;
  seam_cli_print (stream, "Pages (seamscope-cli help PAGE):\n");
  for (guint i = 0; i < pages->len; i++) {
    const SeamHelpPage *page = pages->pdata[i];
    seam_cli_print (stream, "  %-10s %s\n", page->topic, page->summary);
  }
  seam_cli_print (stream, "\n");
}

void
seam_cli_print_program_help (FILE *stream)
{
  seam_cli_print (
      stream,
      "Usage: seamscope-cli COMMAND [OPTION…]\n\n"
      "Takes a chain of GPU operations apart and puts it together again, measures each way\n"
      "of fusing it, and compares the outputs.\n\nCommands:\n");
  for (int i = 0; seam_commands[i] != NULL; i++)
    seam_cli_print (stream, "  %-9s %s\n", seam_commands[i]->name, seam_commands[i]->summary);
  seam_cli_print (stream, "\nseamscope-cli COMMAND --help says more about each. --version names "
                          "the version.\n\n");
  print_pages (stream);
  seam_cli_print (stream, "%s", program_text);
}

void
seam_cli_print_command_help (const SeamCommand *command)
{
  g_autofree SeamOption *list = seam_cli_list_options (command->options);
  g_autofree char *text = seam_options_format (list);

  seam_cli_print (stdout, "Usage: seamscope-cli %s\n\n%s.\n", command->synopsis, command->summary);
  if (*text)
    seam_cli_print (stdout, "\nOptions:\n%s", text);
  seam_cli_print (stdout, "\n%s", command->text);
}

static SeamExit
search (const GPtrArray *pages, const GPtrArray *words)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", (char *)words->pdata[i]);
  g_autoptr (GPtrArray) hits = seam_help_search (pages, text->str);
  if (hits->len == 0) {
    g_autofree char *message = g_strdup_printf ("No help page contains “%s”.", text->str);
    seam_cli_complain (message);
    return SEAM_EXIT_BAD_USE;
  }
  for (guint i = 0; i < hits->len; i++) {
    const SeamHelpHit *hit = hits->pdata[i];
    seam_cli_print (stdout, "%s: %s\n    %s\n", hit->page->topic, hit->section->title,
                    hit->excerpt);
  }
  return SEAM_EXIT_DONE;
}

static SeamExit
complain_of_topic (const char *topic, const GPtrArray *pages, const GPtrArray *terms)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  g_autoptr (GPtrArray) topics = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (int i = 0; seam_commands[i] != NULL; i++)
    g_ptr_array_add (names, (char *)seam_commands[i]->name);
  for (guint i = 0; i < pages->len; i++) {
    const SeamHelpPage *page = pages->pdata[i];
    g_ptr_array_add (names, page->topic);
    g_ptr_array_add (topics, page->topic);
  }
  for (guint i = 0; i < terms->len; i++)
    g_ptr_array_add (names, ((SeamHelpTerm *)terms->pdata[i])->term);
  g_autofree char *end = seam_text_suggest (topic, (const char *const *)names->pdata);
  g_autofree char *list = seam_text_list ((const char *const *)topics->pdata);
  g_autofree char *message = g_strdup_printf (
      "There is no command, page or term “%s”%s The pages are %s.", topic, end, list);
  seam_cli_complain (message);
  return SEAM_EXIT_BAD_USE;
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  const char *topic = arguments->words->len > 0 ? arguments->words->pdata[0] : NULL;
  gboolean search_them = seam_arguments_has (arguments, "search");
  const SeamCommand *command = topic ? seam_cli_find_command (topic) : NULL;

  if (topic == NULL && !search_them) {
    seam_cli_print_program_help (stdout);
    return SEAM_EXIT_DONE;
  }
  if (!search_them
      && !seam_arguments_expect_words (arguments, 1, "one command, page or term", &error))
    return seam_cli_fail (error);
  if (search_them && topic == NULL) {
    seam_cli_complain ("Name the words to look for, as in “help --search bound”.");
    return SEAM_EXIT_BAD_USE;
  }
  if (command != NULL && !search_them) {
    seam_cli_print_command_help (command);
    return SEAM_EXIT_DONE;
  }
  g_autoptr (GPtrArray) pages = seam_help_list (&error);
  if (pages == NULL)
    return seam_cli_fail (error);
  if (search_them)
    return search (pages, arguments->words);
  const SeamHelpPage *page = seam_help_find (pages, topic);
  if (page != NULL) {
    g_autofree char *text = seam_help_to_text (page->tree, WIDTH);
    seam_cli_print (stdout, "%s", text);
    return SEAM_EXIT_DONE;
  }
  page = seam_help_find (pages, SEAM_HELP_GLOSSARY);
  g_autoptr (GPtrArray) terms = page != NULL ? seam_help_list_terms (page) : g_ptr_array_new ();
  const SeamHelpTerm *term = seam_help_find_term (terms, topic);
  if (term != NULL) {
    g_autofree char *words = g_strdup_printf ("%s: %s", term->term, term->definition);
    g_autofree char *text = seam_help_wrap (words, WIDTH);
    seam_cli_print (stdout, "%s", text);
    return SEAM_EXIT_DONE;
  }
  return complain_of_topic (topic, pages, terms);
}

const SeamCommand seam_command_help = {
  .name = "help",
  .summary = "Show a help page, the help of a command, or what a term means",
  .synopsis = "help [TOPIC] [--search WORD…]",
  .options = options,
  .text =
      "TOPIC is a command, a page or a term of the glossary. Without one: the commands and the\n"
      "pages.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli help plans\n"
      "  seamscope-cli help roofline\n"
      "  seamscope-cli help --search storage memory\n",
  .run = run,
};
