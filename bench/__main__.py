"""Runs the benches named on the command line, or all; each figure is a JSON line on standard output."""

from __future__ import annotations

import argparse
import subprocess
import sys

from bench.house import House

PURE = ("engine", "cinq_rois", "cinquante_cinq", "cinq_en_ligne", "ranks", "staff")
ONLINE = ("games", "web", "push", "clock", "pages")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PURE, *ONLINE, []], help="which benches; none: all")
    names = parser.parse_args().names or [*PURE, *ONLINE]
    for name in PURE:
        if name in names:
            subprocess.run([sys.executable, "-m", f"bench.{name}"], check=True)
    if set(names) & set(ONLINE):
        with House() as house:
            # Only now is Django set up on the house's database.
            from bench import clock, games, pages, push, web

            runners = {"games": games.run, "web": web.run, "push": push.run, "clock": clock.run, "pages": pages.run}
            for name in ONLINE:
                if name in names:
                    runners[name](house)
    return 0


if __name__ == "__main__":
    sys.exit(main())
