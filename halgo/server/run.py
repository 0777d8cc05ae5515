"""An application on a socket: uvicorn, stopped so that all that was taken is finished.

The first signal to stop makes `/ready` say no and refuses new work, while what was taken goes on
and the socket stays open, so that a load balancer can see it; the second stops at once.
"""

from __future__ import annotations

import logging
import socket
import time
from types import FrameType

import uvicorn

from halgo.server.app import create_app
from halgo.server.logs import Libraries
from halgo.server.service import Service

GRACE_S = 30.0
_SEEN_S = 1.0  # an idle server too goes on so long, for the load balancer


class Server(uvicorn.Server):
    """A server that drains before it stops."""

    def __init__(self, config: uvicorn.Config, service: Service, grace_s: float = GRACE_S) -> None:
        super().__init__(config)
        self._service, self._grace_s = service, grace_s
        self._asked: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to serve these sockets."""
        # Head and body of a response are written one after the other. asyncio sends both at once
        # only on sockets that were made with IPPROTO_TCP; on others the body waits some 40 ms for
        # the client to acknowledge the head. Connections take the option from their listener.
        for one in sockets or ():
            if one.family in (socket.AF_INET, socket.AF_INET6):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop."""
        if self._asked is not None:
            super().handle_exit(sig, frame)
            return
        self._asked = time.monotonic()
        self._service.engine.drain()

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; whether to stop."""
        if self._asked is not None:
            waited = time.monotonic() - self._asked
            done = self._service.engine.idle and waited > _SEEN_S
            if done or waited > self._grace_s:
                self.should_exit = True
        return await super().on_tick(counter)


def server(service: Service, grace_s: float = GRACE_S) -> Server:
    """A server for a service that the caller starts and stops."""
    config = uvicorn.Config(
        create_app(service),
        # It logs paths and the messages of exceptions, which may hold text of users.
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
    )
    return Server(config, service, grace_s)


def serve(service: Service, listening: socket.socket, grace_s: float = GRACE_S) -> None:
    """Serves until a signal stops it. Raises what kept models or documents from being loaded."""
    running = server(service, grace_s)

    def failed() -> None:
        running.should_exit = True

    # Else Python prints what libraries say, which may quote a request.
    logging.basicConfig(handlers=[Libraries(service.log)], force=True)
    service.start(failed)
    try:
        running.run(sockets=[listening])
    finally:
        service.stop()
    if service.failure is not None:
        raise service.failure
