"""Checks of files."""


def test_a_plugin_as_written_has_no_finding(feature):
    assert feature.static() == []


def test_a_file_that_is_not_python(feature):
    feature.add("event_handlers.py", "def f(:\n")

    assert feature.static() == [("syntax", "src/comanda_my_feature/event_handlers.py", 1)]
