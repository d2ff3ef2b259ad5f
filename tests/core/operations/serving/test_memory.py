"""A process gives back the memory that it has freed."""

import ctypes
import subprocess
import sys

import pytest

# Of passwords that are hashed in four threads at once, a few times.
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from comanda.operations.serving.memory import limit_free_memory

def measure():
    text = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_Dirty:"))

def use_memory(_):
    for _ in range(3):
        barrier.wait()
        b"1" * (19 << 20)

if sys.argv[1:]:
    limit_free_memory()
barrier = Barrier(4)
with ThreadPoolExecutor(4) as threads:
    before = measure()
    list(threads.map(use_memory, range(4)))
    print((measure() - before) // 1024)
"""


def measure_growth(*arguments):
    ended = subprocess.run([sys.executable, "-c", PROGRAM, *arguments], capture_output=True, text=True, check=True)
    return int(ended.stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallopt"), reason="the C library is another than GNU's")
def test_big_blocks_of_threads_are_given_back():
    assert measure_growth() > 30, "The C library keeps nothing by itself; nothing needs to be limited."
    assert measure_growth("limited") < 10
