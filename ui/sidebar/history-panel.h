/* SPDX-License-Identifier: MIT
 *
 * SeamHistoryPanel: the list "Runs" of the sidebar, everything in the history: pinned entries
 * first, then the newest. A row is opened by win.history-open; its menu compares, pins, names and
 * removes. Hidden while the history is empty.
 */
#pragma once

#include "ui/state/history-list.h"

#include <adwaita.h>

#define SEAM_TYPE_HISTORY_PANEL (seam_history_panel_get_type ())
G_DECLARE_FINAL_TYPE (SeamHistoryPanel, seam_history_panel, SEAM, HISTORY_PANEL, AdwBin)

void seam_history_panel_set_list (SeamHistoryPanel *self, SeamHistoryList *list);

/* "✓ 1.56×": what the newest run of a pipeline came to, in few characters, with a dot while no
 * session file holds it. NULL: the pipeline has no run. `words`: the same as a sentence. Both are
 * newly allocated. */
char *seam_history_panel_describe_pipeline (SeamHistoryList *list, const SeamPipeline *pipeline,
                                            char **words);
