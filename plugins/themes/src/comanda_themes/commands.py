"""The commands ``comanda themes``: check a theme's folder, look at it, and exchange it with a store."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit

import click
from comanda.cli import json_option

from comanda_themes.client import send_request
from comanda_themes.services.archives import MAX_ARCHIVE_BYTES, MEDIA_TYPE, read_archive, write_archive
from comanda_themes.services.checks.paths import is_known
from comanda_themes.services.local_preview import PreviewServer
from comanda_themes.services.theme_files import TEXT_SUFFIXES

TIMEOUT_SECONDS: Final = 60
# How often the folder is looked at, and after how long a preview gets another token; one lives for two hours.
WATCH_SECONDS: Final = 0.5
TOKEN_SECONDS: Final = 5400
PREVIEW_NAME: Final = "Local preview"
FOLDERS: Final = ("assets", "config", "layout", "locales", "sections", "snippets", "templates")

folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
store_option = click.option("--store", required=True, type=int, help="The id of the store.")
theme_option = click.option("--theme", type=int, help="The id of the theme.  [default: the published or the only one]")
url_option = click.option("--url", default="http://localhost:8000", show_default=True, help="Where Comanda runs.")
token_option = click.option(
    "--token",
    envvar="COMANDA_TOKEN",
    required=True,
    help="An owner's token with the scope themes:write.  [default: $COMANDA_TOKEN]",
)


@click.group()
def themes() -> None:
    """Write themes on your own machine."""


@themes.command()
@folder_argument
@json_option
def check(folder: Path, as_json: bool) -> None:
    """Check the theme in FOLDER, without a server. The exit code is 1 if it has errors."""
    # Liquid takes a thirtieth of the time of a start, and this module is imported at each.
    from comanda_themes.services.checks.validation import validate_theme

    files = read_folder(folder)
    report = validate_theme({path: _decode(path, raw) for path, raw in files.items() if path.endswith(TEXT_SUFFIXES)})
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in report.findings]))
    for finding in [] if as_json else report.findings:
        click.echo(f"{finding.file}:{finding.line}: {finding.severity} {finding.rule}: {finding.message}")
    errors = sum(finding.severity == "error" for finding in report.findings)
    click.echo(f"{report.checked} files checked, {errors} errors, {len(report.findings) - errors} warnings.", err=True)
    if errors:
        raise SystemExit(1)


@themes.command()
@folder_argument
@store_option
@theme_option
@url_option
@token_option
def pull(folder: Path, store: int, theme: int | None, url: str, token: str) -> None:
    """Download the latest version of a theme into FOLDER. Files that it does not have stay."""
    api = ThemeApi(url, token, store)
    found = api.find_theme(theme)
    version = f"/themes/{found['id']}/versions/{found['latest_number']}"
    contents = read_archive(api.send("GET", f"{version}/archive"))
    for path, content in contents.items():
        if not is_known(path):
            raise click.ClickException(f"The archive contains {path}, which is no file of a theme.")
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    click.echo(f"Downloaded version {found['latest_number']} of {found['name']}: {len(contents)} files.", err=True)


@themes.command()
@folder_argument
@store_option
@theme_option
@url_option
@token_option
@click.option("--name", help="Create a new theme with this name.")
@click.option("--note", default="", help="What changed.")
@click.option("--publish", is_flag=True, help="Publish the version.")
def push(
    folder: Path, store: int, theme: int | None, url: str, token: str, name: str | None, note: str, publish: bool
) -> None:
    """Upload FOLDER as a version of a theme. A theme with errors is refused, with its findings."""
    api = ThemeApi(url, token, store)
    raw = write_archive(read_folder(folder))
    if name is not None:
        query = urlencode({"name": name, "note": note})
        created = api.request("POST", f"/themes?{query}", raw, MEDIA_TYPE)
        theme_id, number = created["id"], created["latest_number"]
    else:
        theme_id = api.find_theme(theme)["id"]
        path = f"/themes/{theme_id}/versions?{urlencode({'note': note})}"
        number = api.request("POST", path, raw, MEDIA_TYPE)["number"]
    click.echo(f"Version {number} of theme {theme_id} is stored.")
    if publish:
        body = json.dumps({"theme_id": theme_id, "number": number}).encode()
        api.request("PUT", "/published-theme", body)
        click.echo("It is published.")


@themes.command()
@folder_argument
@store_option
@url_option
@token_option
@click.option("--port", default=8010, show_default=True, help="The port of this machine for the preview.")
@click.option("--name", default=PREVIEW_NAME, show_default=True, help="The theme of the store that holds the preview.")
def dev(folder: Path, store: int, url: str, token: str, port: int, name: str) -> None:
    """Show a store's pages in the theme of FOLDER, and again after each change, until Ctrl-C.

    Guests see nothing of it: each change is a version of a theme of its own, which is never published.
    """
    api = ThemeApi(url, token, store)
    files = read_folder(folder)
    try:
        server = PreviewServer(url, port)
    except OSError as error:
        raise click.ClickException(
            f"Port {port} cannot be used: {error.strerror}. Choose another with --port."
        ) from error
    server.start()
    preview = _Preview(api, server, name)
    click.echo(f"Preview at {server.url}{preview.show(files)}. Ctrl-C ends it.")
    try:
        while True:
            time.sleep(WATCH_SECONDS)
            found = read_folder(folder)
            if found != files or preview.is_old:
                files = found
                preview.show(files)
    except KeyboardInterrupt:
        click.echo("Ended.")
    finally:
        server.shutdown()


class Refusal(click.ClickException):
    """What the server does not take; ``findings`` are lines about files of a theme."""

    def __init__(self, message: str, findings: list[str]) -> None:
        super().__init__(message)
        self.findings = findings


class _Preview:
    """The theme of a store that holds what its author looks at."""

    def __init__(self, api: "ThemeApi", server: PreviewServer, name: str) -> None:
        self._api, self._server, self._name = api, server, name
        self._theme_id: int | None = None
        self._made_at = 0.0
        self._path = "/"

    @property
    def is_old(self) -> bool:
        """Whether the token of the preview ends soon."""
        return time.monotonic() - self._made_at > TOKEN_SECONDS

    def show(self, files: dict[str, bytes]) -> str:
        """Show a theme, or its errors; return the path of the store's page."""
        self._made_at = time.monotonic()
        try:
            self._upload(files)
        except Refusal as error:
            # Without findings it is about the token, the store or the like, which no change of the theme mends.
            if self._theme_id is None and not error.findings:
                raise
            self._server.state.show_problems(error.findings or [error.message])
        return self._path

    def _upload(self, files: dict[str, bytes]) -> None:
        raw = write_archive(files)
        if self._theme_id is None:
            known = {each["name"]: each["id"] for each in self._api.request("GET", "/themes")}
            self._theme_id = known.get(self._name)
        if self._theme_id is None:
            created = self._api.request("POST", f"/themes?{urlencode({'name': self._name})}", raw, MEDIA_TYPE)
            self._theme_id, number = created["id"], created["latest_number"]
        else:
            number = self._api.request("POST", f"/themes/{self._theme_id}/versions", raw, MEDIA_TYPE)["number"]
        body = json.dumps({"number": number}).encode()
        made = self._api.request("POST", f"/themes/{self._theme_id}/previews", body)
        self._path = urlsplit(made["url"]).path
        self._server.state.show(made["token"])
        click.echo(f"Version {number} is shown.")


class ThemeApi:
    """The API of a Comanda installation, about the themes of one store."""

    def __init__(self, url: str, token: str, store_id: int) -> None:
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise click.ClickException(f"{url} is not an http:// or https:// URL.")
        self._base = f"{url.rstrip('/')}/api/v1/restaurants/{store_id}"
        self._token = token

    def send(self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json") -> bytes:
        """Return the body of an answer; a refusal ends the command with its sentences."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": content_type}
        options: Any = {"method": method, "body": body, "timeout_seconds": TIMEOUT_SECONDS}
        try:
            with send_request(self._base + path, headers, **options) as answer:
                content = answer.read(MAX_ARCHIVE_BYTES * 2)
        except HTTPError as error:
            _refuse(error)
        except (URLError, TimeoutError, OSError) as error:
            raise click.ClickException(f"{self._base} cannot be reached: {error}") from error
        return content

    def request(self, method: str, path: str, body: bytes | None = None, content_type: str = "application/json") -> Any:
        """Return the document of an answer."""
        return json.loads(self.send(method, path, body, content_type))

    def find_theme(self, theme_id: int | None) -> dict[str, Any]:
        """Return a theme by its id, or else the published or the only one of the store."""
        found = self.request("GET", "/themes")
        if theme_id is not None:
            found = [one for one in found if one["id"] == theme_id]
        elif published := [one for one in found if one["published_number"]]:
            found = published
        if len(found) != 1:
            names = ", ".join(f"{one['id']} ({one['name']})" for one in found) or "none"
            raise click.ClickException(f"Choose a theme with --theme, or create one with push --name. Found: {names}.")
        chosen: dict[str, Any] = found[0]
        return chosen


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the files of a theme in a folder; hidden ones and those outside of its folders are left out."""
    if not folder.is_dir():
        raise click.ClickException(f"{folder} is not a folder.")
    found = {}
    for path in sorted(each for name in FOLDERS for each in (folder / name).rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
            found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def _decode(path: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path}:1: not_utf8: This file is not text in UTF-8.") from error


def _refuse(error: HTTPError) -> NoReturn:
    try:
        document = json.loads(error.read(1_000_000))
    except ValueError:
        document = {}
    findings = [
        f"{each['file']}:{each['line']}: {each['severity']} {each['rule']}: {each['message']}"
        for each in document.get("findings", ())
    ]
    about_fields = (
        [] if findings else [f"{name}: {' '.join(each)}" for name, each in document.get("errors", {}).items()]
    )
    for line in (*findings, *about_fields):
        click.echo(line)
    raise Refusal(document.get("message") or f"The server answered {error.code}.", findings)
