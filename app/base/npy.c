/* SPDX-License-Identifier: MIT
 *
 * Reads and writes .npy files. Format: numpy.lib.format in NumPy's documentation. The header is a
 * Python dictionary; only the literal form that NumPy itself writes is accepted.
 */
#include "app/base/npy.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NPY_MAGIC    "\x93NUMPY"
#define PREFIX_BYTES 10 /* of version 1.0: magic, version, length of the header */
/* NumPy's own headers have 118 bytes; a record type with many fields may need kilobytes. */
#define NPY_MAX_HEADER 65536
#define MAX_TYPE_BYTES 64 /* of an element type that an error quotes */

static gboolean
read_fully (int fd, void *data, gsize length)
{
  char *to = data;

  while (length > 0) {
    ssize_t n = read (fd, to, MIN (length, (gsize)1 << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return FALSE;
    to += n;
    length -= (gsize)n;
  }
  return TRUE;
}

/* The value of a key in the header's dictionary, or NULL. */
static const char *
find_value (const char *header, const char *key)
{
  g_autofree char *quoted = g_strdup_printf ("'%s'", key);
  const char *p = strstr (header, quoted);

  if (p == NULL)
    return NULL;
  p += strlen (quoted);
  while (*p == ' ')
    p++;
  if (*p++ != ':')
    return NULL;
  while (*p == ' ')
    p++;
  return p;
}

/* Fills all of `npy` except its data; returns NULL or what is wrong. */
static char *
parse_header (const char *header, SeamNpy *npy)
{
  const char *descr = find_value (header, "descr");
  const char *order = find_value (header, "fortran_order");
  const char *shape = find_value (header, "shape");
  gint64 item;

  if (descr == NULL || order == NULL || shape == NULL || *shape != '(')
    return g_strdup ("its header is damaged; write the file again with numpy.save");
  if (g_str_has_prefix (descr, "'<f4'"))
    npy->is_double = FALSE;
  else if (g_str_has_prefix (descr, "'<f8'"))
    npy->is_double = TRUE;
  else if (g_str_has_prefix (descr, "'>f"))
    return g_strdup ("it is big-endian; convert it with a.astype('<f4') before saving");
  else {
    g_autofree char *type =
        g_utf8_make_valid (descr, (gssize)MIN (strcspn (descr, ",}\n"), MAX_TYPE_BYTES));
    return g_strdup_printf ("it holds the element type %s; only float32 ('<f4') and float64 "
                            "('<f8') can be read",
                            type);
  }
  npy->n_elements = 1;
  for (const char *p = shape + 1;;) {
    char *end;
    while (*p == ' ' || *p == ',')
      p++;
    if (*p == ')')
      break;
    if (!g_ascii_isdigit (*p))
      return g_strdup ("the shape in its header is damaged");
    errno = 0;
    gint64 size = g_ascii_strtoll (p, &end, 10);
    if (errno == ERANGE || __builtin_mul_overflow (npy->n_elements, size, &npy->n_elements))
      return g_strdup ("the shape in its header is too large");
    if (npy->n_dims == SEAM_NPY_MAX_DIMS)
      return g_strdup_printf ("it has more than %d dimensions", SEAM_NPY_MAX_DIMS);
    npy->dims[npy->n_dims++] = size;
    p = end;
  }
  if (!g_str_has_prefix (order, "False") && npy->n_dims > 1)
    return g_strdup ("it is in Fortran order; convert it with numpy.ascontiguousarray");
  if (__builtin_mul_overflow (npy->n_elements, (gint64)(npy->is_double ? 8 : 4), &item))
    return g_strdup ("the shape in its header is too large");
  return NULL;
}

/* Reads an open file into `npy`; returns NULL or what is wrong. */
static char *
read_open_file (int fd, SeamNpy *npy)
{
  guint8 prefix[12];
  struct stat st;
  gsize n_prefix, n_header;
  gint64 expected, present;

  if (fstat (fd, &st) != 0)
    return g_strdup (g_strerror (errno));
  if (!S_ISREG (st.st_mode))
    return g_strdup ("it is not a regular file");
  if (st.st_size < 10 || !read_fully (fd, prefix, 10) || memcmp (prefix, NPY_MAGIC, 6) != 0)
    return g_strdup ("it is not a .npy file");
  if (prefix[6] != 1 && prefix[6] != 2)
    return g_strdup_printf ("it has .npy format version %d.%d; 1.0 and 2.0 can be read", prefix[6],
                            prefix[7]);
  n_prefix = prefix[6] == 1 ? 10 : 12;
  n_header = prefix[8] | (gsize)prefix[9] << 8;
  if (prefix[6] == 2) {
    if (!read_fully (fd, prefix + 10, 2))
      return g_strdup ("it is truncated");
    n_header |= (gsize)prefix[10] << 16 | (gsize)prefix[11] << 24;
  }
  if (n_header > NPY_MAX_HEADER)
    return g_strdup ("its header is damaged; write the file again with numpy.save");
  g_autofree char *header = g_malloc0 (n_header + 1);
  if (!read_fully (fd, header, n_header))
    return g_strdup ("it is truncated");
  char *problem = parse_header (header, npy);
  if (problem)
    return problem;
  expected = npy->n_elements * (npy->is_double ? 8 : 4);
  present = (gint64)st.st_size - (gint64)(n_prefix + n_header);
  if (present < expected)
    return g_strdup_printf ("it is truncated: %" G_GINT64_FORMAT " bytes of data where its header "
                            "promises %" G_GINT64_FORMAT,
                            present, expected);
  if (present > expected)
    return g_strdup_printf ("it is longer than its header says (%" G_GINT64_FORMAT
                            " bytes too many)",
                            present - expected);
  npy->data = g_try_malloc (MAX (expected, 1));
  if (npy->data == NULL)
    return g_strdup ("there is not enough memory to read it");
  if (!read_fully (fd, npy->data, (gsize)expected))
    return g_strdup ("it could not be read to its end");
  return NULL;
}

SeamNpy *
seam_npy_read (const char *path, GError **error)
{
  g_autoptr (SeamNpy) npy = g_new0 (SeamNpy, 1);

  /* Non-blocking, so that a named pipe is refused rather than waited for. */
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    g_autofree char *what = g_strdup_printf ("it cannot be opened: %s", g_strerror (errno));
    seam_file_fail (error, path, what);
    return NULL;
  }
  g_autofree char *problem = read_open_file (fd, npy);
  close (fd);
  if (problem) {
    seam_file_fail (error, path, problem);
    return NULL;
  }
  return g_steal_pointer (&npy);
}

/* "element [0, 2, 1]", as NumPy counts. */
static char *
describe_element (const SeamNpy *npy, gint64 element)
{
  gint64 at[SEAM_NPY_MAX_DIMS];

  for (int i = npy->n_dims; i-- > 0; element /= npy->dims[i])
    at[i] = element % npy->dims[i];
  g_autofree char *place = seam_text_dims (at, npy->n_dims);
  return g_strdup_printf ("element %s", place);
}

gboolean
seam_npy_get_floats (const SeamNpy *npy, const char *path, float *values, char **changed,
                     GError **error)
{
  *changed = NULL;
  for (gint64 i = 0; i < npy->n_elements; i++) {
    const double x = npy->is_double ? ((double *)npy->data)[i] : ((float *)npy->data)[i];
    values[i] = (float)x;
    /* A fraction is expected to be rounded; a whole number (all FP64 beyond 2^53 are) is not, nor
     * does one expect a 0. */
    gboolean is_whole = fabs (x) <= 0x1p53 && x == rint (x);
    gboolean is_told = values[i] != x && (is_whole || values[i] == 0 || isinf (values[i]));
    if (!is_told || (*changed != NULL && !isinf (values[i])))
      continue;
    g_autofree char *element = describe_element (npy, i);
    g_autofree char *what =
        g_strdup_printf ("%s is %.17g, which FP32 %s", element, x,
                         isinf (values[i]) ? "cannot hold: it ends at 3.4e38" : "does not have");
    if (isinf (values[i]))
      return seam_file_fail (error, path, what);
    g_autofree char *name = g_filename_display_basename (path);
    *changed = g_strdup_printf ("%s: %s, so that the run uses %.9g (the first such element).", name,
                                what, (double)values[i]);
  }
  return TRUE;
}

void
seam_npy_free (SeamNpy *npy)
{
  if (npy == NULL)
    return;
  g_free (npy->data);
  g_free (npy);
}

GString *
seam_npy_make_header (const char *type, const gint64 *dims, int n_dims)
{
  GString *header = g_string_new_len (NPY_MAGIC "\1\0\0\0", PREFIX_BYTES);

  g_string_append_printf (header, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
  for (int i = 0; i < n_dims; i++)
    g_string_append_printf (header, "%s%" G_GINT64_FORMAT, i ? ", " : "", dims[i]);
  g_string_append (header, n_dims == 1 ? ",), }" : "), }");
  /* The format requires a total that is a multiple of 64 bytes, and a line feed at the end. */
  while ((header->len + 1) % 64 != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  header->str[8] = (char)((header->len - PREFIX_BYTES) & 0xff);
  header->str[9] = (char)((header->len - PREFIX_BYTES) >> 8);
  return header;
}

static gboolean
write_npy (const char *path, const char *type, gsize item, const void *data, const gint64 *dims,
           int n_dims, GError **error)
{
  g_autoptr (GString) header = seam_npy_make_header (type, dims, n_dims);
  gsize n_elements = 1;

  for (int i = 0; i < n_dims; i++)
    n_elements *= (gsize)dims[i];
  return seam_file_write_chunks (
      path, (const SeamChunk[]){ { header->str, header->len }, { data, n_elements * item } }, 2,
      error);
}

gboolean
seam_npy_write_floats (const char *path, const float *data, const gint64 *dims, int n_dims,
                       GError **error)
{
  return write_npy (path, "<f4", sizeof (float), data, dims, n_dims, error);
}

gboolean
seam_npy_write_doubles (const char *path, const double *data, const gint64 *dims, int n_dims,
                        GError **error)
{
  return write_npy (path, "<f8", sizeof (double), data, dims, n_dims, error);
}
