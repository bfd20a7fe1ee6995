/* SPDX-License-Identifier: MIT */
#include "ui/state/run-subject.h"

void
seam_run_subject_init (SeamRunSubject *self)
{
  *self = (SeamRunSubject){
    .plans = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_plan_unref),
  };
}

void
seam_run_subject_clear (SeamRunSubject *self)
{
  g_clear_pointer (&self->plans, g_ptr_array_unref);
  g_clear_pointer (&self->live, seam_live_run_free);
  g_clear_pointer (&self->partial, seam_result_unref);
  g_clear_pointer (&self->result, seam_result_unref);
  g_clear_pointer (&self->entry, seam_history_entry_unref);
  g_clear_pointer (&self->pipeline, seam_pipeline_unref);
  g_clear_pointer (&self->plans_key, g_free);
  g_clear_pointer (&self->request, seam_run_request_free);
}
