"""The command ``comanda listen``. Its code is imported when it runs, to keep the start of servers fast."""

import asyncio

import click


@click.command()
@click.option("--port", default=9000, show_default=True, type=click.IntRange(0, 65535), help="0 selects a free port.")
@click.option("--secret", help="The endpoint's signing secret, whsec_…. Without it nothing is verified.")
@click.option("--register", is_flag=True, help="Register as an endpoint while listening; needs --token.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="The Comanda server to register with.")
@click.option("--token", envvar="COMANDA_TOKEN", help="An owner's token with the scope webhooks:write.")
@click.option("--event", "events", multiple=True, default=["*"], show_default=True, help="The events to subscribe to.")
def listen(port: int, secret: str | None, register: bool, url: str, token: str | None, events: tuple[str, ...]) -> None:
    """Receive webhooks on this machine, verify them and print them.

    Comanda delivers to this machine only in development mode.
    """
    if register and not token:
        raise click.UsageError("--register needs --token, an owner's token with the scope webhooks:write.")
    if register and secret:
        raise click.UsageError("--register creates a secret of its own. Leave out --secret.")
    from comanda_webhooks.services.listener import ListenerRegistration, run_listener

    registration = ListenerRegistration(url.rstrip("/"), token, events) if register and token else None
    asyncio.run(run_listener(port, secret, registration))
