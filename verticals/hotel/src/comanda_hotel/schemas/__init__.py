"""Requests and answers of the hotel vertical."""
