/* SPDX-License-Identifier: MIT
 *
 * From CUPTI's activity records to a SeamCuptiCapture, without a session, a GPU or the library:
 * what a record means, which are rejected, to which launch one belongs. Tested by replaying made
 * buffers (tests/core/test-cupti-parse.c); cupti.c feeds it from the real thing.
 */
#pragma once

#include "app/backend/cuda/cupti.h"

#include <cupti.h>

G_BEGIN_DECLS

typedef struct SeamCuptiParser SeamCuptiParser;

SeamCuptiParser *seam_cupti_parser_new (void);
void seam_cupti_parser_free (SeamCuptiParser *parser); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCuptiParser, seam_cupti_parser_free)

/* An API call with this correlation id was made for `launch`. */
void seam_cupti_parser_add_call (SeamCuptiParser *parser, guint32 correlation_id, guint64 launch);
/* The id of a call that launches a whole graph: the records tell their nodes, and those the
 * launches. */
#define SEAM_CUPTI_GRAPH G_MAXUINT64
/* The graph node with this id, as records name it, is of `launch`. */
void seam_cupti_parser_add_node (SeamCuptiParser *parser, guint64 node_id, guint64 launch);
/* When that call began and ended, by CUPTI's clock; nothing is kept when one is 0 or they are
 * reversed. */
void seam_cupti_parser_time_call (SeamCuptiParser *parser, guint32 correlation_id, guint64 start,
                                  guint64 end);
/* CUDA accepted one kernel launch of a call above. */
void seam_cupti_parser_count_launch (SeamCuptiParser *parser);
void seam_cupti_parser_add_dropped (SeamCuptiParser *parser, gsize n_dropped);

/* Takes every record of a buffer. `next` walks it: cuptiActivityGetNextRecord() or a stand-in.
 * Records of calls that were not added, and of kinds nobody asked for, are passed over. */
void seam_cupti_parser_add_buffer (SeamCuptiParser *parser, guint8 *buffer, gsize n_valid_bytes,
                                   CUptiResult (*next) (uint8_t *buffer, size_t n_valid_bytes,
                                                        CUpti_Activity **record));

/* The capture, in start order; once, after the last buffer. */
SeamCuptiCapture *seam_cupti_parser_finish (SeamCuptiParser *parser);

/* "void f<int>(float*)" for "_Z1fIiEvPf"; other names unchanged. Newly allocated. */
char *seam_cupti_demangle (const char *name);

/* seam_cupti_counters_allowed() on the text of the driver's parameters (NULL: no driver) and of
 * /proc/self/status (NULL: unknown). */
gboolean seam_cupti_judge_counters (const char *params, const char *status, char **reason,
                                    char **remedy);

G_END_DECLS
