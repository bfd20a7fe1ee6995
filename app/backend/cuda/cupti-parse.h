/* SPDX-License-Identifier: MIT
 *
 * From CUPTI's activity records to a CuptiCapture, without a session, a GPU or the library:
 * what a record means, which are rejected, to which launch one belongs. Tested by replaying made
 * buffers (tests/core/test-cupti-parse.c); cupti.c feeds it from the real thing.
 */
#pragma once

#include "app/backend/cuda/cupti.h"

#include <cupti.h>

G_BEGIN_DECLS

typedef struct CuptiParser CuptiParser;

CuptiParser *cupti_parser_new (void);
void cupti_parser_free (CuptiParser *parser); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CuptiParser, cupti_parser_free)

/* An API call with this correlation id was made for `launch`. */
void cupti_parser_add_call (CuptiParser *parser, guint32 correlation_id, guint64 launch);
/* The id of a call that launches a whole graph: the records tell their nodes, and those the
 * launches. */
#define CUPTI_PARSER_GRAPH G_MAXUINT64
/* The graph node with this id, as records name it, is of `launch`. */
void cupti_parser_add_node (CuptiParser *parser, guint64 node_id, guint64 launch);
/* When that call began and ended, by CUPTI's clock; nothing is kept when one is 0 or they are
 * reversed. */
void cupti_parser_time_call (CuptiParser *parser, guint32 correlation_id, guint64 start,
                             guint64 end);
/* CUDA accepted one kernel launch of a call above. */
void cupti_parser_count_launch (CuptiParser *parser);
void cupti_parser_add_dropped (CuptiParser *parser, gsize n_dropped);

/* Takes every record of a buffer. `next` walks it: cuptiActivityGetNextRecord() or a stand-in.
 * Records of calls that were not added, and of kinds nobody asked for, are passed over. */
void cupti_parser_add_buffer (CuptiParser *parser, guint8 *buffer, gsize n_valid_bytes,
                              CUptiResult (*next) (uint8_t *buffer, size_t n_valid_bytes,
                                                   CUpti_Activity **record));

/* The capture, in start order; once, after the last buffer. */
CuptiCapture *cupti_parser_finish (CuptiParser *parser);

/* "void f<int>(float*)" for "_Z1fIiEvPf"; other names unchanged. Newly allocated. */
char *cupti_demangle (const char *name);

/* cupti_counters_allowed() on the text of the driver's parameters (NULL: no driver) and of
 * /proc/self/status (NULL: unknown). */
gboolean cupti_judge_counters (const char *params, const char *status, char **reason,
                               char **remedy);

G_END_DECLS
