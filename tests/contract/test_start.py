"""What a server with every plugin does without until it is used: each would take memory and time of every start."""

import json
import os
import subprocess
import sys

import pytest
from sweep import sweep

# Builds all that `comanda serve` builds before it is ready, without Redis.
PREPARE = """
import json, sys
from comanda.cli.main import prepare_fast_start
prepare_fast_start()
import comanda.cli.serving.serve
from comanda.composition.app import start_runtime
from comanda.operations.serving.engines import Engine
from comanda.operations.serving.process import WebServer
from comanda.platform.settings import Settings, read_settings
made = start_runtime(read_settings(Settings))
WebServer(made, Engine.UVICORN, with_background=True)
models = [
    model
    for models in made.registry.models
    for name in models.modules
    for model in vars(sys.modules[name]).values() if isinstance(model, type) and hasattr(model, "_meta")
]
eager = [model.__name__ for model in models if any(isinstance(found, dict) for found in model._meta._filters.values())]
bodies = {route.binding.body for route in made.registry.routes} - {None}
built = [body.__name__ for body in bodies if body.__pydantic_complete__]
print(json.dumps({
    "modules": sorted(sys.modules), "models": len(models), "eager": eager, "bodies": len(bodies), "built": built,
}))
"""

# Each library, and what a process needs it for.
NEEDED_LATER = {
    "taskiq": "background work, which begins once the server is ready",
    "aiohttp": "webhooks and other outgoing requests",
    "phonenumbers": "orders and guests with a phone; imported once the server is ready",
    "liquid": "pages of stores with a theme",
    "dateutil": "pages of stores with a theme",
    "rich": "the output of some commands",
    "redis": "an installation with Redis",
    "limits": "an installation with Redis",
    "PIL": "the process that re-encodes pictures",
    "markdown_it": "the pages of the guide",
    "fpdf": "an invoice as PDF",
    "joserfc": "session tokens of embedded apps",
    "aiosmtplib": "e-mail",
    "boto3": "photos in a bucket",
    "aerich": "new migrations, in development",
    "pytest": "tests",
}


@pytest.fixture(scope="module")
def prepared():
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("COMANDA_") and name not in {"REDIS_URL", "DATA"}
    }
    environment = {**kept, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}
    done = subprocess.run([sys.executable, "-c", PREPARE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_started_server_has_not_imported_what_is_needed_later(prepared):
    with sweep(at_least=16) as checks:
        for library, purpose in NEEDED_LATER.items():
            with checks.check(library):
                found = [name for name in prepared["modules"] if name == library or name.startswith(f"{library}.")]
                assert found == [], f"It is needed only for {purpose}; import it at its first use."


def test_no_model_has_filters_before_a_query(prepared):
    assert prepared["models"] > 0
    assert prepared["eager"] == []


def test_few_bodies_of_requests_have_validators_before_the_first_request(prepared):
    """Those of which the declaration of an MCP tool makes use are built to check its schema."""
    assert prepared["bodies"] > 100
    assert len(prepared["built"]) < prepared["bodies"] / 10
