/* SPDX-License-Identifier: MIT
 *
 * SM clock, power, temperature and throttle reasons of one GPU, from NVML. The library is opened
 * at run time with prototypes of our own, so that neither its header nor its stub is needed to
 * build. Everything is optional: what cannot be read stays unknown (NaN, NULL). Never sets a clock.
 */
#pragma once

#include "app/backend/backend.h"

G_BEGIN_DECLS

typedef struct SeamVitalsNvml SeamVitalsNvml;

/* `pci_bus_id` as cudaDeviceGetPCIBusId() writes it ("0000:3B:00.0"). NULL when NVML or the device
 * is not there; every function below accepts NULL. */
SeamVitalsNvml *seam_vitals_nvml_open (const char *pci_bus_id);
void seam_vitals_nvml_close (SeamVitalsNvml *nvml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamVitalsNvml, seam_vitals_nvml_close)

/* Fills every member; `vitals->throttle` is newly allocated or NULL and not freed before. */
void seam_vitals_nvml_read (SeamVitalsNvml *nvml, SeamVitals *vitals);
/* The SM clock alone, for every sample: MHz, NaN unknown. */
double seam_vitals_nvml_read_clock (SeamVitalsNvml *nvml);
/* Why the clock is low now, as SeamSample keeps it; 0 unknown. */
gint32 seam_vitals_nvml_read_throttle (SeamVitalsNvml *nvml);
/* "580.95.05", newly allocated; NULL unknown. Needs no open device. */
char *seam_vitals_nvml_driver_version (void);

G_END_DECLS
