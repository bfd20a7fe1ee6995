/* SPDX-License-Identifier: MIT
 *
 * What stands in a tensor map of the emulated driver: fake-cuda.c writes it, the emulated TMA reads
 * it. Sizes count elements, fastest dimension first; strides bytes.
 */
#pragma once

#include <stdint.h>

#define EMULATE_TENSOR_MAP 0x5ea3u

typedef struct {
  unsigned char *data;
  int64_t strides[4];
  uint32_t sizes[5];
  uint16_t box[5];
  uint16_t magic;
  uint8_t rank, element_bytes;
  uint8_t swizzle; /* 128 bytes */
  uint8_t round;   /* floats to TF32 */
} EmulateTensorMap;
