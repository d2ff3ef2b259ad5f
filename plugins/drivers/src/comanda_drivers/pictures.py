"""Photos as drivers' phones send them, made into small pictures that tell nothing but what they show; pure."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

MAX_BYTES: Final = 8 * 1024 * 1024
# More than phones make. A JPEG is decoded at a fraction of its size, the others take memory for all of it.
MAX_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000, "WEBP": 24_000_000}
LONGEST_SIDE: Final = 1600
QUALITY: Final = 82


class NotAPicture(ValueError):
    """What was sent is no photo that can be kept; the text says why."""


def small(raw: bytes) -> bytes:
    """Turn a photo upright, make it small, and write it anew as JPEG, without what a camera notes beside it.

    Raises ``NotAPicture`` for what is neither JPEG, PNG nor WebP, is damaged, or has too many pixels.
    """
    kind = _kind(raw)
    try:
        with Image.open(BytesIO(raw), formats=[kind]) as image:
            return _small(image, kind)
    except NotAPicture:
        raise
    except Exception as error:
        # Decoders meet damage in many ways, such as struct.error and TypeError in a camera's notes; none is a failure
        # of ours.
        raise NotAPicture("This picture is damaged, or too large to be read.") from error


def _kind(raw: bytes) -> str:
    if raw.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if raw.startswith(b"RIFF") and raw[8:12] == b"WEBP":
        return "WEBP"
    raise NotAPicture("Send a JPEG, PNG or WebP picture.")


def _small(image: Image.Image, kind: str) -> bytes:
    # Only the header has been read so far: a few bytes may claim any size.
    most = MAX_PIXELS[kind]
    if image.width * image.height > most:
        raise NotAPicture(f"This picture has more than {most // 1_000_000} million pixels.")
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(_shrunk(image))
    written = BytesIO()
    _on_white(upright).save(written, "JPEG", quality=QUALITY, optimize=True)
    return written.getvalue()


def _shrunk(image: Image.Image) -> Image.Image:
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return image


def _on_white(image: Image.Image) -> Image.Image:
    """Copy the pixels alone: what else an image carries stays behind."""
    if image.mode == "RGB":
        pixels = image
    else:
        with_alpha = image.convert("RGBA")
        pixels = Image.new("RGB", image.size, "white")
        pixels.paste(with_alpha, mask=with_alpha.getchannel("A"))
    bare = Image.new("RGB", pixels.size)
    bare.paste(pixels)
    return bare
