/* SPDX-License-Identifier: MIT
 *
 * The protocol between window and worker: JSON-RPC 2.0 over the worker's standard input and
 * output, with jsonrpc-glib's framing. The worker answers in the encoding of the call: GVariant
 * (the window; grids travel as raw bytes) or JSON text (a person with a shell, a test).
 *
 * Parameters and replies are a{sv}; a call without parameters has empty ones ({}), since
 * jsonrpc-glib drops a message without `params`, and then nothing answers. A message has at
 * most 16 MB (a limit of jsonrpc-glib), and a call with too many levels of objects and lists is
 * refused (nesting.h). If a type below is a list or a tuple, JSON text sends a list; if it is a
 * number, JSON may send an integer or a decimal. A run whose maps would not fit is answered
 * without them; `difference` then brings each.
 *
 *   hello        protocol x (SEAM_PROTOCOL_VERSION), version s (seam_protocol_get_build()),
 *                machine s (the worker's, as the caller calls it; "": the caller's own), host s ->
 *                the same of the worker; the first message, answered at once. An error if the
 *                versions of the protocol differ (those of the program may). A person with a shell
 *                may leave it out
 *   describe     {} -> version s, targets aa{sv} (SeamDeviceInfo), checks aa{sv} (SeamCheck)
 *   estimate     a SeamRunRequest -> a SeamEstimate
 *   run          a SeamRunRequest, details b (may be missing) -> a SeamResult, with its grids where
 *                they fit; with details as a session keeps it, with the code that ran and the
 *                elements around the worst ones (app/session/capture.h)
 *   difference   a i, b i (-1: FP64), atol d, rtol d (may be missing: the bounds judge), max_side x
 *                -> a SeamDifference
 *   slice        a i, b i, sample x, channel x, first_row x, first_column x, n_rows x, n_columns x
 *                -> a SeamSlice
 *   read_output  index i, offset x, n x (at most SEAM_OUTPUT_PART) -> size x, bytes ay: these bytes
 *                of the output as an .npy file of `size` bytes, from its beginning (0) on. An error
 *                if another run has begun since
 *   explore      a SeamRunRequest, search a{sv} (points measured before; may be missing), measure b
 *                (FALSE: only predict), vary_x s, vary_y s (vary_x missing: every partition; else
 *                the request's plans over one or two fields, app/explore/sweep.h)
 *                -> end s ("done", "stopped", "budget"), search a{sv}. Measuring, or another target
 *                than the last run's, releases the outputs of the last run
 *   calibrate    target s (missing: the best), measure b (FALSE: answer with the kept calibration),
 *                budget_s d, keep a{sv} (an unsteady calibration that is kept all the same)
 *                -> calibration a{sv} (SeamCalibration), not_kept s (why its file could not be
 *                written; may be missing), unsteady s (why it was not kept; may be missing)
 *   forget       target s (missing: the best) -> {}; deletes the kept calibration
 *   source       a SeamRunRequest -> a SeamCode (app/runner/runner-source.h): code of all groups
 *   listing      a SeamRunRequest, plan x, group x, part x (from 0), kind s ("ptx", "sass",
 *                "native") -> a SeamListing (app/backend/listing.h)
 *   cancel       {} -> {}; every call that is running or waiting ends as soon as it can: a run, and
 *                an exploration that measures, with what it has; a short call that is running with
 *                its reply; all others with SEAM_ERROR_CANCELLED
 *   end          {} -> {}, after all calls before it; the worker ends. Nothing may be sent after it
 *   crash        never answers: the worker ends by SIGSEGV. For tests: nothing else makes a
 *                worker die as a faulting kernel or a damaged driver does
 *
 * Notifications from the worker, during `run`:
 *   progress     a SeamProgress, at most 10 a second; every sample comes in exactly one of them,
 *                and all of them come before the run's reply
 *   partial      a SeamResult, before the error of a run that lost its device
 *   ending       {}, before the reply: edited code may go on running beside later measurements,
 *                so the caller sends `end` and starts another worker; the outputs are lost then
 *
 * During `explore` (app/explore/search.h):
 *   search       first with all points as they are predicted, then whenever points got a time, and
 *                else at most 10 a second: search a{sv} (where points are new), n_points,
 *                n_pending, elapsed_s, budget_s, expected_s, current
 *
 * During `calibrate`:
 *   calibration  before each quantity: what s, fraction d (0..1), elapsed_s d, budget_s d
 *
 * All calls but `hello`, `cancel` and `crash` are executed one after another, in the order they
 * came. `difference`, `slice` and `read_output` refer to the last run.
 *
 * An error's code is 1000 + its SeamError, its message a sentence for the person; the other end
 * gets it back by seam_protocol_translate_error(). After SEAM_ERROR_DEVICE the worker ends with
 * SEAM_WORKER_EXIT_DEVICE_LOST: its context is gone, and a new worker is needed. It ends with 0
 * within 5 s when its input is closed, whatever it is doing, and on SIGINT.
 */
#pragma once

#include "app/base/error.h"

/* To be raised when a method, a notification or a record changes so that the other end of an older
 * program would misunderstand it. */
#define SEAM_PROTOCOL_VERSION 1

#define SEAM_METHOD_HELLO       "hello"
#define SEAM_METHOD_DESCRIBE    "describe"
#define SEAM_METHOD_ESTIMATE    "estimate"
#define SEAM_METHOD_RUN         "run"
#define SEAM_METHOD_DIFFERENCE  "difference"
#define SEAM_METHOD_SLICE       "slice"
#define SEAM_METHOD_READ_OUTPUT "read_output"
#define SEAM_METHOD_EXPLORE     "explore"
#define SEAM_METHOD_CALIBRATE   "calibrate"
#define SEAM_METHOD_FORGET      "forget"
#define SEAM_METHOD_SOURCE      "source"
#define SEAM_METHOD_LISTING     "listing"
#define SEAM_METHOD_CANCEL      "cancel"
#define SEAM_METHOD_END         "end"
#define SEAM_METHOD_CRASH       "crash"

#define SEAM_OUTPUT_PART (8 << 20) /* bytes; a message has at most 16 MB */

#define SEAM_NOTIFY_PROGRESS    "progress"
#define SEAM_NOTIFY_PARTIAL     "partial"
#define SEAM_NOTIFY_SEARCH      "search"
#define SEAM_NOTIFY_CALIBRATION "calibration"
#define SEAM_NOTIFY_ENDING      "ending"

#define SEAM_WORKER_EXIT_DEVICE_LOST 4

/* "0.1.0+5846af6c4df3": the version, and the commit, by which builds of one version differ. */
const char *seam_protocol_get_build (void);
/* This program's hello, a{sv}. */
GVariant *seam_hello_make (const char *machine);
/* The machine in the other end's hello (NULL: it has none); borrowed. NULL if that does not speak
 * this protocol: SEAM_ERROR_UNSUPPORTED names both. */
const char *seam_hello_check (GVariant *theirs, GError **error);

/* The code in the reply for this error of a call: 1000 + its SeamError. An error of another domain
 * counts as SEAM_ERROR_INTERNAL. */
int seam_protocol_get_error_code (const GError *error);
/* The worker's error from that of jsonrpc_client_call_finish(): SEAM_ERROR and the sentence, newly
 * allocated. NULL if the error is not the worker's own (the connection broke, a call was cancelled,
 * jsonrpc-glib refused a message). */
GError *seam_protocol_translate_error (const GError *error);
