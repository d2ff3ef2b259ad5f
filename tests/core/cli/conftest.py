import shutil

import pytest
from comanda.db.embedded import EmbeddedPostgres
from comanda.testing.processes import Installation, data_folder


@pytest.fixture(scope="module")
def installation():
    """A data folder whose database stays up for all tests of a module, so that no command waits for it."""
    data = data_folder()
    with EmbeddedPostgres(data):
        yield Installation(data, {})
    shutil.rmtree(data)
