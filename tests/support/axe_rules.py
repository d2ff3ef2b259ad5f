"""The accessibility rules of axe, applied to pages in a browser."""

from axe_playwright_python.base import AXE_SCRIPT
from axe_playwright_python.sync_playwright import Axe

GRAVE = {"serious", "critical"}
CONTRAST = "color-contrast"

# Axe measures what is behind each text, which takes seconds on a page of many thousand words. Its verdict depends on
# the colours and sizes of the text and on all that is painted below it, so of the elements with text for which these
# are equal the first and the last are judged.
JUDGE_EACH_KIND_OF_TEXT = """
{
  document.querySelectorAll("[data-judged]").forEach((each) => each.removeAttribute("data-judged"));
  const behind = new Map([[null, ""]]);
  const describeBehind = (element) => {
    if (!behind.has(element)) {
      const style = getComputedStyle(element);
      const own = [
        style.backgroundColor, style.backgroundImage, style.opacity, style.filter, style.mixBlendMode, style.position,
        style.zIndex, style.clipPath, style.backdropFilter,
      ].join();
      const outer = describeBehind(element.parentElement);
      behind.set(element, own === INVISIBLE ? outer : `${outer}/${own}`);
    }
    return behind.get(element);
  };
  const INVISIBLE = "rgba(0, 0, 0, 0),none,1,none,normal,static,auto,none,none";
  const describe = (element) => {
    const style = getComputedStyle(element);
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    const box = element.getBoundingClientRect();
    return [
      describeBehind(element), style.color, style.webkitTextFillColor, style.fontSize, style.fontWeight,
      style.textShadow, style.textIndent, style.overflow, element.checkVisibility({visibilityProperty: true}),
      box.width > 0 && box.height > 0, box.right > 0 && box.left < innerWidth,
      text.length > 1, /[\\p{L}\\p{N}]/u.test(text), element.matches("input, select, textarea, button, option, label"),
      element.closest("[aria-hidden=true], [aria-disabled=true], :disabled, [inert]") !== null,
    ].join("|");
  };
  const groups = new Map();
  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
    if (!hasText && !element.matches("input, select, textarea")) continue;
    const key = describe(element);
    if (groups.has(key)) groups.get(key)[1] = element;
    else groups.set(key, [element, element]);
  }
  for (const element of [...groups.values()].flat()) element.toggleAttribute("data-judged", true);
  axe.configure({rules: [{id: "color-contrast", selector: "[data-judged]"}]});
}
"""
_axe = Axe(AXE_SCRIPT + JUDGE_EACH_KIND_OF_TEXT)


def find_violations(page, rules=(), context=None):
    """Return the violations of some or all rules; all that passes is left out, which halves the time.

    ``context`` is axe's: what to include and exclude.
    """
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    return _axe.run(page, context=context, options=options).response["violations"]


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
