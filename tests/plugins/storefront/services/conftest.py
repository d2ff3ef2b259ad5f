"""The messages of a cart."""

import pytest


@pytest.fixture
def get_messages():
    def get_messages(result):
        return [(message["type"], message["code"], message["path"]) for message in result["messages"]]

    return get_messages
