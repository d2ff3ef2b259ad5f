"""Commands for operators of an installation."""
