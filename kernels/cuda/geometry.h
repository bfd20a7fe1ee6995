/* SPDX-License-Identifier: MIT
 *
 * The argument block that every elementwise and GroupNorm kernel takes, precompiled or generated,
 * and the shape of its launch. Plain C that gcc, nvcc and NVRTC accept. The kernels are in
 * elementwise.cuh and groupnorm.cuh.
 */
#ifndef SEAM_CUDA_GEOMETRY_H
#define SEAM_CUDA_GEOMETRY_H

/* The limits of a chain: SEAM_MAX_OPS ops, each with at most one tensor and one vector. */
#define SEAM_CUDA_MAX_TENSORS 12

#define SEAM_CUDA_THREADS 256
/* Accesses of one thread. On an H200, many small blocks beat few blocks with more loads in flight
 * (4.20 TB/s with one 16-byte access a thread, 3.99 with four; the driver's copy: 4.24). Loads that
 * ask the cache to forget the line (ld.global.cs) cost 7 %. */
#define SEAM_CUDA_LOADS(vector) ((vector) >= 4 ? 1 : 4)
/* Rows of a matrix that a thread walks down with one set of parameters. */
#define SEAM_CUDA_ROWS(vector) ((vector) >= 4 ? 2 : 4)
/* Accesses of one thread in a tile of the two-pass GroupNorm: each tile costs two sums over the
 * block. */
#define SEAM_CUDA_TILE_LOADS(vector) ((vector) == 8 ? 2 : (vector) == 4 ? 4 : 8)
/* The longest GroupNorm group that stays in one block's registers: 256 threads of 32 values. */
#define SEAM_CUDA_ONE_PASS_ELEMENTS 8192

typedef struct {
  const float *inputs[SEAM_CUDA_MAX_TENSORS];  /* [rows, channels, plane] each */
  float *outputs[SEAM_CUDA_MAX_TENSORS];       /* the same; may be the same memory as an input */
  const float *vectors[SEAM_CUDA_MAX_TENSORS]; /* [channels] each */
  float scalars[2];
  const float *weight, *bias; /* GroupNorm's affine parameters, [channels] */
  float *partials;            /* two-pass GroupNorm: (mean, standard deviation) a tile */
  float epsilon;
  long long rows, channels, plane;
  long long groups;             /* GroupNorm groups a row */
  long long group_elements;     /* contiguous: (channels / groups) * plane */
  long long segment;            /* contiguous elements; no tile crosses the end of a segment */
  long long n_segments;         /* segments of the whole tensor */
  long long segments_per_group; /* two-pass GroupNorm */
  unsigned int tiles;           /* tiles of a segment (elementwise matrix: of a row) */
  unsigned int lanes;           /* one-pass GroupNorm: threads that share a group */
  unsigned int stored;          /* bool: some tensor has 16 bits, so 8 elements are 16 bytes */
} SeamCudaArguments;

/* The shape of a launch, and the template arguments of its kernel. */
typedef struct {
  int matrix;           /* plane is 1: the channel changes with every element */
  int vector;           /* elements an access: 8 (of 16 bits; two accesses of FP32), 4 or 1 */
  int items, repeat;    /* one-pass GroupNorm: accesses a thread and group, groups a thread */
  unsigned int threads; /* threads of a block */
  long long blocks;     /* more than SEAM_CUDA_MAX_BLOCKS: the tensor is too large for one launch */
  long long n_partials; /* two-pass GroupNorm: floats that `partials` must hold */
} SeamCudaGeometry;

#define SEAM_CUDA_MAX_BLOCKS 2147483647LL

#if !defined(__CUDACC_RTC__)

static inline long long
seam_cuda_divide_up (long long a, long long b)
{
  return (a + b - 1) / b;
}

/* Threads for `n` items, a multiple of a warp. */
static inline unsigned int
seam_cuda_choose_threads (long long n)
{
  long long threads = seam_cuda_divide_up (n, 32) * 32;
  return threads < 32                  ? 32
         : threads > SEAM_CUDA_THREADS ? SEAM_CUDA_THREADS
                                       : (unsigned int)threads;
}

static inline void
seam_cuda_set_shape (SeamCudaArguments *a, long long rows, long long channels, long long plane,
                     long long groups)
{
  a->rows = rows;
  a->channels = channels;
  a->plane = plane;
  a->groups = groups;
  a->group_elements = channels / groups * plane;
}

/* The widest access, in elements, for runs of `n` elements that start at multiples of n. */
static inline int
seam_cuda_choose_vector (const SeamCudaArguments *a, long long n)
{
  return a->stored && n % 8 == 0 ? 8 : n % 4 == 0 ? 4 : 1;
}

/* Elementwise. Planes: a block is a tile of one plane, so it looks up its channel once. Matrix: a
 * thread owns a few neighbouring columns and walks down SEAM_CUDA_ROWS rows. */
static inline SeamCudaGeometry
seam_cuda_geometry_elementwise (SeamCudaArguments *a)
{
  SeamCudaGeometry g = { 0 };
  long long loads, vectors;

  g.matrix = a->plane == 1;
  g.vector = seam_cuda_choose_vector (a, g.matrix ? a->channels : a->plane);
  loads = g.matrix ? SEAM_CUDA_ROWS (g.vector) : SEAM_CUDA_LOADS (g.vector);
  if (g.matrix) {
    vectors = a->channels / g.vector;
    g.threads = seam_cuda_choose_threads (vectors);
    a->tiles = (unsigned int)seam_cuda_divide_up (vectors, g.threads);
    g.blocks = a->tiles * seam_cuda_divide_up (a->rows, loads);
  } else {
    vectors = a->plane / g.vector;
    g.threads = seam_cuda_choose_threads (seam_cuda_divide_up (vectors, loads));
    a->segment = a->plane;
    a->n_segments = a->rows * a->channels;
    a->tiles = (unsigned int)seam_cuda_divide_up (vectors, g.threads * loads);
    g.blocks = a->tiles * a->n_segments;
  }
  return g;
}

/* GroupNorm with the whole group in registers; group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS. Up
 * to 32 threads share a group through shuffles; a longer group takes a whole block. */
static inline SeamCudaGeometry
seam_cuda_geometry_one_pass (SeamCudaArguments *a)
{
  SeamCudaGeometry g = { 0 };
  long long vectors, n_groups = a->rows * a->groups;

  g.matrix = a->plane == 1;
  g.vector = seam_cuda_choose_vector (a, g.matrix ? a->group_elements : a->plane);
  vectors = a->group_elements / g.vector;
  a->lanes = 1;
  while (a->lanes < 32 && a->lanes < vectors)
    a->lanes *= 2;
  g.threads = SEAM_CUDA_THREADS;
  if (vectors > 32 * 2)
    a->lanes = SEAM_CUDA_THREADS;
  g.items = 1;
  while ((long long)g.items * a->lanes < vectors)
    g.items *= 2;
  g.repeat = a->lanes > 32 ? 1 : g.items == 1 ? 4 : 2;
  g.blocks = seam_cuda_divide_up (n_groups, (long long)(g.threads / a->lanes) * g.repeat);
  if (n_groups > 4294967295LL) /* the kernel numbers groups with 32 bits */
    g.blocks = SEAM_CUDA_MAX_BLOCKS + 1;
  return g;
}

/* GroupNorm in two passes over tiles. A tile is part of one plane, so that a block looks up its
 * channel once, or, in a matrix, part of one group in a row. */
static inline SeamCudaGeometry
seam_cuda_geometry_two_pass (SeamCudaArguments *a)
{
  SeamCudaGeometry g = { 0 };
  long long loads, vectors;

  g.matrix = a->plane == 1;
  a->segment = g.matrix ? a->group_elements : a->plane;
  a->segments_per_group = a->group_elements / a->segment;
  a->n_segments = a->rows * a->groups * a->segments_per_group;
  g.vector = seam_cuda_choose_vector (a, a->segment);
  loads = SEAM_CUDA_TILE_LOADS (g.vector);
  vectors = a->segment / g.vector;
  g.threads = seam_cuda_choose_threads (seam_cuda_divide_up (vectors, loads));
  a->tiles = (unsigned int)seam_cuda_divide_up (vectors, g.threads * loads);
  g.blocks = a->tiles * a->n_segments;
  g.n_partials = 2 * g.blocks;
  return g;
}

#endif
#endif
