"""The HTTP server: answers in, reports out, for programs in any language and for a browser.

`halgo serve` starts it; `halgo.server.app.create_app` makes the ASGI application, for a server of
one's own. Needs the extra `serve`; nothing else of halgo imports it.
"""
