"""The parser of Liquid."""

import subprocess
import sys


def test_parser_is_imported_lazily():
    code = "import sys, comanda_mcp_dev.plugin; print('liquid' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "False"
