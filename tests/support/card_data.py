"""Looks for card data in the pages of a run, in what their browsers send, in a log and in a database."""

import re
from urllib.parse import unquote_plus

# 15 or 16 digits, alone or in groups, after the first ones of the networks: times and random numbers are none.
CANDIDATE = re.compile(r"(?<![0-9A-Za-z.+-])(?=2[2-7]|3[47]|4|5[1-5]|6)[0-9](?:[ -]?[0-9]){14,15}(?![0-9A-Za-z-])")
# Reports fields that take card data, by what browsers fill in or by their names, also those that scripts add later.
WATCH_FIELDS = """
    const isCard = (field) => /cc-|card.?(num|no\\b)|cardnumber|\\bpan\\b|cvc|cvv/i.test(
      [field.autocomplete, field.name, field.id, field.labels?.[0]?.textContent].join(" "));
    const look = () => {
      for (const field of document.querySelectorAll("input, select, textarea")) {
        if (isCard(field)) reportCardField(`${location.pathname}: ${field.outerHTML.slice(0, 200)}`);
      }
    };
    new MutationObserver(look).observe(document, {childList: true, subtree: true});
"""


def find_card_numbers(text):
    """Return what could be a card number: its digits with the check digit."""
    found = [re.sub("[ -]", "", each[0]) for each in CANDIDATE.finditer(text)]
    return [each for each in found if _has_check_digit(each)]


def _has_check_digit(digits):
    doubled = [int(each) * (1 + place % 2) for place, each in enumerate(reversed(digits))]
    return sum(each - 9 * (each > 9) for each in doubled) % 10 == 0


class CardDataWatch:
    """Notes fields for card data in the pages of contexts, and all that these pages send."""

    def __init__(self):
        self.fields, self.sent, self.pages = [], [], set()

    def watch(self, context):
        """Watch the pages of a context; to be called before it opens one."""
        context.expose_function("reportCardField", self._note_field)
        context.add_init_script(WATCH_FIELDS)
        context.on("request", self._note)
        return context

    def _note_field(self, field):
        self.fields.append(field)

    def _note(self, request):
        if request.is_navigation_request():
            self.pages.add("/".join(request.url.split("/")[3:5]))
        body = (request.post_data_buffer or b"").decode("latin-1")
        self.sent.append(f"{request.method} {request.url}\n{request.headers}\n{body}")

    @property
    def sent_card_numbers(self):
        return [each for text in self.sent for each in find_card_numbers(unquote_plus(text))]
