"""Migrations of Six fous."""
