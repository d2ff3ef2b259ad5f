"""The colours of the design system: whoever reads a page can read it, by day and by night."""

import re

import pytest
from comanda.web.design_pages import STATIC

CSS = (STATIC / "comanda.css").read_text()
GROUNDS = ("ground", "surface", "sunken", "hover")
INKS = ("ink", "quiet", "accent", "accent-strong", "good", "warn", "bad", "info")
TEXTS = [
    *((ink, ground) for ink in INKS for ground in GROUNDS),
    *((ink, f"{ink}-soft") for ink in ("accent", "good", "warn", "bad", "info")),
    *(("ink", f"{tone}-soft") for tone in ("accent", "good", "warn", "bad", "info")),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-strong"),
    ("surface", "bad"),
    ("surface", "good"),
]
# Borders of controls, marks of charts and the focus.
CONTROLS = [(mark, ground) for mark in ("edge", "accent", "good", "info", "focus") for ground in GROUNDS]


def parse_block(selector):
    block = CSS.split(selector + " {", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


LIGHT = parse_block(":root")
NIGHT = parse_block(':root:not([data-theme="light"])')
CHOSEN_NIGHT = parse_block(':root[data-theme="dark"]')
THEMES = {"light": LIGHT, "dark": {**LIGHT, **NIGHT}}


def get_luminance(colour):
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def get_contrast(one, other):
    """Return the contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    darker, lighter = sorted((get_luminance(one), get_luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_wcag():
    assert get_contrast("#000000", "#ffffff") == pytest.approx(21)
    assert get_contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", THEMES)
def test_texts_have_a_contrast_of_4_5(theme):
    tokens = THEMES[theme]
    found = {f"{ink} on {ground}": round(get_contrast(tokens[ink], tokens[ground]), 2) for ink, ground in TEXTS}

    assert {pair: contrast for pair, contrast in found.items() if contrast < 4.5} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_controls_have_a_contrast_of_3(theme):
    tokens = THEMES[theme]
    found = {f"{mark} on {ground}": round(get_contrast(tokens[mark], tokens[ground]), 2) for mark, ground in CONTROLS}

    assert {pair: contrast for pair, contrast in found.items() if contrast < 3} == {}


def test_the_night_of_the_device_is_the_night_that_people_choose():
    assert NIGHT == CHOSEN_NIGHT
    assert set(NIGHT) == set(LIGHT)


def test_style_sheets_have_no_colours_of_their_own():
    for name in ("dashboard.css", "parts.css"):
        found = re.findall(r"#[0-9a-f]{3,8}\b|rgb\(", (STATIC / name).read_text())
        assert found == [], name


def test_style_sheets_use_known_tokens():
    known = set(
        re.findall(
            r"--([a-z0-9-]+):", "".join((STATIC / name).read_text() for name in ("comanda.css", "dashboard.css"))
        )
    )
    for sheet in STATIC.glob("*.css"):
        assert set(re.findall(r"var\(--([a-z0-9-]+)", sheet.read_text())) <= known, sheet.name
