#!/usr/bin/python3
# SPDX-License-Identifier: MIT
#
# A hand-written kernel whose wait never ends: parts of hand-resident's text are removed, so that its
# blocks wait for statistics that nobody publishes, or for a copy that nobody starts. The kernel must
# end itself, and the command must say so and exit with 3. Part of a GPU session (session.sh, step
# spin).

import os
import subprocess
import sys
import tempfile
import time

PLAN = "conv+conv_bias+bias+scale+sigmoid+groupnorm"
SAYS = "waited for something that never came"
MOST_S = 60
CUTS = {
    "statistics": "    seam_convolution_few_publish<Config> (d, a, tile, thread, reduction, all);\n",
    "copy": "  fetch (0);\n",
}

cli = os.environ["SEAMSCOPE_CLI"].split()
# The kernel has to end itself before the command ends it for lack of progress.
environment = {**os.environ, "SEAMSCOPE_EDIT_LIMIT": "300"}
failed = False
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "edited.cu")
    subprocess.run([*cli, "source", "#21", "--target", "cuda:0", "--preset", "kernelbench", "--math",
                    "tf32", "--plan", PLAN, "--group", "1", "--output", path], check=True)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for name, cut in CUTS.items():
        if text.count(cut) != 1:
            sys.exit(f"The text of hand-resident has changed: {cut.strip()} is not in it once.")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(cut, ""))
        started = time.monotonic()
        done = subprocess.run([*cli, "run", "#21", "--target", "cuda:0", "--preset", "kernelbench",
                               "--math", "tf32", "--budget", "2", "--plan", "unfused",
                               "--edit", f"{PLAN}:1={path}"],
                              capture_output=True, text=True, env=environment)
        took = time.monotonic() - started
        good = done.returncode == 3 and SAYS in done.stdout + done.stderr and took < MOST_S
        failed |= not good
        print(f"{name}: {'ok' if good else 'WRONG'}, exit {done.returncode} after {took:.1f} s")
        print(done.stderr.strip() or done.stdout.strip())
sys.exit(1 if failed else 0)
