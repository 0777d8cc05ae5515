"""Weekly hours: which times belong to which days."""

from __future__ import annotations

import pytest

from halgo.signals.time.schedules import entries

WEEK = {name: at for at, name in enumerate(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])}


def read(sentence: str) -> list[tuple[str, dict[str, str], bool]]:
    names = list(WEEK)
    return [
        (
            " ".join(names[day] for day in sorted(entry.days)),
            {role: f"{time // 60}:{time % 60:02}" for role, (time, _) in entry.times.items()},
            entry.shut,
        )
        for entry in entries(sentence)
    ]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "Open Monday to Thursday from 7 am to 9 pm, on Fridays until 6 pm.",
            [
                ("Mon Tue Wed Thu", {"opens": "7:00", "closes": "21:00"}, False),
                ("Fri", {"opens": "7:00", "closes": "18:00"}, False),
            ],
        ),
        (
            "Tue–Fri 10:00–17:00, Sun 12:00–16:00; closed Mondays.",
            [
                ("Tue Wed Thu Fri", {"opens": "10:00", "closes": "17:00"}, False),
                ("Sun", {"opens": "12:00", "closes": "16:00"}, False),
                ("Mon", {}, True),
            ],
        ),
        (
            "Thursday May 23, 2024 Time: 01:00 PM – 05:00 PM.",
            [("Thu", {"opens": "13:00", "closes": "17:00"}, False)],
        ),
        (
            "From 8:00 to 20:00 on weekdays and from 10:00 to noon on Saturdays and Sundays.",
            [
                ("Mon Tue Wed Thu Fri", {"opens": "8:00", "closes": "20:00"}, False),
                ("Sat Sun", {"opens": "10:00", "closes": "12:00"}, False),
            ],
        ),
        (
            "It closes at 6 pm every day except Monday, when it closes at 3 pm.",
            [
                ("Tue Wed Thu Fri Sat Sun", {"closes": "18:00"}, False),
                ("Mon", {"closes": "15:00"}, False),
            ],
        ),
        (
            "Open from 9 am to 6 pm, on Saturdays and Sundays until 4 pm; Mondays from 11:00.",
            [
                ("Sat Sun", {"opens": "9:00", "closes": "16:00"}, False),
                ("Mon", {"opens": "11:00"}, False),
            ],
        ),
        (
            "The kiosk opens daily at 7 am, on Sundays at 9 am.",
            [
                ("Mon Tue Wed Thu Fri Sat", {"at": "7:00"}, False),
                ("Sun", {"at": "9:00"}, False),
            ],
        ),
        (
            "It opens at 9 am, but on Sundays not until 11 am.",
            [("Sun", {"opens": "11:00"}, False)],
        ),
        (
            "9 am to 6 pm, Monday to Friday, and 10 am to 4 pm on Saturdays.",
            [
                ("Mon Tue Wed Thu Fri", {"opens": "9:00", "closes": "18:00"}, False),
                ("Sat", {"opens": "10:00", "closes": "16:00"}, False),
            ],
        ),
        (
            "9 am to 6 pm, Monday to Friday (10 am to 4 pm on Saturdays).",
            [
                ("Mon Tue Wed Thu Fri", {"opens": "9:00", "closes": "18:00"}, False),
                ("Sat", {"opens": "10:00", "closes": "16:00"}, False),
            ],
        ),
        ("The office is open on Mondays.", [("Mon", {}, False)]),
        ("The meeting is at 9 am.", []),
        ("He sat in the sun and wed in May.", []),
        ("In 2019 it sold 10-12 cars a day.", []),
    ],
)
def test_each_day_has_its_times(
    sentence: str, told: list[tuple[str, dict[str, str], bool]]
) -> None:
    assert read(sentence) == told


def test_hostile_text_costs_no_more_than_plain_text() -> None:
    import time

    begun = time.process_time()
    for text in ("Mon-" * 2_000, "Monday 1-" * 1_500, "9:00-" * 2_000 + "Monday"):
        entries(text)
    assert time.process_time() - begun < 2.0
