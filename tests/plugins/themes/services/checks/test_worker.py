"""Limits of the checking process."""

import json
import subprocess
import sys

from comanda_themes.services.liquid.limits import MAX_MEMORY_BYTES

from ...conftest import GREEDY


def test_process_has_the_limits():
    code = (
        f"{GREEDY}import json; from resource import *; "
        "print(json.dumps([getrlimit(kind) for kind in (RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE)]))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout

    assert json.loads(shown) == [[MAX_MEMORY_BYTES] * 2, [15, 15], [0, 0]]
