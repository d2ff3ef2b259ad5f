"""An environment of its own, into which wheels of this repository and of examples are installed."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.devkit.testing.wheels import WheelEnvironment

ROOT = Path(__file__).parents[2]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")


def open_house(folder, example, ours):
    """Return an environment for an example's wheel, with those of ``ours`` and of the migrations beside it."""
    # Its build backend works in the folder that it builds, which other tests read.
    migrations = folder / "migrations"
    shutil.copytree(ROOT / "migrations", migrations, ignore=shutil.ignore_patterns("build", "*.egg-info"))
    return WheelEnvironment(folder, example, [*(ROOT / each for each in ours), migrations])


@contextmanager
def own_tests(house, database_url):
    """Run an example's own tests meanwhile, as its authors would."""
    copy = house.folder / house.plugin.name
    shutil.copytree(house.plugin, copy, ignore=shutil.ignore_patterns("src", ".*", "__pycache__"))
    # Without bytecode the modules that the commands have compiled would be compiled again.
    hidden = {name for name in os.environ if name.startswith(("PYTEST_", "COMANDA_", "PYTHONDONTWRITEBYTECODE"))}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"TEST_DATABASE_URL": database_url, "PYTEST_XDIST_WORKER": f"own_{WORKER}"}
    process = subprocess.Popen(
        [house.python, "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        yield
        output, _ = process.communicate(timeout=MAX_WAIT_SECONDS)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, output
