"""Gives wheels of the workspace the version of the commit that they were built from; part of `make wheels`.

It rewrites finished wheels, with the standard library alone: build backends read versions from ``pyproject.toml``, and
a version that changed there at each commit would change uv.lock too.
"""

import base64
import csv
import hashlib
import io
import runpy
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

ROOT = Path(__file__).parents[1]
BUILD_VERSION = ROOT / "core" / "src" / "comanda" / "basics" / "build_version.py"


def add_local_version(wheel: Path, local: str) -> Path:
    """Replace a wheel of version ``0.1.0`` by one of ``0.1.0+local`` with the same content; return its path."""
    name, version, tags = wheel.name.split("-", 2)
    target = wheel.with_name(f"{name}-{version}+{local}-{tags}")
    old, new = f"{name}-{version}.dist-info/", f"{name}-{version}+{local}.dist-info/"
    with ZipFile(wheel) as source, ZipFile(target, "w", ZIP_DEFLATED) as result:
        metadata = source.read(f"{old}METADATA").replace(
            f"\nVersion: {version}\n".encode(), f"\nVersion: {version}+{local}\n".encode(), 1
        )
        changed = {f"{old}METADATA": metadata}
        changed[f"{old}RECORD"] = _update_record(source.read(f"{old}RECORD").decode(), old, new, metadata)
        for entry in source.infolist():
            content = changed.get(entry.filename) or source.read(entry)
            if entry.filename.startswith(old):
                entry.filename = new + entry.filename.removeprefix(old)
            result.writestr(entry, content, ZIP_DEFLATED)
    wheel.unlink()
    return target


def _update_record(record: str, old: str, new: str, metadata: bytes) -> bytes:
    """Return the list of a wheel's files with the new name of their folder, and the hash and size of the metadata."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(metadata).digest()).rstrip(b"=").decode()
    rows = list(csv.reader(io.StringIO(record)))
    for row in rows:
        if row[0] == f"{old}METADATA":
            row[1:] = [f"sha256={digest}", str(len(metadata))]
        if row[0].startswith(old):
            row[0] = new + row[0].removeprefix(old)
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


if __name__ == "__main__":
    # By its path, because the package is not installed where wheels are built.
    commit = runpy.run_path(str(BUILD_VERSION))["read_commit"](ROOT)
    for built in sorted(Path(sys.argv[1]).glob("*.whl")) if commit else ():
        add_local_version(built, commit)
