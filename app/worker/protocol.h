/* SPDX-License-Identifier: MIT
 *
 * What window and worker say to each other: JSON-RPC 2.0 over the worker's standard input and
 * output, with jsonrpc-glib's framing. The worker answers in the encoding it was spoken to:
 * GVariant (the window; grids travel as raw bytes) or JSON text (a person with a shell, a test).
 *
 * Parameters and replies are a{sv}; a message has at most 16 MB (a limit of jsonrpc-glib). A run
 * whose maps would not fit is answered without them; `difference` then brings each.
 *
 *   describe     {} -> version s, targets aa{sv} (SeamDeviceInfo), checks aa{sv} (SeamCheck)
 *   estimate     a SeamRunRequest -> a SeamEstimate
 *   run          a SeamRunRequest -> a SeamResult, with its grids
 *   difference   a i, b i (-1: FP64), atol d, rtol d, max_side x -> a SeamDifference
 *   slice        a i, b i, sample x, channel x, first_row x, first_column x, n_rows x, n_columns x
 *                -> a SeamSlice
 *   save_output  index i, path s -> {}
 *   cancel       {} -> {}; every call that is running or waiting ends as soon as it can: a run
 *                with what it has, the others with SEAM_ERROR_CANCELLED
 *   crash        never answers: the worker ends by SIGSEGV. A test aid: what a faulting kernel or a
 *                damaged driver does to a worker cannot be brought about otherwise. It changes no
 *                result.
 *
 * Notifications from the worker, during `run`:
 *   progress     a SeamProgress, at most 10 a second; every sample comes in exactly one of them,
 * and all of them come before the run's reply partial      a SeamResult, before the error of a run
 * that lost its device
 *
 * All calls but `cancel` and `crash` are executed one after another, in the order they came.
 * `difference`, `slice` and `save_output` speak of the last run.
 *
 * An error's code is SEAM_PROTOCOL_ERROR_BASE + its SeamError, its message a sentence for the
 * person. After SEAM_ERROR_DEVICE the worker ends with SEAM_WORKER_EXIT_DEVICE_LOST: its context is
 * gone, and a new worker is needed. It ends with 0 when its input is closed.
 */
#pragma once

#include "app/base/error.h"

G_BEGIN_DECLS

#define SEAM_METHOD_DESCRIBE    "describe"
#define SEAM_METHOD_ESTIMATE    "estimate"
#define SEAM_METHOD_RUN         "run"
#define SEAM_METHOD_DIFFERENCE  "difference"
#define SEAM_METHOD_SLICE       "slice"
#define SEAM_METHOD_SAVE_OUTPUT "save_output"
#define SEAM_METHOD_CANCEL      "cancel"
#define SEAM_METHOD_CRASH       "crash"

#define SEAM_NOTIFY_PROGRESS "progress"
#define SEAM_NOTIFY_PARTIAL  "partial"

/* Clear of the codes that JSON-RPC reserves (-32768 to -32000). */
#define SEAM_PROTOCOL_ERROR_BASE 1000

#define SEAM_WORKER_EXIT_DEVICE_LOST 4

static inline int
seam_protocol_error_from_code (int code)
{
  return SEAM_PROTOCOL_ERROR_BASE + code;
}

/* FALSE when the error is not one of the worker's own (the connection broke, a bad message). */
static inline gboolean
seam_protocol_error_to_code (int protocol_code, int *code)
{
  *code = protocol_code - SEAM_PROTOCOL_ERROR_BASE;
  return *code >= 0 && *code <= SEAM_ERROR_INTERNAL;
}

G_END_DECLS
