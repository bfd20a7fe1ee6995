/* SPDX-License-Identifier: MIT
 *
 * A machine for tests, preloaded into the program (LD_PRELOAD): its results are real; its times are
 * the same on every computer and do not depend on other programs. Functions here replace those of
 * the same name in libseamscope, GLib and libc.
 *
 * Its caches are small: to flush those of a large processor for every cold sample, and to measure
 * the memory behind them, takes seconds.
 *
 * $TEST_MACHINE is a list of words:
 *
 * "idle": the first call of each of the CPU's microbenchmarks warms up, the second one is
 * measured, and later calls repeat its figures.
 *
 * "busy": the same, but every second call is three times as slow, and other programs use 43 % of
 * the processors' time.
 *
 * "clock": the processor has a name and a memory of its own, and its time passes only where
 * groups run: launch_ns for each and ns_per_byte, with a jitter that is always the same. The date
 * is fixed. This holds for the threads in which a worker measures; others see the real clock.
 *
 * "rates": the rates that every opened device measures are those of a fast processor, at once. A
 * run of the smallest preset otherwise spends most of its time on them.
 *
 * $TEST_MACHINE_HOLD names a file that holds a number. While the file exists, only so many groups
 * begin to run ("clock" only).
 */
#include "app/backend/cpu/backend-cpu.h"
#include "app/measure/load.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The processor of “clock” is slow, so that few executions fill a budget: a plan of the smallest
 * preset takes some milliseconds. */
static const double launch_ns = 200e3, ns_per_byte = 10, jitter = 0.006, ns_per_question = 50;
static const double bytes_per_s = 0.2e9, flop_per_s = 10e9;
/* The rates of “rates”: no computer that runs the tests is faster, so that no time is below its
 * floor. */
static const double fast_bytes_per_s = 1e12, fast_flop_per_s = 10e12;
static const guint64 memory_bytes = (guint64)16 << 30, free_bytes = (guint64)12 << 30;
/* The load of “busy”; it is 0 on all others. */
static const double busy_load = 0.43;
/* The caches of every such machine. */
static const SeamCpuCaches caches = { .l1 = 1 << 15, .core = 1 << 18, .last = 1 << 20 };
static const char model[] = "Test processor", flags[] = "Test processor: none",
                  date[] = "2026-01-02T03:04:05Z";

#define REAL(name) ((__typeof__ (&(name)))find_real (#name))

static void *
find_real (const char *name)
{
  void *found = dlsym (RTLD_NEXT, name);

  if (found == NULL)
    abort ();
  return found;
}

static gboolean
is_machine (const char *word)
{
  const char *words = getenv ("TEST_MACHINE");

  return words != NULL && strstr (words, word) != NULL;
}

/* --- Time --- */

static __thread double virtual_ns = 0;

/* Whether the caller is code of libseamscope in a thread that is not the program's first. */
static gboolean
is_virtual (void *caller)
{
  Dl_info asking, library;

  return is_machine ("clock") && getpid () != gettid () && dladdr (caller, &asking) != 0
         && dladdr (dlsym (RTLD_DEFAULT, "seam_backend_open"), &library) != 0
         && asking.dli_fbase == library.dli_fbase;
}

static double
ask_virtual (void)
{
  if (virtual_ns == 0)
    virtual_ns = 1e12;
  virtual_ns += ns_per_question;
  return virtual_ns;
}

gint64
g_get_monotonic_time (void)
{
  if (is_virtual (__builtin_return_address (0)))
    return (gint64)(ask_virtual () / 1000);
  return REAL (g_get_monotonic_time) ();
}

int
clock_gettime (clockid_t clock, struct timespec *time)
{
  double ns;

  if (!is_virtual (__builtin_return_address (0)))
    return REAL (clock_gettime) (clock, time);
  ns = ask_virtual ();
  time->tv_sec = (time_t)(ns / 1e9);
  time->tv_nsec = (long)(ns - (double)time->tv_sec * 1e9);
  return 0;
}

GDateTime *
g_date_time_new_now_utc (void)
{
  if (!is_virtual (__builtin_return_address (0)))
    return REAL (g_date_time_new_now_utc) ();
  return g_date_time_new_from_iso8601 (date, NULL);
}

/* --- Groups --- */

/* Counts the groups that begin; a file that is written anew starts a new count. */
static gboolean
may_begin (const char *path)
{
  static struct timespec written;
  static int n_begun;
  g_autofree char *text = NULL;
  struct stat status;

  if (stat (path, &status) != 0 || !g_file_get_contents (path, &text, NULL, NULL))
    return TRUE;
  if (status.st_mtim.tv_sec != written.tv_sec || status.st_mtim.tv_nsec != written.tv_nsec) {
    written = status.st_mtim;
    n_begun = 0;
  }
  if (n_begun >= atoi (text))
    return FALSE;
  n_begun++;
  return TRUE;
}

static void
wait_while_held (SeamCancel *cancel, SeamCancel *also)
{
  const char *path = getenv ("TEST_MACHINE_HOLD");

  while (path != NULL && !may_begin (path) && !seam_cancel_check (cancel, NULL)
         && !seam_cancel_check (also, NULL))
    usleep (1000);
}

/* Between -1 and 1; the same sequence in every thread. */
static double
draw (void)
{
  static __thread guint64 state = 1;

  state = state * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
  return (double)(state >> 40) / (double)(1 << 23) - 1;
}

static void
pass_time (double bytes)
{
  double ns = launch_ns + bytes * ns_per_byte;

  ask_virtual ();
  virtual_ns += ns * (1 + jitter * draw ());
}

void
seam_cpu_run_part (SeamPrepared *group, int part, SeamCancel *cancel, SeamCancel *also)
{
  if (group->parts[part].name == NULL)
    wait_while_held (cancel, also);
  REAL (seam_cpu_run_part) (group, part, cancel, also);
  pass_time (group->parts[part].bytes);
}

/* --- The processor --- */

char *
seam_cpu_get_model (void)
{
  return is_machine ("clock") ? g_strdup (model) : REAL (seam_cpu_get_model) ();
}

char *
seam_cpu_get_flags (void)
{
  return is_machine ("clock") ? g_strdup (flags) : REAL (seam_cpu_get_flags) ();
}

char *
seam_cpu_get_libraries (void)
{
  return is_machine ("clock") ? g_strdup ("test loops") : REAL (seam_cpu_get_libraries) ();
}

void
seam_cpu_get_caches (SeamCpuCaches *found)
{
  *found = caches;
}

guint64
seam_cpu_get_memory (gboolean free_now)
{
  if (is_machine ("clock"))
    return free_now ? free_bytes : memory_bytes;
  return REAL (seam_cpu_get_memory) (free_now);
}

double
seam_cpu_get_clock_mhz (void)
{
  return is_machine ("clock") ? 3000 : REAL (seam_cpu_get_clock_mhz) ();
}

void
seam_cpu_measure_rates (SeamCpuDevice *device)
{
  SeamDeviceInfo *info = device->device.info;

  if (is_machine ("clock")) {
    info->bytes_per_s = bytes_per_s;
    info->flop_fp32 = info->flop_tf32 = flop_per_s;
  } else if (is_machine ("rates")) {
    info->bytes_per_s = fast_bytes_per_s;
    info->flop_fp32 = info->flop_tf32 = fast_flop_per_s;
  } else {
    REAL (seam_cpu_measure_rates) (device);
    return;
  }
  if (info->calibrated != NULL)
    return;
  g_free (info->rates_source);
  info->rates_source = g_strdup ("measured here just now");
}

double
seam_load_since (const SeamLoadMark *mark)
{
  return is_machine ("busy") ? busy_load : 0;
}

/* --- Microbenchmarks --- */

typedef struct {
  SeamRateKind kind;
  gint64 bytes;
  double amount, time_ns;
  int n_calls;
} Figures;

static Figures *
find_figures (SeamRateKind kind, gint64 bytes)
{
  static Figures kept[64];
  static gsize n_kept = 0;

  for (gsize i = 0; i < n_kept; i++)
    if (kept[i].kind == kind && kept[i].bytes == bytes)
      return &kept[i];
  g_assert (n_kept < G_N_ELEMENTS (kept));
  kept[n_kept] = (Figures){ .kind = kind, .bytes = bytes };
  return &kept[n_kept++];
}

gboolean
seam_cpu_benchmark (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
                    double *time_ns, GError **error)
{
  Figures *figures = find_figures (kind, bytes);

  if (figures->n_calls < 2
      && !REAL (seam_cpu_benchmark) (device, kind, bytes, &figures->amount, &figures->time_ns,
                                     error))
    return FALSE;
  *amount = figures->amount;
  *time_ns = figures->time_ns * (is_machine ("busy") && figures->n_calls % 2 == 1 ? 3 : 1);
  figures->n_calls++;
  return TRUE;
}
