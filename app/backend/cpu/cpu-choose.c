/* SPDX-License-Identifier: MIT
 *
 * Which of its ways executes a group on the CPU: tiles of this program, or oneDNN in one of its
 * forms. Where a plan leaves it open, the ways are tried once on this machine and the fastest is
 * kept (app/backend/choices.h), as a GPU's libraries are.
 */
#include "app/backend/cpu/onednn.h"

#include "app/backend/candidate.h"

#include <math.h>

/* Groups with less work are executed by tiles, or by the first form that oneDNN has. */
#define TRY_FLOP 5e7
/* Rounds of trying; after the least of them trying ends when it has taken this long. The first
 * round is not enough to drop a way: it touches memory for the first time. */
#define MIN_ROUNDS 2
#define MAX_ROUNDS 12
#define TRY_NS     3e8
/* Tiles are kept where a primitive is hardly faster: that may be chance. */
#define CLEARLY 0.97
/* A way that is slower than the fastest by this factor is not tried again. */
#define HOPELESS 1.5

#define MAX_FORMS 4

static gboolean
is_left_open (const SeamGroup *group)
{
  return group->implementation == NULL || seam_group_is (group, SEAM_IMPLEMENTATION_AUTO);
}

/* Whether the group is large enough for its ways to be tried. Trying a small one costs more than it
 * gains. */
static gboolean
is_worth_trying (const SeamGroupSpec *spec)
{
  SeamGroupCost cost;

  seam_group_cost (spec->problem, spec->plan, spec->group, &cost);
  return cost.flop >= TRY_FLOP;
}

/* What a choice depends on besides the machine. */
static char *
make_key (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamDims *d = &spec->problem->dims;
  g_autofree char *n = g_strdup_printf ("%" G_GINT64_FORMAT, d->n);
  GString *key = g_string_new ("cpu ");

  seam_choices_append_ops (key, chain, group->first, group->last);
  g_string_append_printf (key, ", N %s", n);
  const gint64 sizes[] = { d->c, d->h, d->w, d->k, d->r };
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT, sizes[i]);
  g_string_append_printf (key, ", %s, storage %d%s", seam_math_mode_get_name (spec->math_mode),
                          (int)spec->problem->storage, is_left_open (group) ? "" : ", only oneDNN");
  return g_string_free (key, FALSE);
}

/* The kept number: a form, above it by one where tiles are 0. -1: not yet tried. */
static int
get_kept (SeamCpuDevice *device, const SeamGroupSpec *spec)
{
  g_autofree char *key = make_key (spec);
  int kept = seam_choices_get (device->choices, key);

  return kept > MAX_FORMS ? -1 : kept;
}

SeamCpuWay
seam_cpu_choose_way (SeamDevice *base, const SeamGroupSpec *spec)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  g_autofree char *reason = NULL;
  gboolean keeps_nan;
  int kept;

  if (spec->plainly)
    return SEAM_CPU_BY_TILES;
  if (seam_group_is (group, SEAM_CPU_ONEDNN))
    return SEAM_CPU_BY_ONEDNN;
  if (seam_group_is (group, SEAM_IMPLEMENTATION_LIBRARY))
    return seam_onednn_supports (spec, NULL, &reason) ? SEAM_CPU_BY_ONEDNN : SEAM_CPU_BY_TILES;
  if (!is_left_open (group) || !is_worth_trying (spec)
      || !seam_onednn_supports (spec, &keeps_nan, &reason) || !keeps_nan)
    return SEAM_CPU_BY_TILES;
  kept = get_kept ((SeamCpuDevice *)base, spec);
  return kept < 0 ? SEAM_CPU_BY_TRYING : kept == 0 ? SEAM_CPU_BY_TILES : SEAM_CPU_BY_ONEDNN;
}

SeamOnednn *
seam_cpu_outline_onednn (const SeamPrepared *g, const SeamGroupSpec *spec, GError **error)
{
  int n = seam_onednn_count_forms (spec);
  int kept = get_kept (g->device, spec) - is_left_open (&spec->plan->groups[spec->group]);
  SeamOnednn *found = kept >= 0 && kept < n ? seam_onednn_new (g, spec, kept, NULL, NULL) : NULL;

  for (int form = 0; form < n && found == NULL; form++) {
    g_clear_error (error);
    found = seam_onednn_new (g, spec, form, NULL, error);
  }
  if (found != NULL)
    g_clear_error (error);
  return found;
}

void
seam_cpu_use (SeamPrepared *g, SeamOnednn *onednn, double copied_bytes)
{
  g->onednn = onednn;
  g->n_parts = 0;
  if (g->has_copies && (onednn == NULL || seam_onednn_reads_copies (onednn)))
    g->parts[g->n_parts++] = (SeamCpuPart){
      .kind = SEAM_CPU_PART_COPIES,
      .name = g->factor == SEAM_OPERAND_FP32 ? "round operands" : "widen operands",
      .bytes = copied_bytes,
    };
  if (onednn != NULL)
    seam_onednn_add_parts (onednn, g);
  else
    g->parts[g->n_parts++] = (SeamCpuPart){ .kind = SEAM_CPU_PART_TILES, .bytes = g->bytes };
}

/* Runs the ways in turn, so that a disturbance meets all of them. `times` receives the least time
 * of each of `n`, and infinity for one that gets no memory. FALSE if Stop was pressed. A way is
 * NULL for tiles. */
static gboolean
time_ways (SeamPrepared *g, SeamOnednn *const *ways, int n, double copied_bytes, double *times)
{
  double start = seam_cpu_now_ns (), least = INFINITY;

  for (int i = 0; i < n; i++)
    times[i] = INFINITY;
  for (int round = 0;
       round < MAX_ROUNDS && (round < MIN_ROUNDS || seam_cpu_now_ns () - start < TRY_NS); round++) {
    for (int i = 0; i < n; i++) {
      if (round >= MIN_ROUNDS && times[i] > HOPELESS * least)
        continue;
      seam_cpu_use (g, ways[i], copied_bytes);
      double begin = seam_cpu_now_ns ();
      seam_cpu_run_group (g, g->cancel, NULL);
      double duration = seam_cpu_now_ns () - begin;
      if (seam_cancel_check (g->cancel, NULL))
        return FALSE;
      if (!g_atomic_int_compare_and_exchange (&g->failed, TRUE, FALSE))
        times[i] = MIN (times[i], duration);
    }
    for (int i = 0; i < n; i++)
      least = MIN (least, times[i]);
  }
  return TRUE;
}

static int
find_fastest (SeamOnednn *const *ways, const double *times, int n)
{
  int best = 0;

  for (int i = 0; i < n; i++)
    if (times[i] < times[best] * (ways[best] == NULL ? CLEARLY : 1))
      best = i;
  return times[best] < INFINITY ? best : -1;
}

/* The fastest of the ways, by `times`, whose output is that of the ops one by one; -1 with
 * `error`. `shows`: whether the comparison shows anything. Tiles need none; without memory for it
 * they are taken, or the fastest if there are none. */
static int
choose_right (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
              SeamOnednn *const *ways, double *times, int n, double copied_bytes, gboolean *shows,
              GError **error)
{
  SeamDevice *device = &g->device->device;
  SeamBuffer *output = tensors[SEAM_TENSOR_OUTPUT (g->last_op)];
  int best = find_fastest (ways, times, n);
  g_autoptr (GError) problem = NULL;
  g_autoptr (SeamCandidateCheck) check =
      best < 0 || ways[best] == NULL
          ? NULL
          : seam_candidate_check_new (device, spec, g->last_op, tensors, g->cancel, &problem);

  if (g_error_matches (problem, SEAM_ERROR, SEAM_ERROR_MEMORY)) {
    *shows = FALSE;
    return ways[0] == NULL ? 0 : best;
  }
  if (problem != NULL) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return -1;
  }
  for (; best >= 0 && ways[best] != NULL; best = find_fastest (ways, times, n)) {
    gboolean agrees;

    seam_cpu_use (g, ways[best], copied_bytes);
    if (!device->backend->poison (device, output, g->cancel, error)
        || !device->backend->run (device, &g, 1, g->cancel, error)
        || !seam_candidate_check_output (check, output, &agrees, shows, error))
      return -1;
    if (agrees)
      return best;
    times[best] = INFINITY;
  }
  if (best < 0)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "%s computes these ops wrongly here: its output is not that of the ops one by "
                 "one. Write “@cpu”, or leave the choice to the program.",
                 seam_onednn_get_version ());
  return best;
}

/* Creates the forms from `first` to `last`, or only the first of them that oneDNN has; returns how
 * many. `problem` receives the reason if there is none. */
static int
create_forms (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors, int first,
              int last, gboolean all, SeamOnednn **ways, int *forms, GError **problem)
{
  int n = 0;

  for (int form = first; form <= last && (n == 0 || all); form++) {
    g_clear_error (problem);
    ways[n] = seam_onednn_new (g, spec, form, tensors, problem);
    forms[n] = form;
    n += ways[n] != NULL;
  }
  return n;
}

gboolean
seam_cpu_choose_form (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
                      gboolean has_tiles, GError **error)
{
  const int offset = is_left_open (&spec->plan->groups[spec->group]) ? 1 : 0;
  const int last = seam_onednn_count_forms (spec) - 1;
  const double copied_bytes = seam_cpu_get_copied_bytes (spec);
  const gboolean is_tried = is_worth_trying (spec);
  g_autofree char *key = make_key (spec);
  /* The first way is tiles, if there are some. */
  SeamOnednn *ways[MAX_FORMS + 1] = { NULL };
  int forms[MAX_FORMS + 1] = { -1 }, n = has_tiles ? 1 : 0, chosen = 0;
  int kept = has_tiles ? -1 : get_kept (g->device, spec) - offset;
  gboolean is_kept, shows = TRUE;
  g_autoptr (GError) problem = NULL;

  if (kept >= 0 && kept <= last)
    n += create_forms (g, spec, tensors, kept, kept, TRUE, ways, forms, &problem);
  /* A form chosen when more memory was free may not fit now. */
  if (n == 0 || has_tiles)
    n += create_forms (g, spec, tensors, 0, last, is_tried, ways + n, forms + n, &problem);
  if (n == 0) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  is_kept = kept >= 0 && n == 1 && forms[0] == kept;
  if (is_tried && !is_kept && (n > 1 || ways[0] != NULL)) {
    double times[MAX_FORMS + 1];

    chosen = -1;
    if (!time_ways (g, ways, n, copied_bytes, times))
      seam_cancel_check (g->cancel, error);
    else
      chosen = choose_right (g, spec, tensors, ways, times, n, copied_bytes, &shows, error);
  }
  for (int i = 0; i < n; i++)
    if (i != chosen)
      seam_onednn_free (ways[i]);
  if (chosen < 0) {
    g->onednn = NULL;
    return FALSE;
  }
  if (is_tried && !is_kept && shows)
    seam_choices_set (g->device->choices, key, forms[chosen] + offset);
  seam_cpu_use (g, ways[chosen], copied_bytes);
  return TRUE;
}
