"""A store whose owner uploads themes."""

import pytest
from comanda.devkit.testing import TestStore
from comanda_themes.services.archives import write_archive

from tests.support.themes import create_theme


class ThemedStore(TestStore):
    """A store with requests about its themes."""

    async def upload(self, files, path="/themes?name=Summer"):
        """Upload files as an archive and return the status and the document."""
        return await self.upload_raw(write_archive({name: to_bytes(each) for name, each in files.items()}), path)

    async def upload_raw(self, raw, path="/themes?name=Summer"):
        headers = {**self.owner.auth, "Content-Type": "application/zip"}
        url = f"/api/v1/restaurants/{self.id}{path}"
        response = await self.client.post(url, headers=headers, data=raw)
        return response.status_code, await response.get_json()

    async def theme(self, name="Summer"):
        """Create a copy of the default theme and return its id."""
        return (await self.send("POST", "/themes", {"name": name})).document["id"]

    async def publish(self, theme_id, number=1):
        return await self.send("PUT", "/published-theme", {"theme_id": theme_id, "number": number})


def to_bytes(content):
    return content.encode() if isinstance(content, str) else content


@pytest.fixture
async def shop(client, owner):
    return ThemedStore(client, owner, await owner.store())


@pytest.fixture
def files():
    """The files of a valid theme, with a picture."""
    return {**create_theme(), "assets/paper.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256))}
