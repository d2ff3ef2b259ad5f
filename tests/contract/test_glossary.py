"""Names of modules, classes and functions consist of terms of the glossary and of the words in ``words.txt``."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs/glossary.md"
WORDS = Path(__file__).with_name("words.txt")
SOURCE_ROOTS = [
    ROOT / "core/src",
    *(path for group in ("plugins", "verticals", "mcp_servers") for path in sorted(ROOT.glob(f"{group}/*/src"))),
]
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def list_words(name):
    return [word.lower() for word in WORD.findall(name)]


def read_terms():
    """Return the words of the glossary's terms: of all that stands before the dash of an entry."""
    entries = re.findall(r"^- (.+?) — ", GLOSSARY.read_text(), re.MULTILINE)
    return {word for entry in entries for word in re.findall("[a-z]+", entry.lower())}


def read_words():
    """Return the lines of the list: words, and whole names that clients or the database know."""
    lines = [line.partition("#")[0].strip() for line in WORDS.read_text().splitlines()]
    return [line for line in lines if line]


TERMS, WORDS_AND_NAMES = read_terms(), read_words()
KNOWN_WORDS = TERMS | {word for word in WORDS_AND_NAMES if word.islower()}
KNOWN_NAMES = {name for name in WORDS_AND_NAMES if not name.islower()}


def list_singulars(word):
    """Yield what the word may be the plural of."""
    for ending, replacement in (("ies", "y"), ("es", ""), ("s", "")):
        if word.endswith(ending):
            yield word.removesuffix(ending) + replacement


def find_unknown_words(name):
    if name in KNOWN_NAMES:
        return []
    return [word for word in list_words(name) if not {word, *list_singulars(word)} & KNOWN_WORDS]


def list_names(path) -> Iterator[str]:
    """Yield the name of a module, or of the package that it belongs to, and of its public classes and functions."""
    yield path.parent.name if path.stem == "__init__" else path.stem
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node.name


def list_modules():
    for root in SOURCE_ROOTS:
        for path in sorted(root.rglob("*.py")):
            if not {"migrations", "templates"} & set(path.parts):
                yield path


def test_names_consist_of_known_words():
    unknown = [
        f"{path.relative_to(ROOT)}: {name} ({', '.join(words)})"
        for path in list_modules()
        for name in list_names(path)
        if (words := find_unknown_words(name))
    ]

    assert unknown == [], "Use a term of docs/glossary.md, or add a plain word to tests/contract/words.txt."


def test_a_made_up_name_is_refused():
    assert find_unknown_words("ErrandWhisperer") == ["errand", "whisperer"]
    assert find_unknown_words("create_orders") == []


def test_the_list_is_sorted_and_without_duplicates():
    assert sorted(set(WORDS_AND_NAMES)) == WORDS_AND_NAMES


def test_every_line_of_the_list_is_needed():
    names = {name for path in list_modules() for name in list_names(path)}
    words = {word for name in names - KNOWN_NAMES for word in list_words(name)}
    words |= {singular for word in words for singular in list_singulars(word)}

    assert [line for line in WORDS_AND_NAMES if line not in words | names or line in TERMS] == []
