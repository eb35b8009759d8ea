"""Search by words."""

from django.db.models import Q


def each_word(text: str, *columns: str) -> Q:
    """Ask that each word of `text` stand in one of these columns, whatever its case."""
    wanted = Q()
    for word in text.split():
        somewhere = Q()
        for column in columns:
            somewhere |= Q(**{f"{column}__icontains": word})
        wanted &= somewhere
    return wanted
