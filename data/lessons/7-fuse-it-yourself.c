// Your kernel: conv_bias + relu + add3 + div6 + clamp + mul, for the CPU.
// A call is for a run of n neighbouring elements, of one sample and one channel; all threads call.
// The mathematics is in kernels/ops.h, the struct in kernels/cpu/run.h.
#include "kernels/cpu/exp.h"
#include "kernels/cpu/run.h"

void
stage_0 (const SeamCpuRun *run)
{
  const float *x0 = run->read[0];     // the convolution's result
  const float v0 = run->vector[0][0]; // the bias of this channel
  float *y0 = run->write[0];          // the output
  const int64_t n = run->n;

#pragma omp simd
  for (int64_t i = 0; i < n; i++) {
    const float after_conv = x0[i];
    const float after_conv_bias = seam_op_add (after_conv, v0);
    const float after_relu = seam_op_relu (after_conv_bias);

    // Write here: add 3.0f, divide by 6.0f, clamp between 0.0f and 1.0f,
    // then multiply by after_relu. Store the result of that.
    y0[i] = after_relu;
  }
}
