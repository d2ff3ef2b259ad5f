"""What `comanda doctor` finds, and that it never says of something unchecked that all is well."""

import os
from datetime import UTC, datetime, timedelta
from importlib.metadata import EntryPoint

import pytest
from comanda import plugin_loader, registry
from comanda.diagnostics import database
from comanda.diagnostics.configuration import check_public_url, check_variables
from comanda.diagnostics.database import check_migrations
from comanda.diagnostics.distributions import check_distributions
from comanda.diagnostics.results import CheckStatus
from comanda.diagnostics.storage import check_storage
from comanda.settings import Settings
from comanda_migrations.runner import HistoryState

REGISTRY = registry.gather(plugin_loader.load())


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


def test_variables_that_are_all_read_are_well(variables):
    [finding] = variables(COMANDA_POOL_SIZE="5", COMANDA_KDS_LATE_MINUTES="20", COMANDA_SERVING_BACKGROUND="1")

    assert finding.status is CheckStatus.OK


def test_variables_of_a_disabled_plugin_are_said_to_be_unchecked(variables):
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


class Installed:
    """A distribution as importlib.metadata shows it."""

    def __init__(self, name, version, *requires, plugin=False):
        self.name, self.version, self.requires = name, version, requires
        self.entry_points = [EntryPoint("x", "x", "comanda.plugins")] if plugin else []


def conflicts(*installed):
    return [finding.found for finding in check_distributions(installed) if finding.status is CheckStatus.PROBLEM]


def test_requirements_that_are_not_met_are_reported():
    found = conflicts(
        Installed("comanda-core", "0.1.0", "click>=8.2", "redis>=6", 'uvloop>=1; sys_platform == "win32"'),
        Installed("click", "8.1.0"),
        Installed("bakery", "1.0", "comanda_core>=0.2", "oven[gas]>=1", plugin=True),
        Installed("oven", "1.0", 'pipes>=2; extra == "gas"'),
        Installed("pipes", "1.9"),
        Installed("unrelated", "1.0", "nothing>=1"),
    )

    assert sorted(found) == [
        "bakery 1.0 needs comanda_core>=0.2, and 0.1.0 is installed",
        "comanda-core 0.1.0 needs click>=8.2, and 8.1.0 is installed",
        "comanda-core 0.1.0 needs redis>=6, which is not installed",
        "oven 1.0 needs pipes>=2, and 1.9 is installed",
    ]


def test_versions_of_two_releases_side_by_side_are_reported():
    found = conflicts(
        Installed("comanda", "0.2.0", "comanda-core", "comanda-kds"),
        Installed("comanda-core", "0.2.0"),
        Installed("comanda-kds", "0.1.0"),
    )

    assert found == ["comanda-kds 0.1.0 is installed beside comanda 0.2.0"]


def test_this_environment_fits_together():
    [finding] = check_distributions()

    assert finding.status is CheckStatus.OK


def storage(folder, **values):
    found = check_storage(settings(data=folder, database_url=None, **values))
    return {finding.subject: finding for finding in found}


def test_a_data_folder_that_is_not_there_is_not_well(tmp_path):
    found = storage(tmp_path / "none")["data folder"]

    assert found.status is CheckStatus.NOT_CHECKED


def test_a_data_folder_that_everybody_may_change_is_reported(tmp_path):
    tmp_path.chmod(0o777)

    assert storage(tmp_path)["data folder"].advice == f"Run `chmod o-w {tmp_path}`."
    tmp_path.chmod(0o711)
    assert storage(tmp_path)["data folder"].status is CheckStatus.OK


@pytest.mark.parametrize("name", ["demo.json", "secret.keys"])
def test_secrets_that_others_can_read_are_reported(tmp_path, name):
    (tmp_path / name).write_text("")
    (tmp_path / name).chmod(0o640)

    found = storage(tmp_path)["data folder"]

    assert (found.status, found.found) == (CheckStatus.PROBLEM, f"{name} in {tmp_path} are readable by other users")
    (tmp_path / name).chmod(0o600)
    assert storage(tmp_path)["data folder"].status is CheckStatus.OK


def test_the_disk_of_a_database_elsewhere_is_not_checked(tmp_path):
    found = list(check_storage(settings(data=tmp_path, database_url="postgres://db/x")))

    assert [finding.subject for finding in found if finding.status is CheckStatus.NOT_CHECKED] == ["disk of database"]


def state(app, *, installed=True, pending=(), missing=()):
    return HistoryState(app, installed, ("0_1_init", *missing), pending, missing)


def test_a_newer_database_is_reported():
    found = list(check_migrations([state("core"), state("kds", missing=("7_2_later",))]))

    assert [finding.status for finding in found] == [CheckStatus.PROBLEM]
    assert found[0].found == "The database is newer than the installed kds: it has 7_2_later"


def test_pending_migrations_are_reported():
    [finding] = check_migrations([state("core"), state("kds", pending=("1_a", "2_b"))])

    assert (finding.status, finding.found, finding.advice) == (
        CheckStatus.PROBLEM,
        "2 to apply",
        "Run `comanda migrate`.",
    )


def test_tables_of_a_removed_plugin_are_no_problem():
    [finding] = check_migrations([state("core"), state("rose", installed=False, missing=("0_1_init",))])

    assert finding.status is CheckStatus.OK
    assert "rose" in finding.found


@pytest.mark.parametrize(
    ("ahead", "status"), [(0, CheckStatus.OK), (60, CheckStatus.PROBLEM), (-60, CheckStatus.PROBLEM)]
)
async def test_a_clock_that_differs_from_the_databases_is_reported(ahead, status):
    class Connection:
        async def fetchval(self, _):
            return datetime.now(UTC) + timedelta(seconds=ahead)

    finding = await database._check_clock(Connection())

    assert finding.status is status
    assert finding.found.startswith("60.0 seconds" if ahead else "0.0 seconds")
