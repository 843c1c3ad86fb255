"""Figures of the site, one JSON line each: `python -m bench [engine] [games] [web] [push] [clock] [pages]`."""
