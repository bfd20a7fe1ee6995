# SPDX-License-Identifier: MIT
#
# Options of a run in which the mistake of an exhibit has an effect; without an entry: the preset tiny.

SHAPES = {
    ("conv-relu-bias", "index-overflow-16-bit"): ["--shape", "batch=4,height=50,width=41"],
    ("conv-relu-bias", "index-overflow"): None,  # over 2^31 elements
    ("matmul-swish-bias-groupnorm", "one-pass-variance"): ["--distribution", "offset"],
    ("matmul-swish-bias-groupnorm", "race-in-reduction"): ["--shape", "batch=64,out_features=256"],
}
