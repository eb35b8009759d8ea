"""An attacker's client, a process of its own: prebuilt requests over a few connections, at a pace.

It reads what to do as JSON and prints how often each status came. It takes as little CPU time as it can, and less than
the server and its readers, since all of them share one machine.
"""

import asyncio
import base64
import contextlib
import json
import os
import sys
import time
from collections import Counter
from typing import Any

# A client that is kept waiting longer hangs up and comes back.
TIMEOUT_SECONDS = 20.0
# Where slow bodies come from.
ADDRESSES = 8
# Between two bytes of a slow body.
DRIP_SECONDS = 0.3


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer; raises what a broken connection raises."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
        return status, body
    at = lower.find(b"content-length:")
    length = int(lower[at + 15 :].split(b"\r", 1)[0]) if at >= 0 and status != 304 else 0
    return status, await reader.readexactly(length) if length else b""


class Attack:
    """So many connections that send these requests in turn, together at most `pace` in a second."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.port, self.pace, self.connections = plan["port"], plan["pace"], plan["connections"]
        self.requests = [base64.b64decode(each) for each in plan["requests"]]
        self.until = time.monotonic() + plan["seconds"]
        self.is_slow = plan["slow"]
        self.sent = 0
        self.statuses: Counter[str] = Counter()

    async def run(self) -> None:
        """Send until the time is over."""
        if self.is_slow:
            await asyncio.gather(*(self.drip(number) for number in range(self.connections)))
        else:
            await asyncio.gather(*(self.loop() for _ in range(self.connections)))

    async def connect(self, site: str = "127.0.0.1") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(site, 0))

    def next_request(self) -> bytes:
        """Return the next request and when it is due."""
        self.sent += 1
        return self.requests[(self.sent - 1) % len(self.requests)]

    async def loop(self) -> None:
        """Ask, read, ask again."""
        began = time.monotonic()
        writer = None
        while time.monotonic() < self.until:
            due = began + self.sent / self.pace
            what = self.next_request()
            if (wait := due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            try:
                if writer is None:
                    reader, writer = await self.connect()
                writer.write(what)
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    status, _ = await read_answer(reader)
                self.statuses[str(status)] += 1
            except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as broken:
                self.statuses[type(broken).__name__] += 1
                if writer:
                    writer.close()
                writer = None
        if writer:
            writer.close()

    async def drip(self, number: int) -> None:
        """Begin a body and send a byte of it now and then, with no proxy between: a proxy sends bodies whole."""
        while time.monotonic() < self.until:
            with contextlib.suppress(OSError, EOFError):
                reader, writer = await self.connect(f"127.0.1.{1 + number % ADDRESSES}")
                writer.write(self.next_request())
                answer = asyncio.create_task(reader.read(400))
                while time.monotonic() < self.until and not answer.done():
                    writer.write(b"a")
                    await asyncio.sleep(DRIP_SECONDS)
                if answer.done():
                    self.statuses[(await answer)[9:12].decode() or "hung up"] += 1
                else:
                    answer.cancel()
                    self.statuses["held"] += 1
                writer.close()
                await asyncio.sleep(self.connections / self.pace)


if __name__ == "__main__":
    os.nice(10)
    attack = Attack(json.loads(sys.stdin.read()))
    asyncio.run(attack.run())
    sys.stdout.write(json.dumps(attack.statuses))
