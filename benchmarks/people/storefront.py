"""The first visit of a store's page."""

import shutil
from statistics import median
from urllib.parse import urlsplit

from playwright.async_api import async_playwright

from benchmarks.people import Row, Setting
from benchmarks.processes import ProcessFailed

PAGE = "/s/bench-0"
ROUNDS = 5
RTT_MS = 100
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
READ_LOADED_AT = "performance.getEntriesByType('navigation')[0].loadEventEnd"


async def measure_visit(setting: Setting) -> str:
    """Open the page with an empty cache, each answer a round trip away."""
    visits = [await _visit(setting) for _ in range(ROUNDS)]
    paths = visits[0][0]
    return f"{len(paths)} requests, loaded after {median(loaded_ms for _, loaded_ms in visits):.0f} ms"


async def measure_files(setting: Setting) -> str:
    """Measure the CPU of the page's files, as a browser asks for them."""
    paths, _ = await _visit(setting)
    requests = [
        setting.get_request(path).removesuffix("\r\n") + "Accept-Encoding: gzip, deflate, br\r\n\r\n"
        for path in paths
        if path != PAGE
    ]
    of_one = await setting.measure_cpu_ms(requests)
    return f"{of_one:.2f} ms a file, {of_one * len(requests):.1f} ms all"


async def _visit(setting: Setting) -> tuple[list[str], float]:
    if CHROMIUM is None:
        raise ProcessFailed("Chromium is not installed.")
    paths: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page()
        page.on("request", lambda request: paths.append(urlsplit(request.url).path))
        network = await page.context.new_cdp_session(page)
        await network.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": RTT_MS, "downloadThroughput": -1, "uploadThroughput": -1},
        )
        await page.goto(setting.site_url + PAGE, wait_until="load")
        loaded_ms = await page.evaluate(READ_LOADED_AT)
        await browser.close()
    return paths, loaded_ms


ROWS = (
    Row(f"first visit of a store's page of 50 items, {RTT_MS} ms away", "≤ 10 requests, ≤ 600 ms", measure_visit),
    Row("files of a store's page, CPU", "≤ 0.14 ms a file", measure_files),
)
