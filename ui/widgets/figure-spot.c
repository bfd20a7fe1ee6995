/* SPDX-License-Identifier: MIT
 *
 * The focusable places of a figure. In GTK 4.8 only widgets can be accessible objects, so each
 * place is an invisible widget.
 */
#include "ui/widgets/figure-spot.h"

#include <math.h>
#include <string.h>

struct _SeamFigureSpot {
  GtkWidget parent_instance;
  SeamFigurePlace place;
};

G_DEFINE_FINAL_TYPE (SeamFigureSpot, seam_figure_spot, GTK_TYPE_WIDGET)

static void
seam_figure_spot_class_init (SeamFigureSpotClass *klass)
{
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "figurespot");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_BUTTON);
}

static void
seam_figure_spot_init (SeamFigureSpot *spot)
{
  gtk_widget_set_focusable (GTK_WIDGET (spot), TRUE);
  /* The view finds hits itself, so that overlapping areas keep the figure's own order. */
  gtk_widget_set_can_target (GTK_WIDGET (spot), FALSE);
}

static int
compare_places_cb (gconstpointer a, gconstpointer b)
{
  const SeamFigurePlace *one = a, *two = b;
  if (one->hit.plan != two->hit.plan)
    return one->hit.plan < two->hit.plan ? -1 : 1;
  if (one->rect.x != two->rect.x)
    return one->rect.x < two->rect.x ? -1 : 1;
  return one->hit.index < two->hit.index ? -1 : one->hit.index > two->hit.index;
}

GArray *
seam_figure_list_places (SeamFigure *figure, SeamHitKind kind)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (SeamFigurePlace));

  if (figure == NULL || figure->spots == NULL || kind == SEAM_HIT_CELL)
    return places;
  for (guint i = 0; i < figure->spots->len; i++) {
    const SeamSpot *spot = &g_array_index (figure->spots, SeamSpot, i);
    SeamFigurePlace place = { .hit = spot->hit };

    /* A hit with several spots is where its first one is. */
    if (spot->hit.kind == kind && seam_figure_locate (figure, &spot->hit, &place.rect)
        && memcmp (&place.rect, &spot->rect, sizeof place.rect) == 0)
      g_array_append_val (places, place);
  }
  /* A row of a lattice may have several lines, and the figure lists them in the order of reading.
   */
  if (kind != SEAM_HIT_NODE)
    g_array_sort (places, compare_places_cb);
  return places;
}

GtkWidget *
seam_figure_spot_new (void)
{
  return g_object_new (SEAM_TYPE_FIGURE_SPOT, NULL);
}

const SeamHit *
seam_figure_spot_get_hit (SeamFigureSpot *spot)
{
  return &spot->place.hit;
}

double
seam_figure_spot_get_centre (SeamFigureSpot *spot)
{
  return spot->place.rect.x + spot->place.rect.width / 2;
}

void
seam_figure_spot_set_place (SeamFigureSpot *spot, const SeamFigurePlace *place)
{
  spot->place = *place;
}

void
seam_figure_spot_describe (SeamFigureSpot *spot, const char *name, const char *description,
                           gboolean is_toggle, gboolean pressed)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (spot), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name != NULL ? name : "", GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
  if (is_toggle)
    gtk_accessible_update_state (
        GTK_ACCESSIBLE (spot), GTK_ACCESSIBLE_STATE_PRESSED,
        pressed ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
}

void
seam_figure_spot_allocate (SeamFigureSpot *spot)
{
  const SeamRect *rect = &spot->place.rect;
  GtkAllocation allocation = { (int)floor (rect->x), (int)floor (rect->y),
                               MAX ((int)ceil (rect->width), 1),
                               MAX ((int)ceil (rect->height), 1) };
  int minimum;

  /* GTK requires every child to be measured before it is placed. */
  gtk_widget_measure (GTK_WIDGET (spot), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  gtk_widget_size_allocate (GTK_WIDGET (spot), &allocation, -1);
}
