"""Traces for the operator's OpenTelemetry collector."""
