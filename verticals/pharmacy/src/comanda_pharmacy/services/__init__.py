"""The services of pharmacies."""
