"""The pages of HubRise."""
