"""A real PgBouncer in transaction mode in front of a server of tests."""

import os
import pwd
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from urllib.parse import urlsplit

from comanda.devkit.testing.data_folders import create_data_folder
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS, wait_for
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.db.lifecycle import parse_credentials

# The program may be another than the system's, such as one that keeps prepared statements (1.21 and newer).
PROGRAM = os.environ.get("COMANDA_TEST_PGBOUNCER") or shutil.which(
    "pgbouncer", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
)
FIRST_WITH_PREPARED_STATEMENTS = (1, 21)
LIMITS = "SET statement_timeout = 10000; SET lock_timeout = 5000; SET jit = off"
# A connection of the server is taken in turn, so that whatever relies on a session fails at once.
CONFIGURATION = """
[databases]
* = host={host} port={port} user={user} {password} connect_query='{connect_query}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listen_port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 500
default_pool_size = {pool_size}
server_round_robin = 1
ignore_startup_parameters = {ignored}
logfile =
{prepared}
"""


def find_version() -> tuple[int, ...]:
    """Return the version of the program, or nothing if there is none."""
    if PROGRAM is None:
        return ()
    told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.search(r"PgBouncer (\d+)\.(\d+)", told).groups()))


KEEPS_PREPARED_STATEMENTS = find_version() >= FIRST_WITH_PREPARED_STATEMENTS


@contextmanager
def run_pgbouncer(server_url, *, pool_size=4, connect_query=LIMITS, ignored="", max_prepared_statements=0):
    """Run PgBouncer while the block runs; yield a function from the URL of a database to that through PgBouncer."""
    folder, port = create_data_folder(), find_free_port()
    server = parse_credentials(server_url)
    file = folder / "pgbouncer.ini"
    password = f"password={server['password']}" if server["password"] else ""
    file.write_text(
        CONFIGURATION.format(
            host=server["host"],
            port=server["port"],
            user=server["user"],
            password=password,
            connect_query=connect_query,
            listen_port=port,
            pool_size=pool_size,
            ignored=ignored,
            prepared=f"max_prepared_statements = {max_prepared_statements}" if max_prepared_statements else "",
        )
    )
    log = folder / "pgbouncer.log"
    # It refuses to run as root.
    user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else None
    with log.open("w") as output:
        process = subprocess.Popen([PROGRAM, file], stdout=output, stderr=output, user=user)
    try:
        _wait(process, port, log)
        yield lambda url: f"postgres://{server['user']}@127.0.0.1:{port}{urlsplit(url).path}"
    finally:
        process.terminate()
        process.wait(MAX_WAIT_SECONDS)
        shutil.rmtree(folder)


def _wait(process: subprocess.Popen, port: int, log: Path):
    def is_listening_or_over():
        if process.poll() is None:
            create_connection(("127.0.0.1", port), timeout=MAX_WAIT_SECONDS).close()
        return True

    wait_for(is_listening_or_over, "PgBouncer", show=log.read_text)
    assert process.poll() is None, log.read_text()
