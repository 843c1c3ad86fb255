"""Django management commands of the wiring."""
