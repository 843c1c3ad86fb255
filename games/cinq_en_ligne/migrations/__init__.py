"""Migrations of 5inq en Ligne."""
