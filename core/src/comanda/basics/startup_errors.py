"""What stops a startup: each is one line that says what is wrong and with what."""


class StartupError(Exception):
    """Comanda cannot start; the message is one line. ``plugins`` are those of which one is left out to start anyway."""

    def __init__(self, message: str, *plugins: str) -> None:
        super().__init__(message)
        self.plugins = plugins


class DatabaseUnavailable(StartupError):
    """The database does not answer in time; where to look is added by who knows which database it is."""


class MissingDependency(StartupError):
    """A plugin needs another that is not installed or is disabled."""


class IncompatibleVersion(StartupError):
    """A plugin needs another version of core or of another plugin than the one that is installed."""


class BrokenPlugin(StartupError):
    """A plugin cannot be imported, or implements a hook that does not exist."""


class DuplicateRegistration(StartupError):
    """Two plugins declare the same name."""


class UnknownReference(StartupError):
    """A declaration refers to something that no plugin declares."""


class InvalidDeclaration(StartupError):
    """A declaration breaks a rule of the contract."""


class InvalidSettings(StartupError):
    """A setting does not validate."""
