"""Helpers for menus."""


def list_items(menu):
    return [item for category in menu for item in category["items"]]
