"""Log in, look at pages, register a phone, and log out: `python -m mobile_shell --url … --email … --password …`."""

import argparse
import json
import secrets
import shutil
import sys

from playwright.sync_api import sync_playwright

from mobile_shell.server import AppServer, Refused
from mobile_shell.shell import Shell

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def main() -> int:
    """Play the shell and print what it sees."""
    options = _parse_options()
    server = AppServer(options.url.rstrip("/"))
    print("config", json.dumps(server.fetch_configuration(), indent=2))
    print("path configuration", json.dumps(server.fetch_path_configuration(), indent=2))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, BROWSERS)), None), args=["--no-sandbox"]
        )
        shell = Shell(server, browser)
        shell.start()
        try:
            person = shell.log_in(options.email, options.password, device=f"shell-{secrets.token_hex(8)}")
        except Refused as error:
            print(f"{error} {error.reason or ''} {error.choices or ''}")
            return 1
        print(f"logged in as {person['user']['name']}, {person['user']['account']}")
        print("registered", server.register_device(f"example-{secrets.token_hex(8)}", "en"))
        for path in ("/", *(store["path"] for store in person["stores"][:3])):
            shell.tap(path)
        shell.log_out()
        shell.tap("/app/home")
        for visited, properties in shell.visits:
            print(f"{visited}  {properties}")
        print("signed out" if shell.is_signed_out else "STILL SIGNED IN")
        browser.close()
        return 0 if shell.is_signed_out else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mobile_shell", description=__doc__)
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--email", required=True)
    parser.add_argument("--password", required=True)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
