"""Checks of installed distributions."""

from importlib.metadata import EntryPoint

from comanda.operations.diagnostics.distributions import check_distributions
from comanda.operations.diagnostics.results import CheckStatus


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
