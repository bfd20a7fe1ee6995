/* SPDX-License-Identifier: MIT
 *
 * Kernel records of one execution, from CUPTI's activity tracing. libcupti is opened at run time,
 * so that a machine without it loses the kernel records and nothing else. Everything is switched
 * off outside begin/end: elapsed times are taken with CUPTI off.
 */
#pragma once

#include "app/base/error.h"

G_BEGIN_DECLS

/* One kernel, memset or copy on the device, of a launch between push and pop. */
typedef struct {
  char *name; /* demangled; "memset" or "memcpy" for those */
  /* The id given to cupti_push_launch(), or with the node of a graph to cupti_add_node();
   * 0: of a graph, whose node was not added. */
  guint64 launch;
  gboolean is_kernel; /* FALSE: a memset or copy that a library issued; not among the launches */
  double start_ns;    /* relative to the first record of the capture */
  double duration_ns;
  /* When the host called for it, on the same clock, so mostly below 0; the call takes longer than
   * without tracing. NaN: unknown. */
  double call_start_ns, call_ns;
  int registers;       /* a thread; -1 unknown */
  gint64 shared_bytes; /* a block, static + dynamic; -1 unknown */
  gint64 grid[3], block[3];
} CuptiRecord;

/* What happened outside push and pop (an L2 flush, say) is in none of these numbers. */
typedef struct {
  GArray *records; /* of CuptiRecord, in start order */
  int n_launches;  /* kernel launches that CUDA was asked for, those inside libraries included */
  int n_kernels;   /* kernel records among `records`; equal to n_launches when none is lost */
  int n_rejected;  /* records without times, or whose end is not after their start */
  int n_dropped;   /* records CUPTI said it had no room for */
} CuptiCapture;

/* Whether tracing works here and now. When not, `reason` (may be NULL) receives a sentence, newly
 * allocated: the library is missing, another profiler holds CUPTI, the driver refused. Needs no
 * context and changes nothing. */
gboolean cupti_available (char **reason);
/* Path and version of the library ("13.0.1"), newly allocated; FALSE when there is none. Either
 * may be NULL. For doctor. */
gboolean cupti_get_library (char **path, char **version);

/* The library as dlopen() gave it; NULL: none. Borrowed. */
void *cupti_get_handle (void);

/* Switches tracing on. One capture at a time, by one thread. SEAM_ERROR_UNSUPPORTED with the
 * reason; nothing is left on then. */
gboolean cupti_begin (GError **error);
/* Launches of this thread up to pop belong to `id`, which is not 0. Not nested; outside a capture
 * they do nothing and cost next to nothing. */
void cupti_push_launch (guint64 id);
void cupti_pop_launch (void);
/* In place of a launch's id, before a whole graph is launched: each of its records belongs to the
 * launch of its node. None of them is among n_launches. */
void cupti_push_graph (void);
/* A node of a graph (cudaGraphNode_t) is of launch `id`, and so is every clone of it that is made
 * during this capture, by instantiating the graph. */
void cupti_add_node (void *node, guint64 id);
/* The caller has synchronised the device. Switches everything off, whatever happens, and returns
 * what was recorded. */
CuptiCapture *cupti_end (GError **error);
void cupti_capture_free (CuptiCapture *capture); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CuptiCapture, cupti_capture_free)

/* Whether hardware counters may be read by this process, from the driver's parameters and the
 * process's capabilities; nothing is collected. When not, `reason` and `remedy` (may be NULL)
 * receive a sentence and a command, newly allocated. */
gboolean cupti_counters_allowed (char **reason, char **remedy);

G_END_DECLS
