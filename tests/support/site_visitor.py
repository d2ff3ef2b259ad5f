"""A visitor of a site who opens every page that links lead to, and sends every form with hostile values.

Each form is sent with some of the values; ``COMANDA_FORM_VALUES=12`` sends each form with all of them.
"""

import os
import random
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

NUMBER = re.compile(r"\d+")
STORE = re.compile(r"/stores/\d+$")
# Ends what the visit needs, or leads away from the pages.
LEFT_ALONE = ("/sign-out", "/account/security/sessions", "/suspend", "/erase", "/docs/")
NASTY = [
    "", " ", "0", "-1", "1", "9" * 40, "9" * 4000, "²", "٣", "1e999", "NaN", "-Infinity", "1,5", "1.005", "true",
    "\x00", "a\x00b", "\u202e", "\ufeff", "é" * 300, "x" * 5000, "2026-02-30", "9999-12-31T23:59:59Z", "9999-12-31",
    "0001-01-01", "2026-11-26T10:00", "24:00", "'; DROP TABLE core_owner; --", "%s%n{0}", "[1,2", '{"a":', "../../x",
    "<script>alert(1)</script>", "+351912345678", "a@b", "ZZZ", "http://127.0.0.1/", "javascript:alert(1)",
    str(2**31), str(2**63), str(2**64),
]  # fmt: skip
# Some of these are tried in all fields at once, as one field that is refused hides the others' values.
NASTIEST = [
    "9" * 40, "9" * 4000, "²", "-1", "1e999", "\x00", "\u202e", "x" * 5000, "9999-12-31T23:59:59Z", "0001-01-01",
    "[1,2", str(2**63),
]  # fmt: skip
VALUES_IN_ALL_FIELDS = int(os.environ.get("COMANDA_FORM_VALUES", "2"))
# And so many of the fields are filled in with any of the values, each time that the form is sent.
SHARES = (0.0, 0.2, 1.0)


@dataclass
class Form:
    """A form of a page, with the names, values and types of its fields."""

    action: str
    is_sent_by_post: bool
    fields: list[tuple[str, str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """The links and forms of a page."""

    def __init__(self, html):
        super().__init__()
        self.links, self.forms = [], []
        self._form, self._by_id = None, {}
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        found = {name: value or "" for name, value in attributes}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "form":
            self._form = Form(found.get("action", ""), found.get("method", "get").lower() == "post")
            self._by_id[found.get("id")] = self._form
            self.forms.append(self._form)
        elif tag in {"input", "select", "textarea", "button"} and "name" in found:
            form = self._by_id.get(found.get("form"), self._form)
            if form is not None:
                form.fields.append((found["name"], found.get("value", ""), found.get("type", tag)))

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None


class SiteVisitor:
    """Visits a site in a client's session. ``faults`` are the requests that were answered as no request may be."""

    def __init__(self, session, site, seed):
        self._session, self._site = session, site
        self._rng = random.Random(seed)
        self._seen = set()
        self.pages, self.forms, self.faults = set(), set(), []

    async def sign_in(self, login):
        """Sign in with an e-mail address and a password."""
        page = await self._open(f"{self._site}/sign-in")
        form = next(each for each in page.forms if {"email", "password"} <= {name for name, _, _ in each.fields})
        fields = {name: value for name, value, _ in form.fields} | login
        assert (await self._send(f"{self._site}/sign-in", form, list(fields.items()))).endswith("/dashboard")

    async def visit(self, *paths):
        """Open pages and all that they lead to: one of those that differ in numbers alone. Then fill in their forms.

        All stores are opened, as what their navigation leads to differs by their types.
        """
        waiting = [urljoin(self._site, path) for path in paths]
        while waiting:
            # Before a form has deleted what the pages show.
            forms = await self._open_all(waiting)
            waiting = [place for url, form in forms for place in await self._fill_in(url, form)]

    async def _open_all(self, waiting):
        """Open pages and what they link to, and return their forms with their addresses."""
        found = []
        while waiting:
            url = waiting.pop(0)
            page = await self._open(url) if self._is_new("page", url) else None
            if page is None:
                continue
            self.pages.add(_to_shape(url))
            targets = [urljoin(url, link).partition("#")[0] for link in page.links]
            waiting += [target for target in targets if self._is_ours(target)]
            await self._open_with_queries(url, page, targets)
            found += [(url, form) for form in page.forms if form.is_sent_by_post]
        return found

    async def _open_with_queries(self, url, page, targets):
        names = {name for form in page.forms if not form.is_sent_by_post for name, _, _ in form.fields}
        names |= {name for target in targets if _to_shape(target) == _to_shape(url) for name in _list_names(target)}
        for _ in range(2 if names else 0):
            query = urlencode([(name, self._rng.choice(NASTY)) for name in sorted(names)])
            await self._open(f"{url.partition('?')[0]}?{query}")

    async def _fill_in(self, url, form):
        action = urljoin(url, form.action) if form.action else url
        names = ",".join(sorted({NUMBER.sub("0", name) for name, _, _ in form.fields}))
        if not self._is_ours(action) or not self._is_new(f"form {names}", action):
            return []
        self.forms.add(_to_shape(action))
        filled = [self._choose_values(form, share, NASTY) for share in SHARES]
        in_all_fields = self._rng.sample(NASTIEST, VALUES_IN_ALL_FIELDS)
        filled += [self._choose_values(form, 1.0, [value]) for value in in_all_fields]
        places = [await self._send(url, form, fields) for fields in filled]
        return [place for place in places if place and self._is_ours(place)]

    def _choose_values(self, form, share, values):
        chosen = []
        for name, value, type_ in form.fields:
            is_ticked = type_ not in {"checkbox", "radio", "submit", "button"} or self._rng.random() < 0.5
            if type_ != "file" and is_ticked:
                is_kept = name in {"csrf_token", "_form_key"} or self._rng.random() >= share
                chosen.append((name, value if is_kept else self._rng.choice(values)))
        return chosen

    async def _open(self, url):
        async with self._session.get(url, headers={"Accept": "text/html"}) as response:
            self._judge("GET", url, response)
            return Page(await response.text(errors="replace")) if response.content_type == "text/html" else None

    async def _send(self, url, form, fields):
        """Send a form and return where its answer leads."""
        action = urljoin(url, form.action) if form.action else url
        origin = {"Origin": self._site, "Sec-Fetch-Site": "same-origin"}
        async with self._session.post(action, data=fields, headers=origin, allow_redirects=False) as response:
            self._judge("POST", action, response, fields)
            return urljoin(action, response.headers.get("Location", ""))

    def _judge(self, method, url, response, fields=()):
        is_unavailable = response.status == 503 and "Retry-After" in response.headers
        if response.status >= 500 and not is_unavailable:
            self.faults.append((response.status, method, url[:500], fields))

    def _is_ours(self, url):
        return url.startswith(f"{self._site}/") and not any(part in url for part in LEFT_ALONE)

    def _is_new(self, kind, url):
        address = urlsplit(url).path if STORE.search(url) else _to_shape(url)
        is_new = (kind, address) not in self._seen
        self._seen.add((kind, address))
        return is_new


def _to_shape(url):
    return NUMBER.sub("0", urlsplit(url).path)


def _list_names(url):
    return [name for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)]
