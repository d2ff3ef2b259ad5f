"""Decoding and re-encoding of pictures: upright, in the requested sizes, without metadata. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from comanda.basics.lazy_imports import LazyModule

if TYPE_CHECKING:
    from PIL import Image, ImageCms, ImageOps
else:
    # Servers re-encode most pictures in a process of their own, and are spared 3 MiB of memory.
    Image, ImageCms, ImageOps = LazyModule("PIL.Image"), LazyModule("PIL.ImageCms"), LazyModule("PIL.ImageOps")

# More than phone cameras produce. A JPEG is decoded at reduced size, the others take memory for all pixels.
MAX_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000, "WEBP": 24_000_000}
DAMAGED_TEXT: Final = "This picture is damaged, or too large to be read."


class InvalidPicture(ValueError):
    """An upload that is not a usable picture; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """Output of a re-encoding: a ``WEBP`` or ``JPEG`` for each box that the picture is fitted into, ascending."""

    format: str
    boxes: tuple[tuple[int, int], ...]
    quality: int = 82


@dataclass(frozen=True, slots=True)
class Picture:
    """A re-encoded picture and its size in pixels."""

    width: int
    height: int
    data: bytes


def render(raw: bytes, rendering: Rendering) -> list[Picture]:
    """Re-encode a picture in each size, smallest first; it is never enlarged, so a small one has fewer sizes.

    Raises ``InvalidPicture`` if it is not a JPEG, PNG or WebP, is damaged, or has too many pixels.
    """
    kind = _detect_format(raw)
    try:
        with Image.open(BytesIO(raw), formats=[kind]) as image:
            return _resize(_load_upright(image, kind, max(map(max, rendering.boxes))), rendering)
    except InvalidPicture:
        raise
    except Exception as error:
        # Decoders, and EXIF readers above all, raise all kinds of exceptions for damaged files.
        raise InvalidPicture(DAMAGED_TEXT) from error


def _detect_format(raw: bytes) -> str:
    if raw.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if raw.startswith(b"RIFF") and raw[8:12] == b"WEBP":
        return "WEBP"
    raise InvalidPicture("Send a JPEG, PNG or WebP picture.")


def _load_upright(image: Image.Image, kind: str, longest_side: int) -> Image.Image:
    # Only the header has been read so far, and a small file can claim any size.
    max_pixels = MAX_PIXELS[kind]
    if image.width * image.height > max_pixels:
        raise InvalidPicture(f"This picture has more than {max_pixels // 1_000_000} million pixels.")
    image.draft("RGB", (longest_side, longest_side))
    profile = image.info.get("icc_profile")
    image.thumbnail((longest_side, longest_side))
    return _to_srgb(ImageOps.exif_transpose(image), profile)


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert the colours to sRGB, which screens assume for a picture without a profile."""
    if profile is None or image.mode not in {"RGB", "CMYK"}:
        return image
    try:
        given = ImageCms.ImageCmsProfile(BytesIO(profile))
        converted = ImageCms.profileToProfile(image, given, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image  # without a usable profile the colours are slightly off, but the picture is fine
    return image if converted is None else converted


def _resize(image: Image.Image, rendering: Rendering) -> list[Picture]:
    pixels = _strip_metadata(image, keeps_alpha=rendering.format == "WEBP")
    pictures: list[Picture] = []
    for box in rendering.boxes:
        resized = pixels.copy()
        resized.thumbnail(box, Image.Resampling.LANCZOS)
        written = BytesIO()
        resized.save(written, rendering.format, quality=rendering.quality, optimize=True)
        pictures.append(Picture(resized.width, resized.height, written.getvalue()))
        if resized.size == pixels.size:
            break
    return pictures


def _strip_metadata(image: Image.Image, *, keeps_alpha: bool) -> Image.Image:
    """Return a copy of the pixels without any metadata."""
    if image.mode in {"I", "F"} or image.mode.startswith("I;16"):
        image = image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if not image.has_transparency_data:
        pixels = image.convert("RGB")
    elif keeps_alpha:
        pixels = image.convert("RGBA")
    else:
        with_alpha = image.convert("RGBA")
        pixels = Image.new("RGB", image.size, "white")
        pixels.paste(with_alpha, mask=with_alpha.getchannel("A"))
    bare = Image.new(pixels.mode, pixels.size)
    bare.paste(pixels)
    return bare
