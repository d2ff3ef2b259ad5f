import sys

import pytest
import structlog
from comanda.web.languages import translation_files

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
ARABIC = (
    HEADER + '"Plural-Forms: nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : '
    'n%100>=11 ? 4 : 5);\\n"\n\n'
)
FORMS = "".join(f'msgstr[{position}] "form {position}"\n' for position in range(6))


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write the translations of packages, which are then all that there are."""
    packages = {}

    def write(package, language, text):
        folder = tmp_path / package / "translations" / language / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (tmp_path / package / "__init__.py").touch()
        (folder / "messages.po").write_text(text)
        # Another test may have imported a package of this name.
        monkeypatch.delitem(sys.modules, package, raising=False)
        packages[package.removeprefix("made_")] = package

    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(translation_files, "list_packages", lambda: packages)
    read = {}
    monkeypatch.setattr(translation_files, "_get_by_language", lambda: read)
    return write


def test_first_package_decides_about_a_text_that_two_have(write):
    write("made_one", "pt", HEADER + '\nmsgid "Open"\nmsgstr "Aberto"\n')
    write("made_two", "pt", HEADER + '\nmsgid "Open"\nmsgstr "Abrir"\n\nmsgctxt "verb"\nmsgid "Open"\nmsgstr "Abrir"\n')

    found = translation_files.get_translations("pt")

    assert found.texts == {"Open": "Aberto", ("verb", "Open"): "Abrir"}
    assert translation_files.is_loaded("pt")
    assert not translation_files.is_loaded("de")


def test_unfinished_translations_are_left_out(write):
    write("made_one", "de", HEADER + '\nmsgid "A"\nmsgstr ""\n\n#, fuzzy\nmsgid "B"\nmsgstr "Be"\n')

    assert translation_files.get_translations("de").texts == {}


def test_unreadable_file_is_logged_and_left_out(write):
    write("made_one", "de", 'msgid "A\nmsgstr[x] b"\n')
    write("made_two", "de", HEADER + '\nmsgid "A"\nmsgstr "Ah"\n')

    with structlog.testing.capture_logs() as logs:
        found = translation_files.get_translations("de")

    assert found.texts == {"A": "Ah"}
    assert [(entry["event"], entry["plugin"]) for entry in logs] == [("translations_unreadable", "one")]


def test_plurals_follow_the_rule_of_their_file(write):
    write("made_one", "ar", ARABIC + f'msgid "one"\nmsgid_plural "many"\n{FORMS}')

    plural = translation_files.get_translations("ar").plurals["one"]

    numbers = (0, 1, 2, 3, 10, 11, 99, 100, 103, -2)
    assert [plural.get_form(number)[-1] for number in numbers] == list("0123344532")


def test_scripts_get_their_texts_alone(write):
    write(
        "made_one",
        "ar",
        ARABIC + f'#. script\nmsgid "one"\nmsgid_plural "many"\n{FORMS}\n#. script\nmsgid "A"\nmsgstr "a"\n\n'
        'msgid "B"\nmsgstr "b"\n',
    )

    found = translation_files.get_translations("ar")

    assert found.list_script_texts("one") == {
        "one": {name: f"form {at}" for at, name in enumerate(["zero", "one", "two", "few", "many"])}
        | {"other": "form 5"},
        "A": "a",
    }
    assert found.list_script_texts("two") == {}


def test_packages_are_those_of_the_plugins(runtime):
    found = translation_files.list_packages()

    assert next(iter(found.items())) == ("core", "comanda")
    assert found["storefront"] == "comanda_storefront"
