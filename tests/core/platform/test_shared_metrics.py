"""Slots of processes that share their metrics."""

import subprocess
import sys

import pytest
from comanda.platform import shared_metrics

KEEP = """
import sys
from pathlib import Path
from comanda.platform.shared_metrics import share_metrics
share_metrics(Path(sys.argv[1]))
print("there", flush=True)
sys.stdin.read()
"""
COUNT = """
import sys
from pathlib import Path
from comanda.platform.shared_metrics import render_metrics, share_metrics
share_metrics(Path(sys.argv[1]))
from prometheus_client import Counter, Gauge
gauge = Gauge("test_paused", "", ["step"], multiprocess_mode="max")
Counter("test_calls", "", ["step"]).labels("x").inc()
if sys.argv[2] == "paused":
    gauge.labels("x").set(1)
print(render_metrics().decode())
"""


@pytest.fixture
def folder(tmp_path):
    """A data folder that another process uses all the time."""
    command = [sys.executable, "-c", KEEP, tmp_path / "data"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout.readline() == "there\n"
        yield tmp_path / "data"
        keeper.stdin.close()


def count(folder, state):
    return subprocess.check_output([sys.executable, "-c", COUNT, folder, state], text=True).splitlines()


def test_counters_go_on_and_gauges_end_with_their_process(folder):
    first, second = count(folder, "paused"), count(folder, "running")

    assert {'test_paused{step="x"} 1.0', 'test_calls_total{step="x"} 1.0'} <= set(first)
    assert 'test_calls_total{step="x"} 2.0' in second
    assert 'test_paused{step="x"} 1.0' not in second


def test_gauges_that_are_deleted_meanwhile_are_left_out(tmp_path, monkeypatch):
    deleted = []

    class Collector:
        def __init__(self, registry, folder):
            registry.register(self)

        def collect(self):
            if deleted and not deleted.pop().exists():
                raise FileNotFoundError
            return []

    monkeypatch.setattr(shared_metrics._place, "folder", tmp_path)
    monkeypatch.setattr(shared_metrics._untyped_multiprocess, "MultiProcessCollector", Collector)
    deleted += [tmp_path / "gauge_max_1.db"] * (shared_metrics.MAX_READINGS - 1)
    monkeypatch.setattr(Collector, "describe", lambda _: [], raising=False)

    assert shared_metrics.render_metrics() == b""
    assert deleted == []
