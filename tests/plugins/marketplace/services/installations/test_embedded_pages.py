"""Which apps an owner may open as pages."""

import pytest
from comanda.basics import Forbidden, NotFound
from comanda_marketplace.services.installations import embedded_pages
from comanda_oauth import api as oauth

PAGE = "https://loyalty.example.com/embedded?lang=en"


async def test_installed_app_is_opened_at_its_origin(developer, install, owner):
    app = await developer.publish(embed_url=PAGE)
    await install(app)

    page = await embedded_pages.get_embedded_app(owner.id, app["id"])

    assert (page.url, page.origin) == (PAGE, "https://loyalty.example.com")


async def test_app_without_page_or_installation_is_not_found(developer, install, owner, other_owner):
    without_page = await developer.publish()
    await install(without_page)
    app = await developer.publish(embed_url=PAGE, name="Other")
    installed = await install(app, of=other_owner)

    for app_id in (without_page["id"], app["id"], 0):
        with pytest.raises(NotFound):
            await embedded_pages.get_embedded_app(owner.id, app_id)
    await oauth.uninstall(other_owner.id, installed.id, "test")
    with pytest.raises(NotFound):
        await embedded_pages.get_embedded_app(other_owner.id, app["id"])


def test_person_who_may_not_read_apps_is_refused():
    embedded_pages.check_scopes(may_read=True)
    with pytest.raises(Forbidden):
        embedded_pages.check_scopes(may_read=False)
