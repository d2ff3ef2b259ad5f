"""The options of ``comanda listen``."""

import pytest
from click.testing import CliRunner
from comanda_webhooks.commands import listen as command


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--register"], "--register needs --token"),
        (["--register", "--token", "own_x", "--secret", "whsec_x"], "--register creates a secret of its own"),
        (["--port", "0", "--secret", "whsec_§"], "This is not a signing secret of Comanda"),
    ],
)
def test_invalid_options_are_explained(arguments, sentence, monkeypatch):
    monkeypatch.delenv("COMANDA_TOKEN", raising=False)

    done = CliRunner().invoke(command, arguments)

    assert done.exit_code != 0
    assert sentence in done.output
