/* SPDX-License-Identifier: MIT
 *
 * The contents of a tensor map of the emulated driver: fake-cuda.c writes them, the emulated TMA
 * reads them. Sizes count elements, fastest dimension first; strides bytes.
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
  uint8_t round;   /* rounds floats to TF32 */
} EmulateTensorMap;
