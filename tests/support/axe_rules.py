"""The accessibility rules of axe, applied to pages in a browser.

Axe measures what is behind each text, which takes seconds on a page of many thousand words. Its verdict depends on the
colours and sizes of the text and on all that is painted below it. So of the texts of a page for which these are equal
the first and the last are judged, and of those that are also at the same place in the structure of a page, none after
they have passed on one.
"""

from pathlib import Path

import pytest

AXE_SCRIPT = pytest.importorskip(
    "axe_playwright_python.base", reason="axe-playwright-python is not installed"
).AXE_SCRIPT
SCRIPT = AXE_SCRIPT + Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
GRAVE = ("serious", "critical")
CONTRAST = "color-contrast"
ALL_IMPACTS = ("minor", "moderate", *GRAVE)

# The kinds of text that have passed.
_passed = set()


def find_violations(page, exclude="", impacts=GRAVE):
    """Return the violations of all rules; ``exclude`` is a selector of what is not judged."""
    found = _judge(page, exclude, impacts)
    return [each for each in found if each["id"] == CONTRAST or each["impact"] in impacts]


def find_low_contrast(page, exclude=""):
    """Return the violations of the rule of contrast."""
    return _judge(page, exclude, ())


def _judge(page, exclude, impacts):
    """Return the violations of rules of some impacts, and of the rule of contrast."""
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(SCRIPT)
    kinds = page.evaluate("exclude => axe.listKindsOfText(exclude)", exclude)
    unknown = [kind for kind in kinds if kind not in _passed]
    if not impacts and not unknown:
        return []
    judged = page.evaluate(
        "([exclude, impacts, unknown]) => axe.judge(exclude, impacts, unknown)", [exclude, list(impacts), unknown]
    )
    _passed.update(judged["passed"])
    return judged["violations"]


def find_violations_in_looks(page, looks, exclude="", impacts=GRAVE):
    """Yield the width, the scheme and a violation for each look of a page: pairs of a viewport and a colour scheme.

    What differs at night is the contrast, so a viewport that was looked at by day is not judged by all rules again.
    """
    seen = set()
    for viewport, scheme in looks:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        width = viewport["width"]
        found = find_low_contrast(page, exclude) if width in seen else find_violations(page, exclude, impacts)
        for violation in found:
            yield width, scheme, violation
        seen.add(width)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            nodes = [{"target": ["html"], "html": "", "failureSummary": "wider than the screen"}]
            yield width, scheme, {"id": "wider than the screen", "impact": "serious", "nodes": nodes}
