"""Restoration of backups."""

import pytest
from comanda.contracts.data.model_sets import ModelSet
from comanda.operations.backups.archive import FORMAT, Manifest
from comanda.operations.backups.errors import BackupError
from comanda.operations.backups.restoration import check_versions
from comanda_migrations.history import steps


def test_backup_of_another_version_is_rejected():
    core = ModelSet("core", (), "comanda_migrations.core")
    known = [step.version for step in steps(core)]

    check_versions(Manifest(FORMAT, "0.1.0", "", 18, "public", {"core": known, "rose": ["7_9_gone"]}), [core])
    with pytest.raises(BackupError, match="another version of core: it has 99_20990101000000_later"):
        check_versions(
            Manifest(FORMAT, "0.1.0", "", 18, "public", {"core": [*known, "99_20990101000000_later"]}), [core]
        )
