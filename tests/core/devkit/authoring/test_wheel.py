"""Rules for wheels."""

from comanda.devkit.authoring import wheel
from comanda.devkit.authoring.source import read_source


def test_a_wheel_that_leaves_files_out(feature, uv, monkeypatch):
    monkeypatch.setenv("UV", uv)
    lacking = '\n[tool.uv.build-backend]\nwheel-exclude = ["docs/**", "**/docs/**"]\n'
    manifest = feature.folder / "pyproject.toml"
    manifest.write_text(manifest.read_text() + lacking)

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert found.rule == "wheel-contents"
    assert found.sentence == "The wheel does not contain comanda_my_feature/docs/my-feature.md."
    assert not (feature.folder / "dist").exists()


def test_a_wheel_that_cannot_be_built(feature, uv, monkeypatch):
    monkeypatch.setenv("UV", uv)
    feature.edit("pyproject.toml", 'version = "0.1.0"', 'version = "first"')

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert found.rule == "wheel-builds"


def test_missing_build_tool_is_reported_as_unchecked(feature, monkeypatch):
    monkeypatch.setattr(wheel, "_find_builder", lambda: None)

    (found,) = wheel.check_wheel(read_source(feature.folder))

    assert (found.rule, found.severity.value) == ("unchecked", "warning")
