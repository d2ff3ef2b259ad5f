"""A server of S3 that checks signatures."""

import pytest
from s3_server import KEY_ID, REGION, SECRET, s3_server


@pytest.fixture(scope="module")
def s3():
    with s3_server() as server:
        yield server


@pytest.fixture
def s3_address(s3, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY_ID)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    s3.objects.clear()
    return f"s3://menus/a/b?endpoint=http://127.0.0.1:{s3.server_address[1]}&region={REGION}"
