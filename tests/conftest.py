"""What holds for every test: nothing is searched for garbage that stays for the whole run."""

import gc

import pytest
from audit import watch_entries
from comanda.http import live_updates

# Modules, tests and declarations are made here, hundreds of thousands of objects that live until the end. Looking
# through them again and again, while they are collected and between tests, takes a quarter of a worker's time.
gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture
def short_streams(monkeypatch):
    """Let live streams end soon, for tests that ask what they begin with and not what they go on with."""
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 0.1)
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.1)


@pytest.fixture
def entry_times(monkeypatch):
    """Collect when entries of the audit log were committed, one for each request that succeeds."""
    return watch_entries(monkeypatch)
