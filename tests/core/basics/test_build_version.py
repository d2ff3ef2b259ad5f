"""Builds of two commits have two versions, and an installer takes the later for newer."""

import base64
import csv
import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import comanda
import pytest
from comanda.basics.build_version import get_build_version, read_commit
from packaging.version import Version

ROOT = Path(__file__).parents[3]
add_local_version = runpy.run_path(str(ROOT / "core" / "wheel_versions.py"))["add_local_version"]


def git(folder, *arguments, at="2026-11-26T22:44:12+02:00"):
    who = {"GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com", "GIT_AUTHOR_DATE": at}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    subprocess.run(["git", "-C", folder, *arguments], env={**os.environ, **who}, check=True, capture_output=True)


def write_wheel(folder):
    """Write the wheel of a package ``bakery`` 0.1.0, as a build backend does."""
    files = {
        "bakery.py": b"OPEN = True\n",
        "bakery-0.1.0.dist-info/METADATA": b"Metadata-Version: 2.3\nName: bakery\nVersion: 0.1.0\n\nVersion: old\n",
        "bakery-0.1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files["bakery-0.1.0.dist-info/RECORD"] = "\n".join([*record, "bakery-0.1.0.dist-info/RECORD,,\n"]).encode()
    folder.mkdir()
    with ZipFile(folder / "bakery-0.1.0-py3-none-any.whl", "w") as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
    return folder / "bakery-0.1.0-py3-none-any.whl"


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_commit_is_a_local_version_that_grows_with_time(tmp_path):
    assert read_commit(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert read_commit(tmp_path) is None
    (tmp_path / "bakery.py").write_text("OPEN = True\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message", "open")
    first = read_commit(tmp_path)
    (tmp_path / "bakery.py").write_text("OPEN = False\n")
    changed = read_commit(tmp_path)
    git(tmp_path, "commit", "--all", "--message", "close", at="2026-11-26T22:44:13+02:00")
    second = read_commit(tmp_path)

    assert re.fullmatch(r"20261126204412\.[0-9a-f]{8}", first)
    assert changed == f"{first}.dirty"
    versions = [Version(f"0.1.0+{local}") for local in (first, changed, second)]
    assert versions == sorted(versions)
    assert versions[0] > Version("0.1.0")


def test_checkout_tells_its_commit():
    commit = read_commit(ROOT)
    if commit is None:
        pytest.skip("These sources are no git checkout")

    # Files may change while tests run.
    assert get_build_version().removesuffix(".dirty") == f"{comanda.__version__}+{commit}".removesuffix(".dirty")


def test_installer_upgrades_from_one_build_to_the_next(tmp_path):
    builds = [
        add_local_version(write_wheel(tmp_path / local), local)
        for local in ("20261126204412.e7a946c7", "20261126204413.0a1b2c3d")
    ]
    uv = [ROOT / ".uv" / "bin" / "uv", "--quiet"]
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([*uv, "venv", "--python", sys.executable, tmp_path / "venv"], check=True)
    shown = []
    for wheel in builds:
        constraints = wheel.with_name("constraints.txt")
        constraints.write_text("bakery=={}\n".format(wheel.name.split("-")[1]))
        install = ["pip", "install", "--python", python, "--no-index", "--find-links", wheel.parent, "-c", constraints]
        subprocess.run([*uv, *install, "bakery"], check=True)
        script = "import importlib.metadata as m; print(m.version('bakery'))"
        shown.append(subprocess.run([python, "-c", script], check=True, capture_output=True, text=True).stdout.strip())
        with ZipFile(wheel) as archive:
            [record] = [name for name in archive.namelist() if name.endswith("/RECORD")]
            rows = list(csv.reader(archive.read(record).decode().splitlines()))
            assert [name for name, *_ in rows] == archive.namelist()
            assert all(named == f"sha256={digest(archive.read(name))}" for name, named, _ in rows if name != record)

    assert shown == ["0.1.0+20261126204412.e7a946c7", "0.1.0+20261126204413.0a1b2c3d"]
    assert [path.name for path in tmp_path.rglob("bakery-*.whl")] == [wheel.name for wheel in builds]
