"""Screenshots of a developer's app in the dashboard."""

import io

import pytest
from comanda.devkit.testing import sign_in
from PIL import Image
from werkzeug.datastructures import FileStorage


@pytest.fixture
async def page(app, developer):
    return await sign_in(app, developer.owner.id)


@pytest.fixture
def upload(page):
    async def send(app, content, alt=""):
        return await page.client.post(
            f"/dashboard/developer/apps/{app['id']}/screenshots",
            form={"csrf_token": page.csrf_token, "alt": alt},
            files={"photo": FileStorage(io.BytesIO(content), filename="a.png")},
        )

    return send


def draw():
    file = io.BytesIO()
    Image.new("RGB", (320, 200), "red").save(file, "PNG")
    return file.getvalue()


async def test_a_screenshot_is_added_with_its_description_and_deleted(page, developer, upload):
    app = await developer.register()

    response = await upload(app, draw(), "The <b>stamp</b> card")
    [screenshot] = (await developer.get(app))["screenshots"]
    shown = await page.get(f"/developer/apps/{app['id']}")
    await page.post(f"/developer/apps/{app['id']}/screenshots/{screenshot['id']}/delete")

    assert response.status_code == 303
    assert screenshot["alt"] == "The <b>stamp</b> card"
    assert screenshot["url"] in shown
    assert "The &lt;b&gt;stamp&lt;/b&gt; card" in shown
    assert (await developer.get(app))["screenshots"] == []


async def test_what_is_no_picture_is_refused(page, developer, upload):
    app = await developer.register()

    await upload(app, b"no picture")
    refused = await page.get(f"/developer/apps/{app['id']}")
    await page.post(f"/developer/apps/{app['id']}/screenshots")
    missing = await page.get(f"/developer/apps/{app['id']}")

    assert 'class="toast bad"' in refused
    assert "Choose a picture." in missing
    assert (await developer.get(app))["screenshots"] == []


async def test_an_app_of_another_developer_is_missing(other_developer, developer, upload):
    app = await other_developer.register()

    response = await upload(app, draw())

    assert response.status_code == 404
    assert (await other_developer.get(app))["screenshots"] == []
