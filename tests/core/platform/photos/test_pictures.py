"""Decoding and re-encoding of pictures."""

from io import BytesIO

import pytest
from comanda.platform.photos.pictures import InvalidPicture, Rendering, render
from comanda.platform.photos.services import MENU_SIZES
from photographs import HOSTILE, picture, with_broken_exif, with_exif
from PIL import Image, ImageCms

PROOF = Rendering("JPEG", ((1600, 1600),))


def opened(made):
    return Image.open(BytesIO(made.data))


def test_a_large_picture_is_made_in_every_size():
    made = render(picture(size=(4000, 3000)), MENU_SIZES)

    assert [(each.width, each.height) for each in made] == [(160, 120), (320, 240), (640, 480), (1280, 960)]
    assert [(opened(each).format, opened(each).size) for each in made] == [
        ("WEBP", (each.width, each.height)) for each in made
    ]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((500, 300), [(160, 96), (320, 192), (500, 300)]),
        ((100, 100), [(100, 100)]),
        ((320, 200), [(160, 100), (320, 200)]),
        ((1000, 8000), [(40, 320), (80, 640), (160, 1280), (320, 2560)]),
    ],
)
def test_picture_is_never_enlarged(size, expected):
    assert [(each.width, each.height) for each in render(picture(size=size), MENU_SIZES)] == expected


@pytest.mark.parametrize("rendering", [MENU_SIZES, PROOF])
def test_photo_is_upright_without_metadata(rendering):
    for made in render(with_exif(), rendering):
        image = opened(made)
        assert image.height == image.width * 2
        assert not image.getexif()
        assert {"exif", "xmp", "icc_profile", "comment"} & image.info.keys() == set()
        assert b"SecretCamera" not in made.data


@pytest.mark.parametrize("mode", ["P", "L", "RGBA", "LA", "1", "CMYK", "I;16"])
def test_pictures_of_any_mode_are_read(mode):
    written = BytesIO()
    Image.new(mode, (8, 8)).save(written, "JPEG" if mode == "CMYK" else "PNG")

    assert opened(render(written.getvalue(), PROOF)[0]).mode == "RGB"
    assert opened(render(written.getvalue(), MENU_SIZES)[0]).mode in {"RGB", "RGBA"}


def test_sixteen_bits_of_grey_keep_their_brightness():
    written = BytesIO()
    Image.new("I;16", (8, 8), 32_768).save(written, "PNG")

    assert opened(render(written.getvalue(), PROOF)[0]).getpixel((4, 4)) == (128, 128, 128)


def test_transparency_is_kept_or_becomes_white():
    written = BytesIO()
    Image.new("RGBA", (8, 8), (255, 0, 0, 0)).save(written, "PNG")

    assert opened(render(written.getvalue(), MENU_SIZES)[0]).getpixel((4, 4))[3] == 0
    assert opened(render(written.getvalue(), PROOF)[0]).getpixel((4, 4)) == (255, 255, 255)


def test_colour_profile_is_converted_to_srgb():
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    swapped = srgb.replace(b"rXYZ", b"xXYZ").replace(b"gXYZ", b"rXYZ").replace(b"xXYZ", b"gXYZ")

    (made,) = render(picture("PNG", colour="red", icc_profile=swapped), PROOF)

    red, green, _ = opened(made).getpixel((4, 4))
    assert (red < 80, green > 200) == (True, True)


def test_invalid_colour_profile_is_ignored():
    (made,) = render(picture("PNG", colour="red", icc_profile=b"x" * 200), PROOF)

    assert opened(made).getpixel((4, 4))[0] > 250


@pytest.mark.parametrize("name", HOSTILE)
def test_invalid_photo_is_refused(name):
    with pytest.raises(InvalidPicture):
        render(HOSTILE[name], MENU_SIZES)


def test_broken_exif_is_refused():
    with pytest.raises(InvalidPicture, match="damaged"):
        render(with_broken_exif(), MENU_SIZES)


@pytest.mark.parametrize(("kind", "side"), [("PNG", 5000), ("WEBP", 5000), ("JPEG", 8100)])
def test_too_many_pixels_are_refused_before_decoding(kind, side):
    with pytest.raises(InvalidPicture, match="million pixels"):
        render(picture(kind, size=(side, side)), MENU_SIZES)
