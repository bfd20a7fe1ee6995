/* SPDX-License-Identifier: MIT
 *
 * SM clock, power, temperature and throttle reasons of one GPU, from NVML. The library is opened at
 * run time with prototypes of our own, so that neither its header nor its stub is needed to build.
 * Everything is optional: a value that cannot be read stays unknown (NaN, NULL). Never sets a
 * clock.
 */
#pragma once

#include "app/backend/backend.h"

typedef struct Nvml Nvml;

/* `pci_bus_id` is in the format of cudaDeviceGetPCIBusId() ("0000:3B:00.0"). NULL if there is no
 * NVML or no such device; every function below accepts NULL. */
Nvml *nvml_open (const char *pci_bus_id);
void nvml_close (Nvml *nvml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Nvml, nvml_close)

/* Fills every member. */
void nvml_read (Nvml *nvml, SeamVitals *vitals);
/* Only the SM clock, for every sample: MHz; NaN: unknown. */
double nvml_read_clock (Nvml *nvml);
/* The chip's highest SM clock, MHz; NaN: unknown. */
double nvml_read_max_clock (Nvml *nvml);
/* Why the clock is low now, in the format of SeamSample; 0: unknown. */
gint32 nvml_read_throttle (Nvml *nvml);
/* "580.95.05", newly allocated; NULL: unknown. Needs no open device. */
char *nvml_driver_version (void);
