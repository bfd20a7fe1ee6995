/* SPDX-License-Identifier: MIT
 *
 * The parser of CUPTI activity records on made buffers: attribution, order, zero and reversed
 * times, dropped records, kinds that were not enabled; and who may read counters. The buffers are
 * walked by a stand-in and, where libcupti is installed, by CUPTI's own function as well.
 */
#include "app/backend/cuda/cupti-parse.h"

#include <dlfcn.h>
#include <glib.h>
#include <math.h>
#include <string.h>

/* Nanoseconds since 1970, as CUPTI gives them: too large for a double to keep single ones. */
#define T0 G_GUINT64_CONSTANT (1795000000000000001)

typedef CUptiResult (*NextFunc) (uint8_t *, size_t, CUpti_Activity **);

static gsize
get_size (const CUpti_Activity *record)
{
  switch (record->kind) {
  case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
    return sizeof (CUpti_ActivityKernel10);
  case CUPTI_ACTIVITY_KIND_MEMSET:
    return sizeof (CUpti_ActivityMemset4);
  case CUPTI_ACTIVITY_KIND_MEMCPY:
    return sizeof (CUpti_ActivityMemcpy6);
  case CUPTI_ACTIVITY_KIND_DRIVER:
    return sizeof (CUpti_ActivityAPI);
  default:
    g_assert_not_reached ();
  }
}

/* The records follow one another; *record is the last one seen. */
static CUptiResult
walk (uint8_t *buffer, size_t n_valid_bytes, CUpti_Activity **record)
{
  guint8 *place = buffer;

  if (*record != NULL)
    place = (guint8 *)*record + get_size (*record);
  if (place >= buffer + n_valid_bytes)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)(gpointer)place;
  return CUPTI_SUCCESS;
}

static NextFunc
find_real_walk (void)
{
  void *library = dlopen ("libcupti.so.13", RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    library = dlopen ("/usr/local/cuda/lib64/libcupti.so.13", RTLD_NOW | RTLD_LOCAL);
  return library != NULL ? (NextFunc)dlsym (library, "cuptiActivityGetNextRecord") : NULL;
}

/* A buffer with the alignment of CUPTI's buffers. */
typedef struct {
  _Alignas(8) guint8 data[64 * 1024];
  gsize used;
} Buffer;

static void
put (Buffer *buffer, gconstpointer record, gsize size)
{
  memcpy (buffer->data + buffer->used, record, size);
  buffer->used += size;
}

static void
put_kernel (Buffer *buffer, const char *name, guint32 correlation, guint64 start, guint64 end)
{
  CUpti_ActivityKernel10 kernel;

  memset (&kernel, 0, sizeof kernel);
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.name = name;
  kernel.correlationId = correlation;
  kernel.start = start;
  kernel.end = end;
  kernel.registersPerThread = 168;
  kernel.staticSharedMemory = 1000;
  kernel.dynamicSharedMemory = 200000;
  kernel.gridX = 132;
  kernel.gridY = 2;
  kernel.gridZ = 1;
  kernel.blockX = 384;
  kernel.blockY = 1;
  kernel.blockZ = 1;
  put (buffer, &kernel, sizeof kernel);
}

static void
put_memset (Buffer *buffer, guint32 correlation, guint64 start, guint64 end)
{
  CUpti_ActivityMemset4 record;

  memset (&record, 0, sizeof record);
  record.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  record.correlationId = correlation;
  record.start = start;
  record.end = end;
  put (buffer, &record, sizeof record);
}

static void
put_memcpy (Buffer *buffer, guint32 correlation, guint64 start, guint64 end)
{
  CUpti_ActivityMemcpy6 record;

  memset (&record, 0, sizeof record);
  record.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  record.correlationId = correlation;
  record.start = start;
  record.end = end;
  put (buffer, &record, sizeof record);
}

static void
put_call (Buffer *buffer, guint32 correlation)
{
  CUpti_ActivityAPI record;

  memset (&record, 0, sizeof record);
  record.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  record.correlationId = correlation;
  record.start = T0;
  record.end = T0 + 5;
  put (buffer, &record, sizeof record);
}

static const CuptiRecord *
get_record (const CuptiCapture *capture, guint index)
{
  g_assert_cmpuint (index, <, capture->records->len);
  return &g_array_index (capture->records, CuptiRecord, index);
}

static void
check_whole (NextFunc next)
{
  g_autoptr (CuptiParser) parser = cupti_parser_new ();
  g_autoptr (CuptiCapture) capture = NULL;
  g_autofree Buffer *first = g_new0 (Buffer, 1);
  g_autofree Buffer *second = g_new0 (Buffer, 1);
  const CuptiRecord *record;

  cupti_parser_add_call (parser, 10, 1);
  cupti_parser_count_launch (parser);
  cupti_parser_add_call (parser, 11, 2);
  cupti_parser_count_launch (parser);
  cupti_parser_add_call (parser, 12, 2);
  cupti_parser_add_call (parser, 13, 3);
  /* The host is ahead of the device; missing or reversed times give no times. */
  cupti_parser_time_call (parser, 11, T0 - 5000, T0 - 2000);
  cupti_parser_time_call (parser, 12, 0, T0);
  cupti_parser_time_call (parser, 13, T0, T0 - 1);
  cupti_parser_time_call (parser, 99, T0, T0 + 1);

  /* Buffers come in any order, and so do records. */
  put_call (second, 11);
  put_kernel (second, "_Z6kernelIfEvPKT_i", 11, T0 + 1500, T0 + 1503);
  put_memcpy (second, 13, T0 + 2000, T0 + 2100);
  put_kernel (first, "plain_name", 10, T0 + 7, T0 + 1007);
  put_memset (first, 12, T0 + 1100, T0 + 1200);
  put_kernel (first, "flush", 99, T0 - 500, T0 - 1); /* not from one of our launches */
  put_memset (first, 98, 0, 0);                      /* not from one of them either, whatever its
                                                      * times */
  cupti_parser_add_buffer (parser, second->data, second->used, next);
  cupti_parser_add_buffer (parser, first->data, first->used, next);
  cupti_parser_add_buffer (parser, first->data, 0, next);
  capture = cupti_parser_finish (parser);

  g_assert_cmpint (capture->n_launches, ==, 2);
  g_assert_cmpint (capture->n_kernels, ==, 2);
  g_assert_cmpint (capture->n_rejected, ==, 0);
  g_assert_cmpint (capture->n_dropped, ==, 0);
  g_assert_cmpuint (capture->records->len, ==, 4);

  record = get_record (capture, 0);
  g_assert_cmpstr (record->name, ==, "plain_name");
  g_assert_cmpuint (record->launch, ==, 1);
  g_assert_true (record->is_kernel);
  g_assert_cmpfloat (record->start_ns, ==, 0.0);
  g_assert_cmpfloat (record->duration_ns, ==, 1000.0);
  g_assert_cmpint (record->registers, ==, 168);
  g_assert_cmpint (record->shared_bytes, ==, 201000);
  g_assert_cmpint (record->grid[0], ==, 132);
  g_assert_cmpint (record->grid[1], ==, 2);
  g_assert_cmpint (record->block[0], ==, 384);
  g_assert_true (isnan (record->call_start_ns) && isnan (record->call_ns));

  record = get_record (capture, 1);
  g_assert_cmpstr (record->name, ==, "memset");
  g_assert_false (record->is_kernel);
  g_assert_cmpuint (record->launch, ==, 2);
  g_assert_cmpfloat (record->start_ns, ==, 1093.0);
  g_assert_true (isnan (record->call_start_ns) && isnan (record->call_ns));
  g_assert_cmpint (record->registers, ==, -1);

  record = get_record (capture, 2);
  g_assert_cmpstr (record->name, ==, "void kernel<float>(float const*, int)");
  g_assert_cmpuint (record->launch, ==, 2);
  /* Three nanoseconds in 1.8e18: times are subtracted as integers. */
  g_assert_cmpfloat (record->start_ns, ==, 1493.0);
  g_assert_cmpfloat (record->duration_ns, ==, 3.0);
  g_assert_cmpfloat (record->call_start_ns, ==, -5007.0);
  g_assert_cmpfloat (record->call_ns, ==, 3000.0);

  record = get_record (capture, 3);
  g_assert_true (isnan (record->call_ns));
  g_assert_cmpstr (record->name, ==, "memcpy");
  g_assert_cmpuint (record->launch, ==, 3);
}

static void
test_whole (void)
{
  check_whole (walk);
}

static void
test_real_walk (void)
{
  NextFunc next = find_real_walk ();

  if (next == NULL) {
    g_test_skip ("libcupti.so.13 is not installed.");
    return;
  }
  check_whole (next);
}

static void
test_rejected (void)
{
  g_autoptr (CuptiParser) parser = cupti_parser_new ();
  g_autoptr (CuptiCapture) capture = NULL;
  g_autofree Buffer *buffer = g_new0 (Buffer, 1);

  for (guint32 correlation = 1; correlation <= 6; correlation++) {
    cupti_parser_add_call (parser, correlation, correlation);
    cupti_parser_count_launch (parser);
  }
  put_kernel (buffer, "no_times", 1, 0, 0);
  put_kernel (buffer, "no_start", 2, 0, T0);
  put_kernel (buffer, "no_end", 3, T0, 0);
  put_kernel (buffer, "reversed", 4, T0 + 10, T0 + 9);
  put_kernel (buffer, "empty", 5, T0 + 10, T0 + 10);
  put_kernel (buffer, NULL, 6, T0 + 20, T0 + 21);
  cupti_parser_add_buffer (parser, buffer->data, buffer->used, walk);
  cupti_parser_add_dropped (parser, 3);
  cupti_parser_add_dropped (parser, 0);
  cupti_parser_add_dropped (parser, 4);
  capture = cupti_parser_finish (parser);

  g_assert_cmpint (capture->n_launches, ==, 6);
  g_assert_cmpint (capture->n_rejected, ==, 5);
  g_assert_cmpint (capture->n_dropped, ==, 7);
  g_assert_cmpint (capture->n_kernels, ==, 1);
  g_assert_cmpuint (capture->records->len, ==, 1);
  g_assert_cmpstr (get_record (capture, 0)->name, ==, "unnamed kernel");
  g_assert_cmpfloat (get_record (capture, 0)->start_ns, ==, 0.0);
}

static void
test_dropped_beyond_int (void)
{
  g_autoptr (CuptiParser) parser = cupti_parser_new ();
  g_autoptr (CuptiCapture) capture = NULL;

  cupti_parser_add_dropped (parser, G_MAXSIZE);
  cupti_parser_add_dropped (parser, 1);
  capture = cupti_parser_finish (parser);
  g_assert_cmpint (capture->n_dropped, ==, G_MAXINT);
  g_assert_cmpuint (capture->records->len, ==, 0);
  g_assert_cmpint (capture->n_launches, ==, 0);
}

static void
test_demangle (void)
{
  static const char *const names[][2] = {
    { "_Z3addPfi", "add(float*, int)" },
    { "seam_group_0", "seam_group_0" },
    { "_Z", "_Z" },
    { "_Znot a symbol", "_Znot a symbol" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *plain = cupti_demangle (names[i][0]);
    g_assert_cmpstr (plain, ==, names[i][1]);
  }
}

static void
test_counters (void)
{
  const char *only_admin = "EnableMSI: 1\nRmProfilingAdminOnly: 1\nRegistryDwords: \"\"\n";
  const char *everybody = "RmProfilingAdminOnly: 0\n";
  const char *user = "Name:\tx\nCapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n";
  const char *sys_admin = "Name:\tx\nCapEff:\t0000000000200000\n";
  const char *perfmon = "CapEff:\t0000004000000000\n";
  const char *root_in_container = "CapEff:\t00000000a80425fb\n";
  char *reason = NULL, *remedy = NULL;

  g_assert_true (cupti_judge_counters (everybody, user, &reason, &remedy));
  g_assert_true (cupti_judge_counters (only_admin, sys_admin, &reason, &remedy));
  g_assert_true (cupti_judge_counters (only_admin, perfmon, &reason, &remedy));
  g_assert_true (cupti_judge_counters ("EnableMSI: 1\n", user, &reason, &remedy));
  g_assert_null (reason);
  g_assert_null (remedy);

  g_assert_false (cupti_judge_counters (only_admin, user, &reason, &remedy));
  g_assert_nonnull (strstr (reason, "administrators"));
  g_assert_nonnull (strstr (remedy, "NVreg_RestrictProfilingToAdminUsers=0"));
  g_clear_pointer (&reason, g_free);
  g_clear_pointer (&remedy, g_free);
  g_assert_false (cupti_judge_counters (only_admin, root_in_container, NULL, NULL));
  g_assert_false (cupti_judge_counters (only_admin, NULL, NULL, NULL));

  g_assert_false (cupti_judge_counters (NULL, sys_admin, &reason, &remedy));
  g_assert_nonnull (strstr (reason, "not loaded"));
  g_assert_null (remedy);
  g_free (reason);
}

/* All records of a graph have the id of its one call; the node tells which launch they belong
 * to. */
static void
test_graph (void)
{
  static const guint64 nodes[] = { 0x700000003, 0x700000001, 0x700000009, 0 };
  static const guint64 launches[] = { 2, 1, 0, 0 };
  g_autoptr (CuptiParser) parser = cupti_parser_new ();
  g_autoptr (CuptiCapture) capture = NULL;
  g_autofree Buffer *buffer = g_new0 (Buffer, 1);

  cupti_parser_add_call (parser, 40, CUPTI_PARSER_GRAPH);
  cupti_parser_time_call (parser, 40, T0 - 900, T0 - 600);
  cupti_parser_add_node (parser, 0x700000001, 1);
  cupti_parser_add_node (parser, 0x700000003, 2);
  /* In a record with a call of its own, the node does not count. */
  cupti_parser_add_call (parser, 41, 7);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++) {
    put_kernel (buffer, "of_graph", 40, T0 + 100 * i, T0 + 100 * i + 50);
    ((CUpti_ActivityKernel10 *)(gpointer)(buffer->data + buffer->used
                                          - sizeof (CUpti_ActivityKernel10)))
        ->graphNodeId = nodes[i];
  }
  put_memset (buffer, 40, T0 + 500, T0 + 510);
  ((CUpti_ActivityMemset4 *)(gpointer)(buffer->data + buffer->used
                                       - sizeof (CUpti_ActivityMemset4)))
      ->graphNodeId = 0x700000003;
  put_kernel (buffer, "launched", 41, T0 + 600, T0 + 650);
  cupti_parser_add_buffer (parser, buffer->data, buffer->used, walk);
  capture = cupti_parser_finish (parser);
  g_assert_cmpint (capture->n_kernels, ==, 5);
  g_assert_cmpint (capture->n_launches, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++) {
    g_assert_cmpuint (get_record (capture, i)->launch, ==, launches[i]);
    g_assert_cmpfloat (get_record (capture, i)->call_start_ns, ==, -900);
    g_assert_cmpfloat (get_record (capture, i)->call_ns, ==, 300);
  }
  g_assert_cmpuint (get_record (capture, 4)->launch, ==, 2);
  g_assert_false (get_record (capture, 4)->is_kernel);
  g_assert_cmpuint (get_record (capture, 5)->launch, ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cupti-parse/whole", test_whole);
  g_test_add_func ("/cupti-parse/real-walk", test_real_walk);
  g_test_add_func ("/cupti-parse/graph", test_graph);
  g_test_add_func ("/cupti-parse/rejected", test_rejected);
  g_test_add_func ("/cupti-parse/dropped-beyond-int", test_dropped_beyond_int);
  g_test_add_func ("/cupti-parse/demangle", test_demangle);
  g_test_add_func ("/cupti-parse/counters", test_counters);
  return g_test_run ();
}
