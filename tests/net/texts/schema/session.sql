CREATE TABLE "meta" (
  "key" TEXT NOT NULL,
  "value" TEXT NOT NULL
) STRICT;
CREATE TABLE "run" (
  "key" INTEGER PRIMARY KEY,
  "note" TEXT, -- the person's own words
  "pipeline" TEXT, -- id of the pipeline
  "pipeline_text" TEXT, -- its whole .ini file
  "shape" TEXT, -- key=value,...
  "shape_text" TEXT, -- the shape for people
  "values" BLOB, -- shape fields in the order of the pipeline file
  "preset" TEXT, -- NULL: own values
  "seed" INTEGER, -- of the random tensors
  "distribution" TEXT, -- uniform, normal, offset, files or zeros
  "math_mode" TEXT, -- fp32, tf32; from 1.4 fp16, bf16; from 1.5 tf32x
  "cold" INTEGER, -- last-level cache flushed before every sample
  "budget_s" REAL, -- seconds for measuring
  "against" TEXT, -- plan or fp64: what outputs are compared with
  "atol" REAL, -- absolute tolerance
  "rtol" REAL, -- relative tolerance
  "program_version" TEXT, -- of the program that measured
  "started_at" TEXT, -- ISO 8601, UTC
  "trace_note" TEXT, -- what is odd about the kernel records
  "throttle" TEXT, -- none, or what held the clock down
  "power_w" REAL, -- W, highest between the samples; without the member under_load at the end
  "temperature_c" REAL, -- degrees Celsius, likewise
  "stopped" INTEGER, -- before its time, by the person
  "floor_ns" REAL, -- no plan can be faster, ns
  "floor_memory_bound" INTEGER, -- by memory, not by arithmetic
  "duration_s" REAL, -- whole run, s
  "reference" INTEGER, -- position of the plan compared with; -1: fp64
  "pitfalls" TEXT, -- measured wrong on purpose: names with commas; NULL: not
  "launch_mode" TEXT -- stream: a call for every kernel; graph: one for the plan
) STRICT;
CREATE TABLE "device" (
  "key" INTEGER PRIMARY KEY,
  "run_key" INTEGER NOT NULL REFERENCES "run" ("key"),
  "id" TEXT, -- cpu, cuda:0
  "name" TEXT, -- of the processor
  "available" INTEGER,
  "reason" TEXT, -- why not
  "remedy" TEXT, -- against that
  "driver" TEXT, -- version
  "libraries" TEXT, -- with their versions
  "n_processors" INTEGER, -- SMs or hardware threads
  "memory_total" INTEGER, -- bytes; 0: unknown
  "memory_free" INTEGER, -- bytes; 0: unknown
  "l2_bytes" INTEGER, -- last-level cache, bytes; 0: unknown
  "bytes_per_s" REAL, -- memory bandwidth; not over 0: unknown
  "flop_fp32" REAL, -- a second; not over 0: unknown
  "flop_tf32" REAL, -- a second; not over 0: unknown
  "rates_source" TEXT, -- where the three rates come from
  "can_trace" INTEGER, -- kernel records
  "trace_reason" TEXT, -- why not
  "compute_capability" TEXT -- 9.0; NULL on a CPU
) STRICT;
CREATE TABLE "plan" (
  "key" INTEGER PRIMARY KEY,
  "run_key" INTEGER NOT NULL REFERENCES "run" ("key"),
  "name" TEXT, -- of a named plan
  "notation" TEXT, -- + fuses, | cuts
  "executed" TEXT, -- notation with every implementation
  "exhibit" INTEGER, -- wrong on purpose
  "state" TEXT, -- measured, stopped early, not measured, faulted
  "message" TEXT, -- what the person should know
  "n_groups" INTEGER,
  "n_samples" INTEGER,
  "elapsed_median_ns" REAL, -- ns
  "elapsed_ci_low_ns" REAL, -- 95 % interval of the median, ns
  "elapsed_ci_high_ns" REAL, -- 95 % interval of the median, ns
  "span_median_ns" REAL, -- first kernel's start to last kernel's end, ns
  "kernels_sum_median_ns" REAL, -- ns
  "n_traces" INTEGER, -- traced executions
  "n_kernels" INTEGER, -- launches of one execution; -1: not traced
  "n_launches" INTEGER, -- of the last traced execution
  "n_records" INTEGER, -- of the last traced execution
  "n_rejected" INTEGER, -- records without a valid time
  "modelled_bytes" REAL, -- traffic from the shapes
  "modelled_flop" REAL, -- operations from the shapes
  "stable" INTEGER, -- the output after timing is the output before
  "samples_elapsed_ns" BLOB, -- every sample in order, ns
  "samples_clock_mhz" BLOB, -- SM clock after each, MHz
  "samples_order" BLOB, -- position of each among all samples of the run
  "samples_throttle" BLOB -- NVML clock event reasons after each + 2^30; 0: unknown
) STRICT;
CREATE TABLE "kernel" (
  "key" INTEGER PRIMARY KEY,
  "plan_key" INTEGER NOT NULL REFERENCES "plan" ("key"),
  "name" TEXT, -- full, demangled
  "short_name" TEXT,
  "group" INTEGER, -- of the plan, from 0
  "first_op" INTEGER, -- of the chain, from 0
  "last_op" INTEGER, -- of the chain, from 0
  "implementation" TEXT, -- cudnn, cublaslt, onednn, generated, hand, cpu
  "is_copy" INTEGER, -- a layout change that a library needs
  "median_ns" REAL, -- ns
  "start_ns" REAL, -- after the first kernel's start, median, ns
  "call_start_ns" REAL, -- of the host's call, after the first kernel's start, ns
  "call_ns" REAL, -- the host's call took, tracing on, ns
  "bytes" REAL, -- modelled
  "samples_ns" BLOB, -- every duration, ns
  "dram_bytes_read" REAL, -- of one execution, by hardware counters
  "dram_bytes_written" REAL, -- of one execution, by hardware counters
  "l2_bytes" REAL, -- between L2 and everything else, by hardware counters
  "dram_percent" REAL, -- of peak throughput
  "sm_percent" REAL, -- of peak throughput
  "tensor_percent" REAL, -- of peak throughput
  "occupancy_percent" REAL, -- warps on an SM of those it has room for
  "registers" INTEGER, -- a thread; -1: unknown
  "shared_bytes" INTEGER, -- a block; -1: unknown
  "grid" BLOB, -- x, y, z; 0: unknown
  "block" BLOB -- x, y, z; 0: unknown
) STRICT;
CREATE TABLE "difference" (
  "key" INTEGER PRIMARY KEY,
  "plan_key" INTEGER NOT NULL REFERENCES "plan" ("key"),
  "rows" INTEGER, -- the output is [rows, columns, plane]
  "columns" INTEGER,
  "plane" INTEGER,
  "rows_per_cell" INTEGER, -- elements a cell of the overview
  "columns_per_cell" INTEGER, -- elements a cell of the overview
  "atol" REAL, -- an element fails beyond atol + rtol * |b|; NaN: beyond its bound
  "rtol" REAL,
  "n_elements" INTEGER,
  "n_failing" INTEGER,
  "n_nan_a" INTEGER, -- in the plan's output
  "n_nan_b" INTEGER, -- in the output compared with
  "n_infinite_a" INTEGER,
  "n_infinite_b" INTEGER,
  "max_abs" REAL,
  "mean_abs" REAL,
  "max_rel" REAL, -- max_abs over max_abs_b
  "mean_rel" REAL, -- mean_abs over max_abs_b
  "max_abs_b" REAL, -- the output's scale
  "max_error_ratio" REAL, -- largest |a - b| / max (1, |b|)
  "worst_index" INTEGER, -- flat; -1: all are equal
  "worst_a" REAL,
  "worst_b" REAL,
  "cells" BLOB, -- largest |a - b| a cell, float
  "failing" BLOB, -- failing elements a cell, unsigned
  "histogram" BLOB, -- finite pairs by |a - b| (64) and |b| (16), powers of two
  "n_worst" INTEGER, -- elements with the largest |a - b|; NULL: unknown
  "worst_indices" BLOB, -- flat, the worst first
  "worst_values_a" BLOB,
  "worst_values_b" BLOB,
  "worst_bounds" BLOB -- NaN: unknown
) STRICT;
CREATE TABLE "slice" (
  "key" INTEGER PRIMARY KEY,
  "plan_key" INTEGER NOT NULL REFERENCES "plan" ("key"),
  "trusted" INTEGER, -- position of the plan compared with; -1: fp64
  "sample" INTEGER, -- which plane
  "channel" INTEGER, -- which plane
  "first_row" INTEGER, -- in the plane or matrix
  "first_column" INTEGER, -- in the plane or matrix
  "n_rows" INTEGER,
  "n_columns" INTEGER,
  "a" BLOB, -- the plan's output, float
  "b" BLOB -- the output compared with, float
) STRICT;
CREATE TABLE "survey" (
  "key" INTEGER PRIMARY KEY,
  "note" TEXT, -- the person's own words
  "kind" TEXT, -- explore: every partition; sweep: plans over shapes
  "pipeline" TEXT, -- id of the pipeline
  "math_mode" TEXT, -- fp32, tf32; from 1.4 fp16, bf16; from 1.5 tf32x
  "varied" TEXT, -- of a sweep: which fields, for people
  "vary_x" TEXT, -- of a sweep: field=value,value,...
  "vary_y" TEXT, -- of a sweep over two fields
  "measured_at" TEXT, -- its latest point, ISO 8601, UTC
  "n_measured" INTEGER, -- points
  "floor_ns" REAL, -- no plan can be faster, ns; of explore
  "floor_source" TEXT -- where its rates come from
) STRICT;
CREATE TABLE "point" (
  "key" INTEGER PRIMARY KEY,
  "survey_key" INTEGER NOT NULL REFERENCES "survey" ("key"),
  "shape" TEXT, -- key=value,...
  "values" BLOB, -- shape fields in the order of the pipeline file
  "plan" TEXT, -- as asked for
  "notation" TEXT, -- that the target runs
  "fused_seams" INTEGER, -- bit i: seam i is fused
  "state" INTEGER, -- 0 pending, 1 measured, 2 impossible, 3 failed
  "message" TEXT, -- what the person should know
  "bytes" REAL, -- modelled traffic
  "flop" REAL, -- modelled operations
  "full_rate_ns" REAL, -- at the full rates of the device, ns
  "floor_ns" REAL, -- ns
  "n_kernels_expected" INTEGER, -- launches; -1: unknown
  "is_split" INTEGER, -- some group runs in several launches
  "tensors_fit_cache" INTEGER, -- an intermediate tensor fits the last-level cache
  "median_ns" REAL, -- elapsed, ns
  "ci_low_ns" REAL, -- 95 % interval of the median, ns
  "ci_high_ns" REAL, -- 95 % interval of the median, ns
  "n_samples" INTEGER,
  "reference_ns" REAL, -- median of the plan compared with in its batch, ns
  "kernels_sum_ns" REAL, -- ns
  "span_ns" REAL, -- ns
  "n_kernels" INTEGER, -- launches of one execution; -1: not traced
  "max_abs" REAL, -- largest difference from the plan compared with
  "max_error_ratio" REAL, -- largest |a - b| / max(1, |b|)
  "n_failing" INTEGER, -- elements over their limit
  "stable" INTEGER, -- the output after timing is the output before
  "executed" TEXT, -- notation with every implementation
  "measured_at" TEXT -- ISO 8601, UTC
) STRICT;
CREATE TABLE "member" (
  "key" INTEGER PRIMARY KEY,
  "owner" TEXT NOT NULL, -- table
  "row" INTEGER NOT NULL, -- key in that table
  "name" TEXT NOT NULL,
  "type" TEXT NOT NULL, -- GVariant's
  "value" BLOB NOT NULL -- GVariant's bytes, little-endian
) STRICT;
-- application_id: 1399153005
-- user_version: 1005
-- meta: written_by
-- meta: sha256 run 1
-- meta: sha256 survey 1
-- meta: sha256
-- member of device: abilities, as
-- member of device: launch_ns, d
-- member of difference: depth, x
-- member of difference: histogram_shares, ax
-- member of difference: histogram_ulps, ax
-- member of difference: hits, ay
-- member of difference: max_bound_ratio, d
-- member of difference: max_ulps, x
-- member of difference: mean_ulps, d
-- member of difference: n_shown, x
-- member of difference: plane_width, x
-- member of difference: rank, x
-- member of difference: rms_abs, d
-- member of difference: rms_b, d
-- member of difference: shares, ay
-- member of difference: ulps, ay
-- member of kernel: starts_ns, ad
-- member of plan: guess_ns, d
-- member of plan: n_places, x
-- member of plan: tiles, aa{sv}: columns, kind, rows
-- member of point: foreign_load, d
-- member of point: guess_high_ns, d
-- member of point: guess_low_ns, d
-- member of point: guess_ns, d
-- member of point: ratio_high, d
-- member of point: ratio_low, d
-- member of run: code, a{sv}: files, plans
-- member of run: foreign_load, d
-- member of run: init, s
-- member of run: storage, s
-- member of run: under_load, b
-- member of slice: bounds, ay
-- member of survey: device, a{sv}
-- member of survey: request, a{sv}: atol, budget_s, cold, counters, distribution, init, launch_mode, math_mode, overview_side, pipeline, pipeline_text, plans, preset, rtol, seed, storage, target, truth, values
