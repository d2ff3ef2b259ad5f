"""What holds for every test: its statements keep to their owners, and nothing that stays is searched for garbage."""

import gc
import hashlib
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

import hypothesis
import pytest
import pytest_asyncio
import structlog
from argon2 import PasswordHasher
from audit import watch_entries
from citus_cluster import CITUS_URL, create_cluster_database, distribute_database
from comanda.accounts import passwords
from comanda.composition.bootstrap import start_runtime
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.orders.intake import placement_turns
from comanda.platform.db.orm.model_comments import skip_comment_parsing
from comanda.platform.db.orm.model_filters import defer_filters
from comanda.platform.db.upgrade import upgrade_database
from comanda.platform.http import live_updates
from comanda.platform.photos import conversion
from comanda_staff.services import pins
from photographs import single_conversions
from recorded_statements import record_statements, recorder
from statement_rules import find_violations, get_tables

WORKERS = 4
TESTS = Path(__file__).parent
E2E = f"{TESTS}/e2e/"


def pytest_xdist_auto_num_workers():
    """Run a worker per core, and at least a few: tests of whole processes wait longer than they compute."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(WORKERS, cores)


# Modules, tests and declarations are made here, hundreds of thousands of objects that live until the end. Looking
# through them again and again, while they are collected and between tests, takes a quarter of a worker's time.
gc.disable()
# Tests keep what they have made in caches, which full collections would look through again and again for as long.
gc.set_threshold(20_000, 20, 20)


def pytest_collection(session):
    """Import a share of the test modules first: that rewrites their assertions, where no run before this one has.

    Workers collect in the same order, so each would rewrite every module at the same time as the others do.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None or [Path(each).resolve() for each in session.config.args] != [TESTS]:
        return
    share = slice(int(worker.removeprefix("gw")), None, int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))
    for path in sorted(TESTS.rglob("test_*.py"))[share]:
        # What fails is collected again, and reported then.
        with suppress(pytest.Collector.CollectError, pytest.skip.Exception):
            _ = pytest.Module.from_parent(session, path=path).obj


def pytest_itemcollected(item):
    """Mark the tests that start a browser or other processes."""
    if str(item.path).startswith(E2E):
        item.add_marker("browser" if "browser" in item.fixturenames else "processes")
    elif hasattr(item.module, "Installation"):
        item.add_marker("processes")


def pytest_collection_finish():
    # What little of it is garbage stays, too: to find that takes a second.
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter):
    """Count what was skipped, by what it lacks."""
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.getreports("skipped"))
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"skipped {count}: {reason}")


# Tests that generate examples are not timed: on a busy machine any of them may be slow.
hypothesis.settings.register_profile("comanda", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("comanda")

record_statements()
# Before any module with models is imported, as a start does.
skip_comment_parsing()
defer_filters()


@pytest.fixture(scope="session", autouse=True)
def uncached_loggers():
    """Let ``capture_logs`` capture what any module logs.

    A logger that caches its configuration does not see that a test, such as one of a command, configures logging anew.
    """
    configure = structlog.configure
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            structlog, "configure", lambda **options: configure(**{**options, "cache_logger_on_first_use": False})
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def password_hasher():
    """Hash passwords quickly in this process: thousands are set and checked, for 50 ms of a core each.

    Returns the hasher of the product, for tests of it.
    """
    genuine = passwords._HASHER
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield genuine


@pytest.fixture(scope="session", autouse=True)
def pin_hash():
    """Hash PINs quickly in this process, for the same reason. Returns the function of the product."""
    genuine = pins._derive_hash
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pins, "_derive_hash", lambda secret, salt: hashlib.sha256(salt + secret).digest())
        yield genuine


@pytest.fixture(scope="session", autouse=True)
def photo_worker():
    """Convert each picture once in this process, for the same reason. Returns the function of the product."""
    genuine = conversion._run_worker
    with single_conversions():
        yield genuine


@pytest.fixture(scope="session", autouse=True)
def patient_orders():
    """Let orders of this process wait for those before them as long as a busy machine may take."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(placement_turns, "MAX_WAIT_SECONDS", MAX_WAIT_SECONDS)
        yield


@pytest.fixture
def genuine_pin_hash(monkeypatch, pin_hash):
    """Hash PINs as the product does, for tests of what is stored."""
    monkeypatch.setattr(pins, "_derive_hash", pin_hash)


@pytest.fixture
def genuine_password_hasher(monkeypatch, password_hasher):
    """Hash passwords as the product does, for tests of what is stored and how long it takes."""
    monkeypatch.setattr(passwords, "_HASHER", password_hasher)
    passwords._get_dummy_hash.cache_clear()
    yield
    passwords._get_dummy_hash.cache_clear()


@pytest.fixture(autouse=True)
def checked_statements():
    """Fail the test in which code of core or of a plugin runs a statement that breaks a rule of data's owners."""
    yield
    statements = recorder.take()
    if statements:
        tables = get_tables(recorder.database)
        found = [(each, list(find_violations(each, tables))) for each in statements]
        broken = [
            f"{each.module} runs: {' '.join(each.text.split())}\n  " + "\n  ".join(sentences)
            for each, sentences in found
            if sentences
        ]
        if broken:
            pytest.fail("\n".join(broken), pytrace=False)


@pytest.fixture
def short_streams(monkeypatch):
    """Let live streams end soon, for tests that ask what they begin with and not what they go on with."""
    monkeypatch.setattr(live_updates, "MAX_STREAM_SECONDS", 0.1)
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 0.1)


@pytest.fixture
def entry_times(monkeypatch):
    """Collect when entries of the audit log were committed, one for each request that succeeds."""
    return watch_entries(monkeypatch)


if CITUS_URL is not None:
    # Everything runs on a database that is distributed over a cluster.

    @pytest.fixture(scope="session")
    def database_url():
        """Return the URL of the database of this pytest worker on the cluster."""
        return create_cluster_database(f"comanda_test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")

    @pytest_asyncio.fixture(scope="session", loop_scope="session")
    async def settings(settings):
        """Distribute the database before the application uses it."""
        registry = start_runtime(settings).registry
        await upgrade_database(settings.database_url, settings, registry)
        distribute_database(settings.database_url, registry.models)
        return settings
