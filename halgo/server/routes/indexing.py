"""`/v1/indexes`: made from uploads or JSON, listed, changed document by document, deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from halgo.server import uploads
from halgo.server.refusals import Refused
from halgo.server.routes.shared import ERRORS, NO_OTHER_KEYS, TheService, as_json
from halgo.server.schema import (
    ChangeOut,
    DocumentIn,
    IndexesOut,
    IndexIn,
    IndexOut,
    Name,
    ReplacementIn,
    read_documents,
)
from halgo.server.service import Service

router = APIRouter(
    prefix="/v1/indexes", tags=["indexes"], responses=ERRORS, dependencies=NO_OTHER_KEYS
)

_FILES = {"type": "array", "minItems": 1, "items": {"type": "string", "format": "binary"}}
_NAME = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}


def _upload(**fields: Any) -> dict[str, Any]:
    """The body of an upload, for OpenAPI; FastAPI would write its files to the disk."""
    schema = {"type": "object", "required": list(fields), "properties": fields}
    return {
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}
    }


@router.get("", response_model=IndexesOut, response_model_exclude_none=True)
async def listed(service: TheService) -> Response:
    """All indexes."""
    service.require_ready()
    names = service.corpora.names
    return as_json({"indexes": [await _index(service, name) for name in names]})


async def _index(service: Service, name: str, *, documents: bool = False) -> dict[str, Any]:
    plain = (await service.index(name)).to_dict(name, documents=documents)
    same = service.corpora.same_as(name)
    return plain if same is None else {**plain, "same_as": same}


@router.post(
    "", response_model=ChangeOut, status_code=201, openapi_extra=_upload(name=_NAME, files=_FILES)
)
async def create(request: Request, service: TheService) -> Response:
    """Make an index of uploaded files: texts, records, tables, office files; pdf by extra."""
    service.require_changes()
    name, files = await uploads.received(request, service.limits)
    if name is None:
        raise Refused("invalid_request", "body.name: the name of the index")
    corpora = service.corpora
    change = await service.built(lambda: corpora.create(name, *uploads.read(files), anew=False))
    return as_json(change.to_dict(name), 201)


@router.get("/{name}", response_model=IndexOut)
async def shown(name: Name, service: TheService) -> Response:
    """One index and its documents, without their texts."""
    service.require_ready()
    return as_json(await _index(service, name, documents=True))


@router.put("/{name}", response_model=ChangeOut)
async def replaced(name: Name, asked: IndexIn, service: TheService) -> Response:
    """Make an index of these documents, or put them in the place of those it has."""
    service.require_changes()
    corpora = service.corpora

    def build() -> Any:
        return corpora.create(name, *read_documents(asked.documents), anew=True)

    change = await service.built(build)
    return as_json(change.to_dict(name))


@router.delete("/{name}", status_code=204, response_class=Response)
async def deleted(name: Name, service: TheService) -> Response:
    """Delete an index; checks that have begun are finished."""
    service.require_changes()
    await service.built(lambda: service.corpora.delete(name))
    return Response(status_code=204)


@router.post("/{name}/documents", response_model=ChangeOut, openapi_extra=_upload(files=_FILES))
async def uploaded(name: Name, request: Request, service: TheService) -> Response:
    """Add uploaded files to an index; one of a name that is there takes its place."""
    service.require_changes()
    _, files = await uploads.received(request, service.limits)
    change = await service.built(lambda: service.corpora.put(name, *uploads.read(files)))
    return as_json(change.to_dict(name))


@router.put("/{name}/documents/{document:path}", response_model=ChangeOut)
async def put_document(
    name: Name, document: str, asked: ReplacementIn, service: TheService
) -> Response:
    """Replace the document of this id, or add it."""
    service.require_changes()
    _require_id(document)
    given = DocumentIn(id=document, **{"source": document, **asked.model_dump(exclude_none=True)})
    change = await service.built(lambda: service.corpora.put(name, *read_documents([given])))
    return as_json(change.to_dict(name))


@router.delete("/{name}/documents/{document:path}", response_model=ChangeOut)
async def delete_document(name: Name, document: str, service: TheService) -> Response:
    """Take a document out of an index."""
    service.require_changes()
    change = await service.built(lambda: service.corpora.remove(name, document))
    return as_json(change.to_dict(name))


def _require_id(document: str) -> None:
    if not document.strip() or len(document) > 500:
        raise Refused("invalid_request", "path.document: an id of 1 to 500 characters")
