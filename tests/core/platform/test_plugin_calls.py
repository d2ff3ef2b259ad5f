"""A plugin's failure is logged and counted with its name, and is nobody else's."""

import asyncio
import dataclasses
from types import SimpleNamespace

import asyncpg
import pytest
import structlog
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.payments.providers import PaymentDeclined, ProviderOutcome, ProviderState, StartedPayment
from comanda.platform import observability
from comanda.platform import runtime as runtime_module
from comanda.platform.observability import PLUGIN_FAILURES, plugin_var
from comanda.platform.plugin_calls import PluginFailed, call_plugin, check_result, plugin_context, run_plugin
from comanda.platform.runtime import Runtime

ROSE = SimpleNamespace(name="rose's declaration")


@pytest.fixture(autouse=True)
def rose(runtime):
    """Let a declaration be one of the plugin rose, whose steps may take a tenth of a second."""
    registry = dataclasses.replace(runtime.registry, declared_by={**runtime.registry.declared_by, id(ROSE): "rose"})
    settings = runtime.settings.model_copy(update={"plugin_step_timeout_seconds": 0.1})
    runtime_module.use(Runtime(settings, registry))
    yield
    runtime_module.use(runtime)


def count_failures(step):
    return PLUGIN_FAILURES.labels("rose", step)._value.get()


async def test_result_of_a_step_is_returned():
    async def step(one, *, other):
        assert plugin_var.get() == "rose"
        return one + other

    assert await call_plugin(ROSE, "add", step, 1, other=2) == 3
    assert plugin_var.get() is None


@pytest.mark.parametrize(
    "error", [RuntimeError("thorns"), OSError("gone"), SystemExit(3), asyncpg.UniqueViolationError()]
)
async def test_failure_is_counted_and_named(error):
    async def step():
        raise error

    before = count_failures("fail")
    with structlog.testing.capture_logs() as lines, pytest.raises(PluginFailed) as failed:
        await call_plugin(ROSE, "fail", step)

    assert (failed.value.plugin, failed.value.step, failed.value.status) == ("rose", "fail", 503)
    assert "rose" not in failed.value.message
    assert count_failures("fail") == before + 1
    assert [(line["event"], line["plugin"], line["step"]) for line in lines] == [("plugin_failed", "rose", "fail")]


async def test_a_hanging_step_fails_after_its_time():
    async def step():
        await asyncio.Event().wait()

    before = count_failures("hang")
    with structlog.testing.capture_logs() as lines, pytest.raises(PluginFailed):
        await call_plugin(ROSE, "hang", step)

    assert count_failures("hang") == before + 1
    assert "plugin_step_timeout_seconds, 0.1 s" in lines[0]["error"]


@pytest.mark.parametrize(
    "error",
    [ValidationFailed(type=["Full."]), NotFound(), PaymentDeclined("No."), asyncpg.DeadlockDetectedError("again")],
)
async def test_refusals_and_database_outages_are_no_failures(error):
    async def step():
        raise error

    before = count_failures("refuse")
    with pytest.raises(type(error)) as raised:
        await call_plugin(ROSE, "refuse", step)

    assert raised.value is error
    assert count_failures("refuse") == before


def test_synchronous_steps_are_guarded_too():
    with pytest.raises(PluginFailed):
        run_plugin(ROSE, "divide", lambda: 1 / 0)

    assert run_plugin(ROSE, "divide", lambda: 4 // 2) == 2


def test_a_result_of_a_wrong_type_is_a_failure():
    outcome = ProviderOutcome(ProviderState.PENDING)

    assert check_result(ROSE, "check", outcome, ProviderOutcome) is outcome
    with structlog.testing.capture_logs() as lines, pytest.raises(PluginFailed):
        check_result(ROSE, "check", {"state": "succeeded"}, ProviderOutcome)
    assert lines[0]["error"] == "TypeError('check returned dict, not ProviderOutcome')"


@pytest.mark.parametrize("amount", [12.5, "1250", True, -1, 10**15])
def test_a_provider_cannot_report_a_wrong_amount(amount):
    with pytest.raises((TypeError, ValueError), match="amount_minor must be"):
        ProviderOutcome(ProviderState.SUCCEEDED, "ref", amount_minor=amount)


@pytest.mark.parametrize("reference", ["", "x" * 256, 7, None])
def test_a_started_payment_needs_a_reference(reference):
    with pytest.raises(ValueError, match="reference must be a text"):
        StartedPayment(reference)


def test_every_line_of_a_plugin_has_its_name():
    with plugin_context("rose"):
        watered = observability._add_context(None, "info", {"event": "watered"})
        named = observability._add_context(None, "info", {"event": "watered", "plugin": "tulip"})
    elsewhere = observability._add_context(None, "info", {"event": "elsewhere"})

    assert (watered["plugin"], named["plugin"], "plugin" in elsewhere) == ("rose", "tulip", False)
