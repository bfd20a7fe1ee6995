/* SPDX-License-Identifier: MIT */
#include "ui/help/definition.h"

#include "ui/class/class.h"

#include "app/help/help.h"

struct _SeamTerm {
  AdwBin parent_instance;

  char *label, *term;
};

G_DEFINE_FINAL_TYPE (SeamTerm, seam_term, ADW_TYPE_BIN)

enum { PROP_LABEL = 1, PROP_TERM, N_PROPS };

/* An array of SeamHelpTerm, read once; empty if the help is not installed. */
static GPtrArray *
get_terms (void)
{
  static GPtrArray *terms;
  g_autoptr (GPtrArray) pages = NULL;
  const SeamHelpPage *glossary;

  if (terms != NULL)
    return terms;
  pages = seam_help_list (NULL);
  glossary = pages != NULL ? seam_help_find (pages, SEAM_HELP_GLOSSARY) : NULL;
  terms = glossary != NULL ? seam_help_list_terms (glossary) : g_ptr_array_new ();
  return terms;
}

static void
clicked_cb (GtkGestureClick *click, int n_press, double x, double y, const char *address)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (click));

  gtk_widget_activate_action (widget, "win.help-at", "s", address);
}

void
seam_definition_add (GtkWidget *label, const char *term)
{
  const SeamHelpTerm *found = seam_help_find_term (get_terms (), term);
  GtkGesture *click;
  g_autofree char *text = NULL;
  char *address, *anchor;

  if (found == NULL) {
    if (get_terms ()->len > 0)
      g_warning ("The glossary does not explain “%s”.", term);
    return;
  }
  anchor = g_strdelimit (g_ascii_strdown (found->term, -1), " ", '-');
  address = g_strconcat (SEAM_HELP_GLOSSARY "#", anchor, NULL);
  g_free (anchor);
  click = gtk_gesture_click_new ();
  g_signal_connect_data (click, "released", G_CALLBACK (clicked_cb), address,
                         (GClosureNotify)(GCallback)g_free, 0);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (click));
  text = g_strdup_printf ("%s: %s", found->term, found->definition);
  text[0] = g_ascii_toupper (text[0]);
  gtk_widget_set_tooltip_text (label, text);
  gtk_widget_set_cursor_from_name (label, "help");
}

static void
seam_term_constructed (GObject *object)
{
  SeamTerm *self = SEAM_TERM (object);
  GtkWidget *label = gtk_label_new (self->label);

  G_OBJECT_CLASS (seam_term_parent_class)->constructed (object);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  adw_bin_set_child (ADW_BIN (self), label);
  seam_definition_add (label, self->term != NULL ? self->term : self->label);
}

static void
seam_term_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  SeamTerm *self = SEAM_TERM (object);

  if (id == PROP_LABEL)
    self->label = g_value_dup_string (value);
  else
    self->term = g_value_dup_string (value);
}

static void
seam_term_class_init (SeamTermClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS;

  object_class->constructed = seam_term_constructed;
  object_class->set_property = seam_term_set_property;
  SEAM_OWNS (klass, SeamTerm, g_free, label, term);
  g_object_class_install_property (object_class, PROP_LABEL,
                                   g_param_spec_string ("label", NULL, NULL, NULL, flags));
  g_object_class_install_property (object_class, PROP_TERM,
                                   g_param_spec_string ("term", NULL, NULL, NULL, flags));
}

static void
seam_term_init (SeamTerm *self)
{
}
