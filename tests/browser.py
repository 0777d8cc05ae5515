"""A headless Chromium for the tests of pages; without one they are skipped, with the reason."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or "/usr/bin/chromium"


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser of Playwright's; skips the test where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    if not Path(CHROMIUM).exists():
        pytest.skip("needs Chromium; on Debian the package chromium brings it")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def axe() -> str:
    """The script of axe-core, from the package that carries it; skips without."""
    spec = importlib.util.find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("needs axe-core, which comes with the package axe-playwright-python")
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


class Watched:
    """A tab that keeps what it asked for and what its console said."""

    def __init__(self, browser: Any, **settings: Any) -> None:
        self.context = browser.new_context(**settings)
        self.tab = self.context.new_page()
        self.asked: list[str] = []
        self.said: list[str] = []
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def violations(self, script: str) -> list[str]:
        """What axe-core finds in the page as it is, a line each."""
        # By the debugger, so that the page's own policy, which forbids scripts, is no obstacle.
        self.tab.evaluate(script + "; undefined")
        found = self.tab.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
            for one in found["violations"]
            for node in one["nodes"]
        ]
