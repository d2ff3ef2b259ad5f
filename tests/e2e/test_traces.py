"""Processes send what they did to a collector, also when they stop, and need none to be there."""

import shutil
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import Installation, create_data_folder, find_free_port

from tests.plugins.opentelemetry.collector import open_collector


@pytest.fixture
def make_installation(new_migrated_database):
    folder = create_data_folder()
    database = new_migrated_database("comanda_traces")
    yield lambda **variables: Installation(folder, {"DATABASE_URL": database, **variables})
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def collector():
    opened, close = open_collector()
    yield opened
    close()


def read_menu(server):
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{server.url}/api/v1/menu/77")


def test_spans_of_requests_and_their_statements_arrive_before_a_server_ends(make_installation, collector):
    installation = make_installation(OTEL_EXPORTER_OTLP_ENDPOINT=collector.url, OTEL_SERVICE_NAME="trattoria")

    with installation.running("serve") as server:
        read_menu(server)
        assert server.stop() == 0
        assert '"trace_id"' in server.printed()

    request = collector.find("GET /api/v1/menu/{restaurantId}")
    assert request.attributes["http.response.status_code"] == 404
    assert {part.attributes["db.system.name"] for part in collector.list_parts(request)} == {"postgresql"}
    assert set(collector.services) == {"trattoria"}


def test_a_server_works_and_ends_while_its_collector_is_away(make_installation):
    endpoint = f"http://127.0.0.1:{find_free_port()}"
    installation = make_installation(OTEL_EXPORTER_OTLP_ENDPOINT=endpoint)

    with installation.running("serve") as server:
        read_menu(server)
        assert server.stop() == 0
        assert "Traceback" not in server.printed()
