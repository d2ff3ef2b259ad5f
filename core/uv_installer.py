"""Installs uv from its wheel with the standard library alone: Debian's python3 has neither pip nor venv.

uv.lock names the wheel and its hash. The wheel comes from the index that pip would use, or uv if it is configured.
"""

import base64
import configparser
import hashlib
import io
import os
import platform
import re
import signal
import ssl
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html.parser import HTMLParser
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit
from urllib.request import Request, urlopen

PYPI = "https://pypi.org/simple"
INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL")
TIMEOUT_SECONDS = 60
PROGRAM = re.compile(r"uv-[^/]+\.data/scripts/uv")


class InstallFailed(Exception):
    """The installation failed; the message is a sentence for people."""


@dataclass(frozen=True)
class Wheel:
    """A wheel of uv.lock."""

    filename: str
    sha256: str


@dataclass(frozen=True)
class Index:
    """A package index, and how to reach it."""

    url: str
    certificates: str | None
    authorization: str | None

    def fetch(self, url: str) -> tuple[str, bytes]:
        """Return what is at a URL, and the URL that answered. Credentials are sent to the index's own host only."""
        context = self._create_context()
        try:
            request = Request(url, headers={"User-Agent": "comanda", "Accept": "text/html, */*;q=0.1"})
            if self.authorization and urlsplit(url).netloc == urlsplit(self.url).netloc:
                request.add_unredirected_header("Authorization", self.authorization)
            with urlopen(request, timeout=TIMEOUT_SECONDS, context=context) as answer:
                return answer.url, answer.read()
        except HTTPError as error:
            error.close()
            raise InstallFailed(f"{url} answered {error.code} {error.reason}.") from error
        except URLError as error:
            raise InstallFailed(f"{url} cannot be reached: {error.reason}.") from error
        except (OSError, HTTPException, ValueError) as error:
            raise InstallFailed(f"{url} cannot be read: {error!r}.") from error

    def _create_context(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cafile=self.certificates)
        except OSError as error:
            raise InstallFailed(f"The certificates {self.certificates} cannot be read: {error.strerror}.") from error
        if not self.authorization and not self.certificates and not has_certificates():
            # A bare Debian trusts nobody. The hash in uv.lock decides what is installed, wherever it comes from.
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


class Links(HTMLParser):
    """The URLs of a page of the index, by the name of the file."""

    def __init__(self, page_url: str, page: str) -> None:
        super().__init__()
        self.urls: dict[str, str] = {}
        self._page_url = page_url
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add a link."""
        address = dict(attrs).get("href")
        if tag == "a" and address:
            url = urljoin(self._page_url, address).partition("#")[0]
            self.urls[unquote(urlsplit(url).path.rpartition("/")[2])] = url


def install(lock: Path, program: Path) -> None:
    """Write the program of uv that a lock names for this machine."""
    wheel = find_wheel(lock)
    index = find_index()
    print(f"Installing {wheel.filename} from {index.url}", flush=True)
    data = download(index, wheel)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            content = archive.read(next(name for name in archive.namelist() if PROGRAM.fullmatch(name)))
    except (zipfile.BadZipFile, StopIteration) as error:
        raise InstallFailed(f"{wheel.filename} has no program uv.") from error
    write(program, content)


def find_wheel(lock: Path) -> Wheel:
    """Return the wheel of uv for this machine."""
    packages = tomllib.loads(lock.read_text(encoding="utf-8"))["package"]
    wheels = next(package["wheels"] for package in packages if package["name"] == "uv")
    system, version = get_system()
    for wheel in wheels:
        filename = wheel["url"].rpartition("/")[2]
        for tag in filename.removesuffix(".whl").rpartition("-")[2].split("."):
            match = re.fullmatch(r"([a-z]+)_(\d+)_(\d+)_(\w+)", tag)
            if match is None or match.group(1, 4) != (system, platform.machine()):
                continue
            if (int(match[2]), int(match[3])) <= version:
                return Wheel(filename, wheel["hash"].removeprefix("sha256:"))
    raise InstallFailed(f"There is no wheel of uv for {platform.platform()}.")


def get_system() -> tuple[str, tuple[int, ...]]:
    """Return what wheels call this system, and the version of its C library or of macOS."""
    if platform.system() == "Darwin":
        return "macosx", parse_version(platform.mac_ver()[0])
    try:
        library = os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError):
        library = ""
    if library.startswith("glibc "):
        return "manylinux", parse_version(library.removeprefix("glibc "))
    # The wheels for musl contain static programs, which run with every version of it.
    return ("musllinux" if platform.system() == "Linux" else "none"), (sys.maxsize,)


def parse_version(text: str) -> tuple[int, ...]:
    """Return the first two numbers of a version."""
    return tuple(int(number) for number in re.findall(r"\d+", text)[:2])


def find_index() -> Index:
    """Return the index that uv is told to use, or else pip."""
    options = {**read_configuration(), **read_variables()}
    url = next(filter(None, map(os.environ.get, INDEX_VARIABLES)), None) or options.get("index-url") or PYPI
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise InstallFailed(f"{url} cannot be an index: {error}.") from error
    user, separator, host = parts.netloc.rpartition("@")
    authorization = None
    if separator:
        name, _, password = user.partition(":")
        credentials = f"{unquote(name)}:{unquote(password)}".encode()
        authorization = "Basic " + base64.b64encode(credentials).decode()
    bare = urlunsplit(parts._replace(netloc=host)).rstrip("/")
    return Index(bare, options.get("cert"), authorization)


def read_configuration() -> dict[str, str]:
    """Return the options for ``pip install`` from the files that pip reads."""
    options: dict[str, str] = {}
    for file in list_configuration_files():
        parser = configparser.RawConfigParser()
        try:
            parser.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError) as error:
            raise InstallFailed(f"{file} cannot be read: {error}") from error
        for section in ("global", "install"):
            if parser.has_section(section):
                options |= {name.lower().replace("_", "-"): value.strip() for name, value in parser.items(section)}
    return options


def read_variables() -> dict[str, str]:
    """Return pip's options from the environment."""
    return {
        name.removeprefix("PIP_").lower().replace("_", "-"): value
        for name, value in os.environ.items()
        if name.startswith("PIP_") and value
    }


def list_configuration_files() -> Iterator[Path]:
    """Yield the files in the order in which pip reads them, later ones prevailing."""
    named = os.environ.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return
    home = Path.home()
    if platform.system() == "Darwin":
        support = Path("Library", "Application Support", "pip", "pip.conf")
        yield Path("/") / support
        personal = home / support
    else:
        folders = os.environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
        yield from (Path(folder, "pip", "pip.conf") for folder in reversed(folders.split(os.pathsep)))
        yield Path("/etc/pip.conf")
        personal = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config", "pip", "pip.conf")
    if not (named and Path(named).exists()):
        yield home / ".pip" / "pip.conf"
        yield personal if personal.exists() else home / ".config" / "pip" / "pip.conf"
    yield Path(sys.prefix, "pip.conf")
    if named:
        yield Path(named)


def has_certificates() -> bool:
    """Check whether this machine has certificates to verify servers by."""
    paths = ssl.get_default_verify_paths()
    return bool(paths.cafile or (paths.capath and any(Path(paths.capath).iterdir())))


def download(index: Index, wheel: Wheel) -> bytes:
    """Return the content of a wheel, checked against its hash."""
    page_url, page = index.fetch(f"{index.url}/uv/" + ("index.html" if index.url.startswith("file:") else ""))
    url = Links(page_url, page.decode("utf-8", "replace")).urls.get(wheel.filename)
    if url is None:
        raise InstallFailed(f"{page_url} does not offer {wheel.filename}.")
    _, data = index.fetch(url)
    if hashlib.sha256(data).hexdigest() != wheel.sha256:
        raise InstallFailed(f"{url} is not the file that uv.lock names: its SHA-256 differs.")
    return data


def write(program: Path, content: bytes) -> None:
    """Write a program, which is there completely or not at all."""
    partial = program.with_name(f"{program.name}.partial")
    try:
        program.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content)
        partial.chmod(0o755)
        partial.replace(program)
    except OSError as error:
        with suppress(OSError):
            partial.unlink()
        raise InstallFailed(f"{program} cannot be written: {error.strerror}.") from error


if __name__ == "__main__":
    # Ctrl-C ends it at once; what is incomplete is in no one's way.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        install(Path(sys.argv[1]), Path(sys.argv[2]))
    except InstallFailed as failure:
        sys.exit(
            f"Error: {failure} uv installs Comanda. PIP_INDEX_URL names another index than PyPI;"
            " `make UV=/path/to/uv` uses a uv that is installed already."
        )
