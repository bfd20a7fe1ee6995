/* SPDX-License-Identifier: MIT
 *
 * Counter-based random numbers (Philox4x32-10, Salmon et al. 2011): element i of stream s under
 * seed k is a pure function of (k, s, i), so any thread count and any target gives the same tensor.
 * Values are made on the host and uploaded; no device has a generator of its own.
 */
#pragma once

#include <glib.h>

/* The generator itself, as published; for tests against its known vectors. */
void seam_random_philox (const guint32 counter[4], const guint32 key[2], guint32 out[4]);

/* One Philox block: four 32-bit words for `counter` under `seed` and `stream`. */
void seam_random_block (guint64 seed, guint32 stream, guint64 counter, guint32 out[4]);

/* A stream number from a tensor's name (FNV-1a, 32 bit), so that adding a tensor changes no other.
 */
guint32 seam_random_stream (const char *name);

/* Elements first .. first + n - 1 of a tensor, into data[0..n), by OpenMP threads, deterministic:
 * uniform in [low, high) with a resolution of 24 bits; normal by Box-Muller in double precision,
 * rounded to float. `first` is a multiple of 4, the number of elements of one block. */
void seam_random_uniform_part (float *data, gint64 first, gint64 n, guint64 seed, guint32 stream,
                               float low, float high);
void seam_random_normal_part (float *data, gint64 first, gint64 n, guint64 seed, guint32 stream,
                              float mean, float deviation);
