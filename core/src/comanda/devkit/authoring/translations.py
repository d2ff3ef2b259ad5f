"""Translations of packages: extraction of the texts that sources mark, and a check that all are translated.

    python -m comanda.devkit.authoring.translations extract [folder…]     # after texts have changed
    python -m comanda.devkit.authoring.translations check [folder…]       # fails unless everything is translated

Folders are those of distributions, such as ``plugins/kds``; without any, it is all below the current one.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from comanda.web.languages.selection import LANGUAGES, SOURCE_LANGUAGE
from comanda.web.languages.translation_files import SCRIPT_COMMENT

KEYWORDS: Final[Mapping[str, Any]] = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Sentence": None,
    "npgettext": ((1, "c"), 2, 3),
}
TEMPLATE_OPTIONS: Final = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false", "encoding": "utf-8"}
# Trees that plugins are made of, whose texts are not those of the package.
LEFT_OUT: Final = frozenset({"devkit", "translations", "__pycache__"})
LINE_WIDTH: Final = 120
# What each language counts in ways of its own, in the order of the forms in a file.
PLURAL_FORMS: Final = {
    "fr": "nplurals=2; plural=(n > 1);",
    "ar": "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
}
OTHER_PLURAL_FORMS: Final = "nplurals=2; plural=(n != 1);"
HEADER: Final = (
    'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Plural-Forms: {plural_forms}\\n"\n\n'
)
PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
TAG: Final = re.compile(r"</?[a-z][^>]*>")
# A form for one or two things need not name their number.
NUMBERS: Final = frozenset({"num", "count"})

Source = tuple[str | None, str | tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Package:
    """A package with texts: its folder, which contains its translations."""

    folder: Path

    @property
    def languages(self) -> list[str]:
        """The languages to translate into."""
        return [code for code in LANGUAGES if code != SOURCE_LANGUAGE.code]

    def get_file(self, language: str) -> Path:
        """Return the path of the translations into a language."""
        return self.folder / "translations" / language / "LC_MESSAGES" / "messages.po"

    def read(self, language: str) -> dict[Source, Message]:
        """Return the translations into a language; nothing if there is no file."""
        file = self.get_file(language)
        if not file.is_file():
            return {}
        with file.open("rb") as stream:
            return {_to_source(message): message for message in read_po(stream, locale=language) if message.id}

    def list_texts(self) -> dict[Source, bool]:
        """Return the marked texts, each with whether scripts use it."""
        found: dict[Source, bool] = {}
        for path in sorted(self.folder.rglob("*")):
            method = _get_method(path.relative_to(self.folder))
            if method is None:
                continue
            with path.open("rb") as stream:
                for _, text, _, context in extract(method, stream, KEYWORDS, options=TEMPLATE_OPTIONS):
                    source = (context, text if isinstance(text, str) else tuple(text))
                    found[source] = found.get(source, False) or path.suffix == ".js"
        return found


def list_packages(folders: Sequence[Path]) -> list[Package]:
    """List the packages of distributions in folders, or of all that are at most two levels below the current one."""
    patterns = ("src/*",) if folders else ("src/*", "*/src/*", "*/*/src/*")
    found = [path for folder in folders or [Path()] for pattern in patterns for path in folder.glob(pattern)]
    return [Package(path) for path in sorted(set(found)) if (path / "__init__.py").is_file()]


def extract_texts(packages: Sequence[Package]) -> None:
    """Write the files of packages: new texts untranslated, unless another package has them; unused ones dropped."""
    known = {language: _gather(packages, language) for language in Package(Path()).languages}
    for package in packages:
        texts = package.list_texts()
        for language in package.languages:
            _write(package, language, texts, {**known[language], **package.read(language)})


def list_problems(packages: Sequence[Package]) -> Iterator[str]:
    """Yield a sentence about each text that is not translated, or not as it should be."""
    texts = {package.folder: package.list_texts() for package in packages}
    for language in Package(Path()).languages:
        translations: defaultdict[Source, dict[Any, Path]] = defaultdict(dict)
        for package in packages:
            file, found = package.get_file(language), package.read(language)
            for source, is_script in texts[package.folder].items():
                message = found.get(source)
                if sentence := _find_problem(source, message, is_script=is_script):
                    yield f"{file}: {sentence}: {source[1]!r}"
                elif message is not None:
                    translations[source].setdefault(_to_strings(message), file)
            yield from (
                f"{file}: not in the sources: {key[1]!r}" for key in found.keys() - texts[package.folder].keys()
            )
        for source, files in translations.items():
            if len(files) > 1:
                yield f"{' and '.join(map(str, files.values()))}: translated differently: {source[1]!r}"


def extract_python(
    stream: BinaryIO, keywords: Mapping[str, Any], comment_tags: object, options: object
) -> Iterator[tuple[int, str, Any, list[str]]]:
    """Yield the texts in calls of the keywords; Babel's own extractor also takes what ``_(row["label"])`` contains."""
    for node in ast.walk(ast.parse(stream.read())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in keywords:
            continue
        texts = tuple(argument.value if isinstance(argument, ast.Constant) else None for argument in node.args)
        if texts and isinstance(texts[0], str):
            yield node.lineno, node.func.id, texts if len(texts) > 1 else texts[0], []


def _get_method(path: Path) -> Any:
    if LEFT_OUT & set(path.parts):
        return None
    if path.suffix in {".html", ".txt"} and "templates" in path.parts:
        return babel_extract
    return {".py": extract_python, ".js": "javascript"}.get(path.suffix)


def _gather(packages: Sequence[Package], language: str) -> dict[Source, Message]:
    found: dict[Source, Message] = {}
    for package in packages:
        for source, message in package.read(language).items():
            if any(_to_strings(message)) and not message.fuzzy:
                found.setdefault(source, message)
    return found


def _write(package: Package, language: str, texts: Mapping[Source, bool], known: Mapping[Source, Message]) -> None:
    file = package.get_file(language)
    if not texts:
        file.unlink(missing_ok=True)
        return
    catalogue = Catalog(locale=language)
    plural_forms = PLURAL_FORMS.get(language, OTHER_PLURAL_FORMS)
    # The library's own number of forms changes with its releases.
    catalogue.mime_headers = [("Plural-Forms", plural_forms)]
    for (context, text), is_script in texts.items():
        message = known.get((context, text))
        catalogue.add(
            text,
            message.string if message is not None else None,
            flags=message.flags if message is not None else (),
            auto_comments=[SCRIPT_COMMENT] if is_script else [],
            user_comments=message.user_comments if message is not None else (),
            context=context,
        )
    stream = BytesIO()
    write_po(stream, catalogue, width=LINE_WIDTH, no_location=True, omit_header=True, sort_output=True)
    header = HEADER.format(language=language, plural_forms=plural_forms)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(header + stream.getvalue().decode().strip("\n") + "\n", encoding="utf-8", newline="\n")


def _find_problem(source: Source, message: Message | None, *, is_script: bool) -> str | None:
    if message is None:
        return "not extracted"
    strings = _to_strings(message)
    if not all(strings):
        return "not translated"
    if message.fuzzy:
        return "fuzzy"
    if is_script != (SCRIPT_COMMENT in message.auto_comments):
        return "extract again, for its use in scripts has changed"
    return next((sentence for string in strings if (sentence := _compare(source[1], string))), None)


def _compare(text: str | tuple[str, ...], string: str) -> str | None:
    forms = (text,) if isinstance(text, str) else text
    names = [set(PLACEHOLDER.findall(form)) for form in forms]
    required = set.intersection(*names) - (NUMBERS if len(forms) > 1 else set())
    if not required <= (given := set(PLACEHOLDER.findall(string))) or not given <= set.union(*names):
        return f"placeholders differ in {string!r}"
    if given or "%%" in forms[0]:
        try:
            string % dict.fromkeys(given, "")
        except (ValueError, TypeError, KeyError):
            return f"a percent sign is not doubled in {string!r}"
    if sorted(TAG.findall(forms[-1])) != sorted(TAG.findall(string)):
        return f"tags differ in {string!r}"
    return f"spaces around the text differ in {string!r}" if _get_margins(forms[0]) != _get_margins(string) else None


def _get_margins(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


def _to_source(message: Message) -> Source:
    return message.context, message.id if isinstance(message.id, str) else tuple(message.id)


def _to_strings(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ("",))


def main(arguments: Sequence[str]) -> int:
    """Run the command and return its exit status."""
    if not arguments or arguments[0] not in {"extract", "check"}:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    packages = list_packages([Path(name) for name in arguments[1:]])
    if arguments[0] == "extract":
        extract_texts(packages)
        return 0
    problems = list(list_problems(packages))
    sys.stderr.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
