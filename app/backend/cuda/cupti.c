/* SPDX-License-Identifier: MIT
 *
 * The session with CUPTI: opening the library, switching tracing on and off, its buffers and
 * callbacks. A subscriber sees every CUDA call of a capture, in the thread that makes it, and so
 * knows to which launch each correlation id belongs, even inside cuDNN and cuBLASLt; the activity
 * records then carry those ids with the device's times. No timestamp callback is registered: with
 * one, CUPTI 13.0 can lose or zero times. cupti-parse.c interprets the records.
 */
#include "app/backend/cuda/cupti.h"

#include "app/backend/cuda/cupti-parse.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* The record structures of this header belong to CUPTI 13; so does the library's file name. */
#define SEAM_CUPTI_MAJOR 13
#define LIBRARY_NAME     "libcupti.so." G_STRINGIFY (SEAM_CUPTI_MAJOR)
#if CUPTI_API_VERSION / 10000 != SEAM_CUPTI_MAJOR
#error "cupti-parse.c reads the records of CUPTI 13."
#endif

/* One buffer holds thousands of kernel records; a capture needs tens. CUPTI asks for 8-byte
 * alignment. */
#define BUFFER_BYTES     (512 * 1024)
#define BUFFER_ALIGNMENT 64

/* All functions of CUPTI that this file uses. */
#define CUPTI_FUNCTIONS(X)                                                                         \
  X (cuptiActivityDisable)                                                                         \
  X (cuptiActivityEnable)                                                                          \
  X (cuptiActivityFlushAll)                                                                        \
  X (cuptiActivityGetNextRecord)                                                                   \
  X (cuptiActivityGetNumDroppedRecords)                                                            \
  X (cuptiActivityRegisterCallbacks)                                                               \
  X (cuptiEnableCallback)                                                                          \
  X (cuptiEnableDomain)                                                                            \
  X (cuptiGetGraphNodeId)                                                                          \
  X (cuptiGetResultString)                                                                         \
  X (cuptiGetTimestamp)                                                                            \
  X (cuptiGetVersion)                                                                              \
  X (cuptiSubscribe_v2)                                                                            \
  X (cuptiUnsubscribe)

typedef struct {
#define X(name) __typeof__ (&name) name;
  CUPTI_FUNCTIONS (X)
#undef X
  void *library;
  char *path;
  char *reason; /* why it cannot be used; NULL: it can */
} Cupti;

typedef struct {
  guint8 *data;
  gsize n_valid_bytes;
} FullBuffer;

static const CUpti_ActivityKind traced_kinds[] = {
  CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, /* KERNEL would serialise them */
  CUPTI_ACTIVITY_KIND_MEMSET,
  CUPTI_ACTIVITY_KIND_MEMCPY,
};

/* The only session. The lock guards all fields below it, because CUPTI returns buffers on a thread
 * of its own. */
static struct {
  gint is_active; /* atomic; push, pop and the callback check it first */
  GMutex lock;
  gboolean is_registered; /* buffer callbacks, which cannot be unregistered */
  CUpti_SubscriberHandle subscriber;
  CuptiParser *parser; /* non-NULL during a capture */
  GArray *full;        /* of FullBuffer */
  GHashTable *nodes;   /* CUgraphNode -> guint64 launch, owned */
} session;

static _Thread_local guint64 current_launch;
/* How many nested launch calls this thread is inside of: the runtime's call contains the
 * driver's. */
static _Thread_local int launch_depth;
/* When the outermost of these calls began, and the correlation ids of all of them. */
static _Thread_local guint64 call_start;
static _Thread_local guint32 call_ids[4];
static _Thread_local int n_call_ids;

static gboolean
load_symbols (Cupti *cupti, void *library)
{
#define X(name)                                                                                    \
  cupti->name = (__typeof__ (&name))dlsym (library, #name);                                        \
  if (cupti->name == NULL)                                                                         \
    return FALSE;
  CUPTI_FUNCTIONS (X)
#undef X
  return TRUE;
}

/* Remembers the folder of a CUDA library that is already loaded: CUPTI is beside it if CUDA was
 * installed as Python packages or in a folder of its own. */
static int
find_cuda_folder_cb (struct dl_phdr_info *object, size_t size, void *data)
{
  static const char *const names[] = { "libcudart.so", "libcublasLt.so", "libnvrtc.so" };
  char **folder = data;
  g_autofree char *name = g_path_get_basename (object->dlpi_name);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    if (object->dlpi_name[0] != '\0' && g_str_has_prefix (name, names[i])) {
      *folder = g_path_get_dirname (object->dlpi_name);
      return 1;
    }
  }
  return 0;
}

/* Looks beyond the loader's own search: beside the other CUDA libraries, then at the place in the
 * toolkit. */
static void *
open_library (void)
{
  static const char *const places[] = { "lib64", "extras/CUPTI/lib64", "lib" };
  const char *roots[] = { g_getenv ("CUDA_HOME"), g_getenv ("CUDA_PATH"), "/usr/local/cuda",
                          "/usr/local/cuda-13", "/opt/cuda" };
  void *library = dlopen (LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
  g_autofree char *beside = NULL;

  if (library == NULL && dl_iterate_phdr (find_cuda_folder_cb, &beside) != 0) {
    g_autofree char *path = g_build_filename (beside, LIBRARY_NAME, NULL);
    library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  }
  for (gsize r = 0; r < G_N_ELEMENTS (roots) && library == NULL; r++)
    for (gsize p = 0; p < G_N_ELEMENTS (places) && library == NULL && roots[r] != NULL; p++) {
      g_autofree char *path = g_build_filename (roots[r], places[p], LIBRARY_NAME, NULL);
      library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
    }
  return library;
}

/* The library, opened once and never closed, because CUPTI does not support that. */
static const Cupti *
get_cupti (void)
{
  static Cupti cupti;
  static gsize opened = 0;

  if (g_once_init_enter (&opened)) {
    void *library = open_library ();
    Dl_info info;

    if (library == NULL)
      cupti.reason = g_strdup ("CUPTI (" LIBRARY_NAME ") was not found, so kernels cannot be "
                               "traced; it comes with the CUDA toolkit.");
    else if (!load_symbols (&cupti, library))
      cupti.reason = g_strdup ("CUPTI (" LIBRARY_NAME ") lacks functions that tracing needs; "
                               "install the one of CUDA 13.0 or newer.");
    cupti.library = library;
    if (cupti.cuptiGetVersion != NULL && dladdr ((void *)cupti.cuptiGetVersion, &info) != 0)
      cupti.path = g_strdup (info.dli_fname);
    g_once_init_leave (&opened, 1);
  }
  return &cupti;
}

void *
cupti_get_handle (void)
{
  return get_cupti ()->library;
}

/* Whether this call launches a kernel; launching a graph, which starts any number of kernels, does
 * not count. */
static gboolean
is_launch (CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    switch (cbid) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunch:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return TRUE;
    default:
      return FALSE;
    }
  }
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    switch (cbid) {
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunch_v3020:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunch_ptsz_v7000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_v9000:
    case CUPTI_RUNTIME_TRACE_CBID_cudaLaunchCooperativeKernel_ptsz_v9000:
    case CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000:
    case CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_ptsz_v13000:
      return TRUE;
    default:
      return FALSE;
    }
  }
  return FALSE;
}

static gboolean
is_graph_launch (CUpti_CallbackDomain domain, CUpti_CallbackId cbid)
{
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
    return cbid == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch
           || cbid == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
  return domain == CUPTI_CB_DOMAIN_RUNTIME_API
         && (cbid == CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000
             || cbid == CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_ptsz_v10000);
}

/* Adds both the node of the captured graph and its clone in the executable graph, because it is not
 * documented which of them a record names. */
static void
add_node (CUgraphNode node, guint64 launch)
{
  uint64_t id = 0;

  if (get_cupti ()->cuptiGetGraphNodeId (node, &id) != CUPTI_SUCCESS)
    return;
  g_mutex_lock (&session.lock);
  if (session.parser != NULL) {
    g_hash_table_replace (session.nodes, node, g_memdup2 (&launch, sizeof launch));
    cupti_parser_add_node (session.parser, id, launch);
  }
  g_mutex_unlock (&session.lock);
}

static void
node_cloned (const CUpti_GraphData *data)
{
  guint64 launch = 0;

  g_mutex_lock (&session.lock);
  const guint64 *original =
      session.nodes != NULL ? g_hash_table_lookup (session.nodes, data->originalNode) : NULL;
  if (original != NULL)
    launch = *original;
  g_mutex_unlock (&session.lock);
  if (launch != 0)
    add_node (data->node, launch);
}

static void CUPTIAPI
call_cb (void *data, CUpti_CallbackDomain domain, CUpti_CallbackId cbid, const void *info)
{
  const CUpti_CallbackData *call = info;
  guint64 now = 0;
  gboolean is_graph, launches;

  if (!g_atomic_int_get (&session.is_active))
    return;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && cbid == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
    node_cloned (((const CUpti_ResourceData *)info)->resourceDescriptor);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE || current_launch == 0)
    return;
  is_graph = is_graph_launch (domain, cbid);
  launches = is_graph || is_launch (domain, cbid);
  if (call->callbackSite == CUPTI_API_ENTER) {
    if (launches && launch_depth++ == 0) {
      n_call_ids = 0;
      if (get_cupti ()->cuptiGetTimestamp (&call_start) != CUPTI_SUCCESS)
        call_start = 0;
    }
    if (launches && n_call_ids < (int)G_N_ELEMENTS (call_ids))
      call_ids[n_call_ids++] = call->correlationId;
    /* Inner and outer call may have different ids; the record carries one of them. */
    g_mutex_lock (&session.lock);
    if (session.parser != NULL)
      cupti_parser_add_call (session.parser, call->correlationId, current_launch);
    g_mutex_unlock (&session.lock);
  } else if (launches) {
    /* Both CUresult and cudaError_t are ints, and 0 is success. */
    const int *status = call->functionReturnValue;
    launch_depth = MAX (0, launch_depth - 1);
    if (launch_depth == 0 && (status == NULL || *status == 0)) {
      if (get_cupti ()->cuptiGetTimestamp (&now) != CUPTI_SUCCESS)
        now = 0;
      g_mutex_lock (&session.lock);
      if (session.parser != NULL) {
        if (!is_graph)
          cupti_parser_count_launch (session.parser);
        for (int i = 0; i < n_call_ids; i++)
          cupti_parser_time_call (session.parser, call_ids[i], call_start, now);
      }
      g_mutex_unlock (&session.lock);
    }
  }
}

static void CUPTIAPI
buffer_requested_cb (uint8_t **buffer, size_t *size, size_t *max_records)
{
  *buffer = aligned_alloc (BUFFER_ALIGNMENT, BUFFER_BYTES);
  *size = *buffer != NULL ? BUFFER_BYTES : 0;
  *max_records = 0;
}

static void CUPTIAPI
buffer_completed_cb (CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                     size_t n_valid_bytes)
{
  const Cupti *cupti = get_cupti ();
  size_t n_dropped = 0;

  g_mutex_lock (&session.lock);
  if (session.parser != NULL) {
    FullBuffer full = { buffer, n_valid_bytes };
    g_array_append_val (session.full, full);
    buffer = NULL;
    if (cupti->cuptiActivityGetNumDroppedRecords (context, stream, &n_dropped) == CUPTI_SUCCESS)
      cupti_parser_add_dropped (session.parser, n_dropped);
  }
  g_mutex_unlock (&session.lock);
  free (buffer); /* left over from before this capture */
}

static gboolean
has_driver (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);

  if (library != NULL)
    dlclose (library);
  return library != NULL;
}

static char *
describe_failure (const Cupti *cupti, const char *call, CUptiResult result, const char *holder)
{
  const char *text = NULL;

  switch (result) {
  case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    if (holder != NULL && holder[0] != '\0')
      return g_strdup_printf ("Another profiler (%s) holds CUPTI, so kernels cannot be traced "
                              "beside it; run without that profiler.",
                              holder);
    return g_strdup ("Another profiler holds CUPTI, so kernels cannot be traced beside it; run "
                     "without that profiler.");
  case CUPTI_ERROR_NOT_INITIALIZED:
    return g_strdup ("CUPTI could not start on this NVIDIA driver, so kernels cannot be traced.");
  case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    return g_strdup ("The driver does not allow this user to trace kernels; an administrator can "
                     "set NVreg_RestrictProfilingToAdminUsers=0 for the nvidia module.");
  default:
    /* Without a driver CUPTI reports only "unknown". */
    if (result == CUPTI_ERROR_UNKNOWN && !has_driver ())
      return g_strdup ("There is no NVIDIA driver, so there are no kernels to trace.");
    if (cupti->cuptiGetResultString (result, &text) != CUPTI_SUCCESS)
      text = NULL;
    return g_strdup_printf ("Kernels cannot be traced: %s failed with %s.", call,
                            text != NULL ? text : "an unknown error");
  }
}

/* NULL, or why tracing cannot be used. */
static char *
subscribe (const Cupti *cupti, CUpti_SubscriberHandle *subscriber)
{
  char holder[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN + 1] = "";
  CUpti_SubscriberParams params = {
    .structSize = CUpti_SubscriberParams_STRUCT_SIZE,
    .subscriberName = "Seamscope",
    .oldSubscriberName = holder,
    .oldSubscriberSize = CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN,
  };
  CUptiResult result = cupti->cuptiSubscribe_v2 (subscriber, call_cb, NULL, &params);

  return result == CUPTI_SUCCESS ? NULL
                                 : describe_failure (cupti, "cuptiSubscribe_v2", result, holder);
}

gboolean
cupti_available (char **reason)
{
  const Cupti *cupti = get_cupti ();
  CUpti_SubscriberHandle subscriber = NULL;
  g_autofree char *why_not = g_strdup (cupti->reason);

  /* An active capture proves that it works. */
  if (why_not == NULL && !g_atomic_int_get (&session.is_active)) {
    why_not = subscribe (cupti, &subscriber);
    if (why_not == NULL)
      cupti->cuptiUnsubscribe (subscriber);
  }
  if (why_not == NULL)
    return TRUE;
  if (reason != NULL)
    *reason = g_steal_pointer (&why_not);
  return FALSE;
}

gboolean
cupti_get_library (char **path, char **version)
{
  const Cupti *cupti = get_cupti ();
  uint32_t number = 0;

  if (cupti->path == NULL || cupti->cuptiGetVersion (&number) != CUPTI_SUCCESS)
    return FALSE;
  if (path != NULL)
    *path = g_strdup (cupti->path);
  /* 130001 is 13.0.1. */
  if (version != NULL)
    *version = g_strdup_printf ("%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
  return TRUE;
}

/* Switches everything off, in reverse order; the parser, if any, goes to the caller. */
static CuptiParser *
switch_off (const Cupti *cupti, gsize n_enabled, GArray **full)
{
  g_atomic_int_set (&session.is_active, 0);
  while (n_enabled > 0)
    cupti->cuptiActivityDisable (traced_kinds[--n_enabled]);
  if (session.subscriber != NULL) {
    cupti->cuptiEnableDomain (0, session.subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    cupti->cuptiEnableDomain (0, session.subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
    cupti->cuptiEnableDomain (0, session.subscriber, CUPTI_CB_DOMAIN_RESOURCE);
    cupti->cuptiUnsubscribe (session.subscriber);
    session.subscriber = NULL;
  }
  g_mutex_lock (&session.lock);
  CuptiParser *parser = g_steal_pointer (&session.parser);
  g_clear_pointer (&session.nodes, g_hash_table_unref);
  *full = g_steal_pointer (&session.full);
  g_mutex_unlock (&session.lock);
  return parser;
}

static void
free_buffers (GArray *full)
{
  for (guint i = 0; i < full->len; i++)
    free (g_array_index (full, FullBuffer, i).data);
  g_array_unref (full);
}

gboolean
cupti_begin (GError **error)
{
  const Cupti *cupti = get_cupti ();
  g_autofree char *why_not = g_strdup (cupti->reason);
  const char *call = "cuptiActivityRegisterCallbacks";
  CUptiResult result = CUPTI_SUCCESS;
  gsize n_enabled = 0;

  g_return_val_if_fail (session.parser == NULL, FALSE);

  if (why_not == NULL)
    why_not = subscribe (cupti, &session.subscriber);
  if (why_not != NULL) {
    session.subscriber = NULL;
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s", why_not);
  }

  g_mutex_lock (&session.lock);
  session.parser = cupti_parser_new ();
  session.full = g_array_new (FALSE, FALSE, sizeof (FullBuffer));
  session.nodes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_mutex_unlock (&session.lock);

  if (!session.is_registered) {
    result = cupti->cuptiActivityRegisterCallbacks (buffer_requested_cb, buffer_completed_cb);
    session.is_registered = result == CUPTI_SUCCESS;
  }
  if (result == CUPTI_SUCCESS) {
    call = "cuptiEnableDomain";
    result = cupti->cuptiEnableDomain (1, session.subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  }
  if (result == CUPTI_SUCCESS)
    result = cupti->cuptiEnableDomain (1, session.subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  /* Without this callback only nodes of the captured graph are known; cuda-trace.c has a
   * fallback. */
  if (result == CUPTI_SUCCESS)
    cupti->cuptiEnableCallback (1, session.subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
  for (; result == CUPTI_SUCCESS && n_enabled < G_N_ELEMENTS (traced_kinds); n_enabled++) {
    call = "cuptiActivityEnable";
    result = cupti->cuptiActivityEnable (traced_kinds[n_enabled]);
    if (result != CUPTI_SUCCESS)
      break;
  }
  if (result != CUPTI_SUCCESS) {
    GArray *full;
    cupti_parser_free (switch_off (cupti, n_enabled, &full));
    free_buffers (full);
    why_not = describe_failure (cupti, call, result, NULL);
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s", why_not);
  }
  current_launch = 0;
  launch_depth = 0;
  g_atomic_int_set (&session.is_active, 1);
  return TRUE;
}

void
cupti_push_launch (guint64 id)
{
  if (g_atomic_int_get (&session.is_active)) {
    current_launch = id;
    launch_depth = 0;
  }
}

void
cupti_pop_launch (void)
{
  current_launch = 0;
}

void
cupti_push_graph (void)
{
  cupti_push_launch (CUPTI_PARSER_GRAPH);
}

void
cupti_add_node (void *node, guint64 id)
{
  if (g_atomic_int_get (&session.is_active))
    add_node (node, id);
}

CuptiCapture *
cupti_end (GError **error)
{
  const Cupti *cupti = get_cupti ();
  g_autoptr (CuptiParser) parser = NULL;
  CuptiCapture *capture = NULL;
  GArray *full = NULL;

  g_return_val_if_fail (session.parser != NULL, NULL);

  current_launch = 0;
  g_atomic_int_set (&session.is_active, 0);
  /* The device is idle, so every record is complete. Forced, because otherwise a buffer that is not
   * full is kept. Buffers arrive through buffer_completed_cb() before this returns. */
  CUptiResult result = cupti->cuptiActivityFlushAll (CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  parser = switch_off (cupti, G_N_ELEMENTS (traced_kinds), &full);
  if (result == CUPTI_SUCCESS) {
    for (guint i = 0; i < full->len; i++) {
      FullBuffer *buffer = &g_array_index (full, FullBuffer, i);
      cupti_parser_add_buffer (parser, buffer->data, buffer->n_valid_bytes,
                               cupti->cuptiActivityGetNextRecord);
    }
    capture = cupti_parser_finish (parser);
  } else {
    g_autofree char *why_not = describe_failure (cupti, "cuptiActivityFlushAll", result, NULL);
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, why_not);
  }
  free_buffers (full);
  return capture;
}

gboolean
cupti_counters_allowed (char **reason, char **remedy)
{
  g_autofree char *params = NULL;
  g_autofree char *status = NULL;

  if (!g_file_get_contents ("/proc/driver/nvidia/params", &params, NULL, NULL))
    params = NULL;
  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    status = NULL;
  return cupti_judge_counters (params, status, reason, remedy);
}
