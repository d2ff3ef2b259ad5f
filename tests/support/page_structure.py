"""The structure of pages, as far as HTML says it: kinds of elements, and faults that are seen without a browser."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

TAG = re.compile(r"""<(/?)([a-z][a-z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>|([^<]+)""", re.DOTALL)
ATTRIBUTE = re.compile(r"""([^\s=/]+)(?:="([^"]*)")?""")
VOID = {"meta", "link", "img", "input", "br", "wbr", "hr", "source", "col"}
# What the attributes of an element refer to.
REFERENCES = ("for", "aria-controls", "aria-labelledby", "aria-describedby", "aria-owns")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NAMED = ("a", "button", "summary", "label", "legend", "option", *HEADINGS)
# Emphasis looks as the text around it.
EMPHASIS = ("em", "strong")
# Where text is broken anywhere, or scrolls.
BREAKING = ("code", "pre", *HEADINGS)


@dataclass
class Element:
    """An element of a page, the text in it and, of an image, instead of it."""

    name: str
    attributes: dict[str, str]
    around: frozenset[str]
    text: list[str] = field(default_factory=list)

    @property
    def step(self):
        """Return its name and classes, which is what style sheets go by."""
        return f"{self.name}.{self.attributes.get('class', '')}"

    def __str__(self):
        return f"<{self.name} {self.attributes}>"


class PageStructure:
    """The elements of a page in the order in which they begin, and its longest word that is not broken."""

    def __init__(self, html):
        self.elements, self.longest_word = [], ""
        around = []
        for end, name, attributes, text in TAG.findall(html):
            if text:
                self._add_text(text, around)
            elif end:
                while around.pop().name != name:
                    pass
            else:
                found = dict(ATTRIBUTE.findall(attributes))
                element = Element(name, found, around[-1].around | {around[-1].step} if around else frozenset())
                self.elements.append(element)
                _add_name(found.get("alt", "") + found.get("aria-label", ""), around)
                if name not in VOID:
                    around.append(element)

    def _add_text(self, text, around):
        if text.strip() == "":
            return
        _add_name(text, around)
        longest = max(text.split(), key=len)
        if len(longest) > len(self.longest_word) and not any(each.name in BREAKING for each in around):
            self.longest_word = longest

    def list_kinds(self):
        """Return the kinds of elements in the main part of the page.

        Those of a kind have the same attributes, and the same elements around them, nested as deep as they may be.
        """
        return {
            (each.step, frozenset(each.attributes), each.around)
            for each in self.elements
            if each.name not in EMPHASIS and "main." in each.around
        }

    def find_faults(self):
        """Yield what is wrong with the page for those who do not see it, or who use the keyboard."""
        ids = [each.attributes["id"] for each in self.elements if "id" in each.attributes]
        yield from (f"two elements have the id {each}" for each in set(ids) if ids.count(each) > 1)
        names = [each.name for each in self.elements]
        yield from (f"{names.count(name)} {name}" for name in ("main", "title") if names.count(name) != 1)
        levels = [int(name[1]) for name in names if name in HEADINGS]
        yield from (f"h{after} follows h{before}" for before, after in pairwise(levels) if after > before + 1)
        labelled = {each.attributes["for"] for each in self.elements if "for" in each.attributes}
        for each in self.elements:
            own = each.attributes
            for reference in REFERENCES:
                yield from (f"no {id} for {each}" for id in own.get(reference, "").split() if id not in ids)
            is_named = bool({"aria-label", "aria-labelledby", "aria-hidden"} & set(own))
            if each.name in NAMED and not is_named and "".join(each.text).strip() == "":
                yield f"no name: {each}"
            if each.name == "img" and "alt" not in own:
                yield f"no alternative text: {each}"
            is_field = each.name in {"select", "textarea"} or (each.name == "input" and own.get("type") != "hidden")
            # A label may be around its field.
            is_labelled = own.get("id") in labelled or any(step.startswith("label.") for step in each.around)
            if is_field and not is_named and not is_labelled:
                yield f"no label: {each}"


def _add_name(text, around):
    """Add a text to what names the elements around it."""
    if text != "":
        for each in around:
            if each.name in NAMED:
                each.text.append(text)
