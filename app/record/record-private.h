/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of app/record/.
 */
#pragma once

#include "app/record/record.h"

#define SEAM_FIELD_AT(T, record, field) G_STRUCT_MEMBER (T, record, (field)->offset)

/* Bytes of one element of an array; 0 if the field is no array. */
gsize seam_field_get_element_size (const SeamField *field);
/* Bytes of the field in the struct. */
gsize seam_field_get_size (const SeamField *field);
/* Whether the field is an owned array of plain values. */
gboolean seam_field_is_array (const SeamField *field);
/* Whether the field is a record inside the struct. */
gboolean seam_field_is_inside (const SeamField *field);
/* Number of elements in an array or list. */
gsize seam_field_count (const SeamField *field, gconstpointer record);
gpointer seam_field_get_element (const SeamField *field, gconstpointer record, gsize i);
/* For ROWS and ROW. `records` are `n` records of the field's type. */
void seam_field_add_rows (GVariantBuilder *builder, const SeamField *field, const char *records,
                          gsize n);
void seam_field_read_rows (SeamReader *reader, const SeamField *list, gpointer record);
void seam_field_read_row (SeamReader *reader, const SeamField *field, gpointer record);
/* Adds a field to a row of CSV, with the comma after it. */
void seam_value_add (GString *csv, const SeamValue *value);
/* Names of the FLAGS that are set; newly allocated. */
char **seam_field_list_flags (const SeamField *field, gconstpointer record);
/* A choice for an unknown name, which it keeps. */
int seam_choice_keep (const char *name);
/* The value of a double in a new record. */
double seam_field_get_initial (const SeamField *field);
