"""Rules for pages: the shared base template, templates of the plugin alone, and no resources from other hosts."""

import re
from collections.abc import Iterator
from pathlib import Path

from comanda.devkit.authoring.findings import Finding
from comanda.devkit.authoring.source import PluginSource

EXTENDS = re.compile(r"""{%-?\s*extends\s+["']([^"']+)["']""")
# URLs that a browser loads by itself; links may lead anywhere.
_EXTERNAL_URL = r"""\s*((?:https?:|wss?:)?//[^"'`)\s>]+)"""
_LOADERS = (
    r"""<(?:script|img|iframe|audio|video|source|embed|input)\b[^>]*?\bsrc\s*=\s*["']?""",
    r"""<link\b[^>]*?\bhref\s*=\s*["']?""",
    r"""url\(\s*["']?""",
    r"""@import\s+["']""",
    r"""(?:\bfetch\(|\bimport\(|\bfrom|\bimport|importScripts\(|new\s+(?:Worker|EventSource|WebSocket)\()\s*["'`]""",
)
LOADED = tuple(re.compile(loader + _EXTERNAL_URL, re.IGNORECASE) for loader in _LOADERS)


def check_pages(source: PluginSource) -> Iterator[Finding]:
    """Check templates and static files."""
    for path in source.files(".html", ".jinja", ".css", ".js", ".mjs", ".svg"):
        text = path.read_text(encoding="utf-8", errors="replace")
        _, is_page, template = path.relative_to(source.root).as_posix().rpartition("templates/")
        if path.suffix == ".html" and is_page:
            if not template.startswith(f"{source.name}/"):
                sentence = f"It would replace {template} as a whole, which is a redesign of a page that others change."
                yield Finding(str(path), 1, "page-redesign", sentence)
            if not path.name.startswith("_"):
                yield from _check_base_template(source, path, text)
        for pattern in LOADED:
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start(1)) + 1
                yield Finding(str(path), line, "external-resource", f"It loads {match[1]}.")


def _check_base_template(source: PluginSource, path: Path, text: str) -> Iterator[Finding]:
    extended = EXTENDS.search(text)
    if extended is None:
        yield Finding(str(path), 1, "page-base", "The page extends no template.")
    elif not extended[1].startswith(("comanda/", f"{source.name}/")):
        sentence = f"The page extends {extended[1]}, which is neither Comanda's nor the plugin's."
        yield Finding(str(path), 1, "page-base", sentence)
