"""The product's settings, with an address for what it is compared with.

`BENCHMARK_BASELINE=1` makes the other side: the same database, and nothing between Django and a plain function.
"""

import os

from config.settings import *  # noqa: F403 - the product's, all of them

ROOT_URLCONF = "benchmarks.urls"
if os.environ.get("BENCHMARK_BASELINE") == "1":
    MIDDLEWARE = []
    HOUSEKEEPING = DELIVERY = "off"
