/* SPDX-License-Identifier: MIT
 *
 * The first ten minutes of somebody who has never seen the program: the start page, a recorded run
 * and its tabs, a run of this computer with a seam more, the first lesson, and the way back. With
 * pictures, tests/ui/drives shows what such a person sees.
 */
#include "tests/ui/window-fixture.h"

#include "ui/window/window-private.h"

static void
to_start (void)
{
  ui_press ("<Alt>Home");
  ui_see ("^See what fusing GPU operations into one kernel gains you", GTK_TYPE_LABEL);
}

static void
look_at_tabs (void)
{
  static const char *const keys[] = { "<Alt>2", "<Alt>3", "<Alt>4", "<Alt>5", "<Alt>6", "<Alt>1" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++) {
    g_assert_true (ui_press (keys[i]));
    ui_wait_for_frames (GTK_WIDGET (ui_window ()));
  }
}

static void
run (void)
{
  ui_wait_for_run ();
  ui_hold_after (1);
  ui_press ("<Control>r");
  ui_see ("^Stop", GTK_TYPE_BUTTON);
  ui_hold (FALSE);
  ui_wait_for_run ();
}

static void
test_first_minutes (void)
{
  ui_open (NULL);
  ui_see ("^See what fusing GPU operations into one kernel gains you", GTK_TYPE_LABEL);
  ui_see ("3\\.87× faster than unfused\\.$", GTK_TYPE_LABEL);
  ui_see ("^7 lessons, about 65 minutes in all$", GTK_TYPE_LABEL);
  ui_miss ("^Recent$", GTK_TYPE_LABEL);

  ui_click (ui_see ("^Open a _?recorded run$", GTK_TYPE_BUTTON));
  ui_see ("^14\\.0× faster", GTK_TYPE_LABEL);
  look_at_tabs ();

  /* What a banner says is no fault of this computer. */
  to_start ();
  seam_notices_say (SEAM_WINDOW (ui_window ())->model->notices, SEAM_MESSAGE_WARNING,
                    "Not every file counts.", "One was left out.");
  ui_see ("^Not every file counts", GTK_TYPE_LABEL);
  g_assert_null (ui_find ("^The worker does not answer", GTK_TYPE_LABEL));
  ui_click (ui_see ("^Run on _?this computer$", GTK_TYPE_BUTTON));
  ui_click (ui_see ("^conv-relu-bias", GTK_TYPE_LIST_BOX_ROW));
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_type (ui_see ("^Time budget", GTK_TYPE_ENTRY), "1");
  run ();
  ui_click (ui_see_seam ('B', 1, "cut"));
  ui_see_seam ('B', 1, "fused");
  run ();
  look_at_tabs ();

  /* Both runs are offered again, and the lesson that was begun. */
  to_start ();
  ui_see ("^Recent$", GTK_TYPE_LABEL);
  ui_see ("unfused, published", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("unfused, full", GTK_TYPE_LIST_BOX_ROW);
  ui_click (ui_see ("^Take _?lesson 1$", GTK_TYPE_BUTTON));
  ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Next$", GTK_TYPE_BUTTON));
  ui_click (ui_see ("^Lessons$", GTK_TYPE_BUTTON));
  ui_see ("^Go on with _?lesson 1, step 2$", GTK_TYPE_BUTTON);
  ui_close ();
}

/* A teacher starts at the same page: a lesson on the screen, then the class's answers. */
static void
test_teacher (void)
{
  ui_open (NULL);
  to_start ();
  ui_see ("^For a class$", ADW_TYPE_ACTION_ROW);
  ui_see ("^_?Present…$", GTK_TYPE_TOGGLE_BUTTON);
  ui_activate ("win.present-lesson::2");
  ui_turn_to ("Seamscope presenter");
  ui_press ("Escape");
  ui_close ();
}

int
main (int argc, char *argv[])
{
  ui_init (&argc, &argv);
  g_test_add_func ("/newcomer/first-minutes", test_first_minutes);
  g_test_add_func ("/newcomer/teacher", test_teacher);
  return ui_run ();
}
