"""The accessibility rules of axe, applied to pages in a browser."""

from axe_playwright_python.sync_playwright import Axe

GRAVE = {"serious", "critical"}
CONTRAST = "color-contrast"
_axe = Axe()


def find_violations(page, rules=(), **where):
    """Return the violations of some or all rules; all that passes is left out, which halves the time."""
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return _axe.run(page, options=options, **where).response["violations"]


def find_violations_in_looks(page, looks):
    """Yield the width, the scheme and a violation for each look of a page: pairs of a viewport and a colour scheme.

    What differs at night is the contrast, so a viewport that was looked at by day is not judged by all rules again.
    """
    seen = set()
    for viewport, scheme in looks:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        width = viewport["width"]
        for violation in find_violations(page, [CONTRAST] if width in seen else ()):
            yield width, scheme, violation
        seen.add(width)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            nodes = [{"target": ["html"], "html": "", "failureSummary": "wider than the screen"}]
            yield width, scheme, {"id": "wider than the screen", "impact": "serious", "nodes": nodes}
