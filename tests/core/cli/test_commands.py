import errno
import json
import os
import re
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import asyncpg
import pytest
from asyncpg import CannotConnectNowError, ConnectionDoesNotExistError, DiskFullError
from comanda.cli.failures import describe_error
from comanda.devkit.testing.data_folders import create_migrated_data_folder
from comanda.devkit.testing.processes import SCRIPT, Installation, find_free_port
from comanda.operations.backups.errors import BackupError
from comanda.operations.embedded.server import EmbeddedPostgres
from comanda_migrations.history import MigrationError


@pytest.fixture(scope="module")
def server(installation):
    with installation.running("serve") as running:
        yield running


@pytest.fixture(scope="module")
def ana(installation):
    ok(installation.run("owner", "create", "Ana@Example.com", "--name", "Ana"))


def ok(finished):
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def status(server, token):
    request = Request(f"{server.url}/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    try:
        with urlopen(request) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


def test_help_lists_every_command_without_a_database(installation):
    listed = ok(installation.run("--help", DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing"))

    section = listed.partition("Commands:")[2]
    found = re.findall(r"^  (\S+)", section, re.MULTILINE)
    assert found[:14] == [
        "run", "serve", "worker", "migrate", "migrations", "plugins", "owner", "store", "menu", "token", "secrets",
        "demo", "clock", "doctor",
    ]  # fmt: skip


def test_a_token_made_beside_a_running_server_works_at_once_and_ends_when_revoked(installation, server, ana):
    made = json.loads(
        ok(installation.run("token", "create", "--owner", "ana@example.com", "--scope", "orders:read",
                            "--scope", "menu:write", "--name", "till", "--expires", "2d", "--json"))
    )  # fmt: skip

    assert made["scopes"] == ["orders:read", "menu:write"]
    lifetime = datetime.fromisoformat(made["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=1, hours=23) < lifetime <= timedelta(days=2)
    assert status(server, made["token"]) == 200

    listed = json.loads(ok(installation.run("token", "list", "--owner", "ana@example.com", "--json")))
    assert [(row["id"], row["name"]) for row in listed] == [(made["id"], "till")]
    assert made["token"] not in json.dumps(listed)

    ok(installation.run("owner", "suspend", "ana@example.com"))
    assert status(server, made["token"]) == 403
    ok(installation.run("owner", "resume", "ana@example.com"))
    assert status(server, made["token"]) == 200

    ok(installation.run("token", "revoke", str(made["id"]), "--owner", "ana@example.com"))
    assert status(server, made["token"]) == 401


@pytest.mark.parametrize(
    ("arguments", "variables", "line"),
    [
        (["owner", "create", "nonsense"], {}, "email: nonsense is not an e-mail address."),
        (["migrations", "new", "kiosk", "first"], {}, "No installed plugin has models of the app kiosk."),
        (["owner", "list"], {"DATABASE_URL": "postgres://x@127.0.0.1:1/x"}, "The database cannot be reached:"),
        (["plugins"], {"COMANDA_DISABLED_PLUGINS": "kiosk"}, "COMANDA_DISABLED_PLUGINS names kiosk"),
        (["plugins"], {"COMANDA_REQUESTS_PER_MINUTE": "many"}, "COMANDA_REQUESTS_PER_MINUTE: Input should be"),
        (["owner", "list"], {"DATABASE_URL": "mysql://u:p@db/x"}, "DATABASE_URL must be of the form postgres://"),
        (["serve"], {"REDIS_URL": "http://cache"}, "REDIS_URL must be of the form redis://"),
        (["worker"], {"REDIS_URL": "garbage"}, "REDIS_URL must be of the form redis://"),
        (["worker"], {"REDIS_URL": " "}, "A worker of its own needs REDIS_URL"),
        (["worker"], {}, "A worker of its own needs REDIS_URL"),
        (["serve", "--workers", "2"], {}, "2 web processes need REDIS_URL"),
        (["serve", "--no-worker"], {}, "--no-worker needs REDIS_URL"),
        (["serve", "--background-workers", "1"], {}, "--background-workers needs REDIS_URL"),
        (["serve", "--no-worker", "--background-workers", "1"], {}, "--no-worker and --background-workers"),
    ],
)  # fmt: skip
def test_usage_error_ends_with_one_line_and_code_1(installation, arguments, variables, line):
    finished = installation.run(*arguments, **variables)

    assert finished.returncode == 1
    assert finished.stdout == ""
    assert finished.stderr.startswith(f"Error: {line}"), finished.stderr
    assert finished.stderr.count("\n") == 1


def test_plugins_lists_contributions(installation):
    listed = {plugin["name"]: plugin for plugin in json.loads(ok(installation.run("plugins", "--json")))}

    core, restaurant = listed["core"], listed["restaurant"]
    assert core["distribution"] == "comanda-core"
    assert {"core_owner", "core_order", "core_outbox"} <= set(core["contributes"]["tables"])
    assert "POST /api/v1/restaurants/{id}/orders" in core["contributes"]["routes"]
    assert restaurant["contributes"]["verticals"] == ["restaurant"]
    assert restaurant["contributes"]["modes"] == ["on-table", "takeaway", "room_service"]
    assert "tables" not in restaurant["contributes"]


CLASHING = """
from comanda import hookimpl
from comanda.contracts.web.pages import Pages
from quart import Blueprint

blueprint = Blueprint("thorn", __name__)
blueprint.add_url_rule("/healthz", "show", lambda: "ouch")


@hookimpl
def register_pages():
    return [Pages(blueprint)]
"""


def test_plugins_refuses_pages_that_serve_refuses(installation, tmp_path):
    (tmp_path / "thorn.py").write_text(CLASHING)
    metadata = tmp_path / "comanda_thorn-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: comanda-thorn\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[comanda.plugins]\nthorn = thorn\n")

    listed = installation.run("plugins", PYTHONPATH=str(tmp_path))
    served = installation.run("serve", "--port", str(find_free_port()), PYTHONPATH=str(tmp_path))

    assert (listed.returncode, served.returncode) == (1, 1)
    assert listed.stdout == ""
    assert listed.stderr == served.stderr.splitlines(keepends=True)[-1]
    assert listed.stderr == (
        "Error: The page thorn.show and the route GET /healthz both answer /healthz. "
        "Start without it: COMANDA_DISABLED_PLUGINS=thorn comanda run\n"
    )


def test_the_demo_is_filled_in_once_and_replaces_a_revoked_token(installation):
    first = json.loads(ok(installation.run("demo", "--json", COMANDA_DEVELOPMENT="1")))

    assert list(first) == ["base_url", "site_url", "stores", "tokens", "logins", "app"]
    assert first["stores"][0]["slug"] == "trattoria-da-alba"
    assert {store["store_type"] for store in first["stores"]} >= {"restaurant", "retail", "pharmacy", "hotel"}
    assert {"owner", "other_owner"} <= set(first["tokens"])
    kept = installation.data / "demo.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.stat().st_uid == os.geteuid()

    listed = json.loads(ok(installation.run("token", "list", "--owner", "owner@demo.example", "--json")))
    ok(installation.run("token", "revoke", str(listed[0]["id"]), "--owner", "owner@demo.example"))
    second = json.loads(ok(installation.run("demo", "--json")))

    assert second["stores"] == first["stores"]
    assert second["tokens"]["other_owner"] == first["tokens"]["other_owner"]
    assert second["tokens"]["owner"] != first["tokens"]["owner"]


def test_doctor_and_serve_name_who_of_the_demo_can_log_in(installation):
    demo = json.loads(ok(installation.run("demo", "--json", COMANDA_DEVELOPMENT="1")))
    people = ["owner owner@demo.example by token", "owner owner@demo.example by password"]
    people += ["manager marta@demo.example", "driver +351961234567"]

    found = {each["subject"]: each for each in json.loads(ok(installation.run("doctor", "--json")))}
    assert all(person in found["demo"]["found"] for person in people)
    logins = (demo["logins"]["owner"]["password"], demo["logins"]["staff"]["manager"]["pin"])
    for secret in (*demo["tokens"].values(), *logins):
        assert secret not in json.dumps(found)
    with installation.running("serve") as server:
        [line] = [line for line in server.printed().splitlines() if "demo_people_can_log_in" in line]
        assert all(person in line for person in people)


def test_doctor_warns_of_demo_logins_where_guests_order(installation):
    ok(installation.run("demo", "--json", COMANDA_DEVELOPMENT="1"))

    def check(**variables):
        finished = installation.run("doctor", "--json", **variables)
        return {each["subject"]: each for each in json.loads(finished.stdout)}["demo"]

    found = check(COMANDA_PUBLIC_URL="https://eat.example")
    assert found["status"] == "problem"
    assert "owner owner@demo.example by password" in found["found"]
    assert "comanda owner suspend owner@demo.example" in found["advice"]
    assert check(COMANDA_PUBLIC_URL="https://eat.example", COMANDA_DEVELOPMENT="1")["status"] == "ok"

    for owner in ("owner@demo.example", "other@demo.example"):
        ok(installation.run("owner", "suspend", owner))
    suspended = check(COMANDA_PUBLIC_URL="https://eat.example")
    for owner in ("owner@demo.example", "other@demo.example"):
        ok(installation.run("owner", "resume", owner))
    assert (suspended["status"], suspended["found"]) == ("ok", "no demo logins")


def test_a_demo_among_real_owners_is_confirmed_and_no_administrator(new_migrated_database, tmp_path):
    server = Installation(tmp_path / "data", {"DATABASE_URL": new_migrated_database("comanda_demo_refused")})

    def list_owners():
        return {row["email"]: row for row in json.loads(ok(server.run("owner", "list", "--json")))}

    ok(server.run("owner", "create", "ana@example.com"))
    refused = server.run("demo")

    assert refused.returncode == 1
    assert refused.stderr.startswith("Error: This is not a database for development")
    assert list(list_owners()) == ["ana@example.com"]
    ok(server.run("demo", "--yes"))
    # Neither then nor in later runs.
    ok(server.run("demo"))
    ok(server.run("demo", COMANDA_DEVELOPMENT="1"))
    found = list_owners()
    assert "owner@demo.example" in found
    assert not any(owner["is_administrator"] for owner in found.values())


def test_a_demo_among_owners_of_a_data_folder_is_confirmed():
    data = create_migrated_data_folder()
    with EmbeddedPostgres(data):
        alone = Installation(data, {})
        ok(alone.run("owner", "create", "ana@example.com"))
        refused = alone.run("demo")

        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith("Error: This is not a database for development")


async def test_a_database_of_an_unreleased_version_is_refused_in_one_sentence():
    data = create_migrated_data_folder()
    with EmbeddedPostgres(data) as postgres:
        connection = await asyncpg.connect(postgres.url)
        await connection.execute("UPDATE aerich SET version = '0_20261121070000_init.py' WHERE app = 'core'")
        await connection.close()
        old = Installation(data, {})
        for command in ("migrate", "run", "serve"):
            refused = old.run(command, PORT=str(find_free_port()))
            assert refused.returncode == 1, command
            assert "Error: The database was created by an unreleased version of core" in refused.stderr
            assert "Traceback" not in refused.stderr


def test_owner_gets_a_password_from_standard_input(installation, ana):
    def set_password(text, email="ana@example.com"):
        return installation.run("owner", "password", email, "--password-stdin", stdin=text)

    done = set_password("correct horse battery\n")
    assert ok(done) == "The password of ana@example.com is set. Sign in at /sign-in.\n"
    assert "battery" not in done.stdout + done.stderr
    weak, unknown = set_password("password123\n"), set_password("correct horse battery", "nobody@example.com")
    assert (weak.returncode, unknown.returncode) == (1, 1)
    assert "This is one of the most common passwords." in weak.stderr
    assert unknown.stderr == "Error: There is no owner with the e-mail nobody@example.com.\n"


def test_owner_is_suspended_with_a_reason(installation, ana):
    ok(installation.run("owner", "suspend", "ana@example.com", "--reason", "Unpaid"))
    owners = {row["email"]: row for row in json.loads(ok(installation.run("owner", "list", "--json")))}
    lines = ok(installation.run("owner", "list")).splitlines()
    ok(installation.run("owner", "resume", "ana@example.com"))

    assert (owners["ana@example.com"]["is_suspended"], owners["ana@example.com"]["suspend_reason"]) == (True, "Unpaid")
    assert any("suspended" in line and line.endswith("(Unpaid)") for line in lines)


def test_a_store_is_opened_for_its_owner(installation, ana):
    made = json.loads(
        ok(installation.run("store", "create", "--owner", "ana@example.com", "--title", "Chez Bo", "--json"))
    )
    refused = installation.run("store", "create", "--owner", "nobody@example.com", "--title", "Bo")

    assert (made["slug"], made["store_type"]) == ("chez-bo", "restaurant")
    assert refused.returncode == 1
    assert refused.stderr == "Error: There is no owner with the e-mail nobody@example.com.\n"
    owners = {row["email"]: row for row in json.loads(ok(installation.run("owner", "list", "--json")))}
    assert owners["ana@example.com"]["stores_count"] == 1


def test_settings_are_listed_for_people_and_for_programs(installation):
    variables = {"COMANDA_STRIPE_SECRET_KEY": "s3cr3t", "COMANDA_KDS_LATE_MINUTES": "20"}

    shown = ok(installation.run("settings", **variables))
    listed = {row["variable"]: row for row in json.loads(ok(installation.run("settings", "--json", **variables)))}

    assert re.search(r"^COMANDA_KDS_LATE_MINUTES +20 +15 +environment +Age at which", shown, re.MULTILINE)
    assert re.search(r"^COMANDA_STRIPE_SECRET_KEY +\*\*\* +unset +environment ", shown, re.MULTILINE)
    assert listed["DATA"]["value"] == str(installation.data)
    assert listed["DATA"]["source"] == "environment"
    assert listed["PORT"] == {
        "plugin": "core", "name": "port", "variable": "PORT", "aliases": ["COMANDA_PORT"], "value": 8000,
        "default": 8000, "source": "default", "description": "The port to listen on.",
    }  # fmt: skip
    assert "s3cr3t" not in shown + json.dumps(listed)


def test_a_store_created_by_mistake_is_listed_and_deleted(installation, ana):
    made = json.loads(
        ok(installation.run("store", "create", "--owner", "ana@example.com", "--title", "Mistake", "--json"))
    )

    listed = json.loads(ok(installation.run("store", "list", "--json")))
    told = ok(installation.run("store", "delete", str(made["id"]), "--owner", "ana@example.com"))

    assert {
        "id": made["id"],
        "owner": "ana@example.com",
        "slug": "mistake",
        "store_type": "restaurant",
    }.items() <= next(row for row in listed if row["id"] == made["id"]).items()
    assert told == f"Deleted store {made['id']}.\n"
    assert "mistake" not in ok(installation.run("store", "list", "--owner", "ana@example.com"))


def test_output_that_nobody_reads_is_no_failure_of_the_database(installation):
    finished = subprocess.run(
        f"'{SCRIPT}' settings | true",
        shell=True, env=installation.environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert finished.stderr == ""


def test_models_without_changes_get_no_migration(installation):
    assert ok(installation.run("migrations", "new", "core", "nothing")) == "Nothing changed in the models of core.\n"


@pytest.mark.parametrize(
    "error",
    [
        DiskFullError("could not extend file: No space left on device\nHINT:  Check free disk space."),
        ConnectionDoesNotExistError("connection was closed in the middle of operation: No space left on device"),
        MigrationError("kds/1_a.py failed and changed nothing: No space left on device\nHINT: x Start without it: y"),
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        BackupError("today.zip cannot be written or read: No space left on device."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_full_disk_is_one_sentence_wherever_it_is_met(error):
    line = describe_error(error)

    assert re.fullmatch(r"The disk is full: .*No space left on device\. Free some space, then try again\.", line)


def test_the_embedded_database_is_not_looked_for_in_database_url(monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("COMANDA_DATABASE_URL", raising=False)

    embedded = describe_error(CannotConnectNowError("the database system is starting up"))
    monkeypatch.setenv("DATABASE_URL", "postgres://x@127.0.0.1:1/x")
    given = describe_error(CannotConnectNowError("the database system is starting up"))

    assert "DATABASE_URL" not in embedded
    assert "postgres.log" in embedded
    assert given.endswith("Check DATABASE_URL.")


def test_owner_is_erased_after_a_question(installation):
    ok(installation.run("owner", "create", "leaving@example.com"))
    unanswered = installation.run("owner", "erase", "leaving@example.com", "--json")
    assert unanswered.returncode == 2, unanswered.stdout

    erased = ok(installation.run("owner", "erase", "leaving@example.com", stdin="y\n"))

    assert "comanda owner export leaving@example.com FILE.zip" in erased
    assert erased.endswith("Erased leaving@example.com.\n")
    gone = installation.run("owner", "erase", "leaving@example.com", "--dry-run")
    assert (gone.returncode, gone.stderr) == (1, "Error: There is no owner with the e-mail leaving@example.com.\n")
