/* SPDX-License-Identifier: MIT
 *
 * The tables of a session file, column by column: from these lists they are created, written and
 * read. A column's name is the member's name in the variants of app/result/, and its meaning is
 * described once more there.
 */
#include "app/session/schema.h"

#include "app/base/error.h"

#include <string.h>

static const SeamColumn run_columns[] = {
  { "note", SEAM_COLUMN_TEXT, "the person's own words", TRUE },
  { "pipeline", SEAM_COLUMN_TEXT, "id of the pipeline", TRUE },
  { "pipeline_text", SEAM_COLUMN_TEXT, "its whole .ini file" },
  { "shape", SEAM_COLUMN_TEXT, "key=value,...", TRUE },
  { "shape_text", SEAM_COLUMN_TEXT, "the shape for people", TRUE },
  { "values", SEAM_COLUMN_INT64S, "shape fields in the order of the pipeline file" },
  { "preset", SEAM_COLUMN_TEXT, "NULL: own values", TRUE },
  { "seed", SEAM_COLUMN_UNSIGNED, "of the random tensors", TRUE },
  { "distribution", SEAM_COLUMN_TEXT, "uniform, normal, offset, files or zeros", TRUE },
  { "math_mode", SEAM_COLUMN_TEXT, "fp32, tf32; from 1.4 fp16, bf16", TRUE },
  { "cold", SEAM_COLUMN_BOOLEAN, "last-level cache flushed before every sample", TRUE },
  { "budget_s", SEAM_COLUMN_REAL, "seconds for measuring" },
  { "against", SEAM_COLUMN_TEXT, "plan or fp64: what outputs are compared with" },
  { "atol", SEAM_COLUMN_REAL, "absolute tolerance" },
  { "rtol", SEAM_COLUMN_REAL, "relative tolerance" },
  { "program_version", SEAM_COLUMN_TEXT, "of the program that measured" },
  { "started_at", SEAM_COLUMN_TEXT, "ISO 8601, UTC", TRUE },
  { "trace_note", SEAM_COLUMN_TEXT, "what is odd about the kernel records" },
  { "throttle", SEAM_COLUMN_TEXT, "none, or why the device was slowed down" },
  { "power_w", SEAM_COLUMN_REAL, "W at the end" },
  { "temperature_c", SEAM_COLUMN_REAL, "degrees Celsius at the end" },
  { "stopped", SEAM_COLUMN_BOOLEAN, "before its time, by the person" },
  { "floor_ns", SEAM_COLUMN_REAL, "no plan can be faster, ns" },
  { "floor_memory_bound", SEAM_COLUMN_BOOLEAN, "by memory, not by arithmetic" },
  { "duration_s", SEAM_COLUMN_REAL, "whole run, s" },
  { "reference", SEAM_COLUMN_INTEGER, "position of the plan compared against; -1: fp64" },
  { "pitfalls", SEAM_COLUMN_TEXT, "measured wrong on purpose: names with commas; NULL: not", TRUE },
  { "launch_mode", SEAM_COLUMN_TEXT, "stream: a call for every kernel; graph: one for the plan",
    TRUE },
  { NULL },
};

static const SeamColumn device_columns[] = {
  { "id", SEAM_COLUMN_TEXT, "cpu, cuda:0", TRUE },
  { "name", SEAM_COLUMN_TEXT, "of the processor", TRUE },
  { "available", SEAM_COLUMN_BOOLEAN, "" },
  { "reason", SEAM_COLUMN_TEXT, "why not" },
  { "remedy", SEAM_COLUMN_TEXT, "against that" },
  { "driver", SEAM_COLUMN_TEXT, "version" },
  { "libraries", SEAM_COLUMN_TEXT, "with their versions" },
  { "n_processors", SEAM_COLUMN_INTEGER, "SMs or hardware threads" },
  { "memory_total", SEAM_COLUMN_UNSIGNED, "bytes; 0: unknown" },
  { "memory_free", SEAM_COLUMN_UNSIGNED, "bytes; 0: unknown" },
  { "l2_bytes", SEAM_COLUMN_UNSIGNED, "last-level cache, bytes; 0: unknown" },
  { "bytes_per_s", SEAM_COLUMN_REAL, "memory bandwidth; not over 0: unknown" },
  { "flop_fp32", SEAM_COLUMN_REAL, "a second; not over 0: unknown" },
  { "flop_tf32", SEAM_COLUMN_REAL, "a second; not over 0: unknown" },
  { "rates_source", SEAM_COLUMN_TEXT, "where the three rates come from" },
  { "can_trace", SEAM_COLUMN_BOOLEAN, "kernel records" },
  { "trace_reason", SEAM_COLUMN_TEXT, "why not" },
  { "compute_capability", SEAM_COLUMN_TEXT, "9.0; NULL on a CPU" },
  { NULL },
};

static const SeamColumn plan_columns[] = {
  { "name", SEAM_COLUMN_TEXT, "of a named plan", TRUE },
  { "notation", SEAM_COLUMN_TEXT, "+ fuses, | cuts", TRUE },
  { "executed", SEAM_COLUMN_TEXT, "notation with every implementation" },
  { "exhibit", SEAM_COLUMN_BOOLEAN, "wrong on purpose" },
  { "state", SEAM_COLUMN_TEXT, "measured, stopped early, not measured, faulted", TRUE },
  { "message", SEAM_COLUMN_TEXT, "what the person should know" },
  { "n_groups", SEAM_COLUMN_INTEGER, "" },
  { "n_samples", SEAM_COLUMN_INTEGER, "" },
  { "elapsed_median_ns", SEAM_COLUMN_REAL, "ns" },
  { "elapsed_ci_low_ns", SEAM_COLUMN_REAL, "95 % interval of the median, ns" },
  { "elapsed_ci_high_ns", SEAM_COLUMN_REAL, "95 % interval of the median, ns" },
  { "span_median_ns", SEAM_COLUMN_REAL, "first kernel's start to last kernel's end, ns" },
  { "kernels_sum_median_ns", SEAM_COLUMN_REAL, "ns" },
  { "n_traces", SEAM_COLUMN_INTEGER, "traced executions" },
  { "n_kernels", SEAM_COLUMN_INTEGER, "launches of one execution; -1: not traced" },
  { "n_launches", SEAM_COLUMN_INTEGER, "of the last traced execution" },
  { "n_records", SEAM_COLUMN_INTEGER, "of the last traced execution" },
  { "n_rejected", SEAM_COLUMN_INTEGER, "records without a valid time" },
  { "modelled_bytes", SEAM_COLUMN_REAL, "traffic from the shapes" },
  { "modelled_flop", SEAM_COLUMN_REAL, "operations from the shapes" },
  { "stable", SEAM_COLUMN_BOOLEAN, "the output after timing is the output before" },
  { "samples_elapsed_ns", SEAM_COLUMN_DOUBLES, "every sample in order, ns" },
  { "samples_clock_mhz", SEAM_COLUMN_DOUBLES, "SM clock after each, MHz" },
  { "samples_order", SEAM_COLUMN_INT32S, "position of each among all samples of the run" },
  { "samples_throttle", SEAM_COLUMN_INT32S,
    "NVML clock event reasons after each + 2^30; 0: unknown" },
  { NULL },
};

static const SeamColumn kernel_columns[] = {
  { "name", SEAM_COLUMN_TEXT, "full, demangled" },
  { "short_name", SEAM_COLUMN_TEXT, "" },
  { "group", SEAM_COLUMN_INTEGER, "of the plan, from 0" },
  { "first_op", SEAM_COLUMN_INTEGER, "of the chain, from 0" },
  { "last_op", SEAM_COLUMN_INTEGER, "of the chain, from 0" },
  { "implementation", SEAM_COLUMN_TEXT, "cudnn, cublaslt, generated, hand, cpu" },
  { "is_copy", SEAM_COLUMN_BOOLEAN, "a layout change that a library needs" },
  { "median_ns", SEAM_COLUMN_REAL, "ns" },
  { "start_ns", SEAM_COLUMN_REAL, "after the first kernel's start, median, ns" },
  { "call_start_ns", SEAM_COLUMN_REAL, "of the host's call, after the first kernel's start, ns" },
  { "call_ns", SEAM_COLUMN_REAL, "the host's call took, tracing on, ns" },
  { "bytes", SEAM_COLUMN_REAL, "modelled" },
  { "samples_ns", SEAM_COLUMN_DOUBLES, "every duration, ns" },
  { "dram_bytes_read", SEAM_COLUMN_REAL, "of one execution, by hardware counters" },
  { "dram_bytes_written", SEAM_COLUMN_REAL, "of one execution, by hardware counters" },
  { "l2_bytes", SEAM_COLUMN_REAL, "between L2 and everything else, by hardware counters" },
  { "dram_percent", SEAM_COLUMN_REAL, "of peak throughput" },
  { "sm_percent", SEAM_COLUMN_REAL, "of peak throughput" },
  { "tensor_percent", SEAM_COLUMN_REAL, "of peak throughput" },
  { "occupancy_percent", SEAM_COLUMN_REAL, "warps on an SM of those it has room for" },
  { "registers", SEAM_COLUMN_INTEGER, "a thread; -1: unknown" },
  { "shared_bytes", SEAM_COLUMN_INTEGER, "a block; -1: unknown" },
  { "grid", SEAM_COLUMN_INT64S, "x, y, z; 0: unknown" },
  { "block", SEAM_COLUMN_INT64S, "x, y, z; 0: unknown" },
  { NULL },
};

static const SeamColumn difference_columns[] = {
  { "rows", SEAM_COLUMN_INTEGER, "the output is [rows, columns, plane]" },
  { "columns", SEAM_COLUMN_INTEGER, "" },
  { "plane", SEAM_COLUMN_INTEGER, "" },
  { "rows_per_cell", SEAM_COLUMN_INTEGER, "elements a cell of the overview" },
  { "columns_per_cell", SEAM_COLUMN_INTEGER, "elements a cell of the overview" },
  { "atol", SEAM_COLUMN_REAL, "an element fails beyond atol + rtol * |trusted|" },
  { "rtol", SEAM_COLUMN_REAL, "" },
  { "n_elements", SEAM_COLUMN_INTEGER, "" },
  { "n_failing", SEAM_COLUMN_INTEGER, "" },
  { "n_nan_a", SEAM_COLUMN_INTEGER, "in the plan's output" },
  { "n_nan_b", SEAM_COLUMN_INTEGER, "in the trusted output" },
  { "n_infinite_a", SEAM_COLUMN_INTEGER, "" },
  { "n_infinite_b", SEAM_COLUMN_INTEGER, "" },
  { "max_abs", SEAM_COLUMN_REAL, "" },
  { "mean_abs", SEAM_COLUMN_REAL, "" },
  { "max_rel", SEAM_COLUMN_REAL, "max_abs over max_abs_b" },
  { "mean_rel", SEAM_COLUMN_REAL, "mean_abs over max_abs_b" },
  { "max_abs_b", SEAM_COLUMN_REAL, "the output's scale" },
  { "max_error_ratio", SEAM_COLUMN_REAL, "largest |a - b| / max (1, |b|)" },
  { "worst_index", SEAM_COLUMN_INTEGER, "flat; -1: all are equal" },
  { "worst_a", SEAM_COLUMN_REAL, "" },
  { "worst_b", SEAM_COLUMN_REAL, "" },
  { "cells", SEAM_COLUMN_WORDS, "largest |a - b| a cell, float" },
  { "failing", SEAM_COLUMN_WORDS, "failing elements a cell, unsigned" },
  { "histogram", SEAM_COLUMN_INT64S, "finite pairs by |a - b| (64) and |b| (16), powers of two" },
  { "n_worst", SEAM_COLUMN_INTEGER, "elements with the largest |a - b|; NULL: unknown" },
  { "worst_indices", SEAM_COLUMN_INT64S, "flat, the worst first" },
  { "worst_values_a", SEAM_COLUMN_DOUBLES, "" },
  { "worst_values_b", SEAM_COLUMN_DOUBLES, "" },
  { NULL },
};

static const SeamColumn slice_columns[] = {
  { "trusted", SEAM_COLUMN_INTEGER, "position of the trusted plan; -1: fp64" },
  { "sample", SEAM_COLUMN_INTEGER, "which plane" },
  { "channel", SEAM_COLUMN_INTEGER, "which plane" },
  { "first_row", SEAM_COLUMN_INTEGER, "in the plane or matrix" },
  { "first_column", SEAM_COLUMN_INTEGER, "in the plane or matrix" },
  { "n_rows", SEAM_COLUMN_INTEGER, "" },
  { "n_columns", SEAM_COLUMN_INTEGER, "" },
  { "a", SEAM_COLUMN_WORDS, "the plan's output, float" },
  { "b", SEAM_COLUMN_WORDS, "the trusted output, float" },
  { NULL },
};

static const SeamColumn survey_columns[] = {
  { "note", SEAM_COLUMN_TEXT, "the person's own words", TRUE },
  { "kind", SEAM_COLUMN_TEXT, "explore: every partition; sweep: plans over shapes", TRUE },
  { "pipeline", SEAM_COLUMN_TEXT, "id of the pipeline", TRUE },
  { "math_mode", SEAM_COLUMN_TEXT, "fp32, tf32; from 1.4 fp16, bf16", TRUE },
  { "varied", SEAM_COLUMN_TEXT, "of a sweep: which fields, for people", TRUE },
  { "vary_x", SEAM_COLUMN_TEXT, "of a sweep: field=value,value,..." },
  { "vary_y", SEAM_COLUMN_TEXT, "of a sweep over two fields" },
  { "measured_at", SEAM_COLUMN_TEXT, "its latest point, ISO 8601, UTC", TRUE },
  { "n_measured", SEAM_COLUMN_INTEGER, "points", TRUE },
  { "floor_ns", SEAM_COLUMN_REAL, "no plan can be faster, ns; of explore" },
  { "floor_source", SEAM_COLUMN_TEXT, "where its rates come from" },
  { NULL },
};

static const SeamColumn point_columns[] = {
  { "shape", SEAM_COLUMN_TEXT, "key=value,..." },
  { "values", SEAM_COLUMN_INT64S, "shape fields in the order of the pipeline file" },
  { "plan", SEAM_COLUMN_TEXT, "as asked for" },
  { "notation", SEAM_COLUMN_TEXT, "that the target runs" },
  { "fused_seams", SEAM_COLUMN_INTEGER, "bit i: seam i is fused" },
  { "state", SEAM_COLUMN_INTEGER, "0 pending, 1 measured, 2 impossible, 3 failed" },
  { "message", SEAM_COLUMN_TEXT, "what the person should know" },
  { "bytes", SEAM_COLUMN_REAL, "modelled traffic" },
  { "flop", SEAM_COLUMN_REAL, "modelled operations" },
  { "full_rate_ns", SEAM_COLUMN_REAL, "at the full rates of the device, ns" },
  { "floor_ns", SEAM_COLUMN_REAL, "ns" },
  { "n_kernels_expected", SEAM_COLUMN_INTEGER, "launches; -1: unknown" },
  { "is_split", SEAM_COLUMN_BOOLEAN, "some group runs in several launches" },
  { "tensors_fit_cache", SEAM_COLUMN_BOOLEAN, "an intermediate tensor fits the last-level cache" },
  { "median_ns", SEAM_COLUMN_REAL, "elapsed, ns" },
  { "ci_low_ns", SEAM_COLUMN_REAL, "95 % interval of the median, ns" },
  { "ci_high_ns", SEAM_COLUMN_REAL, "95 % interval of the median, ns" },
  { "n_samples", SEAM_COLUMN_INTEGER, "" },
  { "reference_ns", SEAM_COLUMN_REAL, "median of the reference plan in the same batch, ns" },
  { "kernels_sum_ns", SEAM_COLUMN_REAL, "ns" },
  { "span_ns", SEAM_COLUMN_REAL, "ns" },
  { "n_kernels", SEAM_COLUMN_INTEGER, "launches of one execution; -1: not traced" },
  { "max_abs", SEAM_COLUMN_REAL, "largest error against the reference" },
  { "max_error_ratio", SEAM_COLUMN_REAL, "largest |a - b| / max(1, |b|)" },
  { "n_failing", SEAM_COLUMN_INTEGER, "elements outside the tolerance" },
  { "stable", SEAM_COLUMN_BOOLEAN, "the output after timing is the output before" },
  { "executed", SEAM_COLUMN_TEXT, "notation with every implementation" },
  { "measured_at", SEAM_COLUMN_TEXT, "ISO 8601, UTC" },
  { NULL },
};

static const char *const run_light[] = { "storage", NULL };
static const char *const run_large[] = { "code", "edits", NULL };
static const char *const plan_large[] = { "tiles", NULL };
static const char *const difference_large[] = { "ulps", "hits", NULL };
static const char *const survey_large[] = { "request", "device", NULL };

const SeamTable seam_tables[SEAM_N_TABLES] = {
  [SEAM_TABLE_RUN] = { "run", -1, NULL, 100000, run_columns, run_light, run_large },
  [SEAM_TABLE_DEVICE] = { "device", SEAM_TABLE_RUN, "device", 1, device_columns },
  [SEAM_TABLE_PLAN] = { "plan", SEAM_TABLE_RUN, "plans", 256, plan_columns, NULL, plan_large },
  [SEAM_TABLE_KERNEL] = { "kernel", SEAM_TABLE_PLAN, "kernels", 4096, kernel_columns },
  [SEAM_TABLE_DIFFERENCE] = { "difference", SEAM_TABLE_PLAN, "difference", 1, difference_columns,
                              NULL, difference_large },
  [SEAM_TABLE_SLICE] = { "slice", SEAM_TABLE_PLAN, "slices", 256, slice_columns },
  [SEAM_TABLE_SURVEY] = { "survey", -1, NULL, 100000, survey_columns, NULL, survey_large },
  [SEAM_TABLE_POINT] = { "point", SEAM_TABLE_SURVEY, "points", 4097, point_columns },
};

guint
seam_column_get_element (SeamColumnKind kind, const char **type)
{
  switch (kind) {
  case SEAM_COLUMN_DOUBLES:
    *type = "ad";
    return 8;
  case SEAM_COLUMN_INT64S:
    *type = "ax";
    return 8;
  case SEAM_COLUMN_INT32S:
    *type = "ai";
    return 4;
  case SEAM_COLUMN_WORDS:
    *type = "ay";
    return 4;
  default:
    *type = NULL;
    return 0;
  }
}

const SeamColumn *
seam_table_find_column (const SeamTable *table, const char *name)
{
  for (const SeamColumn *column = table->columns; column->name != NULL; column++)
    if (strcmp (column->name, name) == 0)
      return column;
  return NULL;
}

gboolean
seam_table_shows (const SeamTable *table, const char *member)
{
  const SeamColumn *column = seam_table_find_column (table, member);

  return (column != NULL && column->is_light)
         || (table->light != NULL && g_strv_contains (table->light, member));
}

gboolean
seam_table_takes_large (const SeamTable *table, const char *member)
{
  return seam_table_find_column (table, member) != NULL
         || (table->large != NULL && g_strv_contains (table->large, member));
}

static const char *
get_sql_type (SeamColumnKind kind)
{
  switch (kind) {
  case SEAM_COLUMN_TEXT:
    return "TEXT";
  case SEAM_COLUMN_REAL:
    return "REAL";
  case SEAM_COLUMN_INTEGER:
  case SEAM_COLUMN_UNSIGNED:
  case SEAM_COLUMN_BOOLEAN:
    return "INTEGER";
  default:
    return "BLOB";
  }
}

static void
append_table (GString *sql, const SeamTable *table)
{
  g_string_append_printf (sql, "CREATE TABLE IF NOT EXISTS \"%s\" (\n  \"key\" INTEGER PRIMARY KEY",
                          table->name);
  if (table->parent >= 0)
    g_string_append_printf (sql, ",\n  \"%s_key\" INTEGER NOT NULL REFERENCES \"%s\" (\"key\")",
                            seam_tables[table->parent].name, seam_tables[table->parent].name);
  for (const SeamColumn *column = table->columns; column->name != NULL; column++) {
    const char *before = column == table->columns ? "" : column[-1].meaning;
    g_string_append_printf (sql, ",%s%s\n  \"%s\" %s", *before != '\0' ? " -- " : "", before,
                            column->name, get_sql_type (column->kind));
    if (column[1].name == NULL && *column->meaning != '\0')
      g_string_append_printf (sql, " -- %s", column->meaning);
  }
  g_string_append (sql, "\n) STRICT;\n");
}

char *
seam_session_make_schema (void)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
                          SEAM_SESSION_APPLICATION_ID,
                          1000 * SEAM_SESSION_MAJOR + SEAM_SESSION_MINOR);
  g_string_append (sql, "CREATE TABLE IF NOT EXISTS \"meta\" (\n  \"key\" TEXT NOT NULL,\n"
                        "  \"value\" TEXT NOT NULL\n) STRICT;\n");
  for (int i = 0; i < SEAM_N_TABLES; i++)
    append_table (sql, &seam_tables[i]);
  g_string_append (sql, "CREATE TABLE IF NOT EXISTS \"member\" (\n"
                        "  \"key\" INTEGER PRIMARY KEY,\n"
                        "  \"owner\" TEXT NOT NULL, -- table\n"
                        "  \"row\" INTEGER NOT NULL, -- key in that table\n"
                        "  \"name\" TEXT NOT NULL,\n"
                        "  \"type\" TEXT NOT NULL, -- GVariant's\n"
                        "  \"value\" BLOB NOT NULL -- GVariant's bytes, little-endian\n"
                        ") STRICT;\n");
  return g_string_free (sql, FALSE);
}

void
seam_session_set_error (sqlite3 *db, GError **error)
{
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "SQLite says: %s",
               db != NULL ? sqlite3_errmsg (db) : "out of memory");
}

gboolean
seam_session_execute (sqlite3 *db, const char *sql, GError **error)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return TRUE;
  seam_session_set_error (db, error);
  return FALSE;
}

/* Statement i brings major version i to i + 1, as far as tables that exist have to change; missing
 * ones are created afterwards. Version 0 is the draft of 21 November 2026, which no release wrote:
 * its plans had "median_ns", and neither notes, slices, members nor a checksum were kept. */
static const char *const migrations[] = {
  "ALTER TABLE \"plan\" RENAME COLUMN \"median_ns\" TO \"elapsed_median_ns\";",
};
G_STATIC_ASSERT (G_N_ELEMENTS (migrations) == SEAM_SESSION_MAJOR);

gboolean
seam_session_migrate (sqlite3 *db, int major, GError **error)
{
  g_autofree char *schema = NULL;

  if (major == SEAM_SESSION_MAJOR)
    return TRUE;
  for (; major < SEAM_SESSION_MAJOR; major++)
    if (!seam_session_execute (db, migrations[major], error))
      return FALSE;
  schema = seam_session_make_schema ();
  return seam_session_execute (db, schema, error);
}
