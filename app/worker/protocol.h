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
 *   explore      a SeamRunRequest, survey a{sv} (points measured before; may be missing), measure b
 *                (FALSE: only predict), vary_x s, vary_y s (both missing: every partition; else the
 *                request's plans over one or two fields, app/explore/sweep.h) -> end s ("done",
 * "stopped", "budget"), survey a{sv}. The outputs of the last run are given up calibrate    target
 * s (missing: the best), measure b (FALSE: the one that is kept), budget_s d, forget b (TRUE: the
 * one that is kept is deleted, and the answer is empty)
 *                -> calibration a{sv} (SeamCalibration), not_kept s (why its file could not be
 *                written; may be missing)
 *   source       a SeamRunRequest -> a SeamCode (app/runner/source.h): the code of every group
 *   listing      a SeamRunRequest, plan x, group x, part x (from 0), kind s ("ptx", "sass",
 *                "native") -> a SeamListing (app/backend/listing.h)
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
 * Notifications from the worker, during `explore` (app/explore/survey.h):
 *   survey       first with all points as they are predicted, then whenever points got a time, and
 *                else at most 10 a second: survey a{sv} (where points are new), n_points,
 * n_pending, elapsed_s, budget_s, expected_s, current
 *
 * Notifications from the worker, during `calibrate`: calibration, before each quantity: what s,
 * fraction d (0..1), elapsed_s d, budget_s d
 *
 * All calls but `cancel` and `crash` are executed one after another, in the order they came.
 * `difference`, `slice` and `save_output` speak of the last run.
 *
 * An error's code is SEAM_PROTOCOL_ERROR_BASE + its SeamError, its message a sentence for the
 * person; the other end gets it back by seam_protocol_translate_error(). After SEAM_ERROR_DEVICE
 * the worker ends with SEAM_WORKER_EXIT_DEVICE_LOST: its context is gone, and a new worker is
 * needed. It ends with 0 when its input is closed.
 */
#pragma once

#include "app/base/error.h"

#include <string.h>

G_BEGIN_DECLS

#define SEAM_METHOD_DESCRIBE    "describe"
#define SEAM_METHOD_ESTIMATE    "estimate"
#define SEAM_METHOD_RUN         "run"
#define SEAM_METHOD_DIFFERENCE  "difference"
#define SEAM_METHOD_SLICE       "slice"
#define SEAM_METHOD_SAVE_OUTPUT "save_output"
#define SEAM_METHOD_EXPLORE     "explore"
#define SEAM_METHOD_CALIBRATE   "calibrate"
#define SEAM_METHOD_SOURCE      "source"
#define SEAM_METHOD_LISTING     "listing"
#define SEAM_METHOD_CANCEL      "cancel"
#define SEAM_METHOD_CRASH       "crash"

#define SEAM_NOTIFY_PROGRESS    "progress"
#define SEAM_NOTIFY_PARTIAL     "partial"
#define SEAM_NOTIFY_SURVEY      "survey"
#define SEAM_NOTIFY_CALIBRATION "calibration"

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

/* The worker's error out of what jsonrpc_client_call_finish() gave, newly allocated: SEAM_ERROR and
 * the sentence. NULL when it is no error of the worker's own: the connection broke.
 *
 * jsonrpc-glib 3.42 gives every error of the peer as G_IO_ERROR_FAILED whose message is the error
 * object as text, "{'code': <1000>, 'message': <'…'>}"; from 3.44 on it is JSONRPC_CLIENT_ERROR
 * with the code, and " (1000)" after the message. */
static inline GError *
seam_protocol_translate_error (const GError *error)
{
  g_autoptr (GVariant) object = NULL;
  g_autofree char *suffix = NULL;
  int code;

  if (g_str_has_prefix (error->message, "{"))
    object = g_variant_parse (G_VARIANT_TYPE_VARDICT, error->message, NULL, NULL, NULL);
  if (object) {
    g_autoptr (GVariant) number = g_variant_lookup_value (object, "code", NULL);
    const char *message;
    gint64 value = -1;
    if (number && g_variant_is_of_type (number, G_VARIANT_TYPE_INT32))
      value = g_variant_get_int32 (number);
    else if (number && g_variant_is_of_type (number, G_VARIANT_TYPE_INT64))
      value = g_variant_get_int64 (number);
    if (!seam_protocol_error_to_code ((int)value, &code)
        || !g_variant_lookup (object, "message", "&s", &message))
      return NULL;
    return g_error_new_literal (SEAM_ERROR, code, message);
  }
  if (g_strcmp0 (g_quark_to_string (error->domain), "jsonrpc-client-error-quark") != 0
      || !seam_protocol_error_to_code (error->code, &code))
    return NULL;
  suffix = g_strdup_printf (" (%d)", error->code);
  if (g_str_has_suffix (error->message, suffix)) {
    g_autofree char *message =
        g_strndup (error->message, strlen (error->message) - strlen (suffix));
    return g_error_new_literal (SEAM_ERROR, code, message);
  }
  return g_error_new_literal (SEAM_ERROR, code, error->message);
}

G_END_DECLS
