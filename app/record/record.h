/* SPDX-License-Identifier: MIT
 *
 * Records. A record type is a plain C struct and a table that describes each of its fields once:
 * its name in files, its kind, unit, limits and meaning. Everything that works alike for all fields
 * follows from the table: creation, copying, comparison, variants and JSON, columns of CSV and of a
 * session.
 */
#pragma once

#include "app/base/csv-read.h"
#include "app/record/variant.h"

#include <stddef.h>

typedef struct SeamField SeamField;
typedef struct SeamRecordType SeamRecordType;

typedef enum {
  SEAM_KIND_BOOLEAN, /* gboolean */
  SEAM_KIND_INT,     /* int */
  SEAM_KIND_INT64,   /* gint64 */
  SEAM_KIND_UINT64,  /* guint64 */
  SEAM_KIND_DOUBLE,  /* double; NaN: unknown */
  SEAM_KIND_TEXT,    /* char *, owned; NULL: no text, and then a variant has no such member */
  SEAM_KIND_CHOICE,  /* an enumeration, written as the name of its enumerator */
  SEAM_KIND_FLAGS,   /* bits of an enumeration: bit i is choices[i]; written as the names of the
                      * bits that are set. Names of a later version are skipped */
  SEAM_KIND_NUMBERS, /* gint64[length], inside the struct; the following are not single values */
  SEAM_KIND_DOUBLES, /* owned arrays of plain values */
  SEAM_KIND_INT64S,
  SEAM_KIND_INTS,
  SEAM_KIND_BYTES,
  SEAM_KIND_FLOATS,  /* FLOATS and WORDS are bytes in variants, four for each value,
                      * little-endian */
  SEAM_KIND_WORDS,   /* guint32 */
  SEAM_KIND_STRINGS, /* char **, owned, ends with NULL; NULL: none, as for TEXT */
  SEAM_KIND_RECORD,  /* an owned pointer to another record, or NULL */
  SEAM_KIND_RECORDS, /* an owned array of them */
  SEAM_KIND_ROWS,    /* the same; in variants one array of doubles, record after record. Their
                      * fields are DOUBLE, INT, or INLINE with such fields */
  /* Records in memory, but one array for each field in variants: “samples” of {elapsed_ns, order}
   * are the members samples_elapsed_ns and samples_order. */
  SEAM_KIND_COLUMNS,
  SEAM_KIND_INLINE,   /* a record inside the struct, whose fields are also fields of this record */
  SEAM_KIND_PREFIXED, /* the same with the name of this field before theirs: copy_reason */
  SEAM_KIND_ROW,      /* one of ROWS inside the struct; in variants one array of doubles */
  SEAM_KIND_COMPUTED, /* has no place in the struct; only columns of CSV */
} SeamKind;

/* One enumerator. Its number is its position; a NULL name ends the list. */
typedef struct {
  const char *name;  /* in files, options and CSV: "between" */
  const char *title; /* for people; NULL: the name */
  const char *words; /* a clause that says what it means, or NULL */
  const char *label; /* where a person chooses it; NULL: the title */
} SeamChoice;

/* A record and the records that contain it, innermost first. */
typedef struct SeamPath {
  const SeamRecordType *type;
  gconstpointer record;
  int index; /* index in the list of the outer record */
  const struct SeamPath *outer;
  gconstpointer data; /* data of the maker of a table's rows, for computed columns */
} SeamPath;

/* The value of one field, for columns and sentences. */
typedef struct {
  SeamKind kind; /* BOOLEAN, INT64, UINT64, DOUBLE or TEXT */
  gboolean known;
  gint64 integer; /* for BOOLEAN and INT64 */
  guint64 natural;
  double real;
  char *text;       /* owned */
  const char *unit; /* of the field; borrowed */
} SeamValue;

typedef enum {
  SEAM_REQUIRED = 1 << 0,  /* a variant without it is an error */
  SEAM_OPTIONAL = 1 << 1,  /* a number equal to `initial` is unknown: an empty field in CSV */
  SEAM_DERIVED = 1 << 2,   /* written but not read: the count of a list */
  SEAM_OMITTED = 1 << 3,   /* a variant has no such member if the value is `initial` */
  SEAM_LENIENT = 1 << 4,   /* a choice: `initial` if the name is from a later version */
  SEAM_AS_NUMBER = 1 << 5, /* a choice: written as its number */
  SEAM_LONG = 1 << 6,      /* a text of any length, not a name */
  SEAM_BULK = 1 << 7,      /* large: left out of JSON */
  SEAM_PRIVATE = 1 << 8,   /* stays in this process: no variant has it */
  SEAM_CLIPPED = 1 << 9,   /* numbers below `min`, and doubles below `low`, are read as that */
  /* In a session: */
  SEAM_AS_MEMBER = 1 << 10, /* no column, because older programs have none for it */
  SEAM_LISTED = 1 << 11,    /* shown in lists of runs, so it is read without the rest */
  SEAM_LARGE = 1 << 12,     /* a member that may be large */
  /* A choice keeps the name of a later version, and then equals no enumerator. */
  SEAM_LATER = 1 << 13,
  SEAM_WITH_NAN = 1 << 14, /* NaN is a value, “nan” in CSV, instead of unknown */
  SEAM_MARKED = 1 << 15,   /* for the owner of the table, which documents the meaning */
  /* A column of every table whose rows are inside the record, after the columns of the header,
   * which are fixed: for fields that were added later. */
  SEAM_IN_TABLES = 1 << 16,
} SeamFieldFlags;

struct SeamField {
  const char *name; /* in variants, JSON and sessions; permanent */
  SeamKind kind;
  guint16 offset;
  guint16 count;      /* offset of the int that counts an array; 0: `length` does */
  guint32 flags;      /* SeamFieldFlags */
  guint16 length;     /* of NUMBERS, and of an array with a fixed length */
  guint8 place;       /* a group of fields: columns of a session are in the order of the table, and
                       * those of a higher place come after those of a lower one */
  const char *column; /* name in CSV, if it differs */
  const char *unit;
  const char *words; /* meaning; the comment of the session's column */
  /* Value in a new record. A double is unknown (NaN) unless it has a range, or starts at 0. */
  double initial;
  gboolean from_zero;
  gint64 min, max;  /* limits of integers; both 0: none */
  double low, high; /* limits of doubles; both 0: none */
  const SeamChoice *choices;
  const SeamRecordType *type;
  /* Number of elements of an array without a count; NULL: `length`. */
  gsize (*measure) (gconstpointer record);
  /* Whether a variant has the member; NULL: yes. */
  gboolean (*is_written) (gconstpointer record);
  /* Whether the field has a value; else it is empty in CSV. NULL: yes. */
  gboolean (*is_known) (gconstpointer record);
  void (*compute) (const SeamPath *path, SeamValue *value);
  /* Called after this field was read: checks it together with the fields before it. */
  void (*check) (const SeamField *field, gpointer record, const SeamPath *outer,
                 SeamReader *reader);
  const struct SeamSetting *setting; /* for a setting that a person may choose (app/settings/) */
};

struct SeamRecordType {
  const char *name; /* "kernel" */
  gsize size;
  const SeamField *fields; /* a NULL name ends them */
  guint max;               /* most records in one list; more mean damage */
  /* A member of a wrong type keeps its value, and does not affect the others. */
  gboolean is_lenient;
  /* Called after reading: fills in values that follow from several fields, or from the outer
   * record. May be NULL. */
  void (*complete) (gpointer record, const SeamPath *outer, SeamReader *reader);
};

/* Kind and C type have to agree, else this does not compile. A gboolean cannot be told from an
 * int. */
#define SEAM_C_BOOLEAN(x) _Generic(x, int : 0)
#define SEAM_C_INT(x)     _Generic(x, int : 0)
#define SEAM_C_INT64(x)   _Generic(x, gint64 : 0)
#define SEAM_C_UINT64(x)  _Generic(x, guint64 : 0)
#define SEAM_C_DOUBLE(x)  _Generic(x, double : 0)
/* Rows of tables that own nothing have borrowed texts, so const is allowed. */
#define SEAM_C_TEXT(x)     _Generic(x, char * : 0, const char * : 0)
#define SEAM_C_CHOICE(x)   (0 * sizeof (char[sizeof (x) == sizeof (int) ? 1 : -1]))
#define SEAM_C_FLAGS(x)    SEAM_C_CHOICE (x)
#define SEAM_C_NUMBERS(x)  _Generic(&(x)[0], gint64 * : 0)
#define SEAM_C_DOUBLES(x)  _Generic(x, double * : 0)
#define SEAM_C_INT64S(x)   _Generic(x, gint64 * : 0)
#define SEAM_C_INTS(x)     _Generic(x, int * : 0)
#define SEAM_C_BYTES(x)    _Generic(x, guint8 * : 0)
#define SEAM_C_FLOATS(x)   _Generic(x, float * : 0)
#define SEAM_C_WORDS(x)    _Generic(x, guint32 * : 0)
#define SEAM_C_STRINGS(x)  _Generic(x, char ** : 0)
#define SEAM_C_RECORD(x)   (0 * sizeof (*(x)))
#define SEAM_C_RECORDS(x)  (0 * sizeof (*(x)))
#define SEAM_C_ROWS(x)     (0 * sizeof (*(x)))
#define SEAM_C_COLUMNS(x)  (0 * sizeof (*(x)))
#define SEAM_C_INLINE(x)   0
#define SEAM_C_PREFIXED(x) 0
#define SEAM_C_ROW(x)      0

/* { SEAM_FIELD (SeamKernel, registers, INT), .flags = SEAM_OPTIONAL, .initial = -1, … } */
#define SEAM_AT(T, m, K)    .kind = SEAM_KIND_##K, .offset = offsetof (T, m) + SEAM_C_##K (((T *)0)->m)
#define SEAM_FIELD(T, m, K) .name = #m, SEAM_AT (T, m, K)
/* Offset 0 means no count, so the count must not be the first member of its struct. */
#define SEAM_COUNT(T, m)                                                                           \
  .count =                                                                                         \
      offsetof (T, m) + SEAM_C_INT (((T *)0)->m) + 0 * sizeof (char[offsetof (T, m) > 0 ? 1 : -1])

#define SEAM_COMPUTED(n, f)                                                                        \
  {                                                                                                \
    .name = n, .kind = SEAM_KIND_COMPUTED, .compute = f                                            \
  }

#define SEAM_FOR_EACH_FIELD(field, type)                                                           \
  for (const SeamField *field = (type)->fields; (field)->name != NULL; (field)++)

/* Creating, clearing and copying. A record is plain memory of type->size bytes. clear() frees what
 * it owns, and leaves a new record. For copy(), `to` is uninitialised memory. */
void seam_record_init (const SeamRecordType *type, gpointer record);
void seam_record_clear (const SeamRecordType *type, gpointer record);
void seam_record_copy (const SeamRecordType *type, gpointer to, gconstpointer from);
/* The same for allocated records; NULL is allowed. */
gpointer seam_record_new (const SeamRecordType *type);
gpointer seam_record_dup (const SeamRecordType *type, gconstpointer record);
void seam_record_free (const SeamRecordType *type, gpointer record);

/* NaN equals NaN, because both are unknown. */
gboolean seam_record_equal (const SeamRecordType *type, gconstpointer a, gconstpointer b);
gboolean seam_field_equal (const SeamField *field, gconstpointer a, gconstpointer b);

/* Replaces the value of one field by a copy of the other record's value. */
void seam_field_copy (const SeamField *field, gpointer to, gconstpointer from);

const SeamField *seam_record_find (const SeamRecordType *type, const char *name);

/* a{sv}, floating. Without `bulk` it leaves out large arrays, for JSON. */
GVariant *seam_record_to_variant (const SeamRecordType *type, gconstpointer record, gboolean bulk);
/* The same into a dictionary under construction. */
void seam_record_build (const SeamRecordType *type, gconstpointer record, gboolean bulk,
                        GVariantBuilder *builder);
/* Trusts nothing. `what` names the whole in messages ("result"); `outer` may be NULL. `into` is
 * uninitialised memory, and a new record after an error. */
gboolean seam_record_from_variant (const SeamRecordType *type, GVariant *variant, const char *what,
                                   const SeamPath *outer, gpointer into, GError **error);
/* An allocated record; NULL with the error. Messages use the name of its type. */
gpointer seam_record_new_from_variant (const SeamRecordType *type, GVariant *variant,
                                       GError **error);
/* The same from a dictionary that is being read, into an initialised record. */
void seam_record_read (const SeamRecordType *type, SeamReader *reader, const SeamPath *outer,
                       gpointer record);
char *seam_record_to_json (const SeamRecordType *type, gconstpointer record);

/* Single values. `element` is the position in NUMBERS, else 0. */
void seam_field_get (const SeamField *field, const SeamPath *path, int element, SeamValue *value);
void seam_value_clear (SeamValue *value);
char *seam_value_format (const SeamValue *value); /* in the C locale; NULL: unknown */
char *seam_field_format (const SeamField *field, gconstpointer record);
void seam_value_set_double (SeamValue *value, double real); /* NaN: unknown */
void seam_value_set_boolean (SeamValue *value, gboolean boolean);
void seam_value_set_integer (SeamValue *value, gint64 integer);
void seam_value_set_text (SeamValue *value, const char *text); /* NULL: unknown */
/* The function of a computed column that one expression gives, of what `path` leads to:
 * SEAM_COMPUTE (compute_step, integer, path->index). */
#define SEAM_COMPUTE(function, kind, ...)                                                          \
  static void function (const SeamPath *path, SeamValue *value)                                    \
  {                                                                                                \
    seam_value_set_##kind (value, __VA_ARGS__);                                                    \
  }
/* The record of a path as what it is. */
#define SEAM_RECORD(Type, path) ((const Type *)(path)->record)

/* The enumerator of a name; -1: none. */
int seam_choice_find (const SeamChoice *choices, const char *name);
/* The name of a choice, even if it was kept from a later version. */
const char *seam_choice_get_name (const SeamChoice *choices, int choice);
/* "stream (a call for every kernel) or graph (…)": the first `n`; newly allocated. */
char *seam_choice_list (const SeamChoice *choices, int n);
const char *seam_choice_get_title (const SeamChoice *choices, int choice);

/* A table of CSV. The header is fixed: its columns keep their names and places permanently. Each
 * name is looked up in `computed`, in the row's record, in the records around it, and last in the
 * records that any of them points to (unknown if there is none). A NUMBERS field “grid” has the
 * columns grid_x, grid_y and grid_z. */
typedef struct {
  const char *header;        /* "pipeline,plan,…" */
  const SeamField *computed; /* a NULL name ends them; NULL: none */
} SeamView;

/* `path` is that of any row: it gives the types of the rows. A name that is not found is a mistake
 * of the program; tests open every view. */
typedef struct SeamViewWriter SeamViewWriter;
/* The JSON is an object whose member "rows" lists an object a row, with the columns of the CSV as
 * members: “yes” and “no” are true and false, an unknown value is null. */
typedef enum { SEAM_ROWS_CSV, SEAM_ROWS_JSON } SeamRowsFormat;
SeamViewWriter *seam_view_open_as (const SeamView *view, const SeamPath *path,
                                   SeamRowsFormat format);
#define seam_view_open(view, path) seam_view_open_as (view, path, SEAM_ROWS_CSV)
void seam_view_add_row (SeamViewWriter *writer, const SeamPath *path);
char *seam_view_close (SeamViewWriter *writer); /* the text; frees the writer */

/* Adds one row as members of a dictionary under construction, for JSON. An unknown value is NaN,
 * the integer for unknown, or no member. */
void seam_view_build (const SeamView *view, const SeamPath *path, GVariantBuilder *builder);
/* One value of a row, which the caller clears; FALSE if it is unknown, and then there is nothing to
 * clear. */
gboolean seam_view_get (const SeamView *view, const SeamPath *path, const char *column,
                        SeamValue *value);
/* The same as text; NULL: unknown. Newly allocated. */
char *seam_view_format (const SeamView *view, const SeamPath *path, const char *column);
/* Reads single values back from the columns with their names. A field whose column is empty,
 * missing or invalid keeps its value. */
void seam_record_read_csv (const SeamRecordType *type, const SeamCsv *csv, int row,
                           gpointer record);
