"""Names of modules, classes and functions use the words of the glossary, not those that it replaces."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs/glossary.md"
SOURCE_ROOTS = [
    ROOT / "core/src",
    *(path for group in ("plugins", "verticals", "mcp_servers") for path in sorted(ROOT.glob(f"{group}/*/src"))),
]
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def read_successors():
    """Return what to say instead of each word of the glossary's last table."""
    rows = re.findall(r"^\| ([a-z, ]+) \| (.+) \|$", GLOSSARY.read_text(), re.MULTILINE)
    return {word: successor for words, successor in rows for word in words.split(", ")}


SUCCESSORS = read_successors()


def find_replaced_words(name):
    """Return the words of a name, in the singular, that have a successor."""
    words = [word.lower() for word in WORD.findall(name)]
    singulars = [[word, word.removesuffix("s"), re.sub("ies$", "y", word)] for word in words]
    return {each for forms in singulars for each in forms if each in SUCCESSORS}


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


def test_no_name_has_a_word_with_a_successor():
    found = [
        f"{path.relative_to(ROOT)}: {name}: not {word}, {SUCCESSORS[word]}"
        for path in list_modules()
        for name in list_names(path)
        for word in find_replaced_words(name)
    ]

    assert found == []


def test_replaced_words_are_found_in_the_plural_and_in_any_case():
    assert SUCCESSORS["basket"] == "cart"
    assert find_replaced_words("list_baskets") == find_replaced_words("BasketLine") == {"basket"}
    assert find_replaced_words("create_orders") == set()
