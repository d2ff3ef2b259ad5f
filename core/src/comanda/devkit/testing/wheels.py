"""A plugin as a wheel: installed into an environment of its own, used, uninstalled and installed again.

The whole life of a plugin is one test, which needs `uv` and a package registry::

    def test_plugin_can_be_uninstalled_and_installed_again(tmp_path, new_database):
        environment = WheelEnvironment(tmp_path, Path(__file__).parents[1])
        environment.create("comanda-core[devkit]")
        environment.check_reinstallation(new_database("comanda_rental_wheel"), use=place_orders)

``use``, ``miss`` and ``resume`` get the running server: with the plugin, without it, and with it again.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from comanda.devkit.authoring.environment import find_uv
from comanda.devkit.testing.forked_processes import stop_server
from comanda.devkit.testing.processes import Installation, Server

Step = Callable[[Server], None]


def _do_nothing(_server: Server) -> None:
    """Do nothing with a running server."""


@dataclass(frozen=True, slots=True)
class WheelEnvironment:
    """A virtual environment in ``folder``, and wheels of the plugin in the folder ``plugin`` and of other ``sources``.

    What is not among them comes from the package registry.
    """

    folder: Path
    plugin: Path
    sources: Sequence[Path] = ()

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / "venv" / "bin" / "python"

    @property
    def wheels(self) -> Path:
        """The folder of the wheels."""
        return self.folder / "wheels"

    @property
    def distribution(self) -> str:
        """The name of the plugin's distribution, such as ``comanda-florist``."""
        return str(self._read_project()["name"])

    @property
    def plugin_name(self) -> str:
        """The name of the plugin, such as ``florist``."""
        (name,) = self._read_project()["entry-points"]["comanda.plugins"]
        return str(name)

    def create(self, *installed: str) -> None:
        """Build the wheels, create the environment, and install distributions other than the plugin's."""
        for source in (*self.sources, self.plugin):
            self.run_uv("build", "--wheel", "--no-sources", source, "--out-dir", self.wheels)
        self.run_uv("venv", "--python", sys.executable, self.python.parents[1])
        self.install(*installed)

    def install(self, *distributions: str) -> None:
        """Install distributions, the plugin's if none are named."""
        stop_server(self.python.parent)
        self.run_uv(
            *("pip", "install", "--python", self.python, "--find-links", self.wheels),
            *(distributions or (self.distribution,)),
        )
        self._copy_bytecode()

    def uninstall(self) -> None:
        """Uninstall the plugin."""
        stop_server(self.python.parent)
        self.run_uv("pip", "uninstall", "--python", self.python, self.distribution)

    def open_installation(self, database_url: str) -> Installation:
        """Return an installation that runs in the environment, on a database."""
        variables = {"DATABASE_URL": database_url, "COMANDA_LOG_LEVEL": "warning"}
        return Installation(self.folder / "data", variables, self.python.parent / "comanda", is_forked=True)

    def check_reinstallation(
        self, database_url: str, *, use: Step = _do_nothing, miss: Step = _do_nothing, resume: Step = _do_nothing
    ) -> None:
        """Install the plugin, uninstall it and install it again, and check that nothing is lost or stops meanwhile.

        Without it the server starts, ``comanda doctor`` names what was left, and a dry run of ``comanda plugins remove
        --purge`` lists its tables and deletes nothing. Its rows are the same before, meanwhile and after.
        """
        installation, name = self.open_installation(database_url), self.plugin_name
        self.install()
        run_command(installation, "migrate")
        tables = self._list_tables(installation)
        with installation.running("serve") as server:
            use(server)
        kept = count_rows(database_url, tables)

        self.uninstall()
        with installation.running("serve") as server:
            miss(server)
        assert count_rows(database_url, tables) == kept, f"Without {name} its rows changed."
        assert name not in {each["name"] for each in self._list_plugins(installation)}
        if tables:
            found = installation.run("doctor").stdout
            assert name in found, f"comanda doctor does not name what {name} has left.\n{found}"
            planned = run_command(installation, "plugins", "remove", name, "--purge", "--dry-run")
            assert [table for table in tables if table not in planned] == [], planned
        assert count_rows(database_url, tables) == kept, "A dry run deleted rows."

        self.install()
        run_command(installation, "migrate")
        with installation.running("serve") as server:
            assert count_rows(database_url, tables) == kept, f"Rows of {name} changed while it was put back."
            resume(server)

    def run_uv(self, *arguments: object) -> None:
        """Run uv, and fail with what it printed if it fails."""
        uv = find_uv()
        assert uv is not None, "uv is needed: install it on the PATH, or name it in UV."
        done = subprocess.run([uv, "--quiet", *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"uv {' '.join(map(str, arguments))}\n{done.stderr}"

    def _copy_bytecode(self) -> None:
        """Copy the bytecode of this environment: uv links the same files of libraries into both.

        Python compiles what differs when it is imported.
        """
        ours = Path(sysconfig.get_path("purelib"))
        theirs = self.python.parents[1] / ours.relative_to(sys.prefix)
        for cache in ours.rglob("__pycache__"):
            copy = theirs / cache.relative_to(ours)
            if copy.parent.is_dir() and not copy.exists():
                shutil.copytree(cache, copy, copy_function=shutil.copy2)

    def _read_project(self) -> dict[str, dict[str, dict[str, str]]]:
        document = tomllib.loads((self.plugin / "pyproject.toml").read_text(encoding="utf-8"))
        project: dict[str, dict[str, dict[str, str]]] = document["project"]
        return project

    def _list_plugins(self, installation: Installation) -> list[dict[str, object]]:
        listed: list[dict[str, object]] = json.loads(run_command(installation, "plugins", "--json"))
        return listed

    def _list_tables(self, installation: Installation) -> list[str]:
        brought = next(each for each in self._list_plugins(installation) if each["name"] == self.plugin_name)
        contributes = brought["contributes"]
        assert isinstance(contributes, dict)
        return sorted(contributes.get("tables", ()))


def run_command(installation: Installation, *arguments: str) -> str:
    """Run a command that must succeed, and return what it printed."""
    done = installation.run(*arguments)
    assert done.returncode == 0, f"comanda {' '.join(arguments)}\n{done.stdout}{done.stderr}"
    return done.stdout


def count_rows(database_url: str, tables: Sequence[str]) -> dict[str, int]:
    """Return the numbers of rows of tables."""

    async def count() -> dict[str, int]:
        connection = await asyncpg.connect(database_url)
        try:
            # The names are those that the plugin declares.
            return {table: await connection.fetchval(f'SELECT count(*) FROM "{table}"') for table in tables}
        finally:
            await connection.close()

    return asyncio.run(count())
