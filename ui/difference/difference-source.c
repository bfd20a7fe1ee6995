/* SPDX-License-Identifier: MIT
 *
 * Requests of the Difference tab. `sides` counts every change of result or sides: an answer that
 * was asked for under another count is dropped. Within one count answers come in order, so the
 * slice may be shown while a newer one is on its way (dragging over the overview).
 */
#include "ui/difference/difference-source.h"

#include "app/base/doubles.h"

#include "ui/class/class.h"
#include "ui/difference/difference-kept.h"
#include "ui/state/watch.h"

/* The overview has at most this many cells on a side; the screen has no more pixels for it. */
#define MAX_SIDE 512

#define OUTPUTS_GONE                                                                               \
  "The worker no longer holds the outputs of this run. After the next run they can be looked at "  \
  "again."

/* A rectangle that is shown, the one that is wanted, and the one that was asked for, whose grids
 * are unused. */
typedef struct {
  const char *property;
  SeamSlice *slice, *wanted, *asked;
  char *error;
} Stream;

struct _SeamDifferenceSource {
  GObject parent_instance;

  SeamWorkerClient *client;
  SeamResult *result;
  SeamSessionRun *kept; /* the run of `result`, or NULL */
  int tested, against;
  double atol, rtol;
  guint sides;
  GCancellable *cancellable; /* cancels the requests of the current count */

  SeamDifference *difference;
  gboolean difference_asked, difference_again;
  char *error;
  Stream slice, planes;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceSource, seam_difference_source, G_TYPE_OBJECT)

typedef struct {
  SeamDifferenceSource *self; /* reference */
  Stream *stream;             /* of `self`; NULL: the difference */
  guint sides;
} Request;

static Request *
request_new (SeamDifferenceSource *self, Stream *stream)
{
  Request *request = g_new0 (Request, 1);
  request->self = g_object_ref (self);
  request->stream = stream;
  request->sides = self->sides;
  return request;
}

static void
request_free (Request *request)
{
  g_object_unref (request->self);
  g_free (request);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

static gboolean
same_rectangle (const SeamSlice *a, const SeamSlice *b)
{
  return a != NULL && b != NULL && a->sample == b->sample && a->channel == b->channel
         && a->first_row == b->first_row && a->first_column == b->first_column
         && a->n_rows == b->n_rows && a->n_columns == b->n_columns;
}

static SeamSlice *
copy_rectangle (const SeamSlice *slice)
{
  SeamSlice *copy = g_new0 (SeamSlice, 1);
  *copy = *slice;
  copy->a = copy->b = NULL;
  return copy;
}

static void
take_difference (SeamDifferenceSource *self, SeamDifference *difference)
{
  g_clear_pointer (&self->difference, seam_difference_free);
  self->difference = difference;
  g_clear_pointer (&self->error, g_free);
}

static gboolean
is_kept (SeamDifferenceSource *self)
{
  return self->kept != NULL && self->kept->result == self->result;
}

static char *
explain_missing (SeamDifferenceSource *self)
{
  return is_kept (self) ? seam_difference_explain_kept (self->result) : g_strdup (OUTPUTS_GONE);
}

/* -- The difference ---------------------------------------------------------------------------- */

static void ask_difference (SeamDifferenceSource *self);

static void
difference_cb (GObject *object, GAsyncResult *answer, gpointer data)
{
  g_autoptr (Request) request = data;
  SeamDifferenceSource *self = request->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDifference) difference = seam_worker_client_finish (answer, &error);

  if (request->sides != self->sides)
    return;
  self->difference_asked = FALSE;
  if (self->difference_again) {
    self->difference_again = FALSE;
    return ask_difference (self);
  }
  if (difference != NULL) {
    take_difference (self, g_steal_pointer (&difference));
  } else {
    take_difference (self, NULL);
    self->error = g_strdup (error->message);
  }
  seam_watch_notify (self, "difference");
}

static void
ask_difference (SeamDifferenceSource *self)
{
  if (self->client == NULL) {
    take_difference (self, NULL);
    self->error = explain_missing (self);
    return;
  }
  if (self->difference_asked) {
    self->difference_again = TRUE;
    return;
  }
  self->difference_asked = TRUE;
  GVariantDict params;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "a", "i", self->tested);
  g_variant_dict_insert (&params, "b", "i", self->against);
  g_variant_dict_insert (&params, "max_side", "x", (gint64)MAX_SIDE);
  if (!isnan (self->atol)) {
    g_variant_dict_insert (&params, "atol", "d", self->atol);
    g_variant_dict_insert (&params, "rtol", "d", self->rtol);
  }
  seam_worker_client_call (self->client, SEAM_METHOD_DIFFERENCE, g_variant_dict_end (&params),
                           self->cancellable, difference_cb, request_new (self, NULL));
}

/* The difference that came with the result, if it has the requested tolerances. Without a worker
 * no other tolerance can be requested, so the kept difference stays. */
static const SeamDifference *
find_kept (SeamDifferenceSource *self)
{
  const SeamDifference *kept =
      seam_difference_find_kept (self->result, self->tested, self->against);

  if (kept == NULL || self->client == NULL
      || (seam_doubles_equal (kept->spec.atol, self->atol)
          && seam_doubles_equal (kept->spec.rtol, self->rtol)))
    return kept;
  return NULL;
}

static void
find_difference (SeamDifferenceSource *self)
{
  const SeamDifference *kept = find_kept (self);

  if (kept != NULL)
    take_difference (self, seam_record_dup (&seam_difference_type, kept));
  else
    ask_difference (self);
}

/* -- The slice --------------------------------------------------------------------------------- */

static void ask_slice (SeamDifferenceSource *self, Stream *stream);

static void
slice_cb (GObject *object, GAsyncResult *answer, gpointer data)
{
  g_autoptr (Request) request = data;
  SeamDifferenceSource *self = request->self;
  Stream *stream = request->stream;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSlice) slice = seam_worker_client_finish (answer, &error);
  gboolean newer;

  if (request->sides != self->sides)
    return;
  newer = !same_rectangle (stream->asked, stream->wanted);
  g_clear_pointer (&stream->asked, g_free);
  g_clear_pointer (&stream->error, g_free);
  g_clear_pointer (&stream->slice, seam_slice_free);
  if (slice != NULL)
    stream->slice = g_steal_pointer (&slice);
  else
    stream->error = g_strdup (error->message);
  if (newer)
    ask_slice (self, stream);
  seam_watch_notify (self, stream->property);
}

static void
ask_slice (SeamDifferenceSource *self, Stream *stream)
{
  if (stream->wanted == NULL || stream->asked != NULL)
    return;
  if (self->client == NULL) {
    g_free (stream->error);
    stream->error = is_kept (self) && self->difference != NULL
                        ? g_strdup ("The file does not hold single elements of these two sides.")
                        : explain_missing (self);
    return;
  }
  stream->asked = copy_rectangle (stream->wanted);
  seam_worker_client_call (self->client, SEAM_METHOD_SLICE,
                           seam_worker_params_slice (self->tested, self->against, stream->asked),
                           self->cancellable, slice_cb, request_new (self, stream));
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
stream_clear (Stream *stream)
{
  g_clear_pointer (&stream->slice, seam_slice_free);
  g_clear_pointer (&stream->wanted, g_free);
  g_clear_pointer (&stream->asked, g_free);
  g_clear_pointer (&stream->error, g_free);
}

static void
forget (SeamDifferenceSource *self)
{
  self->sides++;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  take_difference (self, NULL);
  self->difference_asked = self->difference_again = FALSE;
  stream_clear (&self->slice);
  stream_clear (&self->planes);
}

static void
seam_difference_source_class_init (SeamDifferenceSourceClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (forget));
  SEAM_OWNS (klass, SeamDifferenceSource, g_object_unref, client);
  SEAM_OWNS (klass, SeamDifferenceSource, seam_result_unref, result);
  SEAM_OWNS (klass, SeamDifferenceSource, seam_session_run_unref, kept);
  seam_watch_install (klass, "difference slice planes client");
}

static void
seam_difference_source_init (SeamDifferenceSource *self)
{
  self->slice.property = "slice";
  self->planes.property = "planes";
}

SeamDifferenceSource *
seam_difference_source_new (void)
{
  return g_object_new (SEAM_TYPE_DIFFERENCE_SOURCE, NULL);
}

void
seam_difference_source_set_sides (SeamDifferenceSource *self, SeamWorkerClient *client,
                                  SeamResult *result, int tested, int against, double atol,
                                  double rtol)
{
  SeamResult *old = self->result;

  forget (self);
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  g_clear_pointer (&old, seam_result_unref);
  g_set_object (&self->client, client);
  self->tested = tested;
  self->against = against;
  self->atol = atol;
  self->rtol = rtol;
  self->cancellable = g_cancellable_new ();
  if (is_kept (self))
    self->slice.slice = seam_difference_copy_kept_slice (self->kept, tested, against);
  if (result != NULL)
    find_difference (self);
  seam_watch_notify (self, "difference client slice planes");
}

void
seam_difference_source_set_kept (SeamDifferenceSource *self, SeamSessionRun *kept)
{
  SeamSessionRun *old = self->kept;

  self->kept = kept != NULL ? seam_session_run_ref (kept) : NULL;
  seam_session_run_unref (old);
}

void
seam_difference_source_set_client (SeamDifferenceSource *self, SeamWorkerClient *client)
{
  if (self->client == client)
    return;
  /* Answers to requests of the old count are about other outputs, or never come. */
  self->sides++;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->difference_asked = self->difference_again = FALSE;
  g_clear_pointer (&self->slice.asked, g_free);
  g_clear_pointer (&self->slice.wanted, g_free);
  g_clear_pointer (&self->planes.asked, g_free);
  g_clear_pointer (&self->planes.wanted, g_free);
  g_set_object (&self->client, client);
  if (self->result != NULL && self->difference == NULL)
    find_difference (self);
  seam_watch_notify (self, "difference client");
}

void
seam_difference_source_set_tolerances (SeamDifferenceSource *self, double atol, double rtol)
{
  if (seam_doubles_equal (self->atol, atol) && seam_doubles_equal (self->rtol, rtol))
    return;
  self->atol = atol;
  self->rtol = rtol;
  if (self->result == NULL || self->client == NULL)
    return;
  find_difference (self);
  seam_watch_notify (self, "difference");
}

static void
want (SeamDifferenceSource *self, Stream *stream, const SeamSlice *wanted)
{
  if (self->result == NULL || same_rectangle (wanted, stream->wanted))
    return;
  g_free (stream->wanted);
  stream->wanted = copy_rectangle (wanted);
  ask_slice (self, stream);
}

void
seam_difference_source_want_slice (SeamDifferenceSource *self, const SeamSlice *wanted)
{
  want (self, &self->slice, wanted);
}

void
seam_difference_source_want_planes (SeamDifferenceSource *self, const SeamSlice *wanted)
{
  want (self, &self->planes, wanted);
}

const SeamDifference *
seam_difference_source_get_difference (SeamDifferenceSource *self)
{
  return self->difference;
}

const SeamSlice *
seam_difference_source_get_slice (SeamDifferenceSource *self)
{
  return self->slice.slice;
}

const SeamSlice *
seam_difference_source_get_planes (SeamDifferenceSource *self)
{
  return self->planes.slice;
}

SeamWorkerClient *
seam_difference_source_get_client (SeamDifferenceSource *self)
{
  return self->client;
}

gboolean
seam_difference_source_can_ask (SeamDifferenceSource *self)
{
  return self->client != NULL;
}

const char *
seam_difference_source_get_error (SeamDifferenceSource *self)
{
  return self->error;
}

const char *
seam_difference_source_get_slice_error (SeamDifferenceSource *self)
{
  return self->slice.error;
}
