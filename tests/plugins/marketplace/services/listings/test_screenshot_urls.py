"""Public URLs of screenshots."""

from comanda_marketplace.models import Screenshot
from comanda_marketplace.services.listings.screenshot_urls import to_file_name, to_picture


def test_picture_is_the_largest_size(runtime):
    sizes = [{"width": 320, "height": 200}, {"width": 1280, "height": 800}]
    row = Screenshot(id=3, owner_id=1, app_id=5, hash="ab12", sizes=sizes, alt="Points of a guest")

    picture = to_picture(row)

    assert picture.url == f"{runtime.settings.site_url}/app-screenshots/5/app-ab12-1280.webp"
    assert (picture.id, picture.width, picture.height, picture.alt) == (3, 1280, 800, "Points of a guest")


def test_file_names_differ_by_size():
    assert to_file_name("ab12", 320) != to_file_name("ab12", 1280)
