import pytest
from comanda.web.languages import translation_files, translations
from comanda.web.languages.selection import LANGUAGES, use_language
from comanda.web.languages.translation_files import Plural, Translations
from comanda.web.languages.translations import N_, gettext, ngettext, npgettext, pgettext
from quart import render_template_string


@pytest.fixture
def portuguese(runtime, monkeypatch):
    """Translations into Portuguese, which are the only ones."""
    made = Translations(
        "pt",
        {"Coupon %(code)s": "Cupão %(code)s", "Open": "Aberto", ("verb", "Open"): "Abrir", "100%%": "cem%%"},
        {"%(num)s coupon": Plural(("%(num)s cupão", "%(num)s cupões"), lambda number: int(number != 1))},
        {"storefront": ["Open"]},
    )
    monkeypatch.setattr(translation_files, "_get_by_language", lambda: {"pt": made})


def test_texts_are_english_outside_of_pages(portuguese):
    assert gettext(N_("Open")) == "Open"
    assert gettext("Coupon %(code)s", code="<A>") == "Coupon <A>"
    assert ngettext("%(num)s coupon", "%(num)s coupons", 2) == "2 coupons"
    assert translations.list_script_texts("storefront") == {}


def test_texts_are_translated_by_context_and_number(portuguese):
    with use_language("pt"):
        assert gettext("Coupon %(code)s", code="A") == "Cupão A"
        assert pgettext("verb", "Open") == "Abrir"
        assert pgettext("noun", "Open") == "Open"
        assert ngettext("%(num)s coupon", "%(num)s coupons", 1) == "1 cupão"
        assert ngettext("%(num)s coupon", "%(num)s coupons", 5) == "5 cupões"
        assert npgettext("verb", "%(num)s opening", "%(num)s openings", 2) == "2 openings"
        assert translations.list_script_texts("storefront") == {"Open": "Aberto"}


async def test_templates_escape_what_they_fill_in(app, portuguese):
    source = (
        "{{ _('Coupon %(code)s', code='<b>') }}|{% trans code='<i>' %}Coupon {{ code }}{% endtrans %}|{{ _('100%%') }}|"
        "{{ ngettext('%(num)s coupon', '%(num)s coupons', 3) }}|{{ pgettext('verb', 'Open') }}|{{ 9.5 | money('EUR') }}"
    )
    async with app.test_request_context("/"):
        english = await render_template_string(source)
        with use_language("pt"):
            portuguese = await render_template_string(source)

    # Strings have no autoescaping of their own in Quart's templates; the filled text is escaped all the same.
    assert english == "Coupon &lt;b&gt;|Coupon &lt;i&gt;|100%|3 coupons|Open|€9.50"
    assert portuguese == "Cupão &lt;b&gt;|Cupão &lt;i&gt;|cem%|3 cupões|Abrir|9,50\xa0€"


@pytest.mark.parametrize("code", list(LANGUAGES))
async def test_page_says_its_language_and_direction(client, code):
    response = await client.get("/nothing", headers={"Accept-Language": f"{code};q=0.9, en;q=0.5"})
    text = (await response.get_data()).decode()

    assert f'<html lang="{code}" dir="{LANGUAGES[code].direction}">' in text
    assert response.headers["Content-Language"] == code
    assert {"Accept-Language", "Cookie"} <= {name.strip() for name in response.headers["Vary"].split(",")}
