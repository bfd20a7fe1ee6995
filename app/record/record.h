/* SPDX-License-Identifier: MIT
 *
 * Records. A record type is a plain C struct and, beside it, a table that says each of its fields
 * once: its name in files, its kind, unit, limits and meaning. Everything that is the same for all
 * fields follows from the table: life, comparison, the way through variants and JSON, columns of
 * CSV and of a session.
 */
#pragma once

#include "app/base/csv-read.h"
#include "app/record/variant.h"

#include <stddef.h>

G_BEGIN_DECLS

typedef struct SeamField SeamField;
typedef struct SeamRecordType SeamRecordType;

typedef enum {
  SEAM_KIND_BOOLEAN, /* gboolean */
  SEAM_KIND_INT,     /* int */
  SEAM_KIND_INT64,   /* gint64 */
  SEAM_KIND_UINT64,  /* guint64 */
  SEAM_KIND_DOUBLE,  /* double; NaN: unknown */
  SEAM_KIND_TEXT,    /* char *, owned; NULL: none, and then a variant has no such member */
  SEAM_KIND_CHOICE,  /* an enumeration, written as the name of its enumerator */
  SEAM_KIND_FLAGS,   /* bits of an enumeration: bit i is choices[i]; written as the names of those
                        set,   and names of a later version are passed over */
  SEAM_KIND_NUMBERS, /* gint64[length], in the struct; after it, what is not a single value */
  SEAM_KIND_DOUBLES, /* owned arrays of plain values */
  SEAM_KIND_INT64S,
  SEAM_KIND_INTS,
  SEAM_KIND_BYTES,
  SEAM_KIND_FLOATS,  /* these two are bytes in variants, four for each value, little-endian */
  SEAM_KIND_WORDS,   /* guint32 */
  SEAM_KIND_STRINGS, /* char **, owned, ends with NULL; NULL: none, as of TEXT */
  SEAM_KIND_RECORD,  /* an owned pointer to another record, or NULL */
  SEAM_KIND_RECORDS, /* an owned array of them */
  SEAM_KIND_ROWS,    /* the same; outside one array of doubles, record after record. Their fields
                        are DOUBLE, INT, or INLINE with such fields */
  /* Records in memory, one array a field outside: “samples” of {elapsed_ns, order} are the members
   * samples_elapsed_ns and samples_order. */
  SEAM_KIND_COLUMNS,
  SEAM_KIND_INLINE,   /* a record in the struct, whose fields are fields of this one, too */
  SEAM_KIND_PREFIXED, /* the same with this one's name before theirs: copy_reason */
  SEAM_KIND_ROW,      /* one of ROWS in the struct, which is one array of doubles outside */
  SEAM_KIND_COMPUTED, /* has no place in the struct; columns of CSV only */
} SeamKind;

/* One enumerator. Its number is its position; a NULL name ends the list. */
typedef struct {
  const char *name;  /* in files, options and CSV: "between" */
  const char *title; /* for people; NULL: the name */
  const char *words; /* a clause that says what it means, or NULL */
  const char *label; /* where a person chooses it; NULL: the title */
} SeamChoice;

/* A record and those that it lies in, innermost first. */
typedef struct SeamPath {
  const SeamRecordType *type;
  gconstpointer record;
  int index; /* in the list of the outer record */
  const struct SeamPath *outer;
  gconstpointer data; /* of whoever makes the rows of a table, for its computed columns */
} SeamPath;

/* The value of one field, for columns and sentences. */
typedef struct {
  SeamKind kind; /* BOOLEAN, INT64, UINT64, DOUBLE or TEXT */
  gboolean known;
  gint64 integer; /* of BOOLEAN and INT64 */
  guint64 natural;
  double real;
  char *text; /* owned */
} SeamValue;

typedef enum {
  SEAM_REQUIRED = 1 << 0,  /* a variant without it is an error */
  SEAM_OPTIONAL = 1 << 1,  /* a number of `initial` is unknown: an empty field in CSV */
  SEAM_DERIVED = 1 << 2,   /* written, and not read: the count of a list */
  SEAM_OMITTED = 1 << 3,   /* a variant has no such member where the value is `initial` */
  SEAM_LENIENT = 1 << 4,   /* a choice: `initial` where the name is that of a later version */
  SEAM_AS_NUMBER = 1 << 5, /* a choice: written as its number */
  SEAM_LONG = 1 << 6,      /* a text of any length, not a name */
  SEAM_BULK = 1 << 7,      /* large: left out of JSON */
  SEAM_PRIVATE = 1 << 8,   /* stays in this process: no variant has it */
  SEAM_CLIPPED = 1 << 9,   /* numbers below `min`, and a double below `low`, are read as that */
  /* In a session: */
  SEAM_AS_MEMBER = 1 << 10, /* not a column, because older programs have none for it */
  SEAM_LISTED = 1 << 11,    /* shown in lists of runs, so it is read without the rest */
  SEAM_LARGE = 1 << 12,     /* a member that may be large */
  /* A choice: the name of a later version is kept, and the choice equals no enumerator. */
  SEAM_LATER = 1 << 13,
  SEAM_WITH_NAN = 1 << 14, /* NaN is a value, “nan” in CSV, and not an unknown one */
  SEAM_MARKED = 1 << 15,   /* for whoever owns the table: it says there what this means */
  /* A column of every table whose rows lie in the record, behind those of the header, which is a
   * promise: for fields that came later. */
  SEAM_IN_TABLES = 1 << 16,
} SeamFieldFlags;

struct SeamField {
  const char *name; /* in variants, JSON and sessions: for good */
  SeamKind kind;
  guint16 offset;
  guint16 count;      /* offset of the int that counts an array; 0: `length` does */
  guint32 flags;      /* SeamFieldFlags */
  guint16 length;     /* of NUMBERS, and of an array that always has so many */
  guint8 place;       /* a group of fields: columns of a session are in the order of the table,
                         those of a higher place behind those of a lower one */
  const char *column; /* in CSV, where that is another name */
  const char *unit;
  const char *words; /* what it is; the comment of the session's column */
  /* What a new record has. A double is unknown (NaN) unless it has a range, or starts at 0. */
  double initial;
  gboolean from_zero;
  gint64 min, max;  /* of integers; both 0: whatever fits */
  double low, high; /* of doubles; both 0: any */
  const SeamChoice *choices;
  const SeamRecordType *type;
  /* How many elements an array without a count has; NULL: `length`. */
  gsize (*measure) (gconstpointer record);
  /* Whether a variant has the member; NULL: yes. */
  gboolean (*is_written) (gconstpointer record);
  /* Whether it has a value; else its field in CSV is empty. NULL: yes. */
  gboolean (*is_known) (gconstpointer record);
  void (*compute) (const SeamPath *path, SeamValue *value);
  /* After this field was read: what it means together with those before it. */
  void (*check) (const SeamField *field, gpointer record, const SeamPath *outer,
                 SeamReader *reader);
  const struct SeamSetting *setting; /* what a person may choose (app/settings/) */
};

struct SeamRecordType {
  const char *name; /* "kernel" */
  gsize size;
  const SeamField *fields; /* a NULL name ends them */
  guint max;               /* of these in one list; more mean damage */
  /* A member of a wrong type stays as it is and costs none of the others. */
  gboolean is_lenient;
  /* After reading: what follows from several fields, or from the outer record. May be NULL. */
  void (*complete) (gpointer record, const SeamPath *outer, SeamReader *reader);
};

/* Kind and C type have to agree, or it does not compile. A gboolean cannot be told from an int. */
#define SEAM_C_BOOLEAN(x) _Generic(x, int : 0)
#define SEAM_C_INT(x)     _Generic(x, int : 0)
#define SEAM_C_INT64(x)   _Generic(x, gint64 : 0)
#define SEAM_C_UINT64(x)  _Generic(x, guint64 : 0)
#define SEAM_C_DOUBLE(x)  _Generic(x, double : 0)
/* Rows of tables that own nothing have borrowed texts. */
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
/* The count is not the first member of its struct. */
#define SEAM_COUNT(T, m)                                                                           \
  .count =                                                                                         \
      offsetof (T, m) + SEAM_C_INT (((T *)0)->m) + 0 * sizeof (char[offsetof (T, m) > 0 ? 1 : -1])

#define SEAM_COMPUTED(n, f)                                                                        \
  {                                                                                                \
    .name = n, .kind = SEAM_KIND_COMPUTED, .compute = f                                            \
  }

#define SEAM_FOR_EACH_FIELD(field, type)                                                           \
  for (const SeamField *field = (type)->fields; (field)->name != NULL; (field)++)

/* Life. A record is plain memory of type->size bytes; clear() frees what it owns, and leaves a new
 * one. copy() takes `to` for uninitialised memory. */
void seam_record_init (const SeamRecordType *type, gpointer record);
void seam_record_clear (const SeamRecordType *type, gpointer record);
void seam_record_copy (const SeamRecordType *type, gpointer to, gconstpointer from);
/* The same for a record of its own; NULL is none. */
gpointer seam_record_new (const SeamRecordType *type);
gpointer seam_record_dup (const SeamRecordType *type, gconstpointer record);
void seam_record_free (const SeamRecordType *type, gpointer record);

/* NaN equals NaN: both are unknown. */
gboolean seam_record_equal (const SeamRecordType *type, gconstpointer a, gconstpointer b);
gboolean seam_field_equal (const SeamField *field, gconstpointer a, gconstpointer b);
/* "kernels[1].median_ns: 12.5, 13": a line for each field that differs. Array of char *, owned by
 * the caller. */
GPtrArray *seam_record_diff (const SeamRecordType *type, gconstpointer a, gconstpointer b);

/* Replaces the value of one field by a copy of the other record's. */
void seam_field_copy (const SeamField *field, gpointer to, gconstpointer from);

const SeamField *seam_record_find (const SeamRecordType *type, const char *name);

/* a{sv}, floating. Without `bulk` large arrays are left out, for JSON. */
GVariant *seam_record_to_variant (const SeamRecordType *type, gconstpointer record, gboolean bulk);
/* The same into a dictionary under construction. */
void seam_record_build (const SeamRecordType *type, gconstpointer record, gboolean bulk,
                        GVariantBuilder *builder);
/* Trusts nothing. `what` names the whole in messages ("result"); `outer` may be NULL. `into` is
 * uninitialised memory, and a new record after an error. */
gboolean seam_record_from_variant (const SeamRecordType *type, GVariant *variant, const char *what,
                                   const SeamPath *outer, gpointer into, GError **error);
/* A record of its own; NULL with the error. Its type's name names it in messages. */
gpointer seam_record_new_from_variant (const SeamRecordType *type, GVariant *variant,
                                       GError **error);
/* The same from a dictionary that is being read, into a record that is initialised. */
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

/* The enumerator of a name; -1: none. */
int seam_choice_find (const SeamChoice *choices, const char *name);
/* The name of a choice, also one that was kept from a later version. */
const char *seam_choice_get_name (const SeamChoice *choices, int choice);
/* "stream (a call for every kernel) or graph (…)": the first `n`; newly allocated. */
char *seam_choice_list (const SeamChoice *choices, int n);
const char *seam_choice_get_title (const SeamChoice *choices, int choice);

/* A table of CSV. The header is the promise: its columns keep their names and places for good.
 * Each name is looked up among `computed`, in the row's record, in those around it, and last in the
 * records that any of them points to (unknown where there is none). Of a NUMBERS field “grid” the
 * columns are grid_x, grid_y and grid_z. */
typedef struct {
  const char *header;        /* "pipeline,plan,…" */
  const SeamField *computed; /* a NULL name ends them; NULL: none */
} SeamView;

/* `path` is that of any row: it says of which types the rows are. A name that nothing has is a
 * mistake of the program; tests open every view. */
typedef struct SeamViewWriter SeamViewWriter;
SeamViewWriter *seam_view_open (const SeamView *view, const SeamPath *path);
void seam_view_add_row (SeamViewWriter *writer, const SeamPath *path);
char *seam_view_close (SeamViewWriter *writer); /* the text; frees the writer */

/* One row as members of a dictionary under construction, for JSON. What is unknown is NaN, the
 * integer that says so, or no member. */
void seam_view_build (const SeamView *view, const SeamPath *path, GVariantBuilder *builder);
/* One value of a row, which the caller clears; FALSE: unknown, and nothing to clear. */
gboolean seam_view_get (const SeamView *view, const SeamPath *path, const char *column,
                        SeamValue *value);
/* The same as text; NULL: unknown. Newly allocated. */
char *seam_view_format (const SeamView *view, const SeamPath *path, const char *column);
/* Reads single values back from the columns of their names; one that is empty, missing or makes no
 * sense stays as it is. */
void seam_record_read_csv (const SeamRecordType *type, const SeamCsv *csv, int row,
                           gpointer record);

G_END_DECLS
