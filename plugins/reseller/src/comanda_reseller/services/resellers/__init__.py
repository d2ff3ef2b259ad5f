"""Resellers themselves: their accounts, tiers, figures, and what they owe the platform."""
