/* SPDX-License-Identifier: MIT
 *
 * A table of settings with a synthetic entry of each kind, for tests of everything that loops over
 * the table. Included before the program's headers, it stands in for app/settings/settings.c. The
 * value of a synthetic setting lies in the member of the setting that it replaces.
 */
#pragma once

#define seam_settings_type real_settings_type
#include "app/settings/settings.c"
#undef seam_settings_type

#include <string.h>

extern const SeamRecordType seam_settings_type;

typedef struct {
  const char *replaces; /* a field; the other one is called "synthetic_…" */
  const char *name, *option, *title;
  SeamKind kind;
  const SeamChoice *choices;
  double least, most;
  const char *unit;
  /* Two values as a person writes them, the second as a comparison shows it, and what is none. */
  const char *first, *second, *shown, *wrong;
} SyntheticKind;

static const SeamChoice synthetic_choices[] = {
  { "thin", "Thin" },
  { "thick", "Thick", "for those who like it", "Thick, please" },
  { NULL },
};

static const SeamChoice synthetic_entries[] = {
  { "", NULL, NULL, "No words" },
  { SEAM_AGAINST_FP64, NULL, NULL, "Many words" },
  { NULL },
};

#define SYNTHETIC(r, n, k)                                                                         \
  .replaces = r, .name = "synthetic_" n, .option = "synthetic-" n, .title = "Synthetic " n,        \
  .kind = SEAM_KIND_##k

static const SyntheticKind synthetic_kinds[] = {
  { SYNTHETIC ("cold", "boolean", BOOLEAN), .first = "no", .second = "yes", .shown = "yes",
    .wrong = "perhaps" },
  { SYNTHETIC ("launch_mode", "choice", CHOICE), synthetic_choices, .first = "thin",
    .second = "thick", .shown = "Thick", .wrong = "medium" },
  { SYNTHETIC ("distribution", "int", INT), .most = 2, .unit = "B", .first = "0", .second = "2",
    .shown = "2 B", .wrong = "3" },
  { SYNTHETIC ("seed", "int64", INT64), .first = "-5", .second = "6000000000",
    .shown = "6000000000", .wrong = "1.5" },
  { SYNTHETIC ("rtol", "uint64", UINT64), .first = "5", .second = "18446744073709551615",
    .shown = "18446744073709551615", .wrong = "-1" },
  { SYNTHETIC ("budget_s", "double", DOUBLE), .unit = "s", .first = "0.1", .second = "0.10000001",
    .shown = "0.10000001 s", .wrong = "nan" },
  { SYNTHETIC ("against", "text", TEXT), .first = "", .second = "unfused", .shown = "unfused" },
};

static SeamField synthetic_fields[G_N_ELEMENTS (fields)];
static SeamSetting synthetic_settings[G_N_ELEMENTS (synthetic_kinds)];

const SeamRecordType seam_settings_type = {
  .name = "run",
  .size = sizeof (SeamSettings),
  .fields = synthetic_fields,
  .max = 1,
};

/* Fills the table. To be called before anything reads it; the marks, titles and refusals of
 * `synthetic_settings` may be changed afterwards. */
static inline void
synthetic_init (void)
{
  memcpy (synthetic_fields, fields, sizeof fields);
  for (gsize i = 0; i < G_N_ELEMENTS (synthetic_kinds); i++) {
    const SyntheticKind *kind = &synthetic_kinds[i];
    SeamField *field = (SeamField *)seam_record_find (&seam_settings_type, kind->replaces);

    synthetic_settings[i] = (SeamSetting){
      .order = field->setting->order,
      .concerns = SEAM_CONCERN_MEASURING,
      .option = kind->option,
      .takes = "X",
      .help = "a synthetic setting",
      .noun = kind->option,
      .title = kind->title,
      .least = kind->least,
      .most = kind->most,
    };
    *field = (SeamField){
      .name = kind->name,
      .kind = kind->kind,
      .flags = SEAM_AS_MEMBER,
      .offset = field->offset,
      .choices = kind->choices,
      .unit = kind->unit,
      .setting = &synthetic_settings[i],
    };
  }
}

static inline const SeamField *
synthetic_get_field (gsize i)
{
  return seam_record_find (&seam_settings_type, synthetic_kinds[i].name);
}
