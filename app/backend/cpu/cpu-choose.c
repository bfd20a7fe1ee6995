/* SPDX-License-Identifier: MIT
 *
 * Which of its ways executes a group on the CPU: tiles of this program, or oneDNN in one of its
 * forms. Where a plan leaves it open, the ways are tried once on this machine and the fastest is
 * kept (app/backend/choices.h), as a GPU's libraries are.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"

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
  GString *key = g_string_new ("cpu ");
  SeamOpCase c;

  seam_op_get_case (spec->problem, chain, group->first, &c);
  g_autofree char *in = seam_shape_format (&c.in[0]), *out = seam_shape_format (&c.out);
  seam_choices_append_ops (key, chain, group->first, group->last);
  g_string_append_printf (key, ", %s to %s", in, out);
  for (int i = 0; i < SEAM_N_NUMBERS; i++)
    g_string_append_printf (key, " %" G_GINT64_FORMAT, c.numbers[i]);
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

  if (spec->plainly)
    return SEAM_CPU_BY_TILES;
  if (seam_group_is (group, SEAM_IMPLEMENTATION_ONEDNN))
    return SEAM_CPU_BY_ONEDNN;
  if (seam_group_is (group, SEAM_IMPLEMENTATION_LIBRARY))
    return seam_onednn_supports (spec, NULL, &reason) ? SEAM_CPU_BY_ONEDNN : SEAM_CPU_BY_TILES;
  /* The plain loops of a convolution are many times slower. */
  if (seam_nest_is_plain (spec))
    return is_left_open (group) && seam_onednn_supports (spec, NULL, &reason) ? SEAM_CPU_BY_ONEDNN
                                                                              : SEAM_CPU_BY_TILES;
  if (!is_left_open (group) || !is_worth_trying (spec)
      || !seam_onednn_supports (spec, &keeps_nan, &reason) || !keeps_nan)
    return SEAM_CPU_BY_TILES;
  int kept = get_kept ((SeamCpuDevice *)base, spec);
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
      .name = g->factors[0] == SEAM_OPERAND_FP32 ? "round operands" : "widen operands",
      .bytes = copied_bytes,
    };
  if (onednn != NULL)
    seam_onednn_add_parts (onednn, g);
  else if (g->plain != NULL)
    g->parts[g->n_parts++] = (SeamCpuPart){ .kind = SEAM_CPU_PART_PLAIN, .bytes = g->bytes };
  else
    g->parts[g->n_parts++] = (SeamCpuPart){ .kind = SEAM_CPU_PART_TILES, .bytes = g->bytes };
}

/* Runs the ways in turn, so that a disturbance meets all of them, and returns the fastest of
 * `n`; -1 if Stop was pressed. A way is NULL for tiles. */
static int
find_fastest (SeamPrepared *g, SeamOnednn *const *ways, int n, double copied_bytes)
{
  double times[MAX_FORMS + 1], start = seam_cpu_now_ns ();
  int best = 0;

  for (int i = 0; i < n; i++)
    times[i] = INFINITY;
  for (int round = 0;
       round < MAX_ROUNDS && (round < MIN_ROUNDS || seam_cpu_now_ns () - start < TRY_NS); round++) {
    for (int i = 0; i < n; i++) {
      if (round >= MIN_ROUNDS && times[i] > HOPELESS * times[best])
        continue;
      seam_cpu_use (g, ways[i], copied_bytes);
      double begin = seam_cpu_now_ns ();
      seam_cpu_run_group (g, g->cancel, NULL);
      double duration = seam_cpu_now_ns () - begin;
      if (seam_cancel_check (g->cancel, NULL))
        return -1;
      /* A way that gets no memory is none. */
      if (!g_atomic_int_compare_and_exchange (&g->failed, TRUE, FALSE))
        times[i] = MIN (times[i], duration);
    }
    for (int i = 0; i < n; i++)
      if (times[i] < times[best] * (ways[best] == NULL ? CLEARLY : 1))
        best = i;
  }
  return best;
}

/* Creates the forms from `first` to `last`, or only the first of them that oneDNN has and that is
 * not refused; returns how many. `problem` receives the reason if there is none. */
static int
create_forms (SeamPrepared *g, const SeamGroupSpec *spec, SeamBuffer *const *tensors, int first,
              int last, gboolean all, SeamOnednn **ways, int *forms, GError **problem)
{
  const int offset = is_left_open (&spec->plan->groups[spec->group]);
  g_autofree char *key = make_key (spec);
  int n = 0;

  for (int form = first; form <= last && (n == 0 || all); form++) {
    if (seam_choices_is_refused (g->device->choices, key, form + offset))
      continue;
    g_clear_error (problem);
    ways[n] = seam_onednn_new (g, spec, form, tensors, problem);
    forms[n] = form;
    n += ways[n] != NULL;
  }
  if (n == 0 && seam_choices_is_refused (g->device->choices, key, -1)) {
    g_clear_error (problem);
    g_set_error (problem, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "%s computes these ops wrongly here: its output is not that of the ops one by "
                 "one. Write “@cpu”, or leave the choice to the program.",
                 seam_onednn_get_version ());
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
  gboolean good, agrees;
  g_autoptr (GError) problem = NULL;
  SeamCandidate candidate = {
    .device = &g->device->device,
    .choices = g->device->choices,
    .key = key,
    .prepared = g,
    .spec = spec,
    .first = g->first_op,
    .last = g->last_op,
    .tensors = tensors,
    .output = tensors[SEAM_TENSOR_OUTPUT (g->last_op)],
    .has_other = has_tiles,
    .cancel = g->cancel,
  };

  if (kept >= 0 && kept <= last)
    n += create_forms (g, spec, tensors, kept, kept, TRUE, ways, forms, &problem);
  /* A form chosen when more memory was free may not fit now. */
  if (n == 0 || has_tiles)
    n += create_forms (g, spec, tensors, 0, last, is_tried, ways + n, forms + n, &problem);
  if (n == 0) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  if (n > 1)
    chosen = find_fastest (g, ways, n, copied_bytes);
  for (int i = 0; i < n; i++)
    if (i != chosen)
      seam_onednn_free (ways[i]);
  seam_cpu_use (g, chosen < 0 ? NULL : ways[chosen], copied_bytes);
  if (chosen < 0)
    return !seam_cancel_check (g->cancel, error);
  candidate.number = forms[chosen] + offset;
  if (!is_tried)
    return TRUE;
  if (ways[chosen] == NULL) {
    seam_choices_set (g->device->choices, key, candidate.number);
    return TRUE;
  }
  good = seam_candidate_settle (&candidate, &agrees, error);
  if (!good || agrees)
    return good;
  g_clear_pointer (&g->onednn, seam_onednn_free);
  seam_cpu_use (g, NULL, copied_bytes);
  return seam_cpu_choose_form (g, spec, tensors, has_tiles, error); /* without this form */
}
