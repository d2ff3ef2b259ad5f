"""Wheels of this repository, built once for all pytest workers, and an environment for those of examples."""

import fcntl
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.devkit.testing.wheels import WheelEnvironment

ROOT = Path(__file__).parents[2]
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")
SOURCES = ("core", "migrations", "verticals", "plugins", "mcp_servers")
FILES = ("comanda_metadata.py", "Makefile", "README.md", "pyproject.toml", "uv.lock")
NETWORK = "The package registry must be reachable (PIP_INDEX_URL names another than PyPI)"


def find_uv():
    found = next((path for path in (ROOT / ".uv" / "bin" / "uv",) if path.exists()), None) or shutil.which("uv")
    assert found, "uv is needed to build wheels: `make sync` fetches it into .uv/, or install it on the PATH."
    return str(found)


def run(*command, environment=os.environ, **options):
    # What is imported is compiled then, and kept; most of what is installed never is.
    environment = {**environment, "PIP_NO_COMPILE": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    finished = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=2 * MAX_WAIT_SECONDS, **options
    )
    assert finished.returncode == 0, f"{NETWORK}: {command}\n{finished.stdout}{finished.stderr}"
    return finished.stdout


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """The folder that `make wheels` writes, once for all pytest workers."""
    own = tmp_path_factory.getbasetemp()
    workspace = (own if WORKER == "main" else own.parent) / "workspace"
    with workspace.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not workspace.exists():
            build_wheels(new := workspace.with_suffix(".new"))
            new.rename(workspace)
    return workspace / "dist"


def build_wheels(copy):
    """Run `make wheels` in a copy of the repository: a build backend works in the folder that it builds."""
    shutil.rmtree(copy, ignore_errors=True)
    ignored = shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__", ".*")
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for file in FILES:
        shutil.copy(ROOT / file, copy / file)
    told = run("make", "wheels", f"UV={find_uv()}", f"PYTHON={sys.executable}", cwd=copy)
    assert "Next: pip install --find-links dist -c dist/constraints.txt comanda" in told


def open_house(folder, wheels, *examples):
    """Return an environment for the wheels of examples, with those of this repository beside them."""
    (folder / "wheels").mkdir()
    for wheel in wheels.glob("*.whl"):
        (folder / "wheels" / wheel.name).hardlink_to(wheel)
    return WheelEnvironment(folder, examples[0], companions=examples[1:])


@contextmanager
def own_tests(house, database_url):
    """Run the examples' own tests meanwhile, as their authors would."""
    examples = (house.plugin, *house.companions)
    for example in examples:
        ignored = shutil.ignore_patterns("src", ".*", "__pycache__")
        shutil.copytree(example, house.folder / example.name, ignore=ignored)
    # Without bytecode the modules that the commands have compiled would be compiled again.
    hidden = {name for name in os.environ if name.startswith(("PYTEST_", "COMANDA_", "PYTHONDONTWRITEBYTECODE"))}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"TEST_DATABASE_URL": database_url, "PYTEST_XDIST_WORKER": f"own_{WORKER}"}
    # What they say to pytest is the same in all of them, and names of modules start at the folder where it is said.
    shutil.copy(house.plugin / "pyproject.toml", house.folder)
    command = [house.python, "-m", "pytest", "-p", "no:cacheprovider", "-c", "pyproject.toml"]
    process = subprocess.Popen(
        [*command, *(example.name for example in examples)],
        cwd=house.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        yield
        output, _ = process.communicate(timeout=MAX_WAIT_SECONDS)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0, output
