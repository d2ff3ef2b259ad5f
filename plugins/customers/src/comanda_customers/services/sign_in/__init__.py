"""How customers register and log in, by password or by code, and the tokens and sessions that they get."""
