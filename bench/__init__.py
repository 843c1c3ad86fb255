"""Figures of the site, one JSON line each: `python -m bench [engine] [web] [push] [clock] [pages]`."""
