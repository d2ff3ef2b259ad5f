"""The networks in which this server may connect to printers."""

from comanda.platform import runtime as runtime_module


async def test_addresses_outside_the_networks_are_refused(shop, runtime, monkeypatch):
    body = {"name": "X", "kind": "escpos_tcp"}
    metadata = await shop.send("POST", "/printers", {**body, "address": "169.254.169.254"})
    name = await shop.send("POST", "/printers", {**body, "address": "redis"})
    port = await shop.send("POST", "/printers", {**body, "address": "127.0.0.1:6379"})
    monkeypatch.setattr(runtime_module, "settings", lambda: runtime.settings.model_copy(update={"development": False}))
    private = await shop.send("POST", "/printers", {**body, "address": "192.168.1.5"})

    assert all("address" in reply.errors for reply in (metadata, name, port, private))
