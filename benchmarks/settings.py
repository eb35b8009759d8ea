"""The product's settings, with an address for what it is compared with.

`BENCHMARK_BASELINE=1` makes the other side: the same database, and nothing between Django and a plain function.
`BENCHMARK_MEMORY=1` loads no package that production does not install.
"""

import os
import sys

from config.settings import *  # noqa: F403 - the product's, all of them

ROOT_URLCONF = "benchmarks.urls"
if os.environ.get("BENCHMARK_BASELINE") == "1":
    MIDDLEWARE = []
    HOUSEKEEPING = DELIVERY = "off"
if os.environ.get("BENCHMARK_MEMORY") == "1":
    # Django REST framework imports these if they are installed, and only development installs them.
    sys.modules.update(dict.fromkeys(("requests", "pygments")))  # type: ignore[arg-type]  # None forbids the import
