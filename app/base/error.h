/* SPDX-License-Identifier: MIT
 *
 * The one error domain of the program. Codes say what the person can do about an error; the message
 * is a whole sentence that names the problem and, if there is one, the remedy.
 */
#pragma once

#include <glib.h>

#define SEAM_ERROR (seam_error_quark ())

typedef enum {
  SEAM_ERROR_INPUT,       /* bad value, shape, plan or option: change what was typed */
  SEAM_ERROR_FILE,        /* a file is missing, damaged or cannot be written: choose another */
  SEAM_ERROR_UNSUPPORTED, /* valid, but this target cannot do it: choose another plan or target */
  SEAM_ERROR_MEMORY,      /* does not fit: choose a smaller shape */
  SEAM_ERROR_DEVICE,      /* the device failed or its context is lost: start a new worker */
  SEAM_ERROR_CANCELLED,   /* the person pressed Stop */
  SEAM_ERROR_INTERNAL,    /* a fault of this program: report it */
} SeamError;

GQuark seam_error_quark (void);

/* FALSE, after setting the error to a code and a format with its arguments. It is no function, so
 * that the compiler knows what `return seam_fail (error, …)` returns. */
#define seam_fail(error, code, ...) (g_set_error (error, SEAM_ERROR, code, __VA_ARGS__), FALSE)
/* The same for a function that returns a pointer. */
#define seam_fail_null(error, code, ...) (g_set_error (error, SEAM_ERROR, code, __VA_ARGS__), NULL)

/* A flag that one thread raises and another polls; plain GLib, because app/ has no Gio. */
typedef struct {
  gint raised;
} SeamCancel;

static inline void
seam_cancel_raise (SeamCancel *cancel)
{
  g_atomic_int_set (&cancel->raised, 1);
}

/* Accepts NULL (never cancelled). If the flag is raised, sets SEAM_ERROR_CANCELLED and returns
 * TRUE. */
gboolean seam_cancel_check (SeamCancel *cancel, GError **error);
