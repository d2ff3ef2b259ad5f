"""Limits of processes that work on what strangers sent."""

import subprocess
import sys

LIMIT = """
import os
from comanda.basics import lower_process_priority, set_process_limits

before = os.nice(0)
lower_process_priority()
set_process_limits(memory_bytes=512 * 1024 * 1024, cpu_seconds=5)
"""


def run(code):
    return subprocess.run([sys.executable, "-c", LIMIT + code], capture_output=True, text=True, check=False)


def test_priority_is_lower():
    assert run("assert os.nice(0) == min(before + 5, 19)").returncode == 0


def test_memory_is_limited():
    assert "MemoryError" in run("bytearray(600 * 1024 * 1024)").stderr


def test_nothing_is_written(tmp_path):
    path = tmp_path / "written"

    assert "File too large" in run(f"open({str(path)!r}, 'wb', buffering=0).write(b'a')").stderr
    assert path.stat().st_size == 0
