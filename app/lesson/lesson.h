/* SPDX-License-Identifier: MIT
 *
 * Lessons: Markdown files with a head and steps (data/help/lessons.md describes them for people who
 * write one). A lesson only says what to show, ask and check; opening one runs nothing. This module
 * reads and checks the file; score.h judges answers, answers.h keeps them.
 */
#pragma once

#include "app/help/markdown.h"
#include "app/lesson/formula.h"
#include "app/runner/runner.h"
#include "app/session/session.h"

#define SEAM_LESSON_SUFFIX ".md"

typedef enum {
  SEAM_STEP_SAY,     /* a text */
  SEAM_STEP_SHOW,    /* a text beside a page of the window */
  SEAM_STEP_PREDICT, /* a question; what it asks for is covered until the answer is committed */
  SEAM_STEP_TRY,     /* something to run on this computer; the file says "run" */
  SEAM_STEP_COMPARE, /* prediction, guess and measurement on one axis */
  SEAM_STEP_PROVE,   /* conditions on what was run; the file says "check" */
  SEAM_N_STEP_KINDS
} SeamStepKind;
extern const SeamChoice seam_step_kinds[]; /* "say", "show", "predict", "run", "compare", "check" */

typedef enum {
  SEAM_ASK_NUMBER,
  SEAM_ASK_CHOICE,
  SEAM_ASK_CUT,  /* a seam of plan B, and perhaps a reason from the choices */
  SEAM_ASK_CELL, /* a cell of a grid over the output: where most elements fail */
} SeamAskKind;
extern const SeamChoice seam_ask_kinds[];

/* A choice of an answer, a fact that the learner may use, or a condition of a check. */
typedef struct {
  char *text;           /* of a choice or fact; NULL in a check */
  SeamFormula *formula; /* a choice: whether it is right; a fact: its value; a check: what holds */
  char *reply;          /* for who chose it wrongly, or where the condition does not hold */
  int line;
} SeamLessonItem;

typedef struct SeamLesson SeamLesson;

typedef struct {
  SeamStepKind kind;
  const SeamLesson *lesson;
  int line;    /* of its heading */
  char *id;    /* "predict-b"; unique in the lesson */
  char *title; /* "How long will plan B take?" */
  char *body;  /* Markdown, with formulas in braces */

  /* Where it happens; a step has those of the step before unless it names others. */
  char *page;      /* "timing"; NULL: any */
  char *pipeline;  /* id, or an .ini beside the lesson; see seam_lesson_step_find_pipeline() */
  char *preset;    /* NULL: that of the sample, or the pipeline's default */
  char *target;    /* "cpu"; NULL: the one that the person has chosen */
  char **plans;    /* names or notations; the first is A */
  char **settings; /* "math=tf32", as options of the command */
  char *sample;    /* name of a recorded session in data/samples; NULL: this computer */
  char *picture;   /* product that is drawn below the text, or NULL */
  char *skeleton;  /* name of the file for seam_lesson_step_read_skeleton(), or NULL */
  char *recorded;  /* RUN: the sample to use where a run is impossible, or NULL */

  /* PREDICT */
  SeamAskKind ask;
  SeamFormula *answer;
  char *answer_text;
  int answer_line;
  SeamValueKind range_kind;
  double low, high;  /* of a number, in ns, bytes, …; NaN: none */
  const char *unit;  /* in which it is asked for, from the range; static; NULL: none */
  double unit_scale; /* ns, bytes, … in it */
  int rows, columns; /* of the grid of CELL */
  char *too_low, *too_high, *right; /* replies; may be NULL */
  GPtrArray *choices;               /* SeamLessonItem */
  GPtrArray *facts;                 /* SeamLessonItem: “You may use” */
  int about; /* PREDICT: its own place; COMPARE: that of the predict step before it; else -1 */
  /* COMPARE */
  char *why; /* one sentence */
  /* CHECK */
  GPtrArray *checks; /* SeamLessonItem */
} SeamLessonStep;

struct SeamLesson {
  char *name; /* of the file without its ending: "1-why-fuse" */
  char *folder;
  char *hash;      /* SHA-256 of its text */
  gboolean is_own; /* not one of those that came with the program */
  char *title, *topic, *goal;
  int minutes;
  char **pipelines;
  char **needs;     /* "gpu", "compiler"; empty: nothing */
  GPtrArray *steps; /* SeamLessonStep */
  int n_points;     /* the most that its predictions give */
};

/* SEAM_ERROR_FILE, "FILE, line 12: …": whatever is wrong is named with its line. */
SeamLesson *seam_lesson_load (const char *path, GError **error);
SeamLesson *seam_lesson_parse (const char *text, const char *name, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamLesson, seam_owner_free)

/* Those that came with the program, in the order of their names, as SeamLesson. A file that cannot
 * be read is left out; its sentence goes to `problems` (an array of char *), which may be NULL. */
GPtrArray *seam_lessons_list (GPtrArray *problems);
/* By its name ("1-why-fuse"), number ("1") or path. */
SeamLesson *seam_lesson_find (const char *name, GError **error);

const SeamLessonStep *seam_lesson_get_step (const SeamLesson *lesson, guint i);
/* -1: none. */
int seam_lesson_find_step (const SeamLesson *lesson, const char *id);
/* Bits of the plans whose measurements the answer is read from; 0: it reads none. */
guint seam_lesson_step_get_asked_plans (const SeamLessonStep *step);
/* Bits of the plans whose measurements stay covered until the answer is committed: those that the
 * answer is read from, or all, but never plan A, which is what one predicts from. 0: no question.
 */
guint seam_lesson_step_get_covered_plans (const SeamLessonStep *step);
/* Whether what the program models without a run would tell the answer: bytes, the floor, and what
 * sets it. */
gboolean seam_lesson_step_asks_for_model (const SeamLessonStep *step);
/* The plan whose time is asked for; -1: the step asks for something else. */
int seam_lesson_step_get_asked_plan (const SeamLessonStep *step);
/* The plan that stands beside A at a step: the one that its question or check, or the question that
 * it compares, asks for; else B, 1. */
int seam_lesson_get_compared (const SeamLesson *lesson, int step);
/* The body with its formulas filled in, as a tree; sentences with an unknown value are left out. */
SeamMarkdown *seam_lesson_step_get_body (const SeamLessonStep *step, const SeamLessonFacts *facts);
/* The text of a choice or fact with its formulas filled in, as plain words; newly allocated. */
char *seam_lesson_item_get_words (const SeamLessonItem *item, const SeamLessonFacts *facts);
/* Number of the possible answers to a question, as far as the facts tell them; 0: a number is asked
 * for. */
int seam_lesson_step_get_n_places (const SeamLessonStep *step, const SeamLessonFacts *facts);
/* An answer, as in SeamLessonAnswer: "Faster", "Seam 3: sigmoid | mul", "Row 1, column 2", or a
 * number in the unit in which it is asked for; a dash if there is no such answer. Newly allocated.
 */
char *seam_lesson_step_name_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                    double answer);
/* The path of the sample's file: of one that only lessons show, or of one that the start page
 * offers, too. Newly allocated. */
char *seam_lesson_get_sample_path (const char *sample);

/* The pipeline of a step that has one; SEAM_ERROR_FILE, SEAM_ERROR_INPUT. */
SeamPipeline *seam_lesson_step_find_pipeline (const SeamLessonStep *step, GError **error);
/* The code to begin with of an “@edited” group, from beside the lesson; newly allocated.
 * SEAM_ERROR_FILE. */
char *seam_lesson_step_read_skeleton (const SeamLessonStep *step, GError **error);
/* What a step speaks of: the run of its sample with the plans of the step and, if there is one, the
 * exploration; without a sample its plans, before a run of this computer; NULL without an error:
 * neither. SEAM_ERROR_FILE, SEAM_ERROR_INPUT. */
SeamLessonFacts *seam_lesson_step_load (const SeamLessonStep *step, GError **error);
/* The first run of a sample, with only these plans, in their order: A comes first in the result,
 * too. SEAM_ERROR_FILE, SEAM_ERROR_INPUT. */
SeamSessionRun *seam_lesson_load_run (const char *sample, const char *const *plans, GError **error);
/* The same as a subject, with the sample's exploration if there is one. */
SeamLessonFacts *seam_lesson_load_sample (const char *sample, const char *const *plans,
                                          GError **error);

/* Whether the step is about a run of this computer. */
gboolean seam_lesson_step_runs_here (const SeamLessonStep *step);
/* Whether one run of this computer serves both steps; a text after a run stands beside it. */
gboolean seam_lesson_steps_share_run (const SeamLessonStep *a, const SeamLessonStep *b);
/* The run that the step asks for, without edited code. `target`: where, unless the step names a
 * target; NULL: the best there is. SEAM_ERROR_INPUT; SEAM_ERROR_UNSUPPORTED if a plan needs such
 * code. */
SeamRunRequest *seam_lesson_step_make_request (const SeamLessonStep *step, const char *target,
                                               GError **error);

/* Reads every file that the lesson names, finds each formula whose value a sample does not give,
 * and judges each question. SEAM_ERROR_FILE, with the line. */
gboolean seam_lesson_verify (const SeamLesson *lesson, GError **error);
