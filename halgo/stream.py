"""Text in pieces -> results, each as soon as no later piece can change it.

A sentence is closed once the next one has begun: sentences are split so that a longer text never
moves the end of an earlier one, references are resolved backward only, and the one thing that
looks ahead, whether a line in bold is a heading, waits for it. So any cut of a text gives the
report of the whole, and each claim is checked once.

What is read again for the next piece is only the end of the text, from the last place on at which
reading can start afresh: a blank line, a list's item, a heading. A stretch without such a place
(a table, code, one long paragraph) is read again only when it has grown by a sixteenth, so that
the work grows with the text and not with its square; its results then come that much later.
"""

from __future__ import annotations

import asyncio
import copy
import re
import threading
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from halgo.claims.extract import Extraction, blocks_of, may_head
from halgo.claims.markers import CANDIDATE, LOOKAHEAD, Begun, begun_at, marks_of
from halgo.claims.unmark import settled, unmarked
from halgo.report.events import claim_event, progress_event, verification_event
from halgo.report.report import Report
from halgo.sources.restarts import restarts
from halgo.sources.sentences import LONGEST, split
from halgo.sources.stops import OTHER_STOPS
from halgo.types import Claim, ClaimResult, Piece, Reading, Sentence

if TYPE_CHECKING:
    from halgo.checker import Checker

# What may yet be a tag, an entity, an image or a mark of emphasis, which is no text of its own.
_UNFINISHED = re.compile(r"(?:<(?:[A-Za-z/][^>]*|!.*)?|&#?\w*|[*_~]+|!(?:\[.*)?)\Z", re.DOTALL)
# Without one of these behind it no sentence ends, but for one that is too long.
_MAY_END = re.compile(rf"[.!?\u2026{OTHER_STOPS}\n\r\f\v\x85\u2028\u2029]")
# A mark that many characters back has ended its sentence by now, or will not before the next one.
_DECIDED = 100
# What has been read is let go of from so many characters on.
_LET_GO = 500
# A stretch longer than this is read again only when it has grown by this share.
_AT_ONCE = 2 * LONGEST
_GROWN = 1 / 16
# One sentence is checked ahead at most so often: it may hold "e.g." or "1.5".
_GUESSES = 3


class Session:
    """One answer that is checked while it is written. Not for several threads at a time.

    One that comes while another is at it gets a RuntimeError, and changes nothing. A piece whose
    check fails is not lost: the text is kept, and the next call checks it again. question: what
    the answer is given to, as `Checker.check` takes it.
    """

    def __init__(self, checker: Checker, question: str | None = None) -> None:
        self._checker = checker
        self._extraction = Extraction(checker.config.granularity, question or "")
        self._pieces: list[str] = []
        self._finished: Report | None = None
        # The part of the text that is still read: from `_offset` on, `_taken` sentences of which
        # are claims already; the first that is not begins at `_open`. `_new` is not read yet.
        self._window = ""
        self._new: list[str] = []
        self._offset = self._taken = self._open = 0
        # What stands right before the window, and how the text before that left off: citation
        # marks are told from there.
        self._before = ""
        self._begun = Begun()
        self._length = 0  # of the whole text
        self._mark = -1  # the last character in it that may end a sentence
        self._marked = False  # whether anything in it may be a citation mark
        self._told: dict[str, Any] = {}  # the event of progress that was given last
        self._claims: list[Claim] = []
        self._judged = 0  # of these claims
        self._checked = 0
        self._results: list[ClaimResult] = []
        self._ahead: dict[Claim, ClaimResult] = {}  # of claims that are not closed yet
        self._guessed = (0, 0)  # where the sentence begins that was checked ahead, and how often
        self._busy = threading.Lock()

    def __repr__(self) -> str:
        counts = f"fed={self._length}, checked={self._checked}, claims={len(self._results)}"
        return f"<Session {counts}, finished={self._finished is not None}>"

    @property
    def text(self) -> str:
        """What has been fed so far."""
        return "".join(self._pieces)

    @property
    def checked(self) -> int:
        """How many characters of the text hold checked sentences only: up to the first open one."""
        return self._checked

    @property
    def report(self) -> Report:
        """The report on the sentences that have been checked so far; `answer` is the text so far.

        After `finish` it is the report on the whole.
        """
        if self._finished is not None:
            return self._finished
        return self._checker.assembled(self.text, self._claims[: self._judged], self._results)

    def feed(self, piece: str) -> list[ClaimResult]:
        """Takes in the next piece; the results of the claims that are closed by it, in order.

        Raises TypeError for a piece that is no string, ValueError after `finish`, RuntimeError
        while another thread is at it.
        """
        if not isinstance(piece, str):
            raise TypeError(f"a piece is a string, not {type(piece).__name__}: {piece!r:.80}")
        with self._alone():
            return self._fed(piece)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps out a second thread, whose piece would be lost or checked twice."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                "this session is checking a piece in another thread; feed the next one once that "
                "has returned, or make a session for each answer with checker.session()"
            )
        try:
            yield
        finally:
            self._busy.release()

    def _fed(self, piece: str) -> list[ClaimResult]:
        if self._finished is not None:
            raise ValueError("this session is finished; start a new one with checker.session()")
        self._pieces.append(piece)
        self._new.append(piece)
        for found in _MAY_END.finditer(piece):
            self._mark = self._length + found.start()
        self._length += len(piece)
        if self._may_close():
            self._take(whole=False)
        return self._check()

    def _may_close(self) -> bool:
        """Whether a sentence may have been closed since the text was read last."""
        size, read = self._length - self._offset, len(self._window)
        if size > _AT_ONCE:
            return size - read > _GROWN * read
        since = max(self._offset + self._open, self._offset + read - _DECIDED)
        return self._mark >= since or (size - self._open > LONGEST and size - read > _DECIDED)

    def finish(self) -> Report:
        """The report on the whole, equal to `checker.check` of it; again the same when repeated."""
        with self._alone():
            if self._finished is None:
                self._take(whole=True)
                self._check()
                self._checked = self._length
                self._finished = self.report
            return self._finished

    def look_ahead(self) -> None:
        """Checks what the text would hold if it ended here, while the next piece is waited for.

        Whether a sentence is at its end only the word behind it tells. If it was, its result is
        there then; if not, this was for nothing, which is why a sentence is tried a few times only.
        """
        with self._alone():
            self._look_ahead()

    def _look_ahead(self) -> None:
        start = self._offset + self._open
        count = self._guessed[1] + 1 if self._guessed[0] == start else 1
        if self._finished or count > _GUESSES or self._length - self._offset > _AT_ONCE:
            return
        self._guessed = (start, count)
        whole = copy.copy(self)
        whole._extraction, whole._claims = copy.deepcopy(self._extraction), []
        whole._take(whole=True)
        claims = [claim for claim in whole._claims if claim.kind.checked]
        results = self._checker.judge(claims) if claims else []
        self._ahead = dict(zip(claims, results, strict=True))

    def stream(self, pieces: Iterable[str | None]) -> Iterator[dict[str, Any]]:
        """Feeds all pieces and finishes: events of type claim, progress, and last verification.

        None among them is passed over, as models have it where nothing is said. What `pieces`
        raises comes through; `report` then has what was checked before.
        Raises TypeError when it is one string or cannot be iterated.
        """
        if isinstance(pieces, (str, bytes)) or not isinstance(pieces, Iterable):
            raise TypeError(
                "stream takes an iterable of strings, for a whole answer use check(); "
                f"given was {type(pieces).__name__}: {pieces!r:.80}"
            )
        return self._stream(pieces)

    def astream(self, pieces: AsyncIterable[str | None]) -> AsyncIterator[dict[str, Any]]:
        """`stream` for an asynchronous source; the checks run in a worker thread."""
        if not isinstance(pieces, AsyncIterable):
            raise TypeError(
                "astream takes an asynchronous iterable of strings, for another use stream(); "
                f"given was {type(pieces).__name__}: {pieces!r:.80}"
            )
        return self._astream(pieces)

    def _stream(self, pieces: Iterable[str | None]) -> Iterator[dict[str, Any]]:
        for piece in pieces:
            if piece is not None:
                yield from self._events(piece)
        yield from self._events(None)

    async def _astream(self, pieces: AsyncIterable[str | None]) -> AsyncIterator[dict[str, Any]]:
        async for piece in pieces:
            if piece is None:
                continue
            for event in await asyncio.to_thread(self._events, piece):
                yield event
        for event in await asyncio.to_thread(self._events, None):
            yield event

    def _events(self, piece: str | None) -> list[dict[str, Any]]:
        """The events of the next piece; None for the end."""
        before, known = self._judged, len(self._results)
        if piece is None:
            self.finish()
        else:
            self.feed(piece)
        if self._judged == before and piece is not None:
            return []
        # Of what is new alone: a report of all at each piece would be work with the square.
        claims, results = self._claims[before : self._judged], self._results[known:]
        new = self._checker.report("", claims, results)
        events = [claim_event(claim) for claim in new.claim_dicts()]
        return [*events, verification_event(self.report) if piece is None else self._progress(new)]

    def _progress(self, new: Report) -> dict[str, Any]:
        """The event of progress, with what is new added to what was told before."""
        event, before = progress_event(new), self._told
        event["characters"] = self._length
        if before:
            event["sentences"] += before["sentences"]
            event["claims_checked"] += before["claims_checked"]
            event["counts"] = {
                verdict: count + before["counts"][verdict]
                for verdict, count in event["counts"].items()
            }
        self._told = event
        return {**event, "counts": dict(event["counts"])}

    def _take(self, *, whole: bool) -> None:
        """Makes claims of the sentences that are closed; of all when the text is whole."""
        self._window = "".join([self._window, *self._new])
        self._new = []
        sentences = split(self._window)
        end = len(sentences) if whole else self._closed(sentences)
        if end > self._taken:
            self._taken = self._claimed(sentences, end, whole)
        if not whole and self._taken < len(sentences):
            self._open = sentences[self._taken].span.start
            self._let_go(sentences)

    def _claimed(self, sentences: list[Sentence], end: int, whole: bool) -> int:
        """Makes claims of the sentences up to `end`; how many of them are claims then.

        Those wait of which a later character may still say that they are code or a source.
        """
        self._marked = self._marked or CANDIDATE.search(self._window) is not None
        text, by = self._before + self._window, len(self._before)
        marks = marks_of(text, begun=self._begun)
        place = len(text) if whole else settled(text, marks, self._marked)
        while end > self._taken and sentences[end - 1].span.end + by > place:
            end -= 1
        # With the one that follows, which says whether the last of them is a heading.
        some = [_moved(one, by) for one in sentences[self._taken : end + 1]]
        if self._marked:
            some = unmarked(text, some, marks)
        count = end - self._taken
        blocks = blocks_of(text, some)[:count]
        some = [_moved(one, self._offset - by) for one in some[:count]]
        self._claims += self._extraction.claims(some, blocks)
        return end

    def _closed(self, sentences: list[Sentence]) -> int:
        count = len(sentences) - 1
        if count > 0 and _UNFINISHED.match(sentences[count].reading.text):
            count -= 1
        if count > 0 and may_head(self._window, sentences[count - 1]):
            count -= 1
        return count

    def _let_go(self, sentences: list[Sentence]) -> None:
        """Forgets what stands before the last restart that is followed by an open sentence."""
        if self._open < _LET_GO:
            return
        place = max((at for at in restarts(self._window) if at <= self._open), default=0)
        if place:
            self._leave(place)
            self._taken -= sum(sentence.span.end <= place for sentence in sentences)
            self._window = self._window[place:]
            self._offset += place
            self._open -= place

    def _leave(self, place: int) -> None:
        """Forgets what citation marks from `place` in the window on do not need."""
        text = self._before + self._window
        place += len(self._before)
        line, self._begun = begun_at(text, min(place, len(text) - LOOKAHEAD), self._begun)
        self._before = text[line:place]

    def _check(self) -> list[ClaimResult]:
        """Results for the claims that have none yet."""
        new = self._claims[self._judged :]
        wanted = [claim for claim in new if claim.kind.checked]
        unknown = [claim for claim in wanted if claim not in self._ahead]
        judged = self._checker.judge(unknown) if unknown else []
        known = self._ahead | dict(zip(unknown, judged, strict=True))
        belied = {found.claim.id: found for found in self._checker.belied(new)}
        new = self._checker.noted([belied[c.id].claim if c.id in belied else c for c in new])
        self._claims[self._judged :] = new
        results = sorted(
            [*(known[claim] for claim in wanted), *belied.values()],
            key=lambda found: found.claim.id,
        )
        self._results += results
        self._judged += len(new)
        self._checked = self._offset + self._open
        return results


def _moved(sentence: Sentence, by: int) -> Sentence:
    if not by:
        return sentence
    reading = sentence.reading
    pieces = tuple(Piece(piece.at, piece.span.shift(by), piece.code) for piece in reading.pieces)
    return Sentence(sentence.span.shift(by), Reading(reading.text, pieces), sentence.block)
