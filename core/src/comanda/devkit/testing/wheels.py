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
from typing import Any

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

    The plugins in the folders ``companions`` are installed and uninstalled with it. What is not among all of these
    comes from the package registry.
    """

    folder: Path
    plugin: Path
    sources: Sequence[Path] = ()
    companions: Sequence[Path] = ()

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
        return _read_distribution(self.plugin)

    @property
    def _plugins(self) -> Sequence[Path]:
        return (self.plugin, *self.companions)

    def create(self, *installed: str) -> None:
        """Build the wheels, create the environment, and install distributions other than the plugin's."""
        for source in (*self.sources, *self._plugins):
            self.run_uv("build", "--wheel", "--no-sources", source, "--out-dir", self.wheels)
        self.run_uv("venv", "--python", sys.executable, self.python.parents[1])
        self.install(*installed)

    def install(self, *distributions: str) -> None:
        """Install distributions, those of the plugins if none are named."""
        stop_server(self.python.parent)
        self.run_uv(
            *("pip", "install", "--python", self.python, "--find-links", self.wheels),
            *(distributions or map(_read_distribution, self._plugins)),
        )
        self._copy_bytecode()

    def uninstall(self) -> None:
        """Uninstall the plugins."""
        stop_server(self.python.parent)
        self.run_uv("pip", "uninstall", "--python", self.python, *map(_read_distribution, self._plugins))

    def open_installation(self, database_url: str, **variables: str) -> Installation:
        """Return an installation that runs in the environment, on a database."""
        variables = {"DATABASE_URL": database_url, "COMANDA_LOG_LEVEL": "warning", **variables}
        return Installation(self.folder / "data", variables, self.python.parent / "comanda", is_forked=True)

    def check_reinstallation(
        self,
        database_url: str,
        *,
        use: Step = _do_nothing,
        miss: Step = _do_nothing,
        resume: Step = _do_nothing,
        **variables: str,
    ) -> None:
        """Install the plugin, uninstall it and install it again, and check that nothing is lost or stops meanwhile.

        Without it the server starts, ``comanda doctor`` names what was left, and a dry run of ``comanda plugins remove
        --purge`` lists its tables and deletes nothing. Its rows are the same before, meanwhile and after.
        ``variables`` are of the environment of all commands.
        """
        installation = self.open_installation(database_url, **variables)
        self.install()
        run_command(installation, "migrate")
        tables_by_plugin = self._list_tables(installation)
        tables = [table for each in tables_by_plugin.values() for table in each]
        with installation.running("serve") as server:
            use(server)
        kept = count_rows(database_url, tables)

        self.uninstall()
        with installation.running("serve") as server:
            miss(server)
        assert count_rows(database_url, tables) == kept, "Rows changed while their plugin was not installed."
        assert tables_by_plugin.keys().isdisjoint(each["name"] for each in _list_plugins(installation))
        found = installation.run("doctor").stdout
        for name, own_tables in tables_by_plugin.items():
            if own_tables:
                assert name in found, f"comanda doctor does not name what {name} has left.\n{found}"
                planned = run_command(installation, "plugins", "remove", name, "--purge", "--dry-run")
                assert [table for table in own_tables if table not in planned] == [], planned
        assert count_rows(database_url, tables) == kept, "A dry run deleted rows."

        self.install()
        run_command(installation, "migrate")
        with installation.running("serve") as server:
            assert count_rows(database_url, tables) == kept, "Rows changed while their plugin was put back."
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

    def _list_tables(self, installation: Installation) -> dict[str, list[str]]:
        """Return the tables of the plugins by their names."""
        contributed = {each["name"]: each["contributes"] for each in _list_plugins(installation)}
        return {name: sorted(contributed[name].get("tables", ())) for name in map(_read_plugin_name, self._plugins)}


def _read_project(plugin: Path) -> dict[str, dict[str, dict[str, str]]]:
    document = tomllib.loads((plugin / "pyproject.toml").read_text(encoding="utf-8"))
    project: dict[str, dict[str, dict[str, str]]] = document["project"]
    return project


def _read_distribution(plugin: Path) -> str:
    return str(_read_project(plugin)["name"])


def _read_plugin_name(plugin: Path) -> str:
    (name,) = _read_project(plugin)["entry-points"]["comanda.plugins"]
    return str(name)


def _list_plugins(installation: Installation) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(run_command(installation, "plugins", "--json"))
    return listed


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
