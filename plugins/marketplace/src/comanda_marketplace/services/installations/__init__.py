"""Installed apps: their pages, webhooks and session tokens, and what follows from an uninstallation."""
