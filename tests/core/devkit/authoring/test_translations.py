import pytest
from comanda.devkit.authoring.translations import extract_texts, list_packages, list_problems, main

PAGE = """{{ _("Open") }} {{ pgettext("verb", "Open") }} {% trans name=name %}
  Hello <b>{{ name }}</b>,
  welcome.{% endtrans %}
{{ ngettext("%(num)s coupon", "%(num)s coupons", 2) }}"""


@pytest.fixture
def package(tmp_path):
    """The package of a distribution with a template, a module and a script."""
    folder = tmp_path / "greeter" / "src" / "greeter"
    (folder / "pages" / "templates").mkdir(parents=True)
    (folder / "pages" / "static").mkdir()
    (folder / "__init__.py").write_text('LABEL = N_("Greetings")\nTITLE = _(row["title"], name="x")\n')
    (folder / "pages" / "templates" / "page.html").write_text(PAGE)
    (folder / "pages" / "static" / "page.js").write_text('show(_("Open"), ngettext("%(num)s day", "%(num)s days", n));')
    return list_packages([tmp_path / "greeter"])[0]


def translate(package, language, **texts):
    """Fill in translations; what is not given becomes a copy of its source."""
    file = package.get_file(language)
    lines, source = [], ""
    for line in file.read_text().splitlines():
        if line.startswith("msgid"):
            source = line.partition(" ")[2].strip('"')
        if line.startswith("msgstr") and line.endswith('""') and source:
            text = texts.get(source.split()[0].lower(), source)
            lines.append(line.removesuffix('""') + f'"{text}"')
        else:
            lines.append(line)
    file.write_text("\n".join(lines) + "\n")


def translate_all(package, **texts):
    for language in package.languages:
        translate(package, language, **texts)


def test_texts_of_templates_modules_and_scripts_are_extracted(package):
    extract_texts([package])

    assert package.get_file("pt").read_text() == (
        'msgid ""\nmsgstr ""\n"Language: pt\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
        '#, python-format\nmsgid "%(num)s coupon"\nmsgid_plural "%(num)s coupons"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'
        '#. script\n#, python-format\nmsgid "%(num)s day"\nmsgid_plural "%(num)s days"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'
        'msgid "Greetings"\nmsgstr ""\n\n#, python-format\nmsgid "Hello <b>%(name)s</b>, welcome."\nmsgstr ""\n\n'
        '#. script\nmsgid "Open"\nmsgstr ""\n\nmsgctxt "verb"\nmsgid "Open"\nmsgstr ""\n'
    )
    assert package.get_file("ar").read_text().count("msgstr[5]") == 2


def test_extracting_again_keeps_translations_and_drops_unused_ones(package):
    extract_texts([package])
    translate_all(package, greetings="Saudações")
    before = package.get_file("pt").read_text()
    (package.folder / "pages" / "static" / "page.js").write_text("")

    extract_texts([package])

    after = package.get_file("pt").read_text()
    assert 'msgid "Greetings"\nmsgstr "Saudações"' in before
    assert 'msgid "Greetings"\nmsgstr "Saudações"' in after
    assert "%(num)s day" not in after
    assert "script" not in after


def test_complete_translations_have_no_problems(package, tmp_path):
    extract_texts([package])
    assert main(["check", str(tmp_path / "greeter")]) == 1

    translate_all(package)

    assert list(list_problems([package])) == []
    assert main(["check", str(tmp_path / "greeter")]) == 0


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"hello": "Bom dia <b>%(nome)s</b>."}, "placeholders differ"),
        ({"hello": "Bom dia %(name)s."}, "tags differ"),
        ({"hello": "100% <b>%(name)s</b>"}, "a percent sign is not doubled"),
        ({"open": " Aberto"}, "spaces around the text differ"),
        ({"greetings": ""}, "not translated"),
    ],
)
def test_problem_names_the_text(package, texts, sentence):
    extract_texts([package])
    translate_all(package)
    file = package.get_file("pt")
    file.unlink()
    extract_texts([package])
    translate(package, "pt", **texts)

    problems = list(list_problems([package]))

    assert problems
    assert all(str(file) in problem and sentence in problem for problem in problems)


def test_text_that_is_no_longer_used_is_a_problem(package):
    extract_texts([package])
    translate_all(package)
    (package.folder / "__init__.py").write_text("")

    assert [problem.partition(": ")[2] for problem in list_problems([package])] == [
        "not in the sources: 'Greetings'"
    ] * 5


def test_two_packages_translate_a_text_alike(package, tmp_path):
    other = tmp_path / "other" / "src" / "other"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text('LABEL = N_("Greetings")\n')
    second = list_packages([tmp_path / "other"])[0]
    extract_texts([package])
    translate_all(package, greetings="Saudações")

    extract_texts([package, second])

    assert 'msgstr "Saudações"' in second.get_file("pt").read_text()
    second.get_file("pt").write_text(second.get_file("pt").read_text().replace("Saudações", "Olá"))
    assert [problem.partition("greeter")[0] for problem in list_problems([package, second])]
    assert all("translated differently: 'Greetings'" in problem for problem in list_problems([package, second]))
