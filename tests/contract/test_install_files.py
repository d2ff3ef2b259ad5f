"""The files for servers are well-formed, and name commands, settings and numbers that exist."""

import json
import re
import shutil
import ssl
import subprocess
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPSConnection
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from comanda.basics.errors import PayloadTooLarge, RateLimited
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import find_free_port
from comanda.operations.diagnostics.effective_settings import list_known_variables
from comanda.operations.serving.limits import GRACE_SECONDS, KEEP_ALIVE_SECONDS
from comanda.platform.core_commands import CORE_COMMANDS
from comanda.platform.http.live_updates import HEARTBEAT_SECONDS
from comanda.platform.settings import Settings
from installed_plugins import get_registry
from prometheus_client import REGISTRY
from pydantic import ValidationError
from sweep import sweep

ROOT = Path(__file__).parents[2]
FOLDER = files("comanda.operations") / "install"
CONTAINERS = ROOT / "docs" / "install"
COMPOSE = yaml.safe_load((CONTAINERS / "compose.yaml").read_text(encoding="utf-8"))
NGINX_FILES = ("nginx.conf", "nginx-nodes.conf")
ALERTS = yaml.safe_load((FOLDER / "prometheus-alerts.yml").read_text(encoding="utf-8"))
DASHBOARD = json.loads((FOLDER / "grafana-dashboard.json").read_text(encoding="utf-8"))
UNITS = sorted((FOLDER / "systemd").glob("*.service"))


def variables():
    yield from re.findall(r"^([A-Z_]+)=", (FOLDER / "comanda.env").read_text(encoding="utf-8"), re.MULTILINE)
    yield from re.findall(r"\b(COMANDA_[A-Z_]+|DATA(?==))", (CONTAINERS / "Containerfile").read_text(encoding="utf-8"))
    for name in ("migrate", "web", "worker"):
        yield from COMPOSE["services"][name]["environment"]


def test_every_variable_is_a_setting():
    assert {"DATABASE_URL", "REDIS_URL", "COMANDA_PUBLIC_URL", "DATA"} <= set(variables())
    assert set(variables()) <= list_known_variables(get_registry())


def test_metrics_need_a_token_that_nobody_else_knows():
    """An example that was left as it is would be a password known to all, so Comanda must not start with it."""
    example = re.search(
        r"^COMANDA_METRICS_TOKEN=(.+)$", (FOLDER / "comanda.env").read_text(encoding="utf-8"), re.MULTILINE
    )

    with pytest.raises(ValidationError, match="metrics_token"):
        Settings(metrics_token=example[1])
    for name in ("web", "worker"):
        assert COMPOSE["services"][name]["environment"]["COMANDA_METRICS_TOKEN"].startswith("${COMANDA_METRICS_TOKEN:?")


def list_queries():
    """Yield the name of each alert and panel, its query, and its text with labels."""
    for rule in ALERTS["groups"][0]["rules"]:
        yield rule["alert"], rule["expr"], rule["annotations"]["summary"]
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"], target["legendFormat"]


def test_alerts_and_panels_are_about_metrics_and_labels_that_exist():
    get_registry()
    series = REGISTRY._names_to_collectors
    with sweep(at_least=25) as checks:
        for title, query, text in list_queries():
            with checks.check(title):
                names = re.findall(r"\bcomanda_\w+", query)
                assert names or query.startswith("up{")
                grouped = {label for found in re.findall(r"by \(([^)]+)\)", query) for label in found.split(", ")}
                used = grouped | set(re.findall(r'(\w+)(?:=|!=|=~|!~)"', query)) - {"job"}
                for name in names:
                    assert used <= {*series[name]._labelnames, *(["le"] if name.endswith("_bucket") else ())}, name
                assert set(re.findall(r"\{\{ ?(?:\$labels\.)?(\w+)", text)) <= (grouped or {"instance"})


@pytest.mark.skipif(shutil.which("promtool") is None, reason="Prometheus is not installed")
def test_prometheus_takes_every_query(tmp_path):
    panels = [
        {"alert": panel["title"], "expr": target["expr"].replace("$__rate_interval", "5m")}
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    ]
    (tmp_path / "rules.yml").write_text(
        yaml.safe_dump({"groups": [*ALERTS["groups"], {"name": "panels", "rules": panels}]})
    )

    told = subprocess.run(
        ["promtool", "check", "rules", tmp_path / "rules.yml"], capture_output=True, text=True, check=False
    )

    assert told.returncode == 0, told.stderr


def test_every_command_exists():
    named = {COMPOSE["services"][name]["command"][0] for name in ("migrate", "web", "worker")}
    named |= {re.search(r"bin/comanda (\w+)", unit.read_text(encoding="utf-8"))[1] for unit in UNITS}

    assert {"serve", "worker", "migrate", "backup"} == named
    assert named <= set(CORE_COMMANDS)


def test_processes_are_given_the_time_that_they_need():
    for name in ("web", "worker"):
        assert int(COMPOSE["services"][name]["stop_grace_period"].removesuffix("s")) > GRACE_SECONDS
        unit = (FOLDER / "systemd" / f"comanda-{name}.service").read_text(encoding="utf-8")
        assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[1]) > GRACE_SECONDS
    for name in NGINX_FILES:
        nginx = (FOLDER / name).read_text(encoding="utf-8")
        assert int(re.search(r"keepalive_timeout (\d+)s;", nginx)[1]) < KEEP_ALIVE_SECONDS
        assert int(re.search(r"proxy_read_timeout (\d+)s;", nginx)[1]) > Settings().request_timeout_seconds
    live = re.search(r"location @live \{\s+proxy_read_timeout (\d+)s;", nginx)
    assert int(live[1]) > HEARTBEAT_SECONDS
    caddy = (FOLDER / "Caddyfile").read_text(encoding="utf-8")
    assert int(re.search(r"keepalive (\d+)s", caddy)[1]) < KEEP_ALIVE_SECONDS


def test_services_wait_for_services_that_are_there():
    services = COMPOSE["services"]

    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, name
        for volume in service.get("volumes", []):
            assert volume.partition(":")[0] in COMPOSE["volumes"]


def test_logs_of_containers_have_a_limit():
    for name, service in COMPOSE["services"].items():
        assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}, name


def test_the_image_copies_what_the_workspace_builds():
    copied = re.findall(r"^COPY (\w+) \1$", (CONTAINERS / "Containerfile").read_text(encoding="utf-8"), re.MULTILINE)
    members = re.search(r"^members = \[(.*)\]$", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)

    assert set(copied) == {member.partition("/")[0] for member in re.findall(r'"([^"]+)"', members[1])}


needs_nginx = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


@pytest.fixture
def write_site(tmp_path):
    """Write the configuration of an nginx with one of the files as its site, and return its path."""
    assert shutil.which("openssl"), "openssl makes the certificate that the test needs"
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made += ["-subj", "/CN=orders.example.com", "-keyout", key, "-out", certificate]
    subprocess.run(made, check=True, capture_output=True)

    def write(name, **replaced):
        site = (FOLDER / name).read_text(encoding="utf-8")
        site = re.sub(r"(ssl_certificate) \S+;", rf"\1 {certificate};", site)
        site = re.sub(r"(ssl_certificate_key) \S+;", rf"\1 {key};", site)
        for old, new in replaced.items():
            site = re.sub(LISTENS[old], new, site)
        (tmp_path / "site.conf").write_text(site)
        whole = tmp_path / "nginx.conf"
        paths = "".join(
            f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole.write_text(
            f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\n"
            f"http {{ access_log off; {paths} include {tmp_path}/site.conf; }}\n"
        )
        return whole

    return write


LISTENS = {
    "ipv6": r"listen \[::\]:.+;",
    "http": r"listen 80;",
    "https": r"listen 443 ssl http2;",
    "upstream": r"server (127\.0\.0\.1|10\.0\.0\.1\d):8000",
}


@needs_nginx
@pytest.mark.parametrize("name", NGINX_FILES)
def test_nginx_takes_its_file(write_site, name):
    told = subprocess.run(["nginx", "-t", "-c", write_site(name)], capture_output=True, text=True, check=False)

    assert told.returncode == 0, told.stderr
    # From 1.25.1 on, the older way to ask for HTTP/2, which every version takes, is one to warn of.
    assert "warn" not in re.sub(r'\[warn\] (the "user" directive|.* "listen \.\.\. http2")', "", told.stderr)


@needs_nginx
@pytest.mark.parametrize("name", NGINX_FILES)
def test_nginx_refuses_as_comanda_does(write_site, name):
    """With no Comanda behind it, so that what answers is nginx."""
    port = find_free_port()
    config = write_site(
        name,
        ipv6="",
        http=f"listen 127.0.0.1:{find_free_port()};",
        https=f"listen 127.0.0.1:{port} ssl http2;",
        upstream=f"server 127.0.0.1:{find_free_port()}",
    )
    nginx = subprocess.Popen(["nginx", "-g", "daemon off;", "-c", config], stderr=subprocess.DEVNULL)
    # The certificate is one that the test has made.
    anyone = ssl._create_unverified_context()

    def ask(path, size=0):
        connection = HTTPSConnection("127.0.0.1", port, timeout=MAX_WAIT_SECONDS, context=anyone)
        with closing(connection):
            connection.putrequest("POST", path)
            connection.putheader("Content-Length", str(size))
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def is_answering():
        with suppress(ConnectionRefusedError):
            return ask("/api/v1")[0] >= 500

    def flood(path):
        # A busy machine may send less than the limit for a while.
        def find_refusal():
            with ThreadPoolExecutor(16) as pool:
                answers = list(pool.map(lambda _: ask(path), range(400)))
            return next((answer for answer in answers if answer[0] < 500), None)

        return wait_for(find_refusal, "a refusal of nginx")

    try:
        wait_for(is_answering, "nginx")
        for answer, error in (
            (ask("/api/v1/me", 17 << 20), PayloadTooLarge()),
            (flood("/api/v1/me"), RateLimited(1)),
        ):
            status, headers, body = answer
            assert (status, json.loads(body)) == (error.status, error.envelope())
            assert headers["Content-Type"] == "application/json"
            assert headers.get("Retry-After") == error.headers.get("Retry-After")
        assert flood("/dashboard/")[1]["Content-Type"] == "text/html"
    finally:
        nginx.terminate()
        nginx.wait(MAX_WAIT_SECONDS)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_its_units(tmp_path):
    for unit in (FOLDER / "systemd").iterdir():
        # The programs are on no machine that tests run on.
        (tmp_path / unit.name).write_text(
            unit.read_text(encoding="utf-8").replace("/opt/comanda/bin/comanda", "/bin/true")
        )

    told = subprocess.run(
        ["systemd-analyze", "verify", *sorted(map(str, tmp_path.iterdir()))],
        capture_output=True,
        text=True,
        check=False,
    )

    assert told.returncode == 0, told.stderr
    assert str(tmp_path) not in told.stderr


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed")
def test_caddy_takes_its_file():
    told = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", FOLDER / "Caddyfile"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert told.returncode == 0, told.stderr


def test_image_copies_every_file_of_the_build():
    """What `make wheels` reads in the root of the repository, the hook of the metadata included."""
    manifest = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = manifest["tool"]["hatch"]["metadata"]["hooks"]["custom"]["path"]
    text = (CONTAINERS / "Containerfile").read_text(encoding="utf-8")

    copied = re.search(r"^COPY (.+) \./$", text, re.MULTILINE)[1].split()

    assert {"Makefile", "README.md", "pyproject.toml", "uv.lock", hook} <= set(copied)


def test_lock_has_one_version_of_each_library():
    """For every supported Python, so that all of them run what the tests ran."""
    packages = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]
    names = [package["name"] for package in packages]

    assert {"quart", "uv"} <= set(names)
    assert sorted(names) == sorted(set(names))
