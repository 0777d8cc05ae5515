"""Stores of vectors that outgrow a machine, behind the protocol `VectorStore`.

`fill` puts the vectors of an index into one, `searched_in` gives the index that is searched there.
"""

from __future__ import annotations

from halgo.vectorstores.filling import Filled, fill
from halgo.vectorstores.in_memory import MemoryStore
from halgo.vectorstores.lance import LanceStore
from halgo.vectorstores.postgres import PostgresStore
from halgo.vectorstores.stored_search import searched_in

__all__ = ["Filled", "LanceStore", "MemoryStore", "PostgresStore", "fill", "searched_in"]
