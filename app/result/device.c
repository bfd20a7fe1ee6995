/* SPDX-License-Identifier: MIT
 *
 * What is known of a target: making, copying, and its way between processes.
 */
#include "app/result/device.h"

#include "app/result/variant.h"

SeamDeviceInfo *
seam_device_info_new (const char *id)
{
  SeamDeviceInfo *info = g_new0 (SeamDeviceInfo, 1);

  info->id = g_strdup (id);
  return info;
}

SeamDeviceInfo *
seam_device_info_copy (const SeamDeviceInfo *info)
{
  if (info == NULL)
    return NULL;
  SeamDeviceInfo *copy = g_memdup2 (info, sizeof *info);
  copy->id = g_strdup (info->id);
  copy->name = g_strdup (info->name);
  copy->reason = g_strdup (info->reason);
  copy->remedy = g_strdup (info->remedy);
  copy->driver = g_strdup (info->driver);
  copy->libraries = g_strdup (info->libraries);
  copy->calibrated = g_strdup (info->calibrated);
  copy->rates_source = g_strdup (info->rates_source);
  copy->identity = g_strdup (info->identity);
  copy->trace_reason = g_strdup (info->trace_reason);
  copy->compute_capability = g_strdup (info->compute_capability);
  return copy;
}

void
seam_device_info_free (SeamDeviceInfo *info)
{
  if (info == NULL)
    return;
  g_free (info->id);
  g_free (info->name);
  g_free (info->reason);
  g_free (info->remedy);
  g_free (info->driver);
  g_free (info->libraries);
  g_free (info->calibrated);
  g_free (info->rates_source);
  g_free (info->identity);
  g_free (info->trace_reason);
  g_free (info->compute_capability);
  g_free (info);
}

double
seam_device_info_get_split_rate (const SeamDeviceInfo *info)
{
  if (info->flop_bf16 > 0)
    return info->flop_bf16 / 3;
  return info->flop_tf32 > 0 ? info->flop_tf32 * 2 / 3 : 0;
}

double
seam_device_info_get_half_rate (const SeamDeviceInfo *info)
{
  if (g_strcmp0 (info->id, "cpu") == 0)
    return 0;
  return info->flop_bf16 > 0 ? info->flop_bf16 : MAX (2 * info->flop_tf32, 0);
}

double
seam_device_info_get_flop_rate (const SeamDeviceInfo *info, const char *math_mode)
{
  double half = seam_device_info_get_half_rate (info);

  if ((g_strcmp0 (math_mode, "fp16") == 0 || g_strcmp0 (math_mode, "bf16") == 0) && half > 0)
    return half;
  if (g_strcmp0 (math_mode, "tf32") == 0 && info->flop_tf32 > 0)
    return info->flop_tf32;
  return MAX (info->flop_fp32, seam_device_info_get_split_rate (info));
}

double
seam_device_info_get_peak_bytes (const SeamDeviceInfo *info)
{
  return info->peak_bytes_per_s > 0 ? info->peak_bytes_per_s : info->bytes_per_s;
}

double
seam_device_info_get_peak_flop (const SeamDeviceInfo *info, const char *math_mode)
{
  /* As if these were what it attains. */
  const SeamDeviceInfo peak = { .id = info->id,
                                .flop_fp32 = info->peak_flop_fp32,
                                .flop_tf32 = info->peak_flop_tf32 };
  double flop = seam_device_info_get_flop_rate (&peak, math_mode);

  return flop > 0 ? flop : seam_device_info_get_flop_rate (info, math_mode);
}

/* Unknown is left out: a session file keeps no row for it. */
static void
add_known (GVariantBuilder *builder, const char *key, double value)
{
  if (value > 0)
    seam_builder_double (builder, key, value);
}

GVariant *
seam_device_info_to_variant (const SeamDeviceInfo *info)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (&builder, "id", info->id);
  seam_builder_string (&builder, "name", info->name);
  seam_builder_boolean (&builder, "available", info->available);
  seam_builder_string (&builder, "reason", info->reason);
  seam_builder_string (&builder, "remedy", info->remedy);
  seam_builder_string (&builder, "driver", info->driver);
  seam_builder_string (&builder, "libraries", info->libraries);
  seam_builder_int64 (&builder, "n_processors", info->n_processors);
  seam_builder_uint64 (&builder, "memory_total", info->memory_total);
  seam_builder_uint64 (&builder, "memory_free", info->memory_free);
  seam_builder_uint64 (&builder, "l2_bytes", info->l2_bytes);
  if (info->block_shared_bytes > 0) {
    seam_builder_uint64 (&builder, "block_register_bytes", info->block_register_bytes);
    seam_builder_uint64 (&builder, "block_shared_bytes", info->block_shared_bytes);
  }
  seam_builder_double (&builder, "bytes_per_s", info->bytes_per_s);
  seam_builder_double (&builder, "flop_fp32", info->flop_fp32);
  seam_builder_double (&builder, "flop_tf32", info->flop_tf32);
  add_known (&builder, "flop_bf16", info->flop_bf16);
  add_known (&builder, "l2_bytes_per_s", info->l2_bytes_per_s);
  add_known (&builder, "launch_ns", info->launch_ns);
  add_known (&builder, "peak_bytes_per_s", info->peak_bytes_per_s);
  add_known (&builder, "peak_flop_fp32", info->peak_flop_fp32);
  add_known (&builder, "peak_flop_tf32", info->peak_flop_tf32);
  seam_builder_string (&builder, "calibrated", info->calibrated);
  seam_builder_string (&builder, "rates_source", info->rates_source);
  seam_builder_boolean (&builder, "can_trace", info->can_trace);
  seam_builder_string (&builder, "trace_reason", info->trace_reason);
  seam_builder_string (&builder, "compute_capability", info->compute_capability);
  return g_variant_builder_end (&builder);
}

SeamDeviceInfo *
seam_device_info_from_variant (GVariant *variant)
{
  SeamDeviceInfo *info = seam_device_info_new (NULL);
  /* There is no error to give here: each member has a reader of its own, so that one of a wrong
   * type stays unknown and costs none of the others. */
#define READ(call)                                                                                 \
  G_STMT_START                                                                                     \
  {                                                                                                \
    SeamReader reader;                                                                             \
    seam_reader_init (&reader, variant, "target");                                                 \
    call;                                                                                          \
    seam_reader_finish (&reader, NULL);                                                            \
  }                                                                                                \
  G_STMT_END

  READ (seam_reader_string (&reader, "id", &info->id));
  READ (seam_reader_string (&reader, "name", &info->name));
  READ (seam_reader_boolean (&reader, "available", &info->available));
  READ (seam_reader_text (&reader, "reason", &info->reason));
  READ (seam_reader_text (&reader, "remedy", &info->remedy));
  READ (seam_reader_string (&reader, "driver", &info->driver));
  READ (seam_reader_string (&reader, "libraries", &info->libraries));
  READ (seam_reader_int (&reader, "n_processors", 0, G_MAXINT, &info->n_processors));
  READ (seam_reader_uint64 (&reader, "memory_total", &info->memory_total));
  READ (seam_reader_uint64 (&reader, "memory_free", &info->memory_free));
  READ (seam_reader_uint64 (&reader, "l2_bytes", &info->l2_bytes));
  READ (seam_reader_uint64 (&reader, "block_register_bytes", &info->block_register_bytes));
  READ (seam_reader_uint64 (&reader, "block_shared_bytes", &info->block_shared_bytes));
  READ (seam_reader_double (&reader, "bytes_per_s", &info->bytes_per_s));
  READ (seam_reader_double (&reader, "flop_fp32", &info->flop_fp32));
  READ (seam_reader_double (&reader, "flop_tf32", &info->flop_tf32));
  READ (seam_reader_double (&reader, "flop_bf16", &info->flop_bf16));
  READ (seam_reader_double (&reader, "l2_bytes_per_s", &info->l2_bytes_per_s));
  READ (seam_reader_double (&reader, "launch_ns", &info->launch_ns));
  READ (seam_reader_double (&reader, "peak_bytes_per_s", &info->peak_bytes_per_s));
  READ (seam_reader_double (&reader, "peak_flop_fp32", &info->peak_flop_fp32));
  READ (seam_reader_double (&reader, "peak_flop_tf32", &info->peak_flop_tf32));
  READ (seam_reader_string (&reader, "calibrated", &info->calibrated));
  READ (seam_reader_string (&reader, "rates_source", &info->rates_source));
  READ (seam_reader_boolean (&reader, "can_trace", &info->can_trace));
  READ (seam_reader_text (&reader, "trace_reason", &info->trace_reason));
  READ (seam_reader_string (&reader, "compute_capability", &info->compute_capability));
#undef READ
  if (info->id == NULL)
    info->id = g_strdup ("");
  return info;
}
