"""Rules for pyproject.toml and the files beside it."""

from collections.abc import Iterator
from itertools import chain

from comanda.composition.plugin_loader import NAME
from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource, normalize_name


def check_manifest(source: PluginSource) -> Iterator[Finding]:
    """Check the manifest, the README, the tests and the typing marker."""
    manifest = str(source.manifest)
    yield from chain(_check_names(source, manifest), _check_files(source, manifest), source.unreadable)
    if not (source.project.get("version") or "version" in source.project.get("dynamic", [])):
        yield Finding(manifest, 1, "version", "The distribution has no version.")
    if "comanda-core" not in source.requirements:
        line = source.find_line("dependencies")
        yield Finding(manifest, line, "needs-core", "comanda-core is not a dependency.")
    if not source.project.get("requires-python"):
        yield Finding(manifest, 1, "requires-python", "requires-python is not set.")


def _check_names(source: PluginSource, manifest: str) -> Iterator[Finding]:
    name, package = source.name, f"comanda_{source.name}"
    line = source.find_line(source.target)
    if not NAME.fullmatch(name):
        sentence = f"The entry point is named {name!r}; a name is lower-case letters, digits and underscores."
        yield Finding(manifest, line, "names-agree", sentence)
    if source.target != f"{package}.plugin":
        sentence = f"The entry point {name} refers to {source.target} instead of {package}.plugin."
        yield Finding(manifest, line, "names-agree", sentence)
    if not source.plugin_module.is_file():
        sentence = f"The entry point refers to {source.target}, but src has no such file."
        yield Finding(manifest, line, "entry-point", sentence)
    distribution = source.project["name"]
    if normalize_name(distribution) != normalize_name(package):
        sentence = f"The distribution is named {distribution}, but its plugin {name}."
        yield Finding(manifest, source.find_line(distribution), "distribution-name", sentence)


def _check_files(source: PluginSource, manifest: str) -> Iterator[Finding]:
    readme = source.folder / "README.md"
    if not readme.is_file() or not readme.read_text(encoding="utf-8", errors="replace").strip():
        yield Finding(str(readme), 1, "readme", "README.md is missing or empty.")
    elif not source.project.get("readme"):
        yield Finding(manifest, 1, "readme", "The manifest does not set readme, so the wheel has no README.")
    if source.root.is_dir() and not (source.root / "py.typed").is_file():
        yield Finding(str(source.root), 1, "typed", f"{source.package} has no py.typed.")
    # Comanda's own plugins share a tests tree.
    if not source.is_of_the_workspace and not any(source.folder.glob("tests/**/test_*.py")):
        yield Finding(str(source.folder / "tests"), 1, "tests", "There are no tests.")
