"""A name that breaks whatever formats or renders it twice."""

HOSTILE = "Ada {name} {0.__class__} %s 100% %(x)d <b>Bold</b> & {{ Co }}"
