"""Files of the data folder in backups."""

import stat
import zipfile

import pytest
from comanda.operations.backups import data_files
from comanda.operations.backups.errors import BackupError


@pytest.mark.parametrize(
    "name", ["data/../outside", "data//etc/passwd", "data/postgres/PG_VERSION", "data/photos/../x"]
)
def test_foreign_member_is_rejected(written, tmp_path, name):
    with (
        zipfile.ZipFile(written(**{name: b"x"})) as archive,
        pytest.raises(BackupError, match="not belong in a data folder"),
    ):
        data_files.stage_files(archive, tmp_path / "into")

    assert not (tmp_path / "into" / "outside").exists()


def test_files_of_the_data_folder_come_back_for_their_owner_alone(written, tmp_path):
    data = tmp_path / "data"
    (data / "photos" / "a").mkdir(parents=True)
    (data / "photos" / "a" / "1.webp").write_bytes(b"photo")
    (data / "secret.keys").write_text("key")
    (data / "server.json").write_text("{}")
    (data / "photos" / "link").symlink_to("/etc/passwd")
    listed = data_files.list_files(data)
    assert [str(path) for path in listed] == ["secret.keys", "photos/a/1.webp"]

    into = tmp_path / "into"
    with zipfile.ZipFile(written(**{f"data/{path}": (data / path).read_bytes() for path in listed})) as archive:
        data_files.move_into_place(data_files.stage_files(archive, into))
        assert data_files.find_conflicts(archive, into) == []
        (into / "secret.keys").write_text("other")
        assert data_files.find_conflicts(archive, into) == ["secret.keys"]

    assert (into / "photos" / "a" / "1.webp").read_bytes() == b"photo"
    assert stat.S_IMODE((into / "secret.keys").stat().st_mode) == 0o600
    assert not list(into.glob(".*"))
