"""The living page of the design system."""

import gzip
import re
from dataclasses import replace

import comanda.platform.runtime
import pytest
from comanda.web import design_pages
from comanda.web.design_pages import STATIC
from quart import g, render_template_string


def switch_development(runtime, monkeypatch, is_on):
    settings = runtime.settings.model_copy(update={"development": is_on})
    monkeypatch.setattr(comanda.platform.runtime._process, "runtime", replace(runtime, settings=settings))


@pytest.fixture
def development(runtime, monkeypatch):
    switch_development(runtime, monkeypatch, is_on=True)


async def get_page(app):
    response = await app.test_client().get("/docs/design")
    return response.status_code, await response.get_data(as_text=True)


async def test_the_page_is_shown_in_development_mode_only(app, runtime, monkeypatch):
    for development, status in ((True, 200), (False, 404)):
        switch_development(runtime, monkeypatch, is_on=development)

        assert (await get_page(app))[0] == status


async def test_the_page_shows_every_kind_of_field(app, development):
    _, text = await get_page(app)

    kinds = set(re.findall(r'<input[^>]*? type="([a-z-]+)"', text)) | set(re.findall(r"<(select|textarea)\b", text))
    assert kinds >= {
        "text", "email", "url", "tel", "password", "date", "time", "datetime-local", "color", "file", "search",
        "checkbox", "radio", "select", "textarea",
    }  # fmt: skip
    assert 'inputmode="decimal"' in text
    assert 'inputmode="numeric"' in text
    assert 'role="switch"' in text


async def test_every_field_has_a_name_and_its_errors_beside_it(app, development):
    _, text = await get_page(app)

    ids = set(re.findall(r'\bid="([^"]+)"', text))
    labelled = set(re.findall(r'<label for="([^"]+)"', text))
    for element in re.findall(r"<(?:input|select|textarea)\b[^>]*>", text):
        found = re.search(r'\bid="(field-[^"]+)"', element)
        if found and 'type="checkbox"' not in element:
            assert found[1] in labelled, element
    for described in re.findall(r'aria-(?:describedby|labelledby|controls)="([^"]+)"', text):
        assert described in ids
    assert text.count('aria-invalid="true"') == 3
    assert "Must be greater than 0." in text
    assert len(ids) == len(re.findall(r'\bid="', text))


async def test_the_page_has_no_inline_styles_and_scripts(app, development):
    _, text = await get_page(app)

    assert " style=" not in text
    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"\son[a-z]+=", text) == []


async def test_icons_that_templates_use_are_in_the_sprite(runtime):
    known = set(design_pages.list_icons())

    used = {entry.icon for entry in runtime.registry.navigation}
    for template in (STATIC.parent / "templates" / "comanda").rglob("*.html"):
        used |= set(re.findall(r'icon\("([a-z-]+)"\)', template.read_text()))
    assert used <= known
    assert len(known) >= 50


async def test_frame_is_usable_without_scripts(app, development):
    _, text = await get_page(app)

    # The navigation opens as the target of a link, menus are details, and what needs scripts is hidden until they run.
    assert '<a class="button quiet round opener" href="#navigation"' in text
    assert '<div class="side" id="navigation">' in text
    assert re.search(r'<button type="button" class="finder"[^>]* hidden>', text)
    assert re.search(r"<noscript><label", text) is None or "required" in text


def test_styles_and_scripts_weigh_at_most_45_kilobytes_compressed():
    sheets = ("comanda.css", "dashboard.css", "parts.css", "icons.svg")
    scripts = ("dashboard.js", "page.js", "menus.js", "forms.js", "live.js", "palette.js", "sortable.js")

    names = (*sheets, *scripts)
    assert sum(len(gzip.compress((STATIC / name).read_bytes())) for name in names) <= 45_000


def test_scripts_import_files_that_are_there():
    for script in STATIC.glob("*.js"):
        for name in re.findall(r'^(?:import|export)[^"]*"\./([^"]+)"', script.read_text(), re.MULTILINE):
            assert (STATIC / name).is_file(), (script.name, name)


async def render(app, text, **context):
    async with app.test_request_context("/"):
        g.csrf_token = "secret"
        return await render_template_string('{% import "comanda/parts.html" as ui %}' + text, **context)


async def test_a_question_is_a_box_to_tick_without_scripts(app):
    text = await render(app, """{{ ui.act("/coupons/1/delete", "Delete", "danger", "Delete <b>?", {"a": '"'}) }}""")

    assert 'action="/dashboard/coupons/1/delete" data-question="Delete &lt;b&gt;?"' in text
    assert (
        '<noscript><label class="check"><input type="checkbox" required> Delete &lt;b&gt;?</label></noscript>' in text
    )
    assert '<input type="hidden" name="csrf_token" value="secret">' in text
    assert '<input type="hidden" name="a" value="&#34;">' in text
    assert "noscript" not in await render(app, '{{ ui.act("/coupons/1/copy", "Copy") }}')


async def test_a_list_keeps_its_filters_on_other_pages(app):
    async with app.test_request_context("/?status=new&status=paid&search=a%26b&page=2"):
        text = await render_template_string(
            '{% import "comanda/parts.html" as ui %}{{ ui.pager(page) }}',
            page={"current_page": 2, "last_page": 3, "total": 60},
        )

    assert 'href="?status=new&amp;status=paid&amp;search=a%26b&amp;page=1"' in text
    assert 'href="?status=new&amp;status=paid&amp;search=a%26b&amp;page=3"' in text
    assert (
        await render(app, "{{ ui.pager(page) }}", page={"current_page": 1, "last_page": 1, "total": 3})
    ).strip() == ""


async def test_only_the_first_open_step_is_the_one_to_take_now(app):
    steps = [("Store", "/a", True), ("Menu", "/b", False), ("Hours", "/c", False)]

    text = await render(app, "{{ ui.steps(steps) }}", steps=steps)

    assert re.findall(r'<li class="(\w*)">', text) == ["done", "now", ""]
    assert 'href="/a"' not in text


async def test_changes_say_their_direction_with_a_sign(app):
    shown = [await render(app, '{{ ui.stat("Sales", "€1", change) }}', change=change) for change in (12.5, -3, 0)]

    assert ['"change up">▲ +12.5%' in shown[0], '"change down">▼ -3%' in shown[1], '"change ">0%' in shown[2]] == [
        True
    ] * 3
