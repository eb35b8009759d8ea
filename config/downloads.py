"""Answers that a browser saves: files, and CSV written as a stream."""

from collections.abc import Iterator
from datetime import date

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


def download(content: bytes, content_type: str, name: str) -> HttpResponse:
    """Hand out a file for saving; a browser that opens it all the same runs nothing in it."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    response["Cache-Control"] = "no-store"
    return response


def download_csv(name: str, pieces: Iterator[str], day: date) -> StreamingHttpResponse:
    """Answer a CSV file, piece by piece, named after what it holds and the day at which it was taken."""
    response = StreamingHttpResponse(pieces, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}-{day.isoformat()}.csv"'
    return response
