/* SPDX-License-Identifier: MIT
 *
 * Launching in the emulated module: everything that a stream would execute comes through
 * fake_launch(), which executes it, puts it into the graph under capture, and tells the fake CUPTI.
 */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `call` with a copy of `data`: now or, during a capture, whenever the graph is launched.
 * `name` is a kernel's; "memset" and "memcpy" are none. At most 4096 bytes. */
cudaError_t fake_launch (cudaError_t (*call) (void *data), const void *data, size_t size,
                         const char *name);

/* FALSE if a call is not allowed because of a capture, which is then invalid. */
int fake_may_wait (void);

/* --- fake-cupti.c --- */

/* These enclose an API call that launches. Returns the id of its records; 0: nobody listens. */
uint32_t fake_cupti_enter (int is_graph);
void fake_cupti_exit (uint32_t id, int is_graph, cudaError_t status);
/* Records one execution on the device. */
void fake_cupti_record (uint32_t id, const char *name, uint64_t node);
/* Records that instantiating a graph made `clone` from `original`. */
void fake_cupti_clone (void *clone, void *original);
uint64_t fake_cupti_identify (void *node);

#ifdef __cplusplus
}
#endif
