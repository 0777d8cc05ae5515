"""Ranges of versions as texts write them, and what lies within."""

from __future__ import annotations

import pytest

from halgo.signals.quantities.versions import versions


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Python 3.10 and newer", "3.10 or newer"),
        ("MariaDB is supported from version 10.4 on", "10.4 or newer"),
        ("firmware between 2.1 and 2.4", "2.1 to 2.4"),
        ("MySQL 5.7 up to and including 8.0", "5.7 to 8.0"),
        ("numpy >= 1.21, < 2", "1.21 or newer but older than 2"),
        ("builds older than 4.2", "older than 4.2"),
        ("TLS 1.2 is accepted; older versions are refused", "1.2 or newer"),
        ("Django 3.x", "3 or newer but older than 4"),
        ("an upgrade from 5.2", ""),
    ],
)
def test_a_range_of_versions_is_read_with_its_ends(text: str, told: str) -> None:
    (found,) = versions(text)
    assert found.range == told


@pytest.mark.parametrize(
    ("text", "parts", "within"),
    [
        ("Python 3.10 and newer", (3, 9), False),
        ("Python 3.10 and newer", (3, 10, 2), True),
        ("Python 3.10 and newer", (3,), None),
        ("Gradle 7.0 to 8.4", (8, 4, 1), None),
        ("numpy >= 1.21, < 2", (2, 1), False),
        ("TLS 1.2 is accepted; older versions are refused", (1, 3), None),
        ("Windows Server 2016 or later", (10,), None),
    ],
)
def test_versions_compare_part_by_part(
    text: str, parts: tuple[int, ...], within: bool | None
) -> None:
    (found,) = versions(text)
    assert found.holds(parts) is within
