"""A process of its own that posts one move many times: `python -m tests.concurrency.poster CODE USER TEXT SEEN COUNT [REQUEST]`.

Prints how the posts ended as JSON: {"played": n, "repeated": n, "<refusal>": n}, and the plies answered.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from uuid import UUID, uuid4

import django


def main() -> None:
    code, user_id, text, seen, count, *fixed = sys.argv[1:]
    django.setup()
    from accounts.models import User
    from games import errors
    from games.services import moves

    user = User.objects.get(pk=user_id)
    ends: Counter[str] = Counter()
    plies = set()
    sys.stdin.readline()  # everybody begins at the same word
    for _ in range(int(count)):
        request = UUID(fixed[0]) if fixed else uuid4()
        try:
            played = moves.play(code, user=user, text=text, seen=int(seen), request=request)
        except errors.Refused as refusal:
            ends[type(refusal).__name__] += 1
        else:
            ends["repeated" if played.repeated else "played"] += 1
            plies.add(played.ply)
    print(json.dumps({"ends": ends, "plies": sorted(plies)}))


if __name__ == "__main__":
    main()
