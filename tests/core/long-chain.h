/* SPDX-License-Identifier: MIT
 *
 * A pipeline with a chain of any length, for tests of pictures and searches with many partitions: a
 * matrix product, a bias, a softmax over a whole row, then activations.
 */
#pragma once

#include <glib.h>

/* The text of its file; newly allocated. At least four ops. */
static inline char *
long_chain_text (int n_ops)
{
  GString *ops = g_string_new ("matmul;bias;softmax;"), *text = g_string_new (NULL);

  for (int i = 3; i < n_ops; i++)
    g_string_append_printf (ops, "relu%d;", i);
  g_string_append_printf (
      text,
      "[pipeline]\ntitle=A long chain\ndescription=A chain with many "
      "partitions.\nsource=None\nops=%s\n"
      "[field batch]\nlabel=Batch\nunit=rows\nmin=1\nmax=1000\n"
      "[field in_features]\nlabel=Input features\nunit=columns\nmin=1\nmax=1000\n"
      "[field out_features]\nlabel=Output features\nunit=columns\nmin=1\nmax=1000\n"
      "[param weight]\nrole=matmul-weight\ninit=fan-in\n"
      "[param bias]\nrole=vector\ninit=normal\n"
      "[op matmul]\ntype=matmul\nweight=weight\n[op bias]\ntype=add_channel\nvector=bias\n"
      "[op softmax]\ntype=softmax\n",
      ops->str);
  for (int i = 3; i < n_ops; i++)
    g_string_append_printf (text, "[op relu%d]\ntype=relu\n", i);
  g_string_append (text, "[preset tiny]\nbatch=6\nin_features=16\nout_features=12\n");
  g_string_free (ops, TRUE);
  return g_string_free (text, FALSE);
}
