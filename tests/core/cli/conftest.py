import shutil

import pytest
from comanda.devkit.testing.processes import Installation, create_data_folder
from comanda.embedded.server import EmbeddedPostgres


@pytest.fixture(scope="module")
def installation():
    """A data folder whose database stays up for all tests of a module, so that no command waits for it."""
    data = create_data_folder()
    with EmbeddedPostgres(data):
        yield Installation(data, {})
    shutil.rmtree(data)
