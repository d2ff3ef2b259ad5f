"""What templates show, and in which elements, as far as their text says it."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "img", "input", "br", "hr", "source", "col", "use", "path", "circle", "rect", "line"}
STATEMENT = re.compile(r"\{%-?.*?-?%\}|\{#.*?#\}", re.DOTALL)
EXPRESSION = re.compile(r"\{\{-?(.*?)-?\}\}", re.DOTALL)
MARK = re.compile("\ue000([0-9]+)\ue001")


class TemplateOutline(HTMLParser):
    """The expressions that a template shows as text, each with the elements around it, the innermost last."""

    def __init__(self, text):
        super().__init__()
        self._open, self._expressions, self.shown = [], [], []
        self.feed(EXPRESSION.sub(self._mark, STATEMENT.sub("", text)))
        self.close()

    def _mark(self, found):
        self._expressions.append(found[1].strip())
        return f"\ue000{len(self._expressions) - 1}\ue001"

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self._open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        # An element that one branch opens and another does not is closed with the one around it.
        if any(tag == name for name, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        for found in MARK.finditer(data):
            self.shown.append((self._expressions[int(found[1])], tuple(self._open)))
