"""The commands `comanda apps`, in an installation of their own."""

import json
import shutil

import pytest
from comanda.devkit.testing import Installation, create_migrated_data_folder, open_store, send_request


@pytest.fixture(scope="module")
def reviewed():
    data = create_migrated_data_folder()
    installation = Installation(data, {"COMANDA_LOG_LEVEL": "warning"})
    with installation.running("serve") as running:
        store = open_store(installation, lambda: running.url)
        body = {"name": "Reviewed", "redirect_uris": ["https://a.example.com/cb"]}
        _, app = send_request("POST", f"{running.url}/api/v1/developer/apps", store.token, body)

        def call(action):
            return send_request("POST", f"{running.url}/api/v1/developer/apps/{app['id']}/{action}", store.token)

        yield installation, app, call
    shutil.rmtree(data, ignore_errors=True)


def test_administrator_reviews_an_app(reviewed):
    installation, app, call = reviewed
    refused = installation.run("apps", "approve", str(app["id"]))
    assert (refused.returncode, "cannot become approved" in refused.stderr) == (1, True)
    assert call("submit")[0] == 200

    assert installation.run("apps", "review", str(app["id"])).returncode == 0
    rejected = installation.run("apps", "reject", str(app["id"]), "--reason", "No description.")
    assert rejected.stdout == f"App {app['id']}, Reviewed, is rejected.\n"
    shown = json.loads(installation.run("apps", "show", str(app["id"]), "--json").stdout)
    assert (shown["status"], shown["rejection_reason"]) == ("rejected", "No description.")
    call("submit")
    assert installation.run("apps", "approve", str(app["id"])).returncode == 0
    assert installation.run("apps", "delist", str(app["id"])).stdout.endswith("is delisted.\n")
    [listed] = json.loads(installation.run("apps", "list", "--status", "delisted", "--json").stdout)
    assert listed["id"] == app["id"]
    assert installation.run("apps", "show", "999").returncode == 1
