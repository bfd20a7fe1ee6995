#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds clocks to the text of a hand-written kernel for Hopper (source --output): the first thread of
block 0 records clock64 and globaltimer at its start and end, which clock.c reads.

    clock.py FROM TO
"""
import re
import sys

PROBE = """
/* Written in by tests/gpu/clock.py. */
struct SeamClock {
  unsigned long long n;
  unsigned long long launches[4096][4];
};
__device__ SeamClock seam_clock;

static __device__ __forceinline__ void
seam_note_clock (int at)
{
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    volatile unsigned long long *to = seam_clock.launches[seam_clock.n % 4096] + 2 * at;
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    to[0] = (unsigned long long)clock64 ();
    to[1] = ns;
    if (at == 1)
      seam_clock.n++;
  }
}

"""


def main():
    text = open(sys.argv[1]).read()
    # The kernel's function is the last of its file; a brace in the first column ends it.
    heads = [m for m in re.finditer(r"^(seam_matmul_first|seam_matmul_hopper|seam_convolution_few|seam_convolution_many) "
                                    r"\(const Seam\w+ &a\)\n\{\n(?:  using .*\n)*", text, re.M)]
    if len(heads) != 1:
        sys.exit(f"{len(heads)} functions look like the kernel")
    head = heads[0]
    end = text.index("\n}\n", head.end())
    template = text.rindex("template <typename Config, typename Tail>", 0, head.start())
    body = text[head.end():end]
    body = body.replace("    return;\n", "    seam_note_clock (1);\n    return;\n")
    text = (text[:template] + PROBE.lstrip("\n") + text[template:head.end()] + "  seam_note_clock (0);\n"
            + body + "\n  seam_note_clock (1);" + text[end:])
    open(sys.argv[2], "w").write(text)


main()
