"""`manage.py <name>`: one module a command."""
