"""The network between the instances and their database: a TCP proxy for each instance and server, which can be made bad.

Its arguments are the port of each one's server. Controlled by lines of JSON on its standard input: {"link": 0, "mode": "delay", "value": 0.2}. The modes, of which each stays until
the next:

    pass       as it should be
    delay      every piece takes `value` seconds longer, either way
    throttle   `value` bytes a second, either way
    silence    nothing passes; what was sent meanwhile comes afterwards, as TCP has it
    refuse     no new connections, and those that there are, are reset
    swallow    what the database answers is lost, and the connection is reset `value` seconds later: what waits for
               the end of a transaction does not learn of it

`target` has new connections lead to the port `value`. And, once, for the connections that there are: `reset`, `half_close_client` and `half_close_server`, after which that side
hears that no more will come while its own words still pass.
"""

import asyncio
import json
import socket
import struct
import sys


class Link:
    def __init__(self, port):
        self.target = port
        self.mode, self.value = "pass", 0
        self.changed = asyncio.Event()
        self.pairs = set()

    def set(self, mode, value):
        if mode in ("reset", "half_close_client", "half_close_server"):
            for client, server in list(self.pairs):
                if mode == "reset":
                    reset(client)
                    reset(server)
                else:
                    half_close(client if mode == "half_close_client" else server)
            return
        if mode == "target":
            self.target = value
            return
        self.mode, self.value = mode, value
        self.changed.set()
        self.changed = asyncio.Event()
        if mode == "refuse":
            self.set("reset", 0)

    async def accept(self, reader, writer):
        if self.mode == "refuse":
            reset(writer)
            return
        try:
            to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            reset(writer)
            return
        pair = (writer, to_server[1])
        self.pairs.add(pair)
        try:
            await asyncio.gather(
                self.pump(reader, to_server[1], False, pair), self.pump(to_server[0], writer, True, pair)
            )
        finally:
            self.pairs.discard(pair)
            for each in pair:
                each.close()

    async def pump(self, reader, writer, is_answer, pair):
        try:
            while data := await reader.read(65_536):
                while self.mode == "silence":
                    await self.changed.wait()
                if self.mode == "delay":
                    await asyncio.sleep(self.value)
                elif self.mode == "throttle":
                    await asyncio.sleep(len(data) / self.value)
                elif self.mode == "swallow" and is_answer:
                    await asyncio.sleep(self.value)
                    for each in pair:
                        reset(each)
                    return
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()
        except (OSError, RuntimeError):
            # One side is gone, and so the other shall be.
            for each in pair:
                reset(each)


def reset(writer):
    """Ends a connection as a crash does, without the usual farewell."""
    try:
        linger = struct.pack("ii", 1, 0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    except (OSError, AttributeError):
        pass
    writer.transport.abort()


def half_close(writer):
    try:
        writer.write_eof()
    except (OSError, RuntimeError):
        pass


async def main(*targets):
    links = [Link(target) for target in targets]
    servers = [await asyncio.start_server(link.accept, "127.0.0.1", 0, backlog=256) for link in links]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    commands = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while line := await commands.readline():
        command = json.loads(line)
        links[command["link"]].set(command["mode"], command["value"])


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
