"""ONNX Runtime, which runs our models, with its maker's telemetry off: the one place to import it.

As its maker builds it, the library writes a device id and a database below the user's cache folder
as soon as it is loaded, and from about ten seconds on looks up its maker's host to send them. It
asks one environment variable, once, while it is loaded: set afterwards, or followed by
`disable_telemetry_events()` alone, it goes on (measured with 1.31.1). So `import halgo` sets it as
well, for whoever loads the library later in the process or in a process that this one starts.
"""

from __future__ import annotations

import os
from typing import Any

SWITCH, OFF = "ORT_DISABLE_TELEMETRY", "1"


def load() -> Any:
    """The package onnxruntime. Raises ImportError where it is not installed.

    What another library loaded before halgo was imported cannot be switched off any more.
    """
    # Any value that it does not know, an empty one too, leaves the telemetry on.
    if os.environ.get(SWITCH) != OFF:
        os.environ[SWITCH] = OFF
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # on Windows, where it is the system that gathers them
    return onnxruntime
