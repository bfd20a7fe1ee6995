/* SPDX-License-Identifier: MIT
 *
 * Records that variants store as a sequence of numbers.
 */
#include "app/record/record-private.h"

/* Number of numbers in a record of ROWS. */
static gsize
count_numbers (const SeamRecordType *type)
{
  gsize n = 0;

  SEAM_FOR_EACH_FIELD (field, type)
  n += field->kind == SEAM_KIND_INLINE ? count_numbers (field->type) : 1;
  return n;
}

/* Returns the position after the record's last number. */
static double *
list_numbers (const SeamRecordType *type, gconstpointer record, double *numbers)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    if (field->kind == SEAM_KIND_INLINE)
      numbers = list_numbers (field->type, &SEAM_FIELD_AT (char, record, field), numbers);
    else
      *numbers++ = field->kind == SEAM_KIND_INT ? SEAM_FIELD_AT (int, record, field)
                                                : SEAM_FIELD_AT (double, record, field);
  }
  return numbers;
}

void
seam_field_add_rows (GVariantBuilder *builder, const SeamField *field, const char *records, gsize n)
{
  gsize length = n * count_numbers (field->type);
  g_autofree double *numbers = g_new (double, MAX (length, 1));
  double *next = numbers;

  for (gsize i = 0; i < n; i++)
    next = list_numbers (field->type, records + i * field->type->size, next);
  seam_builder_array (builder, field->name, "d", sizeof *numbers, numbers, length);
}

/* Moves on past the record's numbers. FALSE if an integer is out of range. */
static gboolean
take_numbers (const SeamRecordType *type, gpointer record, const double **numbers)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    if (field->kind == SEAM_KIND_INLINE) {
      if (!take_numbers (field->type, &SEAM_FIELD_AT (char, record, field), numbers))
        return FALSE;
      continue;
    }
    double number = *(*numbers)++;
    if (field->kind == SEAM_KIND_DOUBLE)
      SEAM_FIELD_AT (double, record, field) = number;
    else if (number >= (double)field->min && number <= (double)field->max)
      SEAM_FIELD_AT (int, record, field) = (int)number;
    else
      return FALSE;
  }
  return TRUE;
}

void
seam_field_read_row (SeamReader *reader, const SeamField *field, gpointer record)
{
  gsize n;
  g_autofree double *numbers = seam_reader_array (reader, field->name, "d", sizeof *numbers, &n);
  const double *next = numbers;

  if (numbers != NULL
      && (n != count_numbers (field->type)
          || !take_numbers (field->type, &SEAM_FIELD_AT (char, record, field), &next)))
    seam_reader_fail (reader, "its “%s” makes no sense", field->name);
}

void
seam_field_read_rows (SeamReader *reader, const SeamField *list, gpointer record)
{
  gsize n, length = count_numbers (list->type), size = list->type->size;
  g_autofree double *numbers = seam_reader_array (reader, list->name, "d", sizeof *numbers, &n);
  const double *next = numbers;

  if (numbers == NULL)
    return;
  if (n % length != 0 || n / length > list->type->max) {
    seam_reader_fail (reader, "its %s has %" G_GSIZE_FORMAT " numbers", list->name, n);
    return;
  }
  n /= length;
  char *rows = g_malloc (n * size);
  for (gsize i = 0; i < n; i++)
    seam_record_init (list->type, rows + i * size);
  SEAM_FIELD_AT (char *, record, list) = rows;
  G_STRUCT_MEMBER (int, record, list->count) = (int)n;
  for (gsize i = 0; i < n && reader->error == NULL; i++)
    if (!take_numbers (list->type, rows + i * size, &next))
      seam_reader_fail (reader, "%s %" G_GSIZE_FORMAT " of its %s makes no sense", list->type->name,
                        i, list->name);
}
