/* SPDX-License-Identifier: MIT
 *
 * Kernel records of one execution, from CUPTI's activity tracing. libcupti is opened at run time,
 * so that a machine without it lacks only the kernel records. Everything is switched off outside
 * begin/end, because elapsed times are taken with CUPTI off.
 */
#pragma once

#include "app/base/error.h"

/* One kernel, memset or copy on the device, from a launch between push and pop. */
typedef struct {
  char *name; /* demangled; "memset" or "memcpy" for those */
  /* The id given to cupti_push_launch(), or to cupti_add_node() for the node of a graph; 0: a node
   * of a graph that was not added. */
  guint64 launch;
  gboolean is_kernel; /* FALSE: a memset or copy that a library issued; not among the launches */
  double start_ns;    /* relative to the first record of the capture */
  double duration_ns;
  /* Time of the host's call, on the same clock, so mostly below 0, and its duration, which is
   * longer than without tracing. NaN: unknown. */
  double call_start_ns, call_ns;
  int registers;       /* for each thread; -1: unknown */
  gint64 shared_bytes; /* for each block, static + dynamic; -1: unknown */
  gint64 grid[3], block[3];
} CuptiRecord;

/* Work outside push and pop (an L2 flush, say) counts in none of these numbers. */
typedef struct {
  GArray *records;  /* of CuptiRecord, in start order */
  int n_launches;   /* kernel launches requested from CUDA, including those inside libraries */
  int n_kernels;    /* kernel records among `records`; equal to n_launches if none is lost */
  int n_rejected;   /* records without times, or whose end is not after their start */
  int n_dropped;    /* records that CUPTI reported as dropped for lack of room */
  double clock_mhz; /* set by the owner; NaN: unknown */
} CuptiCapture;

/* Whether tracing works here and now. If not, `reason` (may be NULL) receives a sentence, newly
 * allocated: the library is missing, another profiler holds CUPTI, the driver refused. Needs no
 * context and changes nothing. */
gboolean cupti_available (char **reason);
/* Path and version of the library ("13.0.1"), newly allocated; FALSE if there is none. Either may
 * be NULL. For doctor. */
gboolean cupti_get_library (char **path, char **version);

/* The library's handle from dlopen(); NULL: none. Borrowed. */
void *cupti_get_handle (void);

/* Switches tracing on. One capture at a time, by one thread. SEAM_ERROR_UNSUPPORTED with the
 * reason; then everything is off. */
gboolean cupti_begin (GError **error);
/* Launches of this thread up to pop belong to `id`, which is not 0. Not nested. Outside a capture
 * both do nothing and cost next to nothing. */
void cupti_push_launch (guint64 id);
void cupti_pop_launch (void);
/* Called instead of cupti_push_launch() before a whole graph is launched: each record then belongs
 * to the launch of its node. None of them counts in n_launches. */
void cupti_push_graph (void);
/* Says that a node of a graph (cudaGraphNode_t) belongs to launch `id`, and so does every clone of
 * it that instantiating the graph makes during this capture. */
void cupti_add_node (void *node, guint64 id);
/* Call it after synchronising the device. Switches everything off in any case, and returns the
 * records. */
CuptiCapture *cupti_end (GError **error);
void cupti_capture_free (CuptiCapture *capture); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CuptiCapture, cupti_capture_free)

/* Whether this process may read hardware counters, from the driver's parameters and the process's
 * capabilities; collects nothing. If not, `reason` and `remedy` (may be NULL) receive a sentence
 * and a command, newly allocated. */
gboolean cupti_counters_allowed (char **reason, char **remedy);
