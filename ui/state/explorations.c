/* SPDX-License-Identifier: MIT
 *
 * Both kinds of exploration together.
 */
#include "ui/state/explorations.h"

void
seam_explorations_init (SeamExplorations *self, SeamModel *model, GCallback changed, gpointer data)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++) {
    self->all[kind] = seam_exploration_new (model, (SeamSurveyKind)kind);
    g_signal_connect (self->all[kind], "changed", changed, data);
  }
  seam_exploration_set_other (self->all[SEAM_SURVEY_EXPLORE], self->all[SEAM_SURVEY_SWEEP]);
  seam_exploration_set_other (self->all[SEAM_SURVEY_SWEEP], self->all[SEAM_SURVEY_EXPLORE]);
}

void
seam_explorations_close (SeamExplorations *self, gpointer data)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++)
    if (self->all[kind] != NULL) {
      g_signal_handlers_disconnect_by_data (self->all[kind], data);
      seam_exploration_close (self->all[kind]);
    }
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++)
    g_clear_object (&self->all[kind]);
}

SeamExploration *
seam_explorations_get_busy (const SeamExplorations *self)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++)
    if (self->all[kind] != NULL && seam_exploration_is_busy (self->all[kind]))
      return self->all[kind];
  return NULL;
}

SeamExploration *
seam_explorations_get_of_page (const SeamExplorations *self, const char *page)
{
  int kind = seam_choice_find (seam_survey_kinds, page);

  return kind >= 0 ? self->all[kind] : NULL;
}
