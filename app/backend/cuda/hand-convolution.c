/* SPDX-License-Identifier: MIT
 *
 * Hand-written conv2d with its tail.
 */
#include "app/backend/cuda/hand.h"

const HandVersion hand_convolution_versions[] = { { 0 } };
