"""Checks of environment variables and the public URL."""

import os

import pytest
from comanda.operations.diagnostics.configuration import check_public_url, check_variables
from comanda.operations.diagnostics.results import CheckStatus
from comanda.platform.settings import Settings
from installed_plugins import get_registry

REGISTRY = get_registry()


def settings(**values):
    return Settings.model_construct(**values)


@pytest.fixture
def variables(monkeypatch):
    """Set the only COMANDA_* variables there are, and return what is found about them."""
    for name in [name for name in os.environ if name.upper().startswith("COMANDA_")]:
        monkeypatch.delenv(name)

    def found(disabled=(), **given):
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        return list(check_variables(settings(disabled_plugins=list(disabled)), REGISTRY))

    return found


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("COMANDA_REQEST_PER_MINUTE", "COMANDA_REQUESTS_PER_MINUTE"),
        ("COMANDA_PUBLICURL", "COMANDA_PUBLIC_URL"),
        ("COMANDA_KDS_LATE_MINUTE", "COMANDA_KDS_LATE_MINUTES"),
        ("COMANDA_DATABASEURL", "COMANDA_DATABASE_URL"),
    ],
)
def test_an_unknown_variable_is_reported_with_the_nearest_name(variables, name, nearest):
    [finding] = variables(**{name: "1", "COMANDA_POOL_SIZE": "5", "comanda_port": "1"})

    assert finding.status is CheckStatus.PROBLEM
    assert finding.found == f"{name} is not a setting of core or an installed plugin"
    assert finding.advice.startswith(f"Did you mean {nearest}?")


def test_an_unknown_variable_like_no_other_is_reported_without_a_name(variables):
    [finding] = variables(COMANDA_XYZZY="1")

    assert finding.status is CheckStatus.PROBLEM
    assert "Did you mean" not in finding.advice


def test_known_variables_are_ok(variables):
    [finding] = variables(COMANDA_POOL_SIZE="5", COMANDA_KDS_LATE_MINUTES="20")

    assert finding.status is CheckStatus.OK


def test_variables_of_disabled_plugin_are_not_checked(variables):
    found = variables(["rose"], COMANDA_ROSE_BEDS="5")

    assert [finding.status for finding in found] == [CheckStatus.NOT_CHECKED, CheckStatus.OK]
    assert "the plugin rose is disabled" in found[0].found


@pytest.mark.parametrize(
    ("url", "status", "words"),
    [
        (None, CheckStatus.NOT_CHECKED, "not checked: COMANDA_PUBLIC_URL is not set"),
        ("https://eat.example", CheckStatus.OK, "https://eat.example"),
        ("http://eat.example:8080/", CheckStatus.OK, "http://eat.example:8080"),
        ("https://eat.example/orders", CheckStatus.PROBLEM, "has the path /orders"),
        ("https://eat.example?x=1", CheckStatus.PROBLEM, "has a query"),
        ("eat.example", CheckStatus.PROBLEM, "does not start with https://"),
        ("ftp://eat.example", CheckStatus.PROBLEM, "does not start with https://"),
        ("https://", CheckStatus.PROBLEM, "has no host"),
        ("https://me:secret@eat.example", CheckStatus.PROBLEM, "contains user information"),
        ("https://eat.example:port", CheckStatus.PROBLEM, "is not a valid URL"),
    ],
)
def test_a_public_url_is_a_host_root(url, status, words):
    finding = check_public_url(settings(public_url=url))

    assert finding.status is status
    assert words in finding.found
    assert "secret" not in finding.found
