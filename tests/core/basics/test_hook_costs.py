"""A hook that makes starts expensive is named."""

import time
from types import ModuleType

import structlog
from comanda import hookimpl
from comanda.basics import hook_costs
from comanda.basics.hook_costs import get_peak_memory
from comanda.composition import registry
from comanda.contracts.registry import Plugin

hoard = []


def be_cheap():
    return []


def be_slow():
    time.sleep(0.1)
    return []


def take_memory():
    before = get_peak_memory()
    while get_peak_memory() <= before + 30:
        hoard.append(b"x" * (10 << 20))
    return []


def gather(answer):
    """Return what is logged while the hook of a plugin is asked."""
    module = ModuleType("fake_rose")
    module.register_panels = hookimpl(answer)
    with structlog.testing.capture_logs() as logs:
        registry.gather([Plugin("rose", "comanda-rose", "1", (module,))])
    return logs


def test_slow_hook_is_named(monkeypatch):
    monkeypatch.setattr(hook_costs, "MAX_SECONDS", 0.05)

    (line,) = gather(be_slow)

    assert (line["event"], line["plugin"], line["hook"]) == ("hook_expensive", "rose", "register_panels")
    assert line["seconds"] >= 0.1


def test_hook_that_takes_memory_is_named(monkeypatch):
    monkeypatch.setattr(hook_costs, "MAX_MEBIBYTES", 20)

    (line,) = gather(take_memory)

    hoard.clear()
    assert (line["event"], line["plugin"], line["hook"]) == ("hook_expensive", "rose", "register_panels")
    assert line["mebibytes"] >= 30


def test_cheap_hook_is_not_mentioned():
    assert gather(be_cheap) == []
