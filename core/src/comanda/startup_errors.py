"""What stops a startup: each is one line that says what is wrong and with what."""


class StartupError(Exception):
    """Comanda cannot start with these plugins; the message is one line that names them."""


class DatabaseUnavailable(StartupError):
    """The database does not answer in time; where to look is added by who knows which database it is."""


class MissingDependency(StartupError):
    """A plugin needs another that is not installed or is disabled."""


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
