"""kill -9 of the worker, again and again, during a year of subscriptions: everything agrees at its end.

The suite runs a fast version, half a year; ``COMANDA_YEAR_CUSTOMERS=100`` runs the same at length.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from comanda.devkit.testing import MAX_WAIT_SECONDS

EXAMPLES = Path(__file__).parents[2] / "examples"
CUSTOMERS = os.environ.get("COMANDA_YEAR_CUSTOMERS", "6")
DAYS = "365" if "COMANDA_YEAR_CUSTOMERS" in os.environ else "180"
KILL_SECONDS = "3"
LIMIT_SECONDS = 6 * MAX_WAIT_SECONDS


def test_year_agrees_whatever_dies():
    command = [sys.executable, "-m", "subscription_year", "--customers", CUSTOMERS, "--days", DAYS]
    command += ["--kill", KILL_SECONDS]
    finished = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False)

    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "DISAGREES" not in finished.stdout
    assert int(re.search(r"last number: (\d+)", finished.stdout)[1]) > 0
    assert int(re.search(r"(\d+) kills", finished.stdout)[1]) >= 1
