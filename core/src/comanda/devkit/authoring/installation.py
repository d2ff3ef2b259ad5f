"""Loading of a plugin from its source folder, together with only its dependencies."""

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, EntryPoint, PathDistribution
from pathlib import Path

from comanda.composition import plugin_loader
from comanda.composition.plugin_loader import GROUP
from comanda.contracts.registry import Plugin
from comanda.devkit.authoring.source import PluginSource, normalize_name, parse_requirement


def load_plugin(source: PluginSource, place: Path) -> Sequence[Plugin]:
    """Load core, the plugins that this one depends on, and this one from its folder. Raises ``StartupError``.

    Other installed plugins are not loaded, as they may be missing elsewhere. ``place`` is an empty folder for the
    metadata that an installation would write.
    """
    sys.path.insert(0, str(source.import_root))
    own = _write_entry_point(source, place)
    others = [point for point in plugin_loader.discover() if point.name != source.name]
    return plugin_loader.load([own, *_list_needed(source, others)])


def _write_entry_point(source: PluginSource, place: Path) -> EntryPoint:
    folder = place / "plugin.dist-info"
    folder.mkdir()
    needs = [f"Requires-Dist: {line}" for line in source.project.get("dependencies", [])]
    head = [
        "Metadata-Version: 2.4",
        f"Name: {source.project['name']}",
        f"Version: {source.project.get('version') or '0'}",
    ]
    (folder / "METADATA").write_text("\n".join([*head, *needs, ""]), encoding="utf-8")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\n{source.name} = {source.target}\n", encoding="utf-8")
    (own,) = PathDistribution(folder).entry_points
    return own


def _list_needed(source: PluginSource, points: Sequence[EntryPoint]) -> Iterator[EntryPoint]:
    by_distribution: dict[str, list[EntryPoint]] = {}
    for point in points:
        if point.dist is not None:
            by_distribution.setdefault(normalize_name(point.dist.name), []).append(point)
    waiting, seen = list(source.requirements), set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in by_distribution:
            continue
        seen.add(name)
        yield from by_distribution[name]
        waiting += _list_requirements(by_distribution[name][0].dist)


def _list_requirements(distribution: Distribution | None) -> list[str]:
    lines = (distribution.requires or []) if distribution is not None else []
    return [parse_requirement(line) for line in lines if ";" not in line]
