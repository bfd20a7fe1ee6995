/* SPDX-License-Identifier: MIT
 *
 * The worker's answers about the setup before anything runs: which targets there are, and the
 * estimate while one types. An answer to a question that is no longer asked is dropped.
 *
 * Properties, for notify:::
 *   "estimate"  an estimate arrived, failed, or became invalid
 */
#pragma once

#include "ui/state/setup.h"
#include "app/worker/client.h"

#define SEAM_TYPE_ADVICE (seam_advice_get_type ())
G_DECLARE_FINAL_TYPE (SeamAdvice, seam_advice, SEAM, ADVICE, GObject)

SeamAdvice *seam_advice_new (SeamSetup *setup, SeamWorkerClient *worker, SeamNotices *notices);
/* Starts the worker and asks it for its targets. Call it after the first frame. */
void seam_advice_start (SeamAdvice *self);
/* Sends no more requests; answers that are still on their way are dropped. */
void seam_advice_close (SeamAdvice *self);
/* Asks again, for example after a driver was installed or a device came back. */
void seam_advice_refresh_targets (SeamAdvice *self);

const SeamEstimate *seam_advice_get_estimate (SeamAdvice *self); /* NULL unknown */
const char *seam_advice_get_error (SeamAdvice *self);            /* NULL when there is none */
/* Whether a request for the current choices is pending, or about to be sent. */
gboolean seam_advice_is_asking (SeamAdvice *self);
/* Call it if something that an estimate depends on has changed. Changes of the setup are
 * followed anyway. */
void seam_advice_ask_again (SeamAdvice *self);
/* During a run no requests are sent; at its end everything is requested again. */
void seam_advice_set_paused (SeamAdvice *self, gboolean paused);
