"""Photos are converted as the product does it."""

import pytest
from comanda.platform.photos import conversion


@pytest.fixture(autouse=True)
def genuine_photo_worker(monkeypatch, photo_worker):
    monkeypatch.setattr(conversion, "_run_worker", photo_worker)
