"""Accounts at payment providers: whose money goes where, what it costs, what is paid out, and card readers."""
