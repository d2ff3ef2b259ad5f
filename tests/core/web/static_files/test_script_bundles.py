"""Scripts of one folder in one file."""

import json
import shutil
import subprocess

import pytest
from comanda.web.static_files.script_bundles import BundleError, build_script

SHOP = """\
// The first.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import "./search.js";
import { make } from "./dom.js";

export const name = make(_("Shop"));
globalThis.result = { name, lines: cart.lines(), later: () => import("./dialog.js") };
"""
CART = """\
import { make } from "./dom.js";
import { ngettext, gettext as _ } from "/own/texts.js";

const state = [make(_("Cart"))];
export const lines = () => state;
export function add(line) {
  state.push(ngettext(line));
}
"""
DOM = "let made = 0;\nexport async function wait() {}\nexport const make = (text) => `${text} ${(made += 1)}`;\n"
SEARCH = 'import { make } from "./dom.js";\nglobalThis.search = make("Search");\n'
DIALOG = """\
import { add, lines } from "./cart.js";
import { more } from "./dialog_parts.js";
import { gettext } from "/own/texts.js";
export const shown = () => { add(gettext(more())); return lines(); };
"""
PARTS = 'import * as dom from "./dom.js";\nexport const more = () => dom.make("More");\n'


@pytest.fixture
def folder(tmp_path):
    scripts = {"shop": SHOP, "cart": CART, "dom": DOM, "search": SEARCH, "dialog": DIALOG, "dialog_parts": PARTS}
    for name, text in scripts.items():
        (tmp_path / f"{name}.js").write_text(text)
    return tmp_path


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs the scripts")
def test_bundle_runs_each_module_once_in_its_order_and_shares_it_with_later_scripts(folder, tmp_path_factory):
    served = tmp_path_factory.mktemp("served")
    (served / "package.json").write_text('{"type": "module"}')
    (served / "texts.js").write_text("export const gettext = (text) => `t:${text}`, ngettext = (text) => `n:${text}`;")
    for name in ("shop", "dialog", "dialog_parts"):
        (served / f"{name}.js").write_text(build_script(folder, "shop", name).replace("/own/", "./"))
    (served / "main.js").write_text(
        'await import("./shop.js");\nconst { shown } = await result.later();\n'
        "console.log(JSON.stringify([result.name, search, result.lines, shown()]));\n"
    )

    done = subprocess.run(["node", "main.js"], cwd=served, capture_output=True, text=True, check=True)

    lines = ["t:Cart 1", "n:t:More 4"]
    assert json.loads(done.stdout) == ["t:Shop 3", "Search 2", lines, lines]


def test_bundle_imports_only_what_is_outside_its_folder(folder):
    script = build_script(folder, "shop", "shop")

    assert [line for line in script.splitlines() if line.startswith("import")] == [
        'import * as $_own_texts_js from "/own/texts.js";'
    ]


@pytest.mark.parametrize(
    "line", ["export default 1;", "export { a };", "export let a = 1;", 'import a from "./dom.js";', "await import(x);"]
)
def test_unknown_form_is_refused(folder, line):
    (folder / "search.js").write_text(f"const a = 1;\n{line}\n")

    with pytest.raises(BundleError, match=r"search\.js"):
        build_script(folder, "shop", "shop")


def test_circle_is_refused(folder):
    (folder / "dom.js").write_text('import { lines } from "./cart.js";\n')

    with pytest.raises(BundleError, match="shop → cart → dom → cart"):
        build_script(folder, "shop", "shop")


def test_missing_script_is_not_found(folder):
    with pytest.raises(FileNotFoundError):
        build_script(folder, "shop", "nothing")
