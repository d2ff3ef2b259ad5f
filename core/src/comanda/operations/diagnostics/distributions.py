"""Checks that the requirements of Comanda and its plugins are met by the installed distributions."""

from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion

from comanda.basics.build_version import get_build_version
from comanda.composition.plugin_loader import GROUP
from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem

WHOLE = "comanda"


def check_distributions(installed: Iterable[Distribution] | None = None) -> Iterator[CheckResult]:
    """Check all direct and indirect requirements of the distributions of Comanda."""
    found: dict[str, Distribution] = {}
    for distribution in distributions() if installed is None else installed:
        # The first on the path is imported.
        found.setdefault(canonicalize_name(distribution.name), distribution)
    roots = [name for name, distribution in found.items() if _is_ours(name, distribution)]
    needed, conflicts = _find_conflicts(roots, found)
    conflicts += _list_mixed_versions(found)
    for line in conflicts:
        yield report_problem("versions", line, "Install compatible versions; `pip check` checks all packages.")
    if not conflicts:
        yield report_ok("versions", f"Comanda {get_build_version()}; {len(needed)} distributions are compatible")


def _is_ours(name: str, distribution: Distribution) -> bool:
    if name == WHOLE or name.startswith(f"{WHOLE}-"):
        return True
    return any(point.group == GROUP for point in distribution.entry_points)


def _find_conflicts(roots: Iterable[str], found: dict[str, Distribution]) -> tuple[set[str], list[str]]:
    """Return all distributions that the roots need, and the requirements that are not met."""
    waiting = [(name, "") for name in sorted(roots)]
    seen: set[tuple[str, str]] = set()
    conflicts: list[str] = []
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        for requirement in _list_requirements(found[name], extra):
            line = _describe_conflict(found[name], requirement, found)
            if line is None:
                target = canonicalize_name(requirement.name)
                waiting += [(target, "")] + [(target, wanted) for wanted in sorted(requirement.extras)]
            elif line not in conflicts:
                conflicts.append(line)
    return {name for name, _ in seen}, conflicts


def _list_requirements(distribution: Distribution, extra: str) -> Iterator[Requirement]:
    for line in distribution.requires or []:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue  # not standard; installers ignore or interpret it
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def _describe_conflict(needing: Distribution, requirement: Requirement, found: dict[str, Distribution]) -> str | None:
    wants = f"{needing.name} {needing.version} needs {requirement.name}{requirement.specifier}"
    there = found.get(canonicalize_name(requirement.name))
    if there is None:
        return f"{wants}, which is not installed"
    try:
        fits = requirement.specifier.contains(there.version, prereleases=True)
    except InvalidVersion:
        fits = False
    return None if fits else f"{wants}, and {there.version} is installed"


def _list_mixed_versions(found: dict[str, Distribution]) -> list[str]:
    """Return the parts of `comanda` that have another version than it; they are released together."""
    whole = found.get(WHOLE)
    if whole is None:
        return []
    names = {canonicalize_name(requirement.name) for requirement in _list_requirements(whole, "")}
    parts = [found[name] for name in sorted(names) if name.startswith(f"{WHOLE}-") and name in found]
    return [
        f"{part.name} {part.version} is installed beside {whole.name} {whole.version}"
        for part in parts
        if part.version != whole.version
    ]
