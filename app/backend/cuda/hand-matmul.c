/* SPDX-License-Identifier: MIT
 *
 * Hand-written matmul with its tail.
 */
#include "app/backend/cuda/hand.h"

const HandVersion hand_matmul_versions[] = { { 0 } };
