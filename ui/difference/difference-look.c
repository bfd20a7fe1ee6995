/* SPDX-License-Identifier: MIT
 *
 * The look of the maps: see difference-look.h. Alternation changes only pictures; numbers stay.
 */
#include "ui/difference/difference-look.h"

#include "app/report/sheets.h"
#include "ui/class/class.h"
#include "ui/state/watch.h"

/* Below two changes a second: slower than what can harm, but fast enough to remember the last
 * picture. */
#define TURN_MS 600

struct _SeamDifferenceLook {
  GObject parent_instance;

  SeamMapLook look;     /* unit SEAM_UNIT_BEST until a person chooses one */
  SeamMapUnit best;     /* which that stands for */
  guint choice;         /* entry of the menu "What the slice shows" */
  guint turn_id;        /* the timer that alternates between both sides */
  gboolean turn_tested; /* the tested side is shown now */
  gboolean animated;
  gboolean within;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceLook, seam_difference_look, G_TYPE_OBJECT)

enum { PROP_UNIT = 1, PROP_TILES, PROP_WITHIN, PROP_CHOICE, PROP_ANIMATED };

/* -- Choice of the slice's picture ------------------------------------------------------------- */

static gboolean
turn_cb (gpointer data)
{
  SeamDifferenceLook *self = data;

  self->turn_tested = !self->turn_tested;
  seam_watch_notify (self, "view");
  return G_SOURCE_CONTINUE;
}

static void
set_choice (SeamDifferenceLook *self, guint choice)
{
  if (choice == self->choice)
    return;
  self->choice = choice;
  g_clear_handle_id (&self->turn_id, g_source_remove);
  self->turn_tested = FALSE;
  if (choice == SEAM_SHOW_IN_TURN && self->animated)
    self->turn_id = g_timeout_add (TURN_MS, turn_cb, self);
  seam_watch_notify (self, "choice view");
}

SeamSliceView
seam_difference_look_get_view (SeamDifferenceLook *self)
{
  switch (self->choice) {
  case SEAM_SHOW_AGAINST:
    return SEAM_VIEW_AGAINST;
  case SEAM_SHOW_TESTED:
    return SEAM_VIEW_TESTED;
  case SEAM_SHOW_IN_TURN:
    return self->turn_tested ? SEAM_VIEW_TESTED : SEAM_VIEW_AGAINST;
  default:
    return SEAM_VIEW_DIFFERENCE;
  }
}

guint
seam_difference_look_get_choice (SeamDifferenceLook *self)
{
  return self->choice;
}

void
seam_difference_look_take_turns (SeamDifferenceLook *self)
{
  if (self->choice == SEAM_SHOW_IN_TURN && !self->animated)
    turn_cb (self);
  else
    set_choice (self, self->choice == SEAM_SHOW_IN_TURN ? SEAM_SHOW_DIFFERENCE : SEAM_SHOW_IN_TURN);
}

void
seam_difference_look_stop_turns (SeamDifferenceLook *self)
{
  if (self->turn_id != 0)
    set_choice (self, SEAM_SHOW_DIFFERENCE);
}

/* -- Unit and tiles ---------------------------------------------------------------------------- */

SeamMapUnit
seam_difference_look_get_unit (SeamDifferenceLook *self)
{
  return self->look.unit == SEAM_UNIT_BEST ? self->best : self->look.unit;
}

gboolean
seam_difference_look_get_within (SeamDifferenceLook *self)
{
  return self->within;
}

SeamMapScale
seam_difference_look_make_scale (SeamDifferenceLook *self, const SeamDifference *difference)
{
  SeamMapUnit unit = seam_difference_look_get_unit (self);

  return self->within ? seam_map_scale_within (difference, unit)
                      : seam_map_scale_for (difference, unit);
}

const SeamMapLook *
seam_difference_look_get_map_look (SeamDifferenceLook *self)
{
  return &self->look;
}

static void
set_unit (SeamDifferenceLook *self, SeamMapUnit unit)
{
  if (unit == seam_difference_look_get_unit (self))
    return;
  self->look.unit = unit;
  seam_watch_notify (self, "unit");
}

void
seam_difference_look_set_best (SeamDifferenceLook *self, SeamMapUnit best)
{
  if (best == self->best)
    return;
  self->best = best;
  if (self->look.unit == SEAM_UNIT_BEST)
    seam_watch_notify (self, "unit");
}

static void
set_flag (SeamDifferenceLook *self, gboolean *flag, gboolean value, const char *property)
{
  if (*flag == value)
    return;
  *flag = value;
  seam_watch_notify (self, property);
}

void
seam_difference_look_toggle_tiles (SeamDifferenceLook *self, gboolean other_side)
{
  gboolean shown = self->look.tiles;

  if (other_side)
    set_flag (self, &self->look.against_tiles, !self->look.against_tiles, "against-tiles");
  if (!other_side || !shown)
    set_flag (self, &self->look.tiles, !shown, "tiles");
}

const SeamTile *
seam_difference_look_find_tile (SeamDifferenceLook *self, SeamDifferenceSubject *subject,
                                SeamTile *tile, int *side)
{
  SeamDifferencePair sides = seam_difference_subject_get_sides (subject);
  SeamResult *result = seam_difference_subject_get_result (subject);

  *side =
      self->look.against_tiles && sides.against != SEAM_SIDE_FP64 ? sides.against : sides.tested;
  if (!self->look.tiles || result == NULL)
    return NULL;
  *tile = seam_result_get_output_tile (result, *side);
  return tile;
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  SeamDifferenceLook *self = SEAM_DIFFERENCE_LOOK (object);

  switch (id) {
  case PROP_UNIT:
    g_value_set_uint (value, seam_difference_look_get_unit (self));
    break;
  case PROP_TILES:
    g_value_set_boolean (value, self->look.tiles);
    break;
  case PROP_WITHIN:
    g_value_set_boolean (value, self->within);
    break;
  case PROP_CHOICE:
    g_value_set_uint (value, self->choice);
    break;
  case PROP_ANIMATED:
    g_value_set_boolean (value, self->animated);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  SeamDifferenceLook *self = SEAM_DIFFERENCE_LOOK (object);

  switch (id) {
  case PROP_UNIT:
    set_unit (self, (SeamMapUnit)MIN (g_value_get_uint (value), SEAM_N_UNITS - 1));
    break;
  case PROP_TILES:
    set_flag (self, &self->look.tiles, g_value_get_boolean (value), "tiles");
    break;
  case PROP_WITHIN:
    set_flag (self, &self->within, g_value_get_boolean (value), "within");
    break;
  case PROP_CHOICE:
    set_choice (self, g_value_get_uint (value));
    break;
  case PROP_ANIMATED:
    set_flag (self, &self->animated, g_value_get_boolean (value), "animated");
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
seam_difference_look_class_init (SeamDifferenceLookClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  SEAM_OWNS (klass, SeamDifferenceLook, g_source_remove, turn_id);
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  g_object_class_install_property (object_class, PROP_UNIT,
                                   g_param_spec_uint ("unit", NULL, NULL, 0, G_MAXUINT, 0, flags));
  g_object_class_install_property (object_class, PROP_TILES,
                                   g_param_spec_boolean ("tiles", NULL, NULL, FALSE, flags));
  g_object_class_install_property (object_class, PROP_WITHIN,
                                   g_param_spec_boolean ("within", NULL, NULL, FALSE, flags));
  /* G_MAXUINT while a menu has no entries. */
  g_object_class_install_property (
      object_class, PROP_CHOICE, g_param_spec_uint ("choice", NULL, NULL, 0, G_MAXUINT, 0, flags));
  g_object_class_install_property (object_class, PROP_ANIMATED,
                                   g_param_spec_boolean ("animated", NULL, NULL, TRUE, flags));
  seam_watch_install (klass, "against-tiles view");
}

static void
seam_difference_look_init (SeamDifferenceLook *self)
{
  self->animated = TRUE;
  self->look.unit = SEAM_UNIT_BEST;
}

SeamDifferenceLook *
seam_difference_look_new (void)
{
  return g_object_new (SEAM_TYPE_DIFFERENCE_LOOK, NULL);
}
