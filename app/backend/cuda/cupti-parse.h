/* SPDX-License-Identifier: MIT
 *
 * Makes a CuptiCapture from CUPTI's activity records, without a session, a GPU or the library:
 * interprets records, rejects invalid ones, and finds the launch of each. Tests replay artificial
 * buffers (tests/core/test-cupti-parse.c); cupti.c passes it real ones.
 */
#pragma once

#include "app/backend/cuda/cupti.h"

#include <cupti.h>

typedef struct CuptiParser CuptiParser;

CuptiParser *cupti_parser_new (void);
void cupti_parser_free (CuptiParser *parser); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CuptiParser, cupti_parser_free)

/* Adds an API call with this correlation id, made for `launch`. */
void cupti_parser_add_call (CuptiParser *parser, guint32 correlation_id, guint64 launch);
/* The id of a call that launches a whole graph: the records name their nodes, and the nodes have
 * launches. */
#define CUPTI_PARSER_GRAPH G_MAXUINT64
/* Adds the graph node with this id, as records name it, of `launch`. */
void cupti_parser_add_node (CuptiParser *parser, guint64 node_id, guint64 launch);
/* Sets when that call began and ended, by CUPTI's clock; keeps nothing if a time is 0 or they are
 * reversed. */
void cupti_parser_time_call (CuptiParser *parser, guint32 correlation_id, guint64 start,
                             guint64 end);
/* Counts one kernel launch, of a call added above, that CUDA accepted. */
void cupti_parser_count_launch (CuptiParser *parser);
void cupti_parser_add_dropped (CuptiParser *parser, gsize n_dropped);

/* Takes every record of a buffer. `next` walks it: cuptiActivityGetNextRecord() or a stand-in.
 * Skips records of calls that were not added, and of unknown kinds. */
void cupti_parser_add_buffer (CuptiParser *parser, guint8 *buffer, gsize n_valid_bytes,
                              CUptiResult (*next) (uint8_t *buffer, size_t n_valid_bytes,
                                                   CUpti_Activity **record));

/* The capture, in start order; call it once, after the last buffer. */
CuptiCapture *cupti_parser_finish (CuptiParser *parser);

/* "void f<int>(float*)" for "_Z1fIiEvPf"; other names unchanged. Newly allocated. */
char *cupti_demangle (const char *name);

/* cupti_counters_allowed() for the text of the driver's parameters (NULL: no driver) and of
 * /proc/self/status (NULL: unknown). */
gboolean cupti_judge_counters (const char *params, const char *status, char **reason,
                               char **remedy);
