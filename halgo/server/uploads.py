"""An upload (multipart/form-data) -> Documents, held in memory: nothing of it touches the disk."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

from python_multipart.exceptions import FormParserError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import Request

from halgo.errors import DocumentError, MissingDependencyError
from halgo.server.limits import Limits
from halgo.server.refusals import Refused
from halgo.sources.documents import unique
from halgo.sources.readers import read_bytes
from halgo.types import Document

_LONGEST_NAME = 200


class _InMemory(MultiPartParser):
    """The parser with a spool that no upload outgrows: the body is bounded before it gets here."""

    spool_max_size = 1 << 40


Upload = tuple[str, bytes]  # a file's name, its bytes


async def received(request: Request, limits: Limits) -> tuple[str | None, list[Upload]]:
    """The field "name", None where there is none, and the files of an upload.

    Raises Refused for what is no such upload, holds no file, or too many.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise Refused(
            "unsupported_media_type",
            "send files as multipart/form-data: curl -F files=@handbook.md",
        )
    form = await _form(request, limits)
    name = form.get("name")
    files: list[Upload] = []
    try:
        for given in form.getlist("files"):
            if not isinstance(given, UploadFile):
                said = 'body.files: a file with a name: "files=@handbook.md"'
                raise Refused("invalid_request", said)
            files.append((_plain_name(given.filename or ""), await given.read()))
    finally:
        await form.close()
    if not files:
        raise Refused("invalid_request", 'body.files: at least one file, in fields called "files"')
    if name is not None and not isinstance(name, str):
        raise Refused("invalid_request", "body.name: the name of the index, as text")
    return name, files


async def _form(request: Request, limits: Limits) -> FormData:
    parser = _InMemory(
        request.headers,
        request.stream(),
        max_files=limits.documents,
        max_fields=20,
    )
    try:
        return await parser.parse()
    except MultiPartException as error:
        too_many = error.message.startswith("Too many files")
        kind = "too_many_documents" if too_many else "invalid_request"
        raise Refused(kind, f"body: {error.message}") from error
    except (FormParserError, KeyError, ValueError) as error:
        raise Refused("invalid_request", "body: no readable multipart/form-data") from error


def read(files: list[Upload]) -> tuple[list[Document], list[str]]:
    """The documents in files and warnings; of two files of one name the later is marked "#2".

    Raises Refused for one that cannot be read.
    """
    documents: list[Document] = []
    warnings: list[str] = []
    for name, data in files:
        try:
            document, found = read_bytes(data, name)
        except (DocumentError, MissingDependencyError) as error:
            raise Refused("unreadable_document", str(error)) from error
        documents.append(document)
        warnings += found
    documents, found = unique(documents)  # d1/a.txt and d2/a.txt come without their folders
    return documents, warnings + found


def _plain_name(name: str) -> str:
    """A file's name without the folders that a client may put before it."""
    plain = PurePosixPath(PureWindowsPath(name).as_posix()).name.replace("\0", "").strip()
    if not plain or len(plain) > _LONGEST_NAME:
        raise Refused(
            "invalid_request", f"body.files: a file has a name of 1 to {_LONGEST_NAME} characters"
        )
    return plain
