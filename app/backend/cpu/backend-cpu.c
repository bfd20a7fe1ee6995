/* SPDX-License-Identifier: MIT
 *
 * The CPU backend's table of functions: opening, memory, timing and traces. group.c prepares a
 * group, cpu-run.c executes it; backend-cpu.h describes the scheme.
 */
#include "app/backend/cpu/backend-cpu.h"

#include "app/base/process-limits.h"
#include "app/base/text.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Runs that fit into an L1 cache, and the least elements of one. */
#define RUN_PARTS 4
#define MIN_RUN   1024
/* Memory that the rest of the machine keeps. */
#define SPARE_BYTES (64 * 1024 * 1024)
/* Bytes between checks of Stop. The system clears memory that is touched for the first time, which
 * took 1.9 s for 0.5 GB on a busy machine; so 16 MB take 0.1 s at most. */
#define POISON_BYTES ((gint64)16 << 20)
/* The size on x86-64 and with the usual ARM kernels. */
#define HUGE_PAGE_BYTES ((gsize)2 * 1024 * 1024)

/* Processor time of all threads together: the wrong clock, which a pitfall measures with. */
static double
processor_ns (void)
{
  struct timespec time;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void
probe (GPtrArray *infos)
{
  g_ptr_array_add (infos, seam_cpu_info_new ());
}

/* A stack and a heap. */
#define THREAD_BYTES ((guint64)80 * 1024 * 1024)

static gboolean
check_address_space (int n_threads, GError **error)
{
  guint64 left = seam_limits_get_address_space (), needed = THREAD_BYTES * (guint64)n_threads;
  g_autofree char *left_text = NULL, *needed_text = NULL;

  if (left >= needed)
    return TRUE;
  left_text = seam_text_bytes ((double)left);
  needed_text = seam_text_bytes ((double)needed);
  return seam_fail (error, SEAM_ERROR_MEMORY,
                    "The address space of this process is limited (“ulimit -v”): %s of it are "
                    "left, and %d thread%s may need %s. Raise the limit%s.",
                    left_text, n_threads, n_threads == 1 ? "" : "s", needed_text,
                    n_threads == 1 ? "" : ", or set OMP_NUM_THREADS to a smaller number");
}

static SeamDevice *
open_device (const char *target, GError **error)
{
  if (strcmp (target, "cpu") != 0)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The CPU backend has no target “%s”, only “cpu”.", target);
  if (!check_address_space (omp_get_max_threads (), error))
    return NULL;

  SeamCpuDevice *device = g_new0 (SeamCpuDevice, 1);
  device->device.backend = &seam_backend_cpu;
  device->device.info = seam_cpu_info_new ();
  device->loops = seam_cpu_loops_get ();
  device->n_threads = omp_get_max_threads ();
  device->thread_bytes = SEAM_THREAD_BYTES;
  device->thread_flop = SEAM_THREAD_FLOP;
  seam_cpu_get_caches (&device->caches);
  device->run = CLAMP (device->caches.l1 / RUN_PARTS / (gint64)sizeof (float) / 16 * 16, MIN_RUN,
                       SEAM_CPU_MAX_RUN);
  device->device.private_cache_bytes = device->caches.core * device->n_threads;
  g_autofree char *title =
      g_strdup_printf ("%s, %s", device->device.info->identity, device->device.info->libraries);
  device->choices = seam_choices_new (title);
  seam_cpu_measure_rates (device);
  return &device->device;
}

static void
close_device (SeamDevice *base)
{
  SeamCpuDevice *device = (SeamCpuDevice *)base;

  if (device == NULL)
    return;
  seam_device_info_free (device->device.info);
  free (device->flush);
  free (device->benchmark);
  free (device->operands);
  seam_choices_free (device->choices);
  g_free (device);
}

static guint64
get_free_memory (SeamDevice *device)
{
  return seam_cpu_get_memory (TRUE);
}

/* --- Memory --- */

/* Large tensors get large pages if the system has them: a fused group writes many short pieces, and
 * with pages of 4 KB the address translation costs time. */
static void *
allocate_aligned (gsize bytes)
{
  gsize alignment = bytes >= 2 * HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : SEAM_CPU_ALIGNMENT;
  void *data = NULL;

  if (posix_memalign (&data, alignment, MAX (bytes, SEAM_CPU_ALIGNMENT)) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  if (alignment == HUGE_PAGE_BYTES)
    madvise (data, bytes / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES, MADV_HUGEPAGE);
#endif
  return data;
}

static SeamBuffer *
allocate (SeamDevice *device, gint64 bytes, GError **error)
{
  guint64 space = seam_limits_get_address_space ();
  guint64 available = seam_cpu_get_memory (TRUE);

  /* The system promises more memory than it has and ends the program later, so free memory is
   * checked first. */
  gboolean fits = bytes >= 0
                  && (available == 0 || (guint64)bytes + SPARE_BYTES <= available
                      || (guint64)bytes <= SPARE_BYTES);
  gboolean has_space = (guint64)bytes < space;
  void *data = fits && has_space ? allocate_aligned ((gsize)bytes) : NULL;
  if (data == NULL) {
    g_autofree char *wanted = seam_text_bytes ((double)bytes);
    g_autofree char *free_text = seam_text_bytes ((double)available);
    return seam_fail_null (
        error, SEAM_ERROR_MEMORY,
        has_space ? "A tensor of %s does not fit in the computer's memory (%s free); choose a "
                    "smaller shape."
                  : "A tensor of %s does not fit in the address space that this process has left "
                    "(“ulimit -v”); choose a smaller shape or raise the limit.",
        wanted, free_text);
  }
  SeamBuffer *buffer = g_new0 (SeamBuffer, 1);
  buffer->data = data;
  buffer->bytes = bytes;
  return buffer;
}

static void
release (SeamDevice *device, SeamBuffer *buffer)
{
  if (buffer == NULL)
    return;
  free (buffer->data);
  g_free (buffer);
}

static gboolean
check_range (const SeamBuffer *buffer, gint64 offset, gint64 bytes, GError **error)
{
  if (offset >= 0 && bytes >= 0 && offset <= buffer->bytes && bytes <= buffer->bytes - offset)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INTERNAL,
                    "Bytes %" G_GINT64_FORMAT " + %" G_GINT64_FORMAT
                    " were asked of a buffer of %" G_GINT64_FORMAT ".",
                    offset, bytes, buffer->bytes);
}

static gboolean
upload (SeamDevice *device, SeamBuffer *buffer, gint64 offset, const void *data, gint64 bytes,
        GError **error)
{
  if (!check_range (buffer, offset, bytes, error))
    return FALSE;
  memcpy ((char *)buffer->data + offset, data, (gsize)bytes);
  return TRUE;
}

static gboolean
download (SeamDevice *device, void *data, SeamBuffer *buffer, gint64 offset, gint64 bytes,
          GError **error)
{
  if (!check_range (buffer, offset, bytes, error))
    return FALSE;
  memcpy (data, (const char *)buffer->data + offset, (gsize)bytes);
  return TRUE;
}

static gboolean
poison (SeamDevice *base, SeamBuffer *buffer, SeamCancel *cancel, GError **error)
{
  const SeamCpuDevice *device = (const SeamCpuDevice *)base;
  char *data = buffer->data;
  gint64 n = buffer->bytes;
  gint64 n_pieces = (n + POISON_BYTES - 1) / POISON_BYTES;

#pragma omp parallel for schedule(static) num_threads(device->n_threads)
  for (gint64 piece = 0; piece < n_pieces; piece++) {
    if (seam_cancel_check (cancel, NULL))
      continue;
    /* All bits set are a quiet NaN in every type that a tensor may have. */
    memset (data + piece * POISON_BYTES, 0xff, (gsize)MIN (POISON_BYTES, n - piece * POISON_BYTES));
  }
  return !seam_cancel_check (cancel, error);
}

/* --- Execution --- */

static const char *
get_executed (SeamPrepared *prepared)
{
  return prepared->implementation;
}

/* The tile of the last stage, which writes the output. */
static void
get_tile (SeamPrepared *g, SeamTile *tile)
{
  if (g->onednn != NULL || g->plain != NULL) {
    *tile = (SeamTile){ .kind = g->onednn != NULL ? SEAM_TILE_LIBRARY : SEAM_TILE_UNKNOWN };
    return;
  }
  const SeamCpuStage *stage = &g->stages[g->n_stages - 1];
  if (g->plane == 1)
    *tile = (SeamTile){ .kind = SEAM_TILE_BOX, .rows = g->tile_rows, .columns = g->tile_columns };
  else
    *tile = (SeamTile){ .kind = SEAM_TILE_RUN,
                        .rows = 1,
                        .columns = stage->tile_channels,
                        .column_period = g->bundle_channels,
                        .run = stage->tile_pixels };
}

static const char *
get_note (SeamPrepared *prepared)
{
  return prepared->note;
}

static gboolean
is_stopped (SeamPrepared *const *groups, int n_groups, SeamCancel *cancel, GError **error)
{
  if (seam_cancel_check (cancel, error))
    return TRUE;
  for (int i = 0; i < n_groups; i++) {
    if (seam_cancel_check (groups[i]->cancel, error))
      return TRUE;
    if (g_atomic_int_compare_and_exchange (&groups[i]->failed, TRUE, FALSE)) {
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY,
                   "oneDNN had not enough memory for “%s”; choose a smaller shape.",
                   groups[i]->name);
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
run (SeamDevice *device, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
     GError **error)
{
  for (int i = 0; i < n_groups; i++) {
    seam_cpu_run_group (groups[i], cancel, groups[i]->cancel);
    if (is_stopped (groups, n_groups, cancel, error))
      return FALSE;
  }
  return TRUE;
}

/* Writes twice the last-level cache, so that it contains nothing of the tensors. */
static gboolean
flush_cache (SeamCpuDevice *device, GError **error)
{
  gint64 bytes = 2 * device->caches.last;
  gint64 n = bytes / (gint64)sizeof (guint64);

  if (device->flush == NULL
      && posix_memalign (&device->flush, SEAM_CPU_ALIGNMENT, (gsize)bytes) != 0) {
    device->flush = NULL;
    return seam_fail (
        error, SEAM_ERROR_MEMORY,
        "There is not enough memory to flush the cache; choose a smaller shape, or warm L2.");
  }
  guint64 *words = device->flush;
  guint64 value = ++device->n_flushes;
#pragma omp parallel for simd schedule(static) num_threads(device->n_threads)
  for (gint64 i = 0; i < n; i++)
    words[i] = value;
  return TRUE;
}

static gboolean
time_groups (SeamDevice *base, SeamPrepared *const *groups, int n_groups, guint timing,
             SeamSample *sample, GError **error)
{
  SeamCpuDevice *device = (SeamCpuDevice *)base;
  double (*clock_ns) (void) = timing & SEAM_TIMING_HOST ? processor_ns : seam_cpu_now_ns;
  double start = clock_ns ();

  if ((timing & SEAM_TIMING_COLD) && !flush_cache (device, error))
    return FALSE;
  if (!(timing & SEAM_TIMING_FLUSH_INSIDE))
    start = clock_ns ();
  for (int i = 0; i < n_groups; i++)
    seam_cpu_run_group (groups[i], groups[i]->cancel, NULL);
  sample->elapsed_ns = clock_ns () - start;
  sample->clock_mhz = seam_cpu_get_clock_mhz ();
  /* A stopped execution is not a sample. */
  return !is_stopped (groups, n_groups, NULL, error);
}

static void
add_record (SeamTrace *trace, SeamPrepared *group, const SeamCpuPart *part, double start_ns,
            double duration_ns)
{
  gboolean is_copy = part->name != NULL;
  SeamTraceRecord record = {
    .name = g_strdup (is_copy ? part->name : group->name),
    .short_name = g_strdup (is_copy ? part->name : group->short_name),
    .group = group->group,
    .first_op = group->first_op,
    .last_op = is_copy ? group->first_op : group->last_op,
    .implementation =
        g_strdup (part->kind == SEAM_CPU_PART_COPIES ? SEAM_CPU_LOOPS : get_executed (group)),
    .is_copy = is_copy,
    .start_ns = start_ns,
    .duration_ns = duration_ns,
    .call_start_ns = NAN,
    .call_ns = NAN,
    .bytes = part->bytes,
    .registers = -1,
    .shared_bytes = -1,
  };

  g_array_append_val (trace->records, record);
  trace->sum_ns += duration_ns;
}

static SeamTrace *
trace (SeamDevice *base, SeamPrepared *const *groups, int n_groups, gboolean cold, GError **error)
{
  SeamCpuDevice *device = (SeamCpuDevice *)base;
  g_autoptr (SeamTrace) trace = seam_trace_new ();
  double start = 0, end = 0;

  if (cold && !flush_cache (device, error))
    return NULL;
  for (int i = 0; i < n_groups; i++) {
    SeamPrepared *group = groups[i];
    double begin = seam_cpu_now_ns ();
    if (i == 0)
      start = begin;
    for (int part = 0; part < group->n_parts; part++) {
      seam_cpu_run_part (group, part, group->cancel, NULL);
      end = seam_cpu_now_ns ();
      add_record (trace, group, &group->parts[part], begin - start, end - begin);
      begin = end;
    }
  }
  if (is_stopped (groups, n_groups, NULL, error))
    return NULL;
  trace->n_launches = trace->n_records = (int)trace->records->len;
  trace->span_ns = end - start;
  return g_steal_pointer (&trace);
}

static void
get_vitals (SeamDevice *device, SeamVitals *vitals)
{
  vitals->clock_mhz = seam_cpu_get_clock_mhz ();
  vitals->power_w = NAN;
  vitals->temperature_c = NAN;
}

static void
refresh_rates (SeamDevice *device)
{
  seam_cpu_measure_rates ((SeamCpuDevice *)device);
}

const SeamBackend seam_backend_cpu = {
  .name = "cpu",
  .probe = probe,
  .check = seam_cpu_check,
  .open = open_device,
  .close = close_device,
  .get_free_memory = get_free_memory,
  .allocate = allocate,
  .release = release,
  .upload = upload,
  .download = download,
  .poison = poison,
  .supports = seam_cpu_supports,
  .get_source = seam_cpu_get_source,
  .get_listing = seam_cpu_get_listing,
  .prepare = seam_cpu_prepare,
  .free_prepared = seam_cpu_free_prepared,
  .get_executed = get_executed,
  .get_tile = get_tile,
  .get_note = get_note,
  .run = run,
  .time = time_groups,
  .trace = trace,
  .compare = seam_cpu_compare,
  .spread = seam_cpu_spread,
  .bound = seam_cpu_bound,
  .get_vitals = get_vitals,
  .refresh_rates = refresh_rates,
  .benchmark = seam_cpu_benchmark,
  .end_benchmarks = seam_cpu_end_benchmarks,
};
