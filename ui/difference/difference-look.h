/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceLook: how the maps of the Difference tab look: their unit, a kernel's tiles over
 * them, and what the slice shows: the difference, the values of one side, or both sides in turn, in
 * the same colours, so that what differs is what moves.
 *
 * Properties:
 *   "unit"           a SeamMapUnit
 *   "tiles"          whether tiles are shown
 *   "against-tiles"  whether they are those of the side compared with, if a plan
 *   "within"         whether differences are shown if all elements agree
 *   "choice"         a SeamDifferenceView; it starts and ends the alternation of sides
 *   "view"           the SeamSliceView that is shown at the moment; read only
 *   "animated"       whether the person wants animations; else only the key changes sides
 */
#pragma once

#include "ui/difference/difference-subject.h"

#define SEAM_TYPE_DIFFERENCE_LOOK (seam_difference_look_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceLook, seam_difference_look, SEAM, DIFFERENCE_LOOK, GObject)

/* The entries of the menu "What the slice shows". */
typedef enum {
  SEAM_SHOW_DIFFERENCE,
  SEAM_SHOW_AGAINST,
  SEAM_SHOW_TESTED,
  SEAM_SHOW_IN_TURN,
  SEAM_N_SHOWN
} SeamDifferenceView;

SeamDifferenceLook *seam_difference_look_new (void);

SeamMapUnit seam_difference_look_get_unit (SeamDifferenceLook *self);
/* The unit until a person chooses one: what SEAM_UNIT_BEST stands for. */
void seam_difference_look_set_best (SeamDifferenceLook *self, SeamMapUnit best);
SeamSliceView seam_difference_look_get_view (SeamDifferenceLook *self);
guint seam_difference_look_get_choice (SeamDifferenceLook *self);
gboolean seam_difference_look_get_within (SeamDifferenceLook *self);
/* The scale of the page's maps. */
SeamMapScale seam_difference_look_make_scale (SeamDifferenceLook *self,
                                              const SeamDifference *difference);
/* Drawing options for whole figures; borrowed. */
const SeamMapLook *seam_difference_look_get_map_look (SeamDifferenceLook *self);

/* Alternates between both sides, or returns to the difference; without animations, shows the
 * other side. */
void seam_difference_look_take_turns (SeamDifferenceLook *self);
void seam_difference_look_stop_turns (SeamDifferenceLook *self);

/* Switches tiles on and off; with `other_side`, the tiles of the other plan. */
void seam_difference_look_toggle_tiles (SeamDifferenceLook *self, gboolean other_side);
/* Returns `tile`, filled with the tile of the side whose tiles are shown, and stores that side;
 * NULL: no tiles are shown. */
const SeamTile *seam_difference_look_find_tile (SeamDifferenceLook *self,
                                                SeamDifferenceSubject *subject, SeamTile *tile,
                                                int *side);
