/* SPDX-License-Identifier: MIT
 *
 * The steps that CUPTI's range profiler requires: find the metrics of the chip (host), make the
 * configuration for them (config image), enable, run one or more passes, decode, evaluate.
 */
#include "app/backend/cuda/cupti-counters.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <dlfcn.h>
#include <vector>

#define MAX_METRICS 32

#define FUNCTIONS(X)                                                                               \
  X (cuptiGetErrorMessage)                                                                         \
  X (cuptiProfilerInitialize)                                                                      \
  X (cuptiDeviceGetChipName)                                                                       \
  X (cuptiProfilerGetCounterAvailability)                                                          \
  X (cuptiProfilerHostInitialize)                                                                  \
  X (cuptiProfilerHostDeinitialize)                                                                \
  X (cuptiProfilerHostConfigAddMetrics)                                                            \
  X (cuptiProfilerHostGetConfigImageSize)                                                          \
  X (cuptiProfilerHostGetConfigImage)                                                              \
  X (cuptiProfilerHostGetNumOfPasses)                                                              \
  X (cuptiProfilerHostGetMetricProperties)                                                         \
  X (cuptiProfilerHostEvaluateToGpuValues)                                                         \
  X (cuptiRangeProfilerEnable)                                                                     \
  X (cuptiRangeProfilerDisable)                                                                    \
  X (cuptiRangeProfilerGetCounterDataSize)                                                         \
  X (cuptiRangeProfilerCounterDataImageInitialize)                                                 \
  X (cuptiRangeProfilerSetConfig)                                                                  \
  X (cuptiRangeProfilerStart)                                                                      \
  X (cuptiRangeProfilerStop)                                                                       \
  X (cuptiRangeProfilerDecodeData)                                                                 \
  X (cuptiRangeProfilerGetCounterDataInfo)

#define X(name) static decltype (&name) call_##name;
FUNCTIONS (X)
#undef X

static bool
load (CuptiCounterRequest *r)
{
#define X(name)                                                                                    \
  call_##name = reinterpret_cast<decltype (&name)> (dlsym (r->library, #name));                    \
  if (call_##name == nullptr) {                                                                    \
    snprintf (r->message, sizeof r->message, "libcupti has no %s; it is older than CUDA 13",       \
              #name);                                                                              \
    return false;                                                                                  \
  }
  FUNCTIONS (X)
#undef X
  return true;
}

static bool
check (CuptiCounterRequest *r, CUptiResult result, const char *what)
{
  const char *text = nullptr;

  if (result == CUPTI_SUCCESS)
    return true;
  if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
    snprintf (r->message, sizeof r->message,
              "the driver lets only administrators read hardware counters");
  } else if (call_cuptiGetErrorMessage (result, &text) != CUPTI_SUCCESS || text == nullptr) {
    snprintf (r->message, sizeof r->message, "CUPTI answered %d to %s", (int)result, what);
  } else {
    snprintf (r->message, sizeof r->message, "%s (CUPTI error %d of %s)", text, (int)result, what);
  }
  return false;
}

/* A parameter struct of CUPTI: zeroed, with its size in the first field. */
template <typename T>
static T
parameters (size_t size)
{
  T p;
  memset (&p, 0, sizeof p);
  p.structSize = size;
  return p;
}
#define PARAMETERS(name)    parameters<name##_Params> (name##_Params_STRUCT_SIZE)
#define TRY(r, function, p) check (r, call_##function (&(p)), #function)

struct Host {
  CUpti_Profiler_Host_Object *object = nullptr;
  std::vector<unsigned char> availability, config;
  std::vector<const char *> metrics; /* metrics that the chip has */
  std::vector<int> places;           /* their positions in the request */

  ~Host ()
  {
    if (object != nullptr) {
      auto p = PARAMETERS (CUpti_Profiler_Host_Deinitialize);
      p.pHostObject = object;
      call_cuptiProfilerHostDeinitialize (&p);
    }
  }
};

/* Finds out what this driver and process may count, because the host part schedules no more than
 * that. */
static bool
get_availability (CuptiCounterRequest *r, Host *host)
{
  auto p = PARAMETERS (CUpti_Profiler_GetCounterAvailability);

  p.ctx = static_cast<CUcontext> (r->context);
  if (!TRY (r, cuptiProfilerGetCounterAvailability, p))
    return false;
  host->availability.resize (p.counterAvailabilityImageSize);
  p.pCounterAvailabilityImage = host->availability.data ();
  return TRY (r, cuptiProfilerGetCounterAvailability, p);
}

static bool
start_host (CuptiCounterRequest *r, Host *host)
{
  auto chip = PARAMETERS (CUpti_Device_GetChipName);
  auto p = PARAMETERS (CUpti_Profiler_Host_Initialize);

  chip.deviceIndex = (size_t)r->ordinal;
  if (!TRY (r, cuptiDeviceGetChipName, chip) || !get_availability (r, host))
    return false;
  p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  p.pChipName = chip.pChipName;
  p.pCounterAvailabilityImage = host->availability.data ();
  if (!TRY (r, cuptiProfilerHostInitialize, p))
    return false;
  host->object = p.pHostObject;
  for (int i = 0; i < r->n_metrics; i++) {
    auto properties = PARAMETERS (CUpti_Profiler_Host_GetMetricProperties);
    properties.pHostObject = host->object;
    properties.pMetricName = r->metrics[i];
    if (call_cuptiProfilerHostGetMetricProperties (&properties) != CUPTI_SUCCESS)
      continue;
    host->metrics.push_back (r->metrics[i]);
    host->places.push_back (i);
  }
  if (!host->metrics.empty ())
    return true;
  snprintf (r->message, sizeof r->message, "this chip has none of the counters asked for");
  return false;
}

static bool
make_config (CuptiCounterRequest *r, Host *host)
{
  auto add = PARAMETERS (CUpti_Profiler_Host_ConfigAddMetrics);
  auto size = PARAMETERS (CUpti_Profiler_Host_GetConfigImageSize);
  auto image = PARAMETERS (CUpti_Profiler_Host_GetConfigImage);
  auto passes = PARAMETERS (CUpti_Profiler_Host_GetNumOfPasses);

  add.pHostObject = size.pHostObject = image.pHostObject = host->object;
  add.ppMetricNames = host->metrics.data ();
  add.numMetrics = host->metrics.size ();
  if (!TRY (r, cuptiProfilerHostConfigAddMetrics, add)
      || !TRY (r, cuptiProfilerHostGetConfigImageSize, size))
    return false;
  host->config.resize (size.configImageSize);
  image.configImageSize = passes.configImageSize = size.configImageSize;
  image.pConfigImage = passes.pConfigImage = host->config.data ();
  if (!TRY (r, cuptiProfilerHostGetConfigImage, image)
      || !TRY (r, cuptiProfilerHostGetNumOfPasses, passes))
    return false;
  r->n_passes = (int)passes.numOfPasses;
  return true;
}

/* Runs the execution, in which each kernel is replayed, until every pass is complete. */
static bool
run_passes (CuptiCounterRequest *r, CUpti_RangeProfiler_Object *object)
{
  auto start = PARAMETERS (CUpti_RangeProfiler_Start);
  auto stop = PARAMETERS (CUpti_RangeProfiler_Stop);
  auto decode = PARAMETERS (CUpti_RangeProfiler_DecodeData);

  start.pRangeProfilerObject = stop.pRangeProfilerObject = decode.pRangeProfilerObject = object;
  for (int pass = 0; pass < 64; pass++) {
    int failed;

    if (!TRY (r, cuptiRangeProfilerStart, start))
      return false;
    failed = r->run (r->data);
    if (!TRY (r, cuptiRangeProfilerStop, stop))
      return false;
    if (failed != 0) {
      snprintf (r->message, sizeof r->message, "the plan did not run under the profiler");
      return false;
    }
    if (stop.isAllPassSubmitted)
      break;
  }
  if (!TRY (r, cuptiRangeProfilerDecodeData, decode))
    return false;
  if (decode.numOfRangeDropped == 0)
    return true;
  snprintf (r->message, sizeof r->message, "there were more kernels than room for their counters");
  return false;
}

static bool
evaluate (CuptiCounterRequest *r, const Host *host, const std::vector<unsigned char> &counters)
{
  auto info = PARAMETERS (CUpti_RangeProfiler_GetCounterDataInfo);

  info.pCounterDataImage = counters.data ();
  info.counterDataImageSize = counters.size ();
  if (!TRY (r, cuptiRangeProfilerGetCounterDataInfo, info))
    return false;
  r->n_kernels =
      (int)info.numTotalRanges < r->max_kernels ? (int)info.numTotalRanges : r->max_kernels;
  for (int kernel = 0; kernel < r->n_kernels; kernel++) {
    auto p = PARAMETERS (CUpti_Profiler_Host_EvaluateToGpuValues);
    double values[MAX_METRICS];

    p.pHostObject = host->object;
    p.pCounterDataImage = counters.data ();
    p.counterDataImageSize = counters.size ();
    p.rangeIndex = (size_t)kernel;
    p.ppMetricNames = const_cast<const char **> (host->metrics.data ());
    p.numMetrics = host->metrics.size ();
    p.pMetricValues = values;
    if (!TRY (r, cuptiProfilerHostEvaluateToGpuValues, p))
      return false;
    for (size_t i = 0; i < host->places.size (); i++)
      r->values[kernel * r->n_metrics + host->places[i]] = values[i];
  }
  return true;
}

static bool
collect (CuptiCounterRequest *r, const Host *host, CUpti_RangeProfiler_Object *object)
{
  auto size = PARAMETERS (CUpti_RangeProfiler_GetCounterDataSize);
  auto initialize = PARAMETERS (CUpti_RangeProfiler_CounterDataImage_Initialize);
  auto config = PARAMETERS (CUpti_RangeProfiler_SetConfig);
  std::vector<unsigned char> counters;

  size.pRangeProfilerObject = object;
  size.pMetricNames = const_cast<const char **> (host->metrics.data ());
  size.numMetrics = host->metrics.size ();
  size.maxNumOfRanges = (size_t)r->max_kernels;
  size.maxNumRangeTreeNodes = (unsigned int)r->max_kernels;
  if (!TRY (r, cuptiRangeProfilerGetCounterDataSize, size))
    return false;
  counters.resize (size.counterDataSize);
  initialize.pRangeProfilerObject = object;
  initialize.counterDataSize = counters.size ();
  initialize.pCounterData = counters.data ();
  if (!TRY (r, cuptiRangeProfilerCounterDataImageInitialize, initialize))
    return false;
  config.pRangeProfilerObject = object;
  config.configSize = host->config.size ();
  config.pConfig = host->config.data ();
  config.counterDataImageSize = counters.size ();
  config.pCounterDataImage = counters.data ();
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_KernelReplay;
  config.maxRangesPerPass = (size_t)r->max_kernels;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  return TRY (r, cuptiRangeProfilerSetConfig, config) && run_passes (r, object)
         && evaluate (r, host, counters);
}

int
cupti_counters_collect (CuptiCounterRequest *r)
{
  auto start = PARAMETERS (CUpti_Profiler_Initialize);
  auto enable = PARAMETERS (CUpti_RangeProfiler_Enable);
  auto disable = PARAMETERS (CUpti_RangeProfiler_Disable);
  Host host;
  bool good;

  r->n_kernels = r->n_passes = 0;
  r->message[0] = '\0';
  for (int i = 0; i < r->max_kernels * r->n_metrics; i++)
    r->values[i] = NAN;
  if (r->n_metrics > MAX_METRICS || !load (r) || !TRY (r, cuptiProfilerInitialize, start)
      || !start_host (r, &host) || !make_config (r, &host))
    return 0;
  enable.ctx = static_cast<CUcontext> (r->context);
  if (!TRY (r, cuptiRangeProfilerEnable, enable))
    return 0;
  good = collect (r, &host, enable.pRangeProfilerObject);
  disable.pRangeProfilerObject = enable.pRangeProfilerObject;
  if (good)
    good = TRY (r, cuptiRangeProfilerDisable, disable);
  else
    call_cuptiRangeProfilerDisable (&disable); /* its errors are ignored: the first error is the one
                                                * that matters */
  return good ? 1 : 0;
}
