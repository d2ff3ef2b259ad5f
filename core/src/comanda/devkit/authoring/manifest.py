"""Rules of pyproject.toml and of what lies beside it."""

from collections.abc import Iterator
from itertools import chain

from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource, normalize_name
from comanda.plugin_loader import NAME


def check_manifest(source: PluginSource) -> Iterator[Finding]:
    """Hold the manifest against the contract."""
    manifest = str(source.manifest)
    yield from chain(_check_names(source, manifest), _check_files(source, manifest), source.unreadable)
    if not (source.project.get("version") or "version" in source.project.get("dynamic", [])):
        yield Finding(manifest, 1, "version", "The distribution has no version.")
    if "comanda-core" not in source.requirements:
        line = source.line_of("dependencies")
        yield Finding(manifest, line, "needs-core", "The dependencies do not name comanda-core.")
    if not source.project.get("requires-python"):
        yield Finding(manifest, 1, "requires-python", "The distribution does not say which Python it needs.")


def _check_names(source: PluginSource, manifest: str) -> Iterator[Finding]:
    name, package = source.name, f"comanda_{source.name}"
    line = source.line_of(source.target)
    if not NAME.fullmatch(name):
        sentence = f"The entry point is named {name!r}; a name is lower-case letters, digits and underscores."
        yield Finding(manifest, line, "names-agree", sentence)
    if source.target != f"{package}.plugin":
        sentence = f"The entry point {name} names {source.target}, not {package}.plugin."
        yield Finding(manifest, line, "names-agree", sentence)
    if not source.plugin_module.is_file():
        sentence = f"The entry point names {source.target}, and there is no such file in src."
        yield Finding(manifest, line, "entry-point", sentence)
    distribution = source.project["name"]
    if normalize_name(distribution) != normalize_name(package):
        sentence = f"The distribution is named {distribution}, its plugin {name}."
        yield Finding(manifest, source.line_of(distribution), "distribution-name", sentence)


def _check_files(source: PluginSource, manifest: str) -> Iterator[Finding]:
    readme = source.folder / "README.md"
    if not readme.is_file() or not readme.read_text(encoding="utf-8", errors="replace").strip():
        yield Finding(str(readme), 1, "readme", "There is no README.md, or it is empty.")
    elif not source.project.get("readme"):
        yield Finding(manifest, 1, "readme", "The manifest does not name the README, so the wheel lacks it.")
    if source.root.is_dir() and not (source.root / "py.typed").is_file():
        yield Finding(str(source.root), 1, "typed", f"{source.package} does not say that it is typed.")
    # The tests of Comanda's own plugins stand in one tree.
    if not source.is_of_the_workspace and not any(source.folder.glob("tests/**/test_*.py")):
        yield Finding(str(source.folder / "tests"), 1, "tests", "There are no tests.")
