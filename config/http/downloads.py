"""Return that a browser saves: files, and CSV written as a stream."""

import unicodedata
from collections.abc import Iterable
from datetime import date
from urllib.parse import quote

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header
from rest_framework.renderers import BaseRenderer


class FileRenderer(BaseRenderer):
    """Stand for whatever a file is, so that nobody who asks for its type is refused; errors are JSON all the same."""

    media_type = "*/*"
    format = "file"


class CsvRenderer(BaseRenderer):
    """Lets a caller ask for CSV; the views write it themselves, as a stream."""

    media_type = "text/csv"
    format = "csv"
    charset = None


def attachment_header(name: str) -> str:
    """Return the Content-Disposition of a file, with a plain name beside one that is not ASCII (RFC 6266, appendix D).

    Programs that don't know `filename*` save the file under the plain one.
    """
    if name.isascii():
        return str(content_disposition_header(as_attachment=True, filename=name))
    stem, dot, ending = name.rpartition(".") if "." in name else (name, "", "")
    letters = (each for each in unicodedata.normalize("NFKD", stem) if not unicodedata.combining(each))
    plain = "".join(each if each.isascii() and each not in '"\\%' else "_" for each in letters)
    return f"attachment; filename=\"{plain}{dot}{ending if ending.isascii() else '_'}\"; filename*=utf-8''{quote(name)}"


def download(content: bytes, content_type: str, name: str) -> HttpResponse:
    """Return a file for saving; a browser that opens it all the same runs nothing in it."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = attachment_header(name)
    response["Cache-Control"] = "no-store"
    return response


def download_csv(name: str, pieces: Iterable[str], day: date) -> StreamingHttpResponse:
    """Return a CSV file, piece by piece, named after what it holds and the day at which it was taken."""
    response = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}-{day.isoformat()}.csv"'
    return response
