"""A guest with a phone at a store's page.

Everything is found by the marks of the page and the names of fields, never by its words, so that the same guest orders
in every language and in every type of store.
"""

from urllib.parse import urlencode

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# Shifts of the layout that no input of the guest explains, as browsers count them.
WATCH_SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        const moved = entry.sources.map((each) => each.node?.outerHTML?.slice(0, 80));
        window.shifts.push({value: entry.value, moved});
      }
    }).observe({type: "layout-shift", buffered: true});
"""


class StorefrontGuest:
    """A guest at the page of the store with this slug; ``wrong`` and ``hosts`` collect errors and the hosts asked."""

    def __init__(self, browser, url, slug, language="en"):
        self.url, self.slug = url, slug
        self.context = browser.new_context(**PHONE, locale=language)
        self.page = page = self.context.new_page()
        page.add_init_script(WATCH_SHIFTS)
        self.wrong, self.hosts = [], set()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", lambda message: self.wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))

    def open(self, **query):
        """Open the page, by the code of a table if one is given."""
        self.page.goto(f"{self.url}/s/{self.slug}{'?' + urlencode(query) if query else ''}")
        self.page.locator("html.js").wait_for()
        return self

    def slow_down(self, latency_ms, bytes_per_second):
        """Let the phone's network be slow."""
        conditions = {"offline": False, "latency": latency_ms, "downloadThroughput": bytes_per_second}
        session = self.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {**conditions, "uploadThroughput": bytes_per_second})

    @property
    def shift(self):
        """The sum of layout shifts since the page was loaded."""
        shifts = self.page.evaluate("window.shifts")
        return sum(each["value"] for each in shifts), shifts

    @property
    def dialog(self):
        """The innermost open dialog."""
        return self.page.locator("dialog[open]").last

    @property
    def item(self):
        return self.page.locator("dialog#item[open]")

    @property
    def order(self):
        return self.page.locator("dialog#order[open]")

    def card(self, item_id):
        return self.page.locator(f'[data-item="{item_id}"]')

    # Items

    def add(self, item_id):
        """Press the button of an item's card."""
        self.card(item_id).locator("[data-add]").click()

    def open_item(self, item_id):
        """Tap an item's card and wait for its options."""
        self.card(item_id).locator("[data-details]").click()
        self.item.locator("[data-options]:not([aria-busy])").wait_for()
        return self.item

    def choose_options(self):
        """Choose the first option of each group that needs one."""
        for group in self.item.locator("fieldset[data-group]:has(input[type=radio])").all():
            group.locator("input:not(:disabled)").first.check()

    def submit_item(self):
        self.item.locator("[type=submit]").click()

    # The order

    def open_order(self):
        self.page.locator("[data-open-order]:visible").last.click()
        self.order.wait_for()
        return self.order

    def choose(self, name, value):
        """Choose one of a row of buttons, such as the mode ``type`` or the ``tip``."""
        self.order.locator(f'input[name="{name}"][value="{value}"]').check()

    def fill(self, **fields):
        for name, text in fields.items():
            self.order.locator(f'[name="{name}"]').fill(text)

    def apply_coupon(self, code):
        self.order.locator("[data-coupon] > button").click()
        self.fill(coupon_code=code)
        self.order.locator("[data-coupon] .joined button").click()

    @property
    def submit(self):
        return self.order.locator("[type=submit]")

    def wait_for_quote(self):
        self.order.locator('[data-amounts][aria-busy="false"]').wait_for()
        return self.submit.inner_text()

    def finish(self, clicks=1):
        """Send the order and wait for its page; return its track token. A guest who has said no name is Ana."""
        name = self.order.locator('[name="customer_name"]')
        if name.count() and not name.input_value():
            name.fill("Ana")
        self.submit.click(click_count=clicks)
        self.page.wait_for_url("**/t/*")
        return self.page.url.rsplit("/", 1)[-1]

    def close(self):
        self.context.close()
