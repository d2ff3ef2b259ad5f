"""`comanda plugins new` and `comanda plugins check`, as an author meets them."""

import json
import re

import pytest
from click.testing import CliRunner
from comanda.cli.main import comanda
from comanda.devkit.authoring import environment, moved_names


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return CliRunner().invoke(comanda, ["plugins", *arguments])

    return run


def list_files(folder):
    """List the files of a plugin; the names of migrations begin with the time."""
    return sorted(re.sub(r"\d{14}", "", str(path.relative_to(folder))) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("option", "hook"),
    [("--vertical", "register_verticals"), ("--feature", "register_routes"), ("--mcp", "register_mcp_tools")],
)
def test_new_plugin_is_written_with_next_commands(call, tmp_path, monkeypatch, option, hook):
    monkeypatch.setattr(environment, "list_commands", lambda folder: [f"cd {folder}", "test it"])

    result = call("new", "flower_shop", option, "--into", "there is")

    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [
        f"Created the {option.removeprefix('--')} plugin there is/flower-shop. Next steps:",
        "  cd there is/flower-shop",
        "  test it",
    ]
    written = (tmp_path / "there is" / "flower-shop" / "src" / "comanda_flower_shop" / "plugin.py").read_text()
    hooks = {"register_verticals", "register_routes", "register_mcp_tools"}
    assert hooks & set(re.findall(r"^def (\w+)", written, re.MULTILINE)) == {hook}
    assert call("check", "there is/flower-shop", "--static").output == "no errors, no warnings.\n"


def test_missing_test_dependencies_are_reported(call, monkeypatch):
    monkeypatch.setattr(environment, "list_missing", list)

    assert "Its tests need comanda-restaurant, which is not installed" in call("new", "rose").output
    assert "Its tests need" not in call("new", "tulip", "--vertical").output


def test_new_plugin_is_a_feature_by_default(call, tmp_path, monkeypatch):
    monkeypatch.setattr(environment, "list_missing", list)

    for folder, options in {"default": (), "feature": ("--feature",), "vertical": ("--vertical",)}.items():
        assert call("new", "flower_shop", *options, "--into", folder).exit_code == 0

    assert list_files(tmp_path / "default") == list_files(tmp_path / "feature") != list_files(tmp_path / "vertical")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Flower-Shop", "Error: 'Flower-Shop' is not a valid plugin name: use lower-case letters"),
        ("restaurant", "Error: restaurant is reserved by Comanda; choose another name."),
        ("taken", "Error: taken already exists; choose another name, or another folder with --into."),
    ],
)
def test_failed_creation_writes_nothing(call, tmp_path, name, line):
    (tmp_path / "taken").mkdir()

    result = call("new", name)

    assert result.exit_code == 1
    assert result.output.startswith(line)
    assert [path.name for path in tmp_path.rglob("*")] == ["taken"]


def test_check_reports_place_problem_and_fix(call, tmp_path):
    call("new", "flower_shop", "--mcp")
    place = "src/comanda_flower_shop/plugin.py"
    plugin = tmp_path / "flower-shop" / place
    plugin.write_text(plugin.read_text().replace("def register_docs", "def register_doc"))
    line = plugin.read_text().splitlines().index("def register_doc() -> Sequence[Chapter]:") + 1

    result = call("check", "flower-shop", "--static")

    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{place}:{line}: error: There is no hook register_doc. Did you mean register_docs? [hook-exists]",
        '    Use the name of a hook; the table in "How plugins work" of the guide lists them.',
        "1 error, no warnings.",
    ]
    assert json.loads(call("check", "flower-shop", "--static", "--json").output) == [
        {
            "rule": "hook-exists",
            "severity": "error",
            "path": place,
            "line": line,
            "sentence": "There is no hook register_doc. Did you mean register_docs?",
            "fix": 'Use the name of a hook; the table in "How plugins work" of the guide lists them.',
        }
    ]


def test_check_rewrites_moved_names(call, tmp_path, monkeypatch):
    monkeypatch.setitem(
        moved_names.MOVED_NAMES, "comanda.old.SECONDS", "comanda.devkit.testing.polling.MAX_WAIT_SECONDS"
    )
    call("new", "flower_shop", "--mcp")
    file = tmp_path / "flower-shop" / "tests" / "test_moved.py"
    file.write_text("from comanda.old import SECONDS\n\nassert SECONDS\n")

    assert "tests/test_moved.py:1: error: comanda.old.SECONDS is now" in call("check", "flower-shop", "--static").output
    result = call("check", "flower-shop", "--static", "--fix")

    assert result.exit_code == 0
    assert result.output.splitlines() == [f"Rewrote {file}", "no errors, no warnings."]
    assert file.read_text() == "from comanda.devkit.testing import MAX_WAIT_SECONDS\n\nassert MAX_WAIT_SECONDS\n"


def test_warnings_alone_do_not_fail_the_check(call, tmp_path):
    call("new", "flower_shop", "--mcp")
    (tmp_path / "flower-shop" / "src" / "comanda_flower_shop" / "py.typed").unlink()

    result = call("check", "flower-shop", "--static")

    assert result.exit_code == 0
    assert result.output.endswith("no errors, 1 warning.\n")
    assert call("check", "flower-shop", "--static", "--json").exit_code == 0


def test_missing_folder_is_a_usage_error(call):
    assert call("check", "nowhere").exit_code == 2


def test_a_check_against_a_malformed_address_is_refused_without_its_password(call, tmp_path):
    (tmp_path / "rose").mkdir()

    result = call("check", "rose", "--database-url", "mysql://root:s3cr3t@db/x")

    assert result.exit_code == 2
    assert (
        "must be of the form postgres://user:password@host:5432/database, but it starts with mysql://." in result.output
    )
    assert "s3cr3t" not in result.output
