"""The demo bank, whose page is used as by a browser without scripts."""

from urllib.parse import urlsplit

from comanda.devkit.testing import ProviderFake
from comanda.platform.db import sql


class DemoBankFake(ProviderFake):
    code = "demo"

    def __init__(self, client, owner):
        self.client, self.owner = client, owner

    async def answer(self, url, answer):
        response = await self.client.post(f"{urlsplit(url).path}/answer", form={"answer": answer})
        assert response.status_code == 303
        return response.headers["Location"]

    async def pay(self, url):
        await self.answer(url, "pay")

    async def decline(self, url):
        await self.answer(url, "decline")

    async def report(self, account, url):
        return None

    async def list_collected(self):
        charges = "SELECT amount_minor FROM demobank_charge WHERE owner_id = $1 AND state = 'paid' ORDER BY id"
        return [row["amount_minor"] for row in await sql.fetch(charges, self.owner.id)]

    async def list_refunded(self):
        refunds = "SELECT amount_minor FROM demobank_refund WHERE owner_id = $1 ORDER BY id"
        return [row["amount_minor"] for row in await sql.fetch(refunds, self.owner.id)]
