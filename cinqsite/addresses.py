"""Who really asks: the client's address and scheme behind trusted proxies, for HTTP and WebSocket, ASGI and WSGI.

A proxy's word counts only when the connection comes from a trusted address; the list is read from right to left, so
what a client wrote itself is never believed. The headers are then taken away: nothing inside may read them again.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

FORWARDED = {"x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-port", "x-real-ip", "forwarded"}
UNIX = "unix"

Address = IPv4Address | IPv6Address


def parse(text: str) -> Address | None:
    """The address in "1.2.3.4", "1.2.3.4:5678", "::1" or "[::1]:80"; IPv4 inside IPv6 as IPv4; None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class Proxies:
    """The proxies in front of us.

    `trusted`: their addresses, networks, or "unix" for a proxy on a Unix socket. `count`: so many entries from the
    right are believed whatever their address is, for platforms whose routers have no fixed one (0: none).
    """

    def __init__(self, trusted: Iterable[str] = (), count: int = 0) -> None:
        words = list(trusted)
        self.unix = UNIX in words
        self.networks: list[IPv4Network | IPv6Network] = [ip_network(word, strict=False) for word in words if word != UNIX]
        self.count = count

    def trusts(self, remote: str) -> bool:
        """Whether the peer of the connection is one of our proxies."""
        if self.count:
            return True
        if not remote:
            return self.unix
        address = parse(remote)
        return address is not None and any(address in network for network in self.networks)

    def client(self, remote: str, forwarded_for: str) -> str:
        """The client's address, given the connection's peer and the X-Forwarded-For header."""
        found = remote
        if not self.trusts(remote):
            return found
        for hop, entry in enumerate(reversed(forwarded_for.split(","))):
            address = parse(entry)
            if address is None:
                break
            found = str(address)
            if hop + 1 >= self.count and not any(address in network for network in self.networks):
                break
        return found
