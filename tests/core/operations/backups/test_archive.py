"""The file of a backup is whole or not there, and its parts go nowhere else than they belong."""

import errno
import json
import os
import stat

import pytest
from comanda.operations.backups.archive import DUMP, FORMAT, MANIFEST, Manifest, read_archive, write_archive
from comanda.operations.backups.errors import BackupError

MADE = Manifest(FORMAT, "0.1.0", "2026-11-22T10:00:00+00:00", 18, "public", {"core": ["0_1_init"]})


def test_an_archive_appears_when_it_is_whole_and_only_its_owner_reads_it(tmp_path):
    target = tmp_path / "made.zip"
    with write_archive(target) as archive:
        archive.writestr(MANIFEST, MADE.to_json())
        archive.writestr(DUMP, b"dump")
        assert not target.exists()

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with read_archive(target) as (archive, manifest):
        assert manifest == MADE
        assert archive.read(DUMP) == b"dump"
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_leaves_no_archive(tmp_path):
    def interrupted():
        with write_archive(tmp_path / "made.zip") as archive:
            archive.writestr(MANIFEST, MADE.to_json())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_one_sentence_and_leaves_nothing(tmp_path):
    def full():
        with write_archive(tmp_path / "made.zip"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(BackupError, match=r"made\.zip cannot be written or read: No space left on device\."):
        full()

    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_not_changed(tmp_path):
    (tmp_path / "made.zip").write_text("mine")

    with pytest.raises(BackupError, match="already exists"), write_archive(tmp_path / "made.zip"):
        pass

    assert (tmp_path / "made.zip").read_text() == "mine"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", "is not a backup of Comanda, or is incomplete"),
        (b"PGDMP", "is not a backup of Comanda, or is incomplete"),
        ("half", "is not a backup of Comanda, or is incomplete"),
        ("flipped", "is damaged: database.dump does not match its checksum"),
        ("other", "is not a backup of Comanda"),
        ("newer", "was written by a newer Comanda"),
    ],
)
def test_incomplete_backup_is_rejected(written, content, line):
    file = written()
    whole = file.read_bytes()
    match content:
        case "half":
            file.write_bytes(whole[: len(whole) // 2])
        case "flipped":
            file.write_bytes(whole.replace(b"dump", b"dusk").replace(b"database.dusk", b"database.dump"))
        case "other":
            written(manifest="[]")
        case "newer":
            written(manifest=json.dumps({"format": FORMAT + 1, "comanda": "9.0"}))
        case bytes():
            file.write_bytes(content)

    with pytest.raises(BackupError, match=line), read_archive(file):
        pass
