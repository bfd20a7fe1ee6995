/* SPDX-License-Identifier: MIT
 *
 * Guesses the parts of a plan, adds them up, and says where they come from.
 */
#include "app/explain/guess.h"

#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Maps read and write in turn, and reach this share of the calibrated rate, which is the fastest of
 * reading, writing and copying: 0.93 on an H200, 0.88 to 0.98 on a CPU (data/samples). */
#define STREAM_SHARE .93
/* The quick measurements that stand in for the calibration of a host are bursts, of bytes partly
 * from the cache, of products in registers: 67.8 and 257 where a calibration finds 36.9 GB/s and
 * 212 GFLOP/s. */
#define STREAM_SHARE_QUICK  .55
#define PRODUCT_SHARE_QUICK .83
/* A convolution by a library takes 2 (64 channels, with copies to change the layout) to 6 times (8
 * channels, which it computes in FP32) as long as at the full rate of an H200's tensor cores, and
 * 1.4 to 2.2 times as long as at its FP32 rate. */
#define LIBRARY_RATIO      4
#define LIBRARY_RATIO_FP32 2
/* oneDNN computes a convolution in a layout of its own, so that input and output are copied to and
 * from it, with blocks of so many channels. A transposed one multiplies whole blocks of the
 * input's: with 3 channels it reached 33 to 42 of 212 GFLOP/s, with 8 115, with 16 111 to 235. */
#define LIBRARY_BLOCK 16
/* A reduction alone that takes so many times as long as its bytes is bound by its arithmetic. */
#define BOUND_BY_ARITHMETIC 1.25
/* Operations that loops need for an input element, because they compare, walk over windows or
 * exponentiate, where that is more than the op's arithmetic. KernelBench's level 2 took on a CPU
 * (two threads, AVX-512) and an H200: windows 14 to 35 and 22, softmax 30 and 40, logsumexp 24 and
 * 26. On a CPU each set of a norm costs something besides: 700 to 2,200. */
#define WINDOW_OPERATIONS 25
#define SET_OPERATIONS    1200
static const double loop_operations[SEAM_N_REDUCTIONS] = {
  [SEAM_REDUCTION_SOFTMAX] = 35,
  [SEAM_REDUCTION_LOGSUMEXP] = 25,
};

/* How far a measurement may lie below and above, as a share of the part's time. Chosen so that of
 * the measurements in any nine of the ten samples 9 of 10 lie inside. The caches of a host and the
 * loops that a compiler makes vary more than the kernels of a GPU. */
static const struct {
  double below, above;
} spreads[2][SEAM_N_GUESS_SOURCES] = {
  {
      [SEAM_GUESS_MEASURED] = { .07, .08 },
      [SEAM_GUESS_STREAM] = { .12, .20 },
      [SEAM_GUESS_REDUCE] = { .20, .40 },
      [SEAM_GUESS_EXTENDED] = { .15, .40 },
      [SEAM_GUESS_FULL] = { .15, .40 },
      [SEAM_GUESS_VERSION] = { .15, .40 },
      [SEAM_GUESS_LIBRARY] = { .15, .40 },
  },
  {
      [SEAM_GUESS_MEASURED] = { .07, .08 },
      [SEAM_GUESS_STREAM] = { .12, .20 },
      [SEAM_GUESS_REDUCE] = { .20, .30 },
      [SEAM_GUESS_EXTENDED] = { .15, .40 },
      [SEAM_GUESS_FULL] = { .15, .25 },
      [SEAM_GUESS_VERSION] = { .15, 1.5 },
      [SEAM_GUESS_LIBRARY] = { .75, .75 },
  },
};

typedef struct {
  const SeamKnown *known;
  const SeamProblem *problem;
  const SeamPlan *plan;
  SeamGuess *guess;
  double stream; /* bytes a second of maps; <= 0: unknown */
  double share;  /* of the processor's arithmetic that the group has: a small one of a CPU runs on
                  * fewer threads */
} Model;

/* --- rates --- */

static gboolean
is_quick (const SeamKnown *known)
{
  return !known->is_device && known->device->calibrated == NULL;
}

/* The rate of all maps that were measured, or a share of the calibrated one. */
static double
find_stream_rate (const SeamKnown *known)
{
  double bytes = 0, ns = 0;

  for (guint i = 0; i < known->groups->len; i++) {
    const SeamKnownGroup *group = known->groups->pdata[i];
    if (!group->is_matrix && !group->is_reduced) {
      bytes += group->bytes;
      ns += group->ns;
    }
  }
  return ns > 0 ? 1e9 * bytes / ns
                : (is_quick (known) ? STREAM_SHARE_QUICK : STREAM_SHARE) * known->rates.bytes_per_s;
}

/* A group reads what its first op alone would read, and may find as much of it in the cache. */
static double
get_rate (const Model *model, int first, int n_tensors)
{
  g_autofree char *ops = seam_known_name_ops (model->plan, first, first);
  const SeamKnownGroup *alone = seam_known_find (model->known, ops, NULL);

  if (alone == NULL || alone->is_matrix || alone->is_reduced)
    return model->stream;
  double rate = 1e9 * alone->bytes / alone->ns;
  return n_tensors > alone->n_tensors ? fmin (rate, model->stream) : rate;
}

static double
get_scalar_ns (const Model *model, double operations)
{
  double rate = model->share * model->known->scalar_per_s;

  return rate > 0 ? 1e9 * operations / rate : 0;
}

/* Of one op, by the loops that compute it. */
static double
count_operations (const Model *model, int op)
{
  const SeamChain *chain = seam_plan_get_chain (model->plan);
  const SeamOpInfo *info = seam_op_get_info (&chain->ops[op]);
  const double own = seam_known_count_operations (model->problem, model->plan, op, op);
  const double n = (double)model->problem->tensors[chain->ops[op].inputs[0]].n_elements;

  if (info->op_class == SEAM_CLASS_WINDOW)
    return WINDOW_OPERATIONS * n;
  if (seam_op_is_matrix (&chain->ops[op]) || seam_op_is_map (&chain->ops[op]))
    return own;
  const double sets =
      model->known->is_device || info->reduction != SEAM_REDUCTION_NORM
          ? 0
          : SET_OPERATIONS * n / (double)seam_op_get_reach (model->problem, chain, op);
  return fmax (own, loop_operations[info->reduction] * n) + sets;
}

/* The arithmetic of ops outside the matrix product. A reduction that was measured alone and is
 * bound by its arithmetic takes that time instead. */
static double
get_arithmetic_ns (const Model *model, int first, int last)
{
  const SeamChain *chain = seam_plan_get_chain (model->plan);
  double ns = 0;

  for (int op = first; op <= last; op++) {
    double own = get_scalar_ns (model, count_operations (model, op));
    if (seam_op_is_normalisation (&chain->ops[op])) {
      g_autofree char *ops = seam_known_name_ops (model->plan, op, op);
      const SeamKnownGroup *alone = seam_known_find (model->known, ops, NULL);
      if (alone != NULL && alone->ns > BOUND_BY_ARITHMETIC * 1e9 * alone->bytes / model->stream)
        own = fmax (own, alone->ns);
    }
    ns += own;
  }
  return ns;
}

/* --- groups --- */

static void
add_part (Model *model, const SeamGuessPart *part)
{
  model->guess->parts[model->guess->n_parts++] = *part;
}

/* Two passes over a group that is too large for a GPU's chip: statistics, then apply, each with the
 * arithmetic before it. A CPU keeps the group in its cache. */
static double
get_two_passes_ns (const SeamGuessPart *part, double pass_bytes, double arithmetic_ns,
                   double reduction_ns)
{
  double pass_ns = 1e9 * pass_bytes / part->bytes_per_s;
  double rest_ns = 1e9 * (part->bytes - pass_bytes) / part->bytes_per_s;
  double half_ns = arithmetic_ns + reduction_ns / 2;

  return fmax (pass_ns, half_ns) + fmax (rest_ns, half_ns);
}

static void
guess_maps (Model *model, SeamGuessPart *part, const SeamGroupCost *cost, int n_tensors)
{
  const SeamChain *chain = seam_plan_get_chain (model->plan);
  double input = (double)model->problem->tensors[SEAM_TENSOR_OUTPUT (0)].bytes;
  double arithmetic_ns = get_arithmetic_ns (model, part->first, part->last);
  double reduction_ns = 0;

  part->source = SEAM_GUESS_STREAM;
  for (int op = part->first; op <= part->last; op++)
    if (seam_op_is_normalisation (&chain->ops[op])) {
      part->source = SEAM_GUESS_REDUCE;
      reduction_ns += get_arithmetic_ns (model, op, op);
    }
  part->bytes_per_s = get_rate (model, part->first, n_tensors);
  part->ns = fmax (1e9 * part->bytes / part->bytes_per_s, arithmetic_ns);
  part->memory_bound = part->ns > arithmetic_ns;
  if (cost->n_passes > 1 && model->known->is_device)
    part->ns = get_two_passes_ns (part, input, arithmetic_ns - reduction_ns, reduction_ns);
}

/* The measured group that begins with the matrix op and is most like this one: by the same
 * implementation, else on the host by any; NULL: none. */
static const SeamKnownGroup *
find_matrix (const Model *model, const char *implementation, int n_ops)
{
  const SeamKnownGroup *best = NULL;
  int best_distance = G_MAXINT;

  for (guint i = 0; i < model->known->groups->len; i++) {
    const SeamKnownGroup *group = model->known->groups->pdata[i];
    gboolean same =
        implementation == NULL || g_strcmp0 (group->implementation, implementation) == 0;
    int distance = ABS (group->n_ops - n_ops) + (same ? 0 : SEAM_MAX_OPS);
    if (!group->is_matrix || (!same && model->known->is_device) || distance >= best_distance)
      continue;
    best = group;
    best_distance = distance;
  }
  return best;
}

/* Where the time of a matrix product comes from that was not measured. A library's convolution may
 * be far from the full rate. */
static SeamGuessSource
choose_source (const Model *model, SeamMaker maker)
{
  if (maker == SEAM_MAKER_VERSION)
    return SEAM_GUESS_VERSION;
  return maker == SEAM_MAKER_OTHER && model->known->is_device
                 && seam_problem_get_output_view (model->problem).inner > 1
             ? SEAM_GUESS_LIBRARY
             : SEAM_GUESS_FULL;
}

/* Adds what oneDNN's layouts cost a convolution. */
static void
add_layouts (const Model *model, SeamGuessPart *part)
{
  const SeamChain *chain = seam_plan_get_chain (model->plan);
  SeamOpCase c;

  seam_op_get_case (model->problem, chain, part->first, &c);
  if (c.info->attributes->rank == 0)
    return;
  const double channels = (double)c.in[0].dims[1];
  if (seam_op_is_transposed (&c))
    part->matrix_ns *= ceil (channels / LIBRARY_BLOCK) * LIBRARY_BLOCK / channels;
  part->matrix_ns += 1e9 * 2 * sizeof (float)
                     * (double)(seam_shape_count (&c.in[0]) + seam_shape_count (&c.out))
                     / part->bytes_per_s;
}

static void
guess_matrix (Model *model, SeamGuessPart *part, const SeamGroupCost *cost,
              const SeamGroupTensors *tensors, const char *implementation)
{
  const SeamKnown *known = model->known;
  SeamMaker maker = seam_implementation_get_maker (implementation);
  const SeamKnownGroup *base = find_matrix (model, implementation, part->last - part->first + 1);
  double output = (double)model->problem->tensors[SEAM_TENSOR_OUTPUT (0)].bytes;
  double arithmetic_ns = get_arithmetic_ns (model, part->first, part->last);

  part->bytes_per_s = model->stream;
  double stream_ns = 1e9 * part->bytes / part->bytes_per_s;
  part->source = choose_source (model, maker);
  gboolean is_plain = maker == SEAM_MAKER_OTHER || strstr (implementation, known->plain) != NULL;
  double rate = model->share * (is_plain ? known->plain_flop_per_s : known->rates.flop_per_s);
  part->matrix_ns = rate > 0 ? 1e9 * cost->flop / rate : NAN;
  if (base != NULL) {
    part->source = SEAM_GUESS_EXTENDED;
    /* What was measured contains its own maps and outputs. */
    part->matrix_ns = fmax (base->ns - get_scalar_ns (model, base->operations), part->matrix_ns);
    part->matrix_ns +=
        fmax (0, tensors->n_outputs - base->n_outputs) * 1e9 * output / part->bytes_per_s;
  } else if (part->source == SEAM_GUESS_LIBRARY) {
    part->matrix_ns = (rate > known->flop_fp32 ? LIBRARY_RATIO : LIBRARY_RATIO_FP32)
                      * fmax (stream_ns, part->matrix_ns);
  } else if (g_strcmp0 (implementation, SEAM_IMPLEMENTATION_ONEDNN) == 0) {
    add_layouts (model, part);
  }
  double compute_ns = part->matrix_ns + arithmetic_ns;
  part->memory_bound = stream_ns > compute_ns;
  part->ns = part->memory_bound ? stream_ns : compute_ns; /* NaN if the full rate is unknown */
}

static void guess_group (Model *model, const SeamPlan *plan, int group, const char *implementation,
                         double copied_bytes);

/* A group that is fused in name only: the matrix op by its library, then the rest. */
static void
guess_split (Model *model, const SeamPlan *plan, int group, const char *implementation,
             const char *plus)
{
  g_autofree char *main = g_strndup (implementation, plus - implementation);
  g_autoptr (SeamPlan) cut = seam_plan_toggle (plan, plan->groups[group].first);

  guess_group (model, cut, group, main, 0);
  guess_group (model, cut, group + 1, plus + strlen (" + "), 0);
}

static void
guess_group (Model *model, const SeamPlan *plan, int group, const char *implementation,
             double copied_bytes)
{
  const SeamGroup *range = &plan->groups[group];
  g_autofree char *ops = seam_known_name_ops (plan, range->first, range->last);
  const SeamKnownGroup *measured = seam_known_find (model->known, ops, implementation);
  const char *plus = implementation != NULL ? strstr (implementation, " + ") : NULL;
  SeamGuessPart part = { .first = range->first, .last = range->last };
  SeamGroupTensors tensors;
  SeamGroupCost cost;

  if (measured == NULL && plus != NULL && range->first < range->last
      && seam_op_is_matrix (&seam_plan_get_chain (plan)->ops[range->first])) {
    guess_split (model, plan, group, implementation, plus);
    return;
  }
  seam_group_cost (model->problem, plan, group, &cost);
  seam_plan_get_group_tensors (plan, group, &tensors);
  int n = model->known->n_threads;
  int n_used = seam_group_cost_count_threads (&cost, copied_bytes, SEAM_THREAD_BYTES,
                                              SEAM_THREAD_FLOP, MAX (n, 1));
  model->share = n > 0 ? (double)n_used / n : 1;
  if (is_quick (model->known))
    model->share *= PRODUCT_SHARE_QUICK;
  part.bytes = cost.bytes_read + cost.bytes_written;
  part.operations =
      seam_known_count_operations (model->problem, model->plan, range->first, range->last);
  if (measured != NULL) {
    part.source = SEAM_GUESS_MEASURED;
    part.ns = measured->ns;
    model->guess->n_runs = MAX (model->guess->n_runs, (int)measured->times_ns->len);
    if (g_strcmp0 (measured->started_at, model->guess->started_at) > 0)
      model->guess->started_at = measured->started_at;
    part.bytes_per_s = 1e9 * part.bytes / part.ns;
    model->guess->n_measured++;
  } else if (seam_op_is_matrix (&seam_plan_get_chain (plan)->ops[range->first])) {
    guess_matrix (model, &part, &cost, &tensors, implementation);
  } else {
    guess_maps (model, &part, &cost, tensors.n_inputs + tensors.n_outputs);
  }
  gboolean is_whole = part.source == SEAM_GUESS_MEASURED || part.source == SEAM_GUESS_EXTENDED;
  /* Copies are kernels of their own; what was measured contains them. */
  if (!is_whole)
    part.ns += 1e9 * copied_bytes / model->stream;
  /* On a CPU what was measured of a group contains its start, which costs a group of one thread
   * about as much: code and data are not in its caches. */
  if (n == 0 || !is_whole)
    model->guess->launch_ns += model->known->launch_ns;
  add_part (model, &part);
}

void
seam_guess (const SeamKnown *known, const SeamProblem *problem, const SeamPlan *plan,
            const char *const *implementations, const double *copied_bytes, SeamGuess *guess)
{
  Model model = { known, problem, plan, guess, find_stream_rate (known), 1 };
  double below = 0, above = 0;
  SeamPlanLimit limit;

  *guess = (SeamGuess){ .ns = NAN, .low_ns = NAN, .high_ns = NAN, .n_groups = plan->n_groups };
  if (!(model.stream > 0))
    return;
  for (int i = 0; i < plan->n_groups; i++)
    guess_group (&model, plan, i,
                 implementations != NULL ? implementations[i] : plan->groups[i].implementation,
                 copied_bytes != NULL ? copied_bytes[i] : 0);
  guess->ns = guess->launch_ns;
  for (int i = 0; i < guess->n_parts; i++) {
    const SeamGuessPart *part = &guess->parts[i];
    guess->ns += part->ns;
    below += part->ns * spreads[known->is_device][part->source].below;
    above += part->ns * spreads[known->is_device][part->source].above;
  }
  if (!isfinite (guess->ns)) {
    guess->ns = NAN;
    return;
  }
  seam_plan_limit (problem, plan, &known->rates, &limit);
  /* fmax() returns the other number if the floor is unknown. */
  guess->low_ns = fmax (guess->ns - below, limit.floor_ns);
  guess->high_ns = guess->ns + above;
  guess->ns = fmax (guess->ns, limit.floor_ns);
  guess->high_ns = fmax (guess->high_ns, guess->ns);
}

/* --- words --- */

char *
seam_guess_format (double ns, double low_ns, double high_ns)
{
  if (isnan (ns))
    return g_strdup (SEAM_DASH);
  SeamUnit unit = seam_unit_for_time (ns);
  g_autofree char *time = seam_text_significant (ns / unit.scale, 3);
  g_autofree char *low = seam_text_significant (low_ns / unit.scale, 3);
  g_autofree char *high = seam_text_significant (high_ns / unit.scale, 3);
  return g_strdup_printf ("about %s %s (%s to %s)", time, unit.name, low, high);
}

/* Appends "conv, add3 and mul take 1.27 ms, from your run of 08:13" for all measured groups. */
static void
explain_measured (GString *text, const SeamGuess *guess, const SeamPlan *plan)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  double ns = 0;

  for (int i = 0; i < guess->n_parts; i++)
    if (guess->parts[i].source == SEAM_GUESS_MEASURED) {
      g_ptr_array_add (names,
                       seam_known_name_ops (plan, guess->parts[i].first, guess->parts[i].last));
      ns += guess->parts[i].ns;
    }
  if (names->len == 0)
    return;
  g_autofree char *time = seam_text_time (ns);
  guint n = names->len;
  g_autofree char *list = seam_text_list ((const char *const *)names->pdata);
  g_autofree char *when = seam_text_when (guess->started_at);
  g_string_append_printf (text, "%s take%s %s", list, n > 1 ? "" : "s", time);
  if (*when == '\0')
    g_string_append (text, " as measured");
  else if (guess->n_runs > 1)
    g_string_append_printf (text, ", the median of %d runs, the last of %s", guess->n_runs, when);
  else
    g_string_append_printf (text, ", from your run of %s", when);
}

/* Whether the time of the part is that of its bytes. Such parts share a clause. */
static gboolean
is_moved (const SeamGuessPart *part)
{
  return part->source != SEAM_GUESS_MEASURED && part->memory_bound;
}

static void
explain_moved (GString *text, const SeamGuess *guess, const SeamPlan *plan)
{
  const SeamGuessPart *last = NULL;
  double bytes = 0, ns = 0;
  int n = 0;

  for (int i = 0; i < guess->n_parts; i++)
    if (is_moved (&guess->parts[i])) {
      last = &guess->parts[i];
      bytes += last->bytes;
      ns += last->ns;
      n++;
    }
  if (n == 0)
    return;
  g_autofree char *ops = n == 1 ? seam_known_name_ops (plan, last->first, last->last)
                                : g_strdup_printf ("%d %sgroups", n, text->len > 0 ? "other " : "");
  g_autofree char *moved = seam_text_bytes (bytes);
  g_autofree char *rate = seam_text_rate (1e9 * bytes / ns);
  g_autofree char *time = seam_text_time (ns);
  g_string_append_printf (text, "%s%s move%s %s at %s in %s", text->len > 0 ? "; " : "", ops,
                          n == 1 ? "s" : "", moved, rate, time);
}

static void
explain_arithmetic (GString *text, const SeamGuessPart *part, const SeamPlan *plan)
{
  g_autofree char *ops = seam_known_name_ops (plan, part->first, part->last);
  g_autofree char *time = seam_text_time (part->ns);
  g_autofree char *matrix = seam_text_time (part->matrix_ns);
  const char *how = part->source == SEAM_GUESS_EXTENDED  ? "as measured"
                    : part->source == SEAM_GUESS_LIBRARY ? "by a library, as others were measured"
                                                         : "at full rate";

  g_string_append (text, text->len > 0 ? "; " : "");
  if (!(part->matrix_ns > 0))
    g_string_append_printf (text, "%s takes %s for its arithmetic", ops, time);
  else if (part->first == part->last)
    g_string_append_printf (text, "%s takes %s %s", ops, time, how);
  else
    g_string_append_printf (text, "%s takes %s, of which %s is the matrix product %s", ops, time,
                            matrix, how);
}

char *
seam_guess_explain (const SeamGuess *guess, const SeamPlan *plan)
{
  if (isnan (guess->ns))
    return NULL;
  GString *text = g_string_new (NULL);
  explain_measured (text, guess, plan);
  for (int i = 0; i < guess->n_parts; i++)
    if (guess->parts[i].source != SEAM_GUESS_MEASURED && !is_moved (&guess->parts[i]))
      explain_arithmetic (text, &guess->parts[i], plan);
  explain_moved (text, guess, plan);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
