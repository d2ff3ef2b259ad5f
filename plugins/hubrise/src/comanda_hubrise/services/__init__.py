"""The services of HubRise."""
