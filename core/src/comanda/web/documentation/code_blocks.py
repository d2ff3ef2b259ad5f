"""Code on pages, coloured on the server: JSON, commands, Python and JavaScript, without a library for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape

# The classes of coloured pieces are those of the groups; whatever fits no group is shown as it is.
JSON: Final = re.compile(
    r'(?P<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))'
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")'
    r"|(?P<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)"
    r"|(?P<word>\b(?:true|false|null)\b)"
)
SHELL: Final = re.compile(
    r"(?P<comment>(?<![^\s])#[^\n]*)"
    r"""|(?P<string>'[^']*'|"(?:[^"\\]|\\.)*")"""
    r"|(?P<variable>\$\{?\w+\}?|^[A-Z_]+(?==))"
    r"|(?P<word>(?:^|(?<=\| ))(?:\$ )?(?:curl|comanda|pip|make|docker|git|cd|python\d?|openssl|uv|export)\b)"
    r"|(?P<key>(?<=\s)--?[A-Za-z][\w-]*)",
    re.MULTILINE,
)
PYTHON: Final = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<string>[rbf]{0,2}(?:"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'))'
    r"|(?P<word>\b(?:and|as|assert|async|await|class|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda"
    r"|None|not|or|pass|raise|return|True|try|while|with|yield)\b)"
    r"|(?P<variable>@[\w.]+)"
    r"|(?P<number>\b\d[\d_]*(?:\.\d+)?\b)"
)
JAVASCRIPT: Final = re.compile(
    r"(?P<comment>//[^\n]*|/\*[\s\S]*?\*/)"
    r'|(?P<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))'
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?P<word>\b(?:async|await|break|case|class|const|continue|default|else|export|false|for|from|function|if|import"
    r"|let|new|null|of|return|switch|throw|true|try|catch|undefined|while)\b)"
    r"|(?P<number>\b\d[\d_]*(?:\.\d+)?\b)"
)
TOML: Final = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r"|(?P<word>^\[[^\]\n]+\])"
    r"|(?P<key>^[\w.-]+(?=\s*=))"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")',
    re.MULTILINE,
)
GRAMMARS: Final[Mapping[str, re.Pattern[str]]] = {
    "json": JSON,
    "sh": SHELL,
    "curl": SHELL,
    "console": SHELL,
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "toml": TOML,
}
# What people call them, beside a block of code.
LABELS: Final[Mapping[str, str]] = {
    "json": "JSON",
    "sh": "Shell",
    "curl": "curl",
    "console": "Shell",
    "python": "Python",
    "javascript": "JavaScript",
    "toml": "TOML",
    "csv": "CSV",
    "liquid": "Liquid",
}


def highlight(code: str, language: str) -> Markup:
    """Return code as HTML with its pieces in elements of their classes; of an unknown language it is only escaped."""
    grammar = GRAMMARS.get(language)
    if grammar is None:
        return escape(code)
    pieces, end = [], 0
    for found in grammar.finditer(code):
        pieces.append(escape(code[end : found.start()]))
        pieces.append(Markup('<span class="c-{}">{}</span>').format(found.lastgroup, found.group()))
        end = found.end()
    pieces.append(escape(code[end:]))
    return Markup("").join(pieces)


def mark_token(html: Markup, placeholder: str, prefixes: tuple[str, ...]) -> Markup:
    """Return coloured code in which scripts of the page find the placeholder of a token."""
    marked = Markup('<span data-token="{}">{}</span>').format(" ".join(prefixes), placeholder)
    return html.replace(escape(placeholder), marked)
