/* SPDX-License-Identifier: MIT
 *
 * Compiles generated C with the system's compiler, with a cache on disk. An entry is a shared
 * library followed by a line "seamscope-code 1 SHA256 of the library", which the loader ignores;
 * its name is the SHA-256 of everything that determines the code. A damaged entry is compiled
 * again; a cache that cannot be written, or that others can write, is not used.
 */
#include "app/backend/cpu/backend-cpu.h"
#include "app/backend/diagnostic.h"
#include "app/base/npy.h"
#include "app/base/own-file.h"
#include "app/base/scratch.h"
#include "kernels/embedded.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRAILER_MAGIC "\nseamscope-code 1 "
#define TRAILER_BYTES (sizeof TRAILER_MAGIC - 1 + 64)
/* Time between checks of Stop while the compiler works. */
#define POLL_MS 20
/* A group takes about 0.2 s, but text that a person wrote may occupy a compiler for ever. */
#define MAX_COMPILE_S   60
#define MAX_LOG_BYTES   65536
#define MAX_ARGUMENTS   24
#define LIBRARY_FILE    "group.so"
#define OBJECT_FILE     "group.o"
#define ASSEMBLY_FILE   "group.s"
#define COMPILER_SWITCH "SEAMSCOPE_CC"

struct SeamCpuModule {
  void *handle;
  int fd; /* open as long as the code is loaded, since the loader knows the code by a name with this
           * number */
  gboolean stays;
};

/* --- Which compiler, with which arguments --- */

static char *
find_compiler (void)
{
  static const char *const names[] = { "cc", "gcc", "clang" };
  const char *wanted = g_getenv (COMPILER_SWITCH);

  if (wanted != NULL && *wanted != '\0')
    return strcmp (wanted, "none") == 0 ? NULL : g_find_program_in_path (wanted);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    char *path = g_find_program_in_path (names[i]);
    if (path != NULL)
      return path;
  }
  return NULL;
}

/* A path, or NULL; searched once. */
static const char *
get_compiler_path (void)
{
  static gsize once = 0;
  static char *path = NULL;

  if (g_once_init_enter (&once)) {
    path = find_compiler ();
    g_once_init_leave (&once, 1);
  }
  return path;
}

const char *
seam_cpu_compiler_get (void)
{
  const char *path = get_compiler_path ();
  const char *slash = path != NULL ? strrchr (path, '/') : NULL;

  return slash != NULL ? slash + 1 : path;
}

/* Adds options for code as wide as the loops: those of this processor, or the narrower ones that
 * $SEAMSCOPE_CPU_LOOPS chose. */
static void
add_machine (GPtrArray *arguments, const SeamCpuLoops *loops)
{
#if defined(__x86_64__)
  gboolean is_widest = TRUE;

  if (loops->vector_width < 16 && seam_cpu_loops_find ("avx512") != NULL)
    is_widest = FALSE;
  if (loops->vector_width < 8 && seam_cpu_loops_find ("avx2") != NULL)
    is_widest = FALSE;
  if (is_widest)
    g_ptr_array_add (arguments, (char *)"-march=native");
  else
    g_ptr_array_add (arguments, loops->vector_width == 8 ? (char *)"-march=x86-64-v3"
                                                         : (char *)"-march=x86-64");
  if (loops->vector_width >= 16)
    g_ptr_array_add (arguments, (char *)"-mprefer-vector-width=512");
#elif defined(__aarch64__)
  g_ptr_array_add (arguments, (char *)"-mcpu=native");
#endif
}

/* The last arguments for a library. */
static const char *const make_library[] = { "-shared", "-o", LIBRARY_FILE, SEAM_DIAGNOSTIC_C_FILE,
                                            "-lm",     NULL };
/* The last arguments for a listing: -g1 gives lines and inlined functions, and changes no
 * instruction. */
static const char *const make_object[] = { "-g1", "-c", "-o", OBJECT_FILE, SEAM_DIAGNOSTIC_C_FILE,
                                           NULL };
static const char *const make_assembly[] = {
  "-g1", "-S", "-o", ASSEMBLY_FILE, SEAM_DIAGNOSTIC_C_FILE, NULL
};

/* The options of the loops (kernels/meson.build), so that both give the same digits, except that
 * here a product followed by a sum becomes one multiply-add, with one rounding less. The host's
 * threads call the functions, so they need only `simd` of OpenMP, which takes no library. */
static GPtrArray *
make_arguments (const SeamCpuDevice *device, const char *const *ending)
{
  static const char *const usual[] = {
    "-std=c17",
    "-O3",
    "-fPIC",
    "-fopenmp-simd",
    "-fno-strict-aliasing",
    /* Without it no loop with a comparison is vectorised for AVX2, which lacks masks. */
    "-fno-trapping-math",
    "-fdiagnostics-color=never",
    "-ffp-contract=fast",
    /* Otherwise a misspelt function would be noticed only when the code is loaded. */
    "-Werror=implicit-function-declaration",
  };
  const char *path = get_compiler_path ();
  GPtrArray *arguments = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  g_ptr_array_add (arguments, (char *)path);
  for (gsize i = 0; i < G_N_ELEMENTS (usual); i++)
    g_ptr_array_add (arguments, (char *)usual[i]);
  add_machine (arguments, device->loops);
  g_ptr_array_add (arguments, (char *)"-I.");
  for (; *ending != NULL; ending++)
    g_ptr_array_add (arguments, (char *)*ending);
  return arguments;
}

/* --- The cache --- */

static void
add_text (GChecksum *checksum, const char *text)
{
  /* Includes the terminating 0, so that adjacent keys cannot be confused. */
  g_checksum_update (checksum, (const guchar *)text, (gssize)strlen (text) + 1);
}

/* The text without "// …": shapes stand only in comments, so the same code serves all shapes. */
static char *
strip_comments (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++) {
    char *comment = strstr (lines[i], "//");
    if (comment != NULL)
      *comment = '\0';
  }
  return g_strjoinv ("\n", lines);
}

static char *
make_key (GPtrArray *arguments, const char *text, gboolean is_generated)
{
  g_autofree char *code = is_generated ? strip_comments (text) : g_strdup (text);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *real = realpath (get_compiler_path (), NULL);
  g_autofree char *stamp = NULL;
  g_autofree char *processor = seam_cpu_get_flags ();
  GStatBuf status = { 0 };

  /* Another version of the compiler is another file, and several machines may share a home. */
  if (real != NULL && g_stat (real, &status) == 0)
    stamp = g_strdup_printf ("%s %lld %lld", real, (long long)status.st_size,
                             (long long)status.st_mtime);
  add_text (checksum, stamp != NULL ? stamp : "unknown");
  add_text (checksum, processor);
  for (guint i = 0; arguments->pdata[i] != NULL; i++)
    add_text (checksum, arguments->pdata[i]);
  for (int i = 0; i < seam_n_cpu_texts; i++)
    add_text (checksum, seam_cpu_texts[i].text);
  add_text (checksum, code);
  return g_strdup (g_checksum_get_string (checksum));
}

/* The library of an entry, or NULL if there is none, it is damaged, or others can write it. */
static GBytes *
read_entry (const char *path)
{
  g_autoptr (GBytes) entry = seam_own_file_read (path, NULL);
  gsize length;

  if (entry == NULL || g_bytes_get_size (entry) <= TRAILER_BYTES)
    return NULL;
  const guchar *data = g_bytes_get_data (entry, &length);
  length -= TRAILER_BYTES;
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, data, length);
  if (memcmp (data + length, TRAILER_MAGIC, sizeof TRAILER_MAGIC - 1) != 0
      || memcmp (data + length + sizeof TRAILER_MAGIC - 1, sum, 64) != 0)
    return NULL;
  return g_bytes_new_from_bytes (entry, 0, length);
}

/* Writes the library with its trailer; if the cache cannot be written, that only costs time. */
static void
write_entry (const char *path, GBytes *library)
{
  g_autofree char *sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, library);
  g_autoptr (GString) entry =
      g_string_new_len (g_bytes_get_data (library, NULL), (gssize)g_bytes_get_size (library));

  g_string_append (entry, TRAILER_MAGIC);
  g_string_append (entry, sum);
  seam_own_cache_write (path, entry->str, entry->len);
}

/* --- The compiler as a process --- */

/* The compiler and the processes that it starts form a group, so that all of them can be ended. If
 * this process is killed, the compiler is killed, too; its children end at their time limit. */
static void
start_group_cb (gpointer data)
{
  const struct rlimit time = { MAX_COMPILE_S, MAX_COMPILE_S };

  setpgid (0, 0);
  setrlimit (RLIMIT_CPU, &time);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* Reads the compiler's output until it ends, Stop is pressed, or its time is over. */
static gboolean
read_log (GPid pid, int fd, SeamCancel *cancel, GString *log, GError **error)
{
  gint64 end_us = g_get_monotonic_time () + MAX_COMPILE_S * G_USEC_PER_SEC;
  GPollFD poll = { .fd = fd, .events = G_IO_IN | G_IO_HUP };
  gboolean is_late = FALSE;

  while (!seam_cancel_check (cancel, error)) {
    char part[4096];
    gssize n;

    is_late = g_get_monotonic_time () > end_us;
    if (is_late)
      break;
    if (g_poll (&poll, 1, POLL_MS) <= 0)
      continue;
    n = read (fd, part, sizeof part);
    if (n == 0 || (n < 0 && errno != EINTR))
      return TRUE;
    if (n > 0 && log->len < MAX_LOG_BYTES)
      g_string_append_len (log, part, n);
  }
  kill (-pid, SIGKILL);
  if (is_late)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "%s was stopped: it worked on this code for a minute.", seam_cpu_compiler_get ());
  return FALSE;
}

static gboolean
run_compiler (GPtrArray *arguments, const char *folder, SeamCancel *cancel, GError **error)
{
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LC_ALL", "C", TRUE);
  g_autoptr (GString) log = g_string_new (NULL);
  g_autoptr (GError) local = NULL;
  int fd = -1, status = 0;
  GPid pid;

  /* A killed compiler leaves its temporary files in this folder, which is deleted. */
  environment = g_environ_setenv (environment, "TMPDIR", folder, TRUE);
  if (!g_spawn_async_with_pipes (folder, (char **)arguments->pdata, environment,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                 start_group_cb, NULL, &pid, NULL, NULL, &fd, &local))
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s could not be started: %s.",
                      seam_cpu_compiler_get (), local->message);
  gboolean good = read_log (pid, fd, cancel, log, error);
  close (fd);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  if (!good)
    return FALSE;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  g_autofree char *valid = g_utf8_make_valid (g_strchomp (log->str), -1);
  g_autofree char *head =
      g_strdup_printf ("%s could not compile the code", seam_cpu_compiler_get ());
  g_autofree char *message = seam_diagnostics_explain (head, valid);
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s", message);
}

/* --- A folder to compile in --- */

static gboolean
write_part (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  if (g_mkdir_with_parents (parent, 0700) != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "The folder %s could not be made: %s.", parent,
                      g_strerror (errno));
  return seam_file_write (path, text, strlen (text), error);
}

static gboolean
fill_folder (const char *folder, const char *text, GError **error)
{
  for (int i = 0; i < seam_n_cpu_texts; i++)
    if (!write_part (folder, seam_cpu_texts[i].name, seam_cpu_texts[i].text, error))
      return FALSE;
  return write_part (folder, SEAM_DIAGNOSTIC_C_FILE, text, error);
}

/* --- Loading --- */

/* Copies the library to memory that nobody can change and that the loader can read; -1 with
 * errno. */
static int
seal (GBytes *library)
{
  int fd = memfd_create ("seamscope-code", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  gsize length, done = 0;
  const char *data = g_bytes_get_data (library, &length);

  while (fd >= 0 && done < length) {
    gssize n = write (fd, data + done, length - done);
    if (n > 0)
      done += (gsize)n;
    else if (n == 0 || errno != EINTR)
      break;
  }
  if (fd >= 0
      && (done < length
          || fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)
                 != 0)) {
    int code = errno;
    close (fd);
    errno = code;
    return -1;
  }
  return fd;
}

/* Whether the library imports a function after which a thread, or the system, may call its code
 * when nobody else does. The names of imported functions stand in the file as they are. */
static gboolean
may_call_later (GBytes *library)
{
  static const char *const names[] = {
    "pthread_create", "thrd_create", "g_thread_new", "clone",   "clone3",
    "timer_create",   "signal",      "sigaction",    "syscall", "dlsym",
  };
  gsize length;
  const char *data = g_bytes_get_data (library, &length);

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (memmem (data, length, names[i], strlen (names[i]) + 1) != NULL)
      return TRUE;
  return FALSE;
}

/* Loads the very bytes that were checked or compiled, instead of a file by name. */
static SeamCpuModule *
load (GBytes *library, GError **error)
{
  int fd = seal (library);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  void *handle = fd >= 0 ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;

  if (handle == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The compiled code could not be loaded: %s.",
                 fd >= 0 ? dlerror () : g_strerror (errno));
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  SeamCpuModule *module = g_new (SeamCpuModule, 1);
  *module = (SeamCpuModule){ handle, fd, may_call_later (library) };
  return module;
}

static SeamCpuModule *
compile (GPtrArray *arguments, const char *text, const char *entry, SeamCancel *cancel,
         GError **error)
{
  g_autoptr (SeamScratch) scratch = seam_scratch_new (error);
  char *data = NULL;
  gsize length = 0;

  if (scratch == NULL || !fill_folder (scratch->path, text, error)
      || !run_compiler (arguments, scratch->path, cancel, error))
    return NULL;
  g_autofree char *path = g_build_filename (scratch->path, LIBRARY_FILE, NULL);
  if (!g_file_get_contents (path, &data, &length, error))
    return NULL;
  g_autoptr (GBytes) library = g_bytes_new_take (data, length);
  SeamCpuModule *module = load (library, error);
  if (module != NULL && entry != NULL)
    write_entry (entry, library);
  return module;
}

static gboolean
check_compiler (GError **error)
{
  if (get_compiler_path () != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                    "There is no C compiler (cc, gcc or clang); install one, such as gcc.");
}

SeamCpuModule *
seam_cpu_module_new (SeamCpuDevice *device, const char *text, gboolean is_generated,
                     SeamCancel *cancel, GError **error)
{
  g_autofree char *cache = NULL, *key = NULL, *file = NULL, *entry = NULL;
  SeamCpuModule *module = NULL;

  if (!check_compiler (error))
    return NULL;
  g_autoptr (GPtrArray) arguments = make_arguments (device, make_library);
  cache = seam_own_cache_get_folder ("kernels-cpu");
  if (cache != NULL) {
    key = make_key (arguments, text, is_generated);
    file = g_strconcat (key, ".so", NULL);
    entry = g_build_filename (cache, file, NULL);
    g_autoptr (GBytes) library = read_entry (entry);
    module = library != NULL ? load (library, NULL) : NULL;
  }
  if (module == NULL)
    module = compile (arguments, text, entry, cancel, error);
  device->device.keeps_code |= module != NULL && module->stays;
  return module;
}

void
seam_cpu_module_free (SeamCpuModule *module)
{
  if (module == NULL)
    return;
  if (module->stays) {
    g_free (module);
    return;
  }
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", module->fd);

  dlclose (module->handle);
  /* If the loader still holds the code, the file stays open: otherwise the next module could get
   * the same number, and the loader would mistake the old code for it. */
  if (dlopen (path, RTLD_LAZY | RTLD_NOLOAD) == NULL)
    close (module->fd);
  g_free (module);
}

SeamCpuFunction
seam_cpu_module_get (SeamCpuModule *module, const char *name, GError **error)
{
  SeamCpuFunction function = NULL;
  void *symbol = dlsym (module->handle, name);

  if (symbol == NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                           "The code has no function “%s”; keep its name and its parameter.", name);
  /* C does not convert a data pointer to a function pointer; POSIX gives both the same form. */
  memcpy (&function, &symbol, sizeof function);
  return function;
}

/* --- Listings --- */

static char *
disassemble (const char *folder, const char *disassembler)
{
  const char *const arguments[] = { disassembler,     "--disassemble",
                                    "--line-numbers", "--inlines",
                                    "--no-addresses", "--no-show-raw-insn",
                                    OBJECT_FILE,      NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LC_ALL", "C", TRUE);
  g_autofree char *text = NULL;
  int status = 0;

  if (!g_spawn_sync (folder, (char **)arguments, environment, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                     NULL, &text, NULL, &status, NULL)
      || !g_spawn_check_wait_status (status, NULL))
    return NULL;
  return g_steal_pointer (&text);
}

char *
seam_cpu_list (const SeamCpuDevice *device, const char *text, const char *disassembler,
               SeamCancel *cancel, GError **error)
{
  g_autoptr (SeamScratch) scratch = NULL;
  char *listing = NULL;

  if (!check_compiler (error) || (scratch = seam_scratch_new (error)) == NULL)
    return NULL;
  g_autofree char *path = g_build_filename (scratch->path, ASSEMBLY_FILE, NULL);
  g_autoptr (GPtrArray) arguments =
      make_arguments (device, disassembler != NULL ? make_object : make_assembly);
  if (!fill_folder (scratch->path, text, error)
      || !run_compiler (arguments, scratch->path, cancel, error))
    return NULL;
  if (disassembler != NULL)
    listing = disassemble (scratch->path, disassembler);
  else
    g_file_get_contents (path, &listing, NULL, NULL);
  if (listing == NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s made no listing of this code.",
                 disassembler != NULL ? disassembler : seam_cpu_compiler_get ());
  return listing;
}
