/* SPDX-License-Identifier: MIT
 *
 * SeamVerdictLine: the verdict of the shown run in one line, for tabs about something else:
 * "1.84× faster  B published against A unfused · 4.72 → 2.57 ms". The words are those of
 * app/report/summary.h. While a run goes on the line says how far it is; without a result it is not
 * there.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

#define SEAM_TYPE_VERDICT_LINE (seam_verdict_line_get_type ())
G_DECLARE_FINAL_TYPE (SeamVerdictLine, seam_verdict_line, SEAM, VERDICT_LINE, AdwBin)

/* Call once, before the widget is shown. */
void seam_verdict_line_set_model (SeamVerdictLine *self, SeamModel *model);
