"""The progress of backups, which only people see."""

import io
import sys

import pytest
from comanda.cli.maintenance.backup import _show_progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "is_shown"), [(Terminal, True), (io.StringIO, False)])
def test_progress_is_shown_on_terminals_only(monkeypatch, stream, is_shown):
    monkeypatch.setattr(sys, "stderr", shown := stream())
    monkeypatch.setenv("TERM", "xterm")

    with _show_progress("Backing up") as advance:
        advance(2_000_000)

    assert ("2.0 MB" in shown.getvalue()) is is_shown
    assert is_shown or not shown.getvalue()
