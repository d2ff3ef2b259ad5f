"""Recognise, decode and re-encode pictures: upright, in the sizes asked for, with nothing but their pixels. Pure."""

from dataclasses import dataclass
from io import BytesIO
from typing import Final

from PIL import Image, ImageCms, ImageOps

# More than phones make. A JPEG is decoded at a fraction of its size, the others take memory for all of it.
MAX_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 24_000_000, "WEBP": 24_000_000}
DAMAGED: Final = "This picture is damaged, or too large to be read."


class NotAPicture(ValueError):
    """What was sent is no picture that can be kept; the text is a sentence for whoever sent it."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """What to make of a picture: a ``WEBP`` or a ``JPEG`` for each box, in ascending order, that it is fitted into."""

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

    Raises ``NotAPicture`` for what is neither JPEG, PNG nor WebP, is damaged, or has too many pixels.
    """
    kind = _kind(raw)
    try:
        with Image.open(BytesIO(raw), formats=[kind]) as image:
            return _sizes(_upright(image, kind, max(map(max, rendering.boxes))), rendering)
    except NotAPicture:
        raise
    except Exception as error:
        # Decoders, and readers of EXIF above all, meet damage with every kind of exception; none is a failure of ours.
        raise NotAPicture(DAMAGED) from error


def _kind(raw: bytes) -> str:
    if raw.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if raw.startswith(b"RIFF") and raw[8:12] == b"WEBP":
        return "WEBP"
    raise NotAPicture("Send a JPEG, PNG or WebP picture.")


def _upright(image: Image.Image, kind: str, longest_side: int) -> Image.Image:
    # Only the header has been read so far: a few bytes may claim any size.
    most = MAX_PIXELS[kind]
    if image.width * image.height > most:
        raise NotAPicture(f"This picture has more than {most // 1_000_000} million pixels.")
    image.draft("RGB", (longest_side, longest_side))
    profile = image.info.get("icc_profile")
    image.thumbnail((longest_side, longest_side))
    return _to_srgb(ImageOps.exif_transpose(image), profile)


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert the colours of a wide-gamut camera to those that every screen assumes of a picture without a profile."""
    if profile is None or image.mode not in {"RGB", "CMYK"}:
        return image
    try:
        given = ImageCms.ImageCmsProfile(BytesIO(profile))
        converted = ImageCms.profileToProfile(image, given, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image  # a profile that cannot be used changes colours a little; the picture is there all the same
    return image if converted is None else converted


def _sizes(image: Image.Image, rendering: Rendering) -> list[Picture]:
    pixels = _bare(image, keeps_alpha=rendering.format == "WEBP")
    made: list[Picture] = []
    for box in rendering.boxes:
        resized = pixels.copy()
        resized.thumbnail(box, Image.Resampling.LANCZOS)
        written = BytesIO()
        resized.save(written, rendering.format, quality=rendering.quality, optimize=True)
        made.append(Picture(resized.width, resized.height, written.getvalue()))
        if resized.size == pixels.size:
            break
    return made


def _bare(image: Image.Image, *, keeps_alpha: bool) -> Image.Image:
    """Copy the pixels alone: what else an image carries stays behind."""
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
