"""Archives that are refused."""

import io
import stat
import zipfile

import pytest


def zipped(*entries, compression=zipfile.ZIP_DEFLATED):
    """Return an archive of names or entries with contents, in their order."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression) as archive:
        for entry, content in entries:
            archive.writestr(entry, content)
    return written.getvalue()


def link(name):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def make_attacks():
    return {
        "no archive": b"PK\x03\x04nothing",
        "empty": zipped(),
        "up": zipped(("assets/../../etc/passwd", "x")),
        "absolute": zipped(("/etc/passwd", "x")),
        "drive": zipped(("C:/assets/a.css", "x")),
        "link": zipped((link("assets/theme.css"), "/etc/passwd")),
        "bomb": zipped(("assets/a.png", bytes(50_000_000))),
        "many": zipped(*((f"assets/a{number}.css", "a") for number in range(201))),
        "folders": zipped(*((f"assets/a{number}/", "") for number in range(1001))),
        "large texts": zipped(("assets/a.css", b"a" * 1_000_001)),
    }


async def test_an_archive_is_refused(shop, subtests):
    for name, archive in make_attacks().items():
        with subtests.test(name=name):
            status, refusal = await shop.upload_raw(archive)

            assert (status, list(refusal["errors"])) == (422, ["archive"])
            assert (await shop.get("/themes")).document == []


async def test_a_name_twice_is_refused(shop):
    with pytest.warns(UserWarning, match="Duplicate name"):
        raw = zipped(("assets/a.css", "a"), ("assets/a.css", "b"))

    status, refusal = await shop.upload_raw(raw)

    assert (status, refusal["errors"]) == (422, {"archive": ["assets/a.css is in the archive twice."]})


async def test_a_size_that_lies_is_refused(shop):
    """The header says 10 bytes; what is read counts."""
    raw = bytearray(zipped(("assets/a.png", bytes(20_000_000))))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = raw.index(signature) + offset
        raw[place : place + 4] = (10).to_bytes(4, "little")

    status, _ = await shop.upload_raw(bytes(raw))

    assert status == 422


async def test_an_unknown_file_is_refused(shop, files):
    status, refusal = await shop.upload({**files, "assets/run.exe": b"MZ"})

    assert (status, list(refusal["errors"])) == (422, ["assets/run.exe:1"])


async def test_text_that_is_none_is_refused(shop, files):
    status, refusal = await shop.upload({**files, "assets/theme.css": b"\xff\xfe"})

    assert status == 422
    assert "This file is not text in UTF-8. (not_utf8)" in refusal["errors"]["assets/theme.css:1"]


async def test_a_folder_around_all_files_is_left_out(shop, files):
    status, theme = await shop.upload({f"theme-main/{name}": content for name, content in files.items()})

    assert status == 201
    assert (await shop.get(f"/themes/{theme['id']}/versions/1"))["paths"] == sorted(files)
