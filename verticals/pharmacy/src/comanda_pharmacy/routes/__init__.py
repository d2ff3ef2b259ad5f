"""The routes of pharmacies."""
