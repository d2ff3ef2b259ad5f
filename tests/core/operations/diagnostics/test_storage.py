"""Checks of the data folder."""

import pytest
from comanda.operations.diagnostics.results import CheckStatus
from comanda.operations.diagnostics.storage import check_storage
from comanda.platform.settings import Settings


def settings(**values):
    return Settings.model_construct(**values)


def storage(folder, **values):
    found = check_storage(settings(data=folder, database_url=None, **values))
    return {finding.subject: finding for finding in found}


def test_missing_data_folder_is_not_checked(tmp_path):
    found = storage(tmp_path / "none")["data folder"]

    assert found.status is CheckStatus.NOT_CHECKED


def test_a_data_folder_that_everybody_may_change_is_reported(tmp_path):
    tmp_path.chmod(0o777)

    assert storage(tmp_path)["data folder"].advice == f"Run `chmod o-w {tmp_path}`."
    tmp_path.chmod(0o711)
    assert storage(tmp_path)["data folder"].status is CheckStatus.OK


@pytest.mark.parametrize("name", ["demo.json", "secret.keys"])
def test_secrets_that_others_can_read_are_reported(tmp_path, name):
    (tmp_path / name).write_text("")
    (tmp_path / name).chmod(0o640)

    found = storage(tmp_path)["data folder"]

    assert (found.status, found.found) == (CheckStatus.PROBLEM, f"{name} in {tmp_path} are readable by other users")
    (tmp_path / name).chmod(0o600)
    assert storage(tmp_path)["data folder"].status is CheckStatus.OK


def test_the_disk_of_a_database_elsewhere_is_not_checked(tmp_path):
    found = list(check_storage(settings(data=tmp_path, database_url="postgres://db/x")))

    assert [finding.subject for finding in found if finding.status is CheckStatus.NOT_CHECKED] == ["disk of database"]
