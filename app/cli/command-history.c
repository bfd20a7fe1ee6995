/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli history: what the window has measured on this computer, and session files of it.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/session-options.h"
#include "app/session/history.h"

static const SeamOption options[] = {
  { "json", NULL, "print the list as JSON", FALSE },
  { "save", "FILE", "put the entries with these numbers into a new session", FALSE },
  { "append", "FILE", "add them to a session", FALSE },
  { "note", "TEXT", "a note for entries without a name", FALSE },
  { NULL },
};

/* A text that others may have written stays in its line. */
static void
print_text (const char *before, const char *text, const char *after)
{
  g_autofree char *shown = text != NULL ? seam_text_show (text) : NULL;

  if (shown != NULL)
    seam_cli_print (stdout, "%s%s%s", before, g_strdelimit (shown, "\n\t", ' '), after);
}

static void
print_entry (const SeamHistoryEntry *entry)
{
  g_autofree char *outcome = seam_history_entry_describe (entry);

  seam_cli_print (stdout, "%5" G_GINT64_FORMAT, entry->id);
  print_text ("  ", entry->ended_at != NULL ? entry->ended_at : "?", "  ");
  print_text ("", entry->pipeline, ": ");
  print_text ("", outcome, "");
  print_text (" · ", entry->detail, "");
  print_text (" · ", entry->device, "");
  print_text (" · “", entry->name, "”");
  seam_cli_print (stdout, "%s%s\n", entry->pinned ? " · pinned" : "",
                  entry->saved ? "" : " · in no session file");
}

static const SeamHistoryEntry *
find (const GPtrArray *entries, gint64 id)
{
  for (guint i = 0; i < entries->len; i++)
    if (((SeamHistoryEntry *)entries->pdata[i])->id == id)
      return entries->pdata[i];
  return NULL;
}

/* The session of the entries that the words name; adds their ids to `ids`. */
static SeamSession *
pick (SeamHistory *history, const GPtrArray *entries, const SeamArguments *arguments,
      const char *note, GArray *ids, GError **error)
{
  g_autoptr (SeamSession) session = seam_session_new ();

  for (guint i = 0; i < arguments->words->len; i++) {
    gint64 id;

    if (!seam_text_parse_int64 (arguments->words->pdata[i], "An entry", 1, G_MAXINT64, &id, error))
      return NULL;
    const SeamHistoryEntry *entry = find (entries, id);
    if (entry == NULL)
      return seam_fail_null (
          error, SEAM_ERROR_INPUT,
          "The history has no entry %" G_GINT64_FORMAT "; “seamscope-cli history” lists them.", id);
    g_autoptr (GBytes) content = seam_history_read (history, id, error);
    SeamHistoryEntry named = *entry;
    if (named.name == NULL)
      named.name = (char *)note;
    if (content == NULL || !seam_history_unpack (&named, content, session, error))
      return NULL;
    g_array_append_val (ids, id);
  }
  return g_steal_pointer (&session);
}

static gboolean
save (SeamHistory *history, const GPtrArray *entries, const SeamArguments *arguments,
      const SeamSessionTarget *target, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) unmarked = NULL;

  if (arguments->words->len == 0)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "Say which entries, by their numbers: “history 3 5 --save FILE”.");
  g_autoptr (SeamSession) session = pick (history, entries, arguments, target->note, ids, error);
  if (session == NULL || !seam_session_target_write (target, session, error))
    return FALSE;
  /* The session is there, also if the history can only be read. */
  for (guint i = 0; i < ids->len && unmarked == NULL; i++)
    if (!seam_history_change (history, g_array_index (ids, gint64, i), SEAM_CHANGE_SAVED, NULL,
                              &unmarked))
      seam_cli_complain (unmarked->message);
  return TRUE;
}

static void
print_all (const GPtrArray *entries)
{
  g_autofree char *room = seam_history_format_room (entries);

  for (guint i = 0; i < entries->len; i++)
    print_entry (entries->pdata[i]);
  seam_cli_print (stdout, "%u entr%s, %s\n", entries->len, entries->len == 1 ? "y" : "ies", room);
}

static gboolean
tell_of_wait (void)
{
  seam_cli_complain (
      "Another program has locked the history; waiting until that one has finished.");
  return TRUE;
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autofree char *path = seam_history_get_path ();
  g_autoptr (GError) error = NULL;
  SeamSessionTarget target;

  if (!seam_session_target_read (arguments, &target, &error)) {
    seam_session_target_clear (&target);
    return seam_cli_fail (error);
  }
  g_autoptr (SeamHistory) history = seam_history_open (path, tell_of_wait, &error);
  g_autoptr (GPtrArray) entries = history != NULL ? seam_history_list (history, &error) : NULL;
  gboolean done = entries != NULL;
  if (done && target.path != NULL) {
    done = save (history, entries, arguments, &target, &error);
  } else if (done && arguments->words->len > 0) {
    done = seam_fail (&error, SEAM_ERROR_INPUT,
                      "Say where the entries go: --save FILE or --append FILE.");
  } else if (done && seam_arguments_has (arguments, "json")) {
    g_autofree char *json = seam_history_to_rows (entries, SEAM_ROWS_JSON);
    seam_cli_print_data (json);
  } else if (done) {
    print_all (entries);
  }
  seam_session_target_clear (&target);
  return done ? SEAM_EXIT_DONE : seam_cli_fail (error);
}

const SeamCommand seam_command_history = {
  .name = "history",
  .summary = "List what the window has measured here, and put it into session files",
  .synopsis = "history [--json | NUMBER… --save FILE | NUMBER… --append FILE]",
  .options = options,
  .text =
      "Every run, exploration, sweep, pitfall lab and calibration of the window is in the history\n"
      "from the moment it ends. The newest is listed first.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli history\n"
      "  seamscope-cli history --json | jq -r '.rows[].outcome'\n"
      "  seamscope-cli history 12 14 --save before-and-after.seamscope\n",
  .run = run,
};
