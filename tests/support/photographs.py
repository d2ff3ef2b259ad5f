"""Photos that tests upload, valid and hostile ones."""

from contextlib import contextmanager
from io import BytesIO

import pytest
from comanda.platform.photos import conversion
from PIL import Image


def picture(kind="JPEG", size=(40, 20), colour="red", **options):
    written = BytesIO()
    Image.new(options.pop("mode", "RGB"), size, colour).save(written, kind, **options)
    return written.getvalue()


def with_exif(orientation=6, size=(400, 200)):
    """Return a photo with much EXIF data, including its location."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "SecretCamera"
    exif[0x8825] = {1: "N", 2: (38.0, 42.0, 50.0)}
    return picture(exif=exif, size=size)


def with_broken_exif():
    """Return a photo with text in a numeric EXIF field, which fails when it is saved again."""
    raw = with_exif()
    assert b"\x01\x0f\x00\x02" in raw
    return raw.replace(b"\x01\x0f\x00\x02", b"\x01\x01\x00\x02")


def bomb():
    """Return a few bytes that claim to be 65,000 by 65,000 pixels."""
    raw = bytearray(picture("PNG"))
    raw[16:24] = (65_000).to_bytes(4, "big") * 2
    return bytes(raw)


HOSTILE = {
    "nothing": b"",
    "text": b"hello",
    "a gif": picture("GIF"),
    "a tiff": picture("TIFF"),
    "markup": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "half a jpeg": picture(size=(800, 800))[:300],
    "a jpeg's beginning": b"\xff\xd8\xff" + b"x" * 50,
    "a png's beginning": b"\x89PNG\r\n\x1a\n" + b"\0" * 50,
    "a webp's beginning": b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 50,
    "a bomb": bomb(),
}


def form(*parts, boundary="xx"):
    """Return the body of a form with parts ``(name, file name or None, content)``."""
    body = b""
    for name, file_name, content in parts:
        more = f'; filename="{file_name}"\r\nContent-Type: application/octet-stream' if file_name else ""
        body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'.encode()
        body += content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode()


FORM = {"Content-Type": "multipart/form-data; boundary=xx"}


@contextmanager
def single_conversions():
    """Convert each picture once while the block runs: a process of its own takes a tenth of a second for it."""
    converted = {}
    run_worker = conversion._run_worker

    async def run_once(raw, rendering):
        key = (raw, rendering.format, str(rendering.boxes), rendering.quality)
        if key not in converted:
            converted[key] = await run_worker(raw, rendering)
        return converted[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conversion, "_run_worker", run_once)
        yield
