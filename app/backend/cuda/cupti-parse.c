/* SPDX-License-Identifier: MIT
 *
 * The parser of activity records. It rejects and counts a record that lacks a time or ends before
 * it starts: CUPTI documents zeros for "could not be collected", and a zero must not be drawn as a
 * time. It attributes records by the correlation ids of the calls.
 */
#include "app/backend/cuda/cupti-parse.h"

#include "app/backend/backend.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Linux capability numbers, linux/capability.h. */
#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT   38

typedef struct {
  guint64 launch;
  guint64 start, end; /* 0: unknown */
} Call;

struct CuptiParser {
  GHashTable *calls; /* correlation id -> Call, owned */
  GHashTable *nodes; /* guint64 id of a graph node, owned -> guint64 launch, owned */
  GArray *records;   /* of CuptiRecord; start_ns is absolute until finish, see `starts` */
  GArray *starts;    /* of guint64: a double is too small for nanoseconds since 1970 */
  GArray *calls_of;  /* of Call, one for each record */
  CuptiCapture counts;
};

static void
clear_record (gpointer data)
{
  CuptiRecord *record = data;
  g_clear_pointer (&record->name, g_free);
}

void
cupti_capture_free (CuptiCapture *capture)
{
  if (capture == NULL)
    return;
  g_clear_pointer (&capture->records, g_array_unref);
  g_free (capture);
}

CuptiParser *
cupti_parser_new (void)
{
  CuptiParser *parser = g_new0 (CuptiParser, 1);

  parser->calls = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  parser->nodes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  parser->records = g_array_new (FALSE, TRUE, sizeof (CuptiRecord));
  g_array_set_clear_func (parser->records, clear_record);
  parser->starts = g_array_new (FALSE, TRUE, sizeof (guint64));
  parser->calls_of = g_array_new (FALSE, TRUE, sizeof (Call));
  return parser;
}

void
cupti_parser_free (CuptiParser *parser)
{
  if (parser == NULL)
    return;
  g_clear_pointer (&parser->calls_of, g_array_unref);
  g_clear_pointer (&parser->starts, g_array_unref);
  g_clear_pointer (&parser->records, g_array_unref);
  g_clear_pointer (&parser->nodes, g_hash_table_unref);
  g_clear_pointer (&parser->calls, g_hash_table_unref);
  g_free (parser);
}

void
cupti_parser_add_call (CuptiParser *parser, guint32 correlation_id, guint64 launch)
{
  Call call = { .launch = launch };

  g_hash_table_replace (parser->calls, GUINT_TO_POINTER (correlation_id),
                        g_memdup2 (&call, sizeof call));
}

void
cupti_parser_add_node (CuptiParser *parser, guint64 node_id, guint64 launch)
{
  g_hash_table_replace (parser->nodes, g_memdup2 (&node_id, sizeof node_id),
                        g_memdup2 (&launch, sizeof launch));
}

/* The launch that a record of `call` belongs to; 0: unknown. */
static guint64
find_launch (CuptiParser *parser, const Call *call, guint64 node_id)
{
  if (call->launch != CUPTI_PARSER_GRAPH)
    return call->launch;
  const guint64 *launch = g_hash_table_lookup (parser->nodes, &node_id);
  return launch != NULL ? *launch : 0;
}

void
cupti_parser_time_call (CuptiParser *parser, guint32 correlation_id, guint64 start, guint64 end)
{
  Call *call = g_hash_table_lookup (parser->calls, GUINT_TO_POINTER (correlation_id));

  if (call == NULL || start == 0 || end < start)
    return;
  call->start = start;
  call->end = end;
}

void
cupti_parser_count_launch (CuptiParser *parser)
{
  parser->counts.n_launches++;
}

void
cupti_parser_add_dropped (CuptiParser *parser, gsize n_dropped)
{
  parser->counts.n_dropped += (int)MIN (n_dropped, (gsize)(G_MAXINT - parser->counts.n_dropped));
}

/* Takes a record of one of our calls with its times, or counts it as rejected. Copies the name. */
static void
add_record (CuptiParser *parser, const CuptiRecord *model, guint32 correlation_id, guint64 node_id,
            const char *name, guint64 start, guint64 end)
{
  const Call *call = g_hash_table_lookup (parser->calls, GUINT_TO_POINTER (correlation_id));
  CuptiRecord record = *model;

  if (call == NULL)
    return;
  record.launch = find_launch (parser, call, node_id);
  if (start == 0 || end == 0 || end <= start) {
    parser->counts.n_rejected++;
    return;
  }
  record.name = cupti_demangle (name != NULL ? name : "unnamed kernel");
  record.duration_ns = (double)(end - start);
  g_array_append_val (parser->records, record);
  g_array_append_val (parser->starts, start);
  g_array_append_vals (parser->calls_of, call, 1);
  parser->counts.n_kernels += record.is_kernel;
}

static void
add_kernel (CuptiParser *parser, const CUpti_ActivityKernel10 *kernel)
{
  CuptiRecord record = {
    .is_kernel = TRUE,
    .registers = kernel->registersPerThread,
    .shared_bytes = (gint64)kernel->staticSharedMemory + kernel->dynamicSharedMemory,
    .grid = { kernel->gridX, kernel->gridY, kernel->gridZ },
    .block = { kernel->blockX, kernel->blockY, kernel->blockZ },
  };

  add_record (parser, &record, kernel->correlationId, kernel->graphNodeId, kernel->name,
              kernel->start, kernel->end);
}

static void
add_memory_operation (CuptiParser *parser, const char *name, guint32 correlation_id,
                      guint64 node_id, guint64 start, guint64 end)
{
  CuptiRecord record = {
    .registers = -1,
    .shared_bytes = -1,
  };

  add_record (parser, &record, correlation_id, node_id, name, start, end);
}

void
cupti_parser_add_buffer (CuptiParser *parser, guint8 *buffer, gsize n_valid_bytes,
                         CUptiResult (*next) (uint8_t *buffer, size_t n_valid_bytes,
                                              CUpti_Activity **record))
{
  CUpti_Activity *activity = NULL;

  while (n_valid_bytes > 0 && next (buffer, n_valid_bytes, &activity) == CUPTI_SUCCESS) {
    switch (activity->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      add_kernel (parser, (const CUpti_ActivityKernel10 *)activity);
      break;
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const CUpti_ActivityMemset4 *memset_record = (const CUpti_ActivityMemset4 *)activity;
      add_memory_operation (parser, "memset", memset_record->correlationId,
                            memset_record->graphNodeId, memset_record->start, memset_record->end);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const CUpti_ActivityMemcpy6 *copy = (const CUpti_ActivityMemcpy6 *)activity;
      add_memory_operation (parser, "memcpy", copy->correlationId, copy->graphNodeId, copy->start,
                            copy->end);
      break;
    }
    default:
      break;
    }
  }
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint64 *starts = data;
  guint64 x = starts[*(const guint *)a], y = starts[*(const guint *)b];
  return (x > y) - (x < y);
}

CuptiCapture *
cupti_parser_finish (CuptiParser *parser)
{
  CuptiCapture *capture = g_memdup2 (&parser->counts, sizeof parser->counts);
  guint n = parser->records->len;
  g_autofree guint *order = g_new (guint, n + 1);
  const guint64 *starts = (const guint64 *)(gpointer)parser->starts->data;

  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (int)n, sizeof *order, compare_starts, (gpointer)starts);

  capture->records = g_array_sized_new (FALSE, TRUE, sizeof (CuptiRecord), n);
  g_array_set_clear_func (capture->records, clear_record);
  for (guint i = 0; i < n; i++) {
    CuptiRecord *record = &g_array_index (parser->records, CuptiRecord, order[i]);
    const Call *call = &g_array_index (parser->calls_of, Call, order[i]);

    record->start_ns = (double)(starts[order[i]] - starts[order[0]]);
    record->call_start_ns =
        call->start > 0 ? (double)(gint64)(call->start - starts[order[0]]) : NAN;
    record->call_ns = call->start > 0 ? (double)(call->end - call->start) : NAN;
    g_array_append_vals (capture->records, record, 1);
    record->name = NULL;
  }
  g_array_set_size (parser->records, 0);
  g_array_set_size (parser->starts, 0);
  g_array_set_size (parser->calls_of, 0);
  return capture;
}

char *
cupti_demangle (const char *name)
{
  /* The C++ library has no C header for this function. CUPTI and cuDNN have already loaded the
   * library, so opening it costs nothing. */
  static char *(*demangle) (const char *, char *, size_t *, int *) = NULL;
  static gsize looked = 0;
  char *plain, *result;
  int status = -1;

  if (g_once_init_enter (&looked)) {
    void *library = dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (library != NULL)
      demangle =
          (char *(*)(const char *, char *, size_t *, int *))dlsym (library, "__cxa_demangle");
    g_once_init_leave (&looked, 1);
  }
  if (demangle == NULL || !g_str_has_prefix (name, "_Z"))
    return g_strdup (name);
  plain = demangle (name, NULL, NULL, &status);
  result = g_strdup (status == 0 && plain != NULL ? plain : name);
  free (plain);
  return result;
}

/* The value behind "KEY:" at the start of a line of a /proc file, or NULL. */
static const char *
find_value (const char *text, const char *key)
{
  gsize length = strlen (key);

  for (const char *line = text; line != NULL; line = strchr (line, '\n')) {
    while (*line == '\n')
      line++;
    if (strncmp (line, key, length) == 0 && line[length] == ':')
      return line + length + 1;
  }
  return NULL;
}

gboolean
cupti_judge_counters (const char *params, const char *status, char **reason, char **remedy)
{
  const char *admin_only, *capabilities;
  guint64 effective = 0;

  if (params == NULL) {
    if (reason != NULL)
      *reason = g_strdup ("The NVIDIA driver is not loaded, so there are no counters to read.");
    if (remedy != NULL)
      *remedy = NULL;
    return FALSE;
  }
  admin_only = find_value (params, "RmProfilingAdminOnly");
  if (admin_only == NULL || g_ascii_strtoull (admin_only, NULL, 10) == 0)
    return TRUE;
  capabilities = status != NULL ? find_value (status, "CapEff") : NULL;
  if (capabilities != NULL)
    effective = g_ascii_strtoull (capabilities, NULL, 16);
  if ((effective & (G_GUINT64_CONSTANT (1) << CAP_SYS_ADMIN_BIT)) != 0
      || (effective & (G_GUINT64_CONSTANT (1) << CAP_PERFMON_BIT)) != 0)
    return TRUE;

  if (reason != NULL)
    *reason = g_strdup ("The driver lets only administrators read GPU counters "
                        "(RmProfilingAdminOnly is 1), and this process is none. This command "
                        "and a restart of the machine let every user read them:");
  if (remedy != NULL)
    *remedy = g_strdup (SEAM_COUNTERS_REMEDY);
  return FALSE;
}
