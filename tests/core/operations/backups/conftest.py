"""Backup archives for tests."""

import zipfile

import pytest
from comanda.operations.backups.archive import DUMP, FORMAT, MANIFEST, Manifest

MADE = Manifest(FORMAT, "0.1.0", "2026-11-22T10:00:00+00:00", 18, "public", {"core": ["0_1_init"]})


@pytest.fixture
def written(tmp_path):
    """Return a function that writes an archive with a manifest and further members, and returns its path."""

    def write(manifest=None, **members):
        target = tmp_path / "made.zip"
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr(MANIFEST, manifest or MADE.to_json())
            archive.writestr(DUMP, b"dump")
            for name, content in members.items():
                archive.writestr(name, content)
        return target

    return write
