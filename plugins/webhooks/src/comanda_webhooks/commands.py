"""``comanda listen``. Its code is imported when it runs, as no server's start should wait for it."""

import asyncio

import click


@click.command()
@click.option("--port", default=9000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one.")
@click.option("--secret", help="The endpoint's signing secret, whsec_…; without it nothing is verified.")
@click.option("--register", is_flag=True, help="Register as an endpoint while listening; needs --token.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="The Comanda to register at.")
@click.option("--token", envvar="COMANDA_TOKEN", help="An owner's token with the scope webhooks:write.")
@click.option("--event", "events", multiple=True, default=["*"], show_default=True, help="What to register for.")
def listen(port: int, secret: str | None, register: bool, url: str, token: str | None, events: tuple[str, ...]) -> None:
    """Receive webhooks on this machine, verify them and print them.

    Comanda delivers to this machine only in development mode.
    """
    if register and not token:
        raise click.UsageError("--register needs --token, an owner's token with the scope webhooks:write.")
    if register and secret:
        raise click.UsageError("--register brings its own secret; leave out --secret.")
    from comanda_webhooks.listen import Registration, run  # noqa: PLC0415 - see the module's docstring

    registration = Registration(url.rstrip("/"), token, events) if register and token else None
    asyncio.run(run(port, secret, registration))
