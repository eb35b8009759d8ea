"""The product's settings, with an address for what it is compared with.

`BENCHMARK_BARE=1` makes the other side: the same database, and nothing between Django and a plain function.
"""

from config.settings import *  # noqa: F403 - the product's, all of them
from config.settings import env

ROOT_URLCONF = "benchmarks.urls"
if env.bool("BENCHMARK_BARE", default=False):
    MIDDLEWARE = []
    HOUSEKEEPING = DELIVERY = "off"
