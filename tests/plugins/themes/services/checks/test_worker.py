"""Limits of the checking process."""

import json
import os
import subprocess
import sys

from comanda_themes.services.liquid.limits import MAX_MEMORY_BYTES

from ...conftest import GREEDY


def test_process_has_the_limits():
    code = (
        f"{GREEDY}import json, os; from resource import *; "
        "print(json.dumps([*map(getrlimit, (RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE)), os.nice(0)]))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout

    assert json.loads(shown) == [[MAX_MEMORY_BYTES] * 2, [15, 15], [0, 0], min(os.nice(0) + 5, 19)]
