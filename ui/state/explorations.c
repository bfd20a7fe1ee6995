/* SPDX-License-Identifier: MIT
 *
 * The pair of explorations, one of each kind.
 */
#include "ui/state/explorations.h"

#include "ui/state/exploration.h"

void
seam_explorations_init (SeamExplorations *self, SeamModel *model)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++)
    self->all[kind] = seam_exploration_new (model, (SeamSearchKind)kind);
}

void
seam_explorations_close (SeamExplorations *self)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->all); kind++)
    if (self->all[kind] != NULL)
      seam_exploration_close (self->all[kind]);
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
