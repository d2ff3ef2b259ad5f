"""The routes of HubRise."""
