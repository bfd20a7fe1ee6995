/* SPDX-License-Identifier: MIT
 *
 * What the files of app/record/ share.
 */
#pragma once

#include "app/record/record.h"

G_BEGIN_DECLS

#define SEAM_FIELD_AT(T, record, field) G_STRUCT_MEMBER (T, record, (field)->offset)

/* Bytes of one element of an array; 0: it is none. */
gsize seam_field_get_element_size (const SeamField *field);
/* Bytes in the struct. */
gsize seam_field_get_size (const SeamField *field);
/* Whether it is an owned array of plain values. */
gboolean seam_field_is_array (const SeamField *field);
/* Elements of an array or list that are there. */
gsize seam_field_count (const SeamField *field, gconstpointer record);
gpointer seam_field_get_element (const SeamField *field, gconstpointer record, gsize i);
/* A choice that only knows its name. */
int seam_choice_keep (const char *name);
/* Of a double in a new record. */
double seam_field_get_initial (const SeamField *field);

G_END_DECLS
