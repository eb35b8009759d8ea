"""Find listed doctors by words, filters and orders, at a cost that does not grow with the directory.

One interface, the same SQL on both engines but for a few words of it (`Dialect`). What is asked for is a list of
`Term`s that must all hold; each can say which doctors it is about in the index (`doctors/directory/search_index.py`)
and how a doctor's row is held against it. From there two ways lead to a page:

- *gather*: collect the doctors of the rarest term, as far as they are few; hold them against the other terms, put them
  in order and cut out the page. Gives the count as well.
- *walk*: where hits are many, go along the order's own index and keep what matches until the page is full. The more
  there are, the sooner it ends.

Words match in tiers: whole, as a beginning, inside a name (from three letters on), with a typo (from four letters on).
A row is in the tier of its worst word. Without an order asked for, the tiers follow each other, each in the default
order. A word that names a specialty (`doctors/directory/specialties.py`) means that specialty alone: it has one tier. A
word that nobody has is corrected to the closest specialty or else to the closest names, and `Search.corrected` says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from accounts.text.normalization import is_one_edit_apart, split_search_words
from config.db.router import read_connection
from doctors.directory.search_index import TYPO_LETTERS, has_trigram_tokenizer, names
from doctors.directory.specialties import INDEXED_WORDS, AskedWord, closest_term, parse_search

# How many matches are gathered for any page, and for one beyond `DEEP_OFFSET`, where walking an index takes long.
SMALL_RESULT_SIZE = 1_500
LARGE_RESULT_SIZE = 4_000
DEEP_OFFSET = 200
# Counting stops there (`config.api.pagination.COUNT_LIMIT`).
COUNTED = 1_001
# A search has no more words that count, and a text stands inside no more words that can be listed.
WORDS = 8
INSIDE_WORDS = 1_000
# Of more words than that it is not asked how many doctors they are of: they are many enough to walk to.
SIZED_WORDS = 100
TYPO_WORDS = 24
INSIDE_LETTERS = 3
FORGIVEN_LETTERS = 4
# Where typos stand among a word's tiers: behind the whole word, its beginning and its inside.
TYPO_TIER = 3
# How many spellings a correction names.
NAMED_CORRECTIONS = 3

# Sorts behind every character.
LAST = "\U0010ffff"


@dataclass(frozen=True)
class Part:
    """A piece of SQL with its parameters."""

    sql: str
    values: tuple[Any, ...] = ()

    @staticmethod
    def join(glue: str, parts: Iterable["Part"]) -> "Part":
        parts = list(parts)
        return Part(glue.join(part.sql for part in parts), tuple(value for part in parts for value in part.values))


@dataclass(frozen=True)
class Tier:
    """What a term finds in one tier beyond those before it: where in the index, and how a row is held against it.

    `sources` is None where the words are too many to list. `holds` is true of the tiers before it too.
    """

    sources: tuple[Part, ...] | None
    holds: Part
    is_many: bool = False


@dataclass
class Term:
    """One thing that must hold of a doctor. A filter has one tier, a word up to four."""

    tiers: list[Tier]
    # By tier, how many entries of the index this one and those before it have, counted up to LARGE_RESULT_SIZE + 1.
    sizes: list[int] = field(default_factory=list)

    def at(self, tier: int) -> int:
        """Return which of its own tiers a tier of the whole search is."""
        return min(tier, len(self.tiers) - 1)

    def holds(self, tier: int) -> Part:
        return self.tiers[self.at(tier)].holds

    def sources(self, tier: int) -> list[Part] | None:
        """Return all the index's entries up to this tier, or None where they can't be listed."""
        found: list[Part] = []
        for each in self.tiers[: self.at(tier) + 1]:
            if each.sources is None:
                return None
            found += each.sources
        return found

    def size(self, tier: int) -> int:
        return self.sizes[self.at(tier)]

    def rank(self) -> Part:
        """Return the tier of a row, as an expression."""
        cases = [Part(f"WHEN {each.holds.sql} THEN {at}", each.holds.values) for at, each in enumerate(self.tiers[:-1])]
        if not cases:
            return Part("0")
        body = Part.join(" ", cases)
        return Part(f"CASE {body.sql} ELSE {len(self.tiers) - 1} END", body.values)


@dataclass(frozen=True)
class Order:
    """One of the directory's orders, read off an index; `only` are the rows that it puts in order."""

    fields: tuple[str, ...]
    only: Part | None = None

    @property
    def by(self) -> str:
        """Return it as SQL."""
        return ", ".join(
            f"d.{name.lstrip('-')}{' DESC' if name.startswith('-') else ''}" for name in (*self.fields[:-1], "user_id")
        )


class Dialect:
    """The few words in which the engines differ."""

    def __init__(self) -> None:
        self.database = read_connection()
        self.is_sqlite = self.database.vendor == "sqlite"
        self.tables = names(self.database.vendor)

    def one_of(self, column: str, values: Sequence[str]) -> Part:
        """Say that a column is one of these texts."""
        if self.is_sqlite:
            return Part(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))
        return Part(f"{column} = ANY(%s)", (list(values),))

    def among(self, gathered: str) -> str:
        """Say that a doctor is among those gathered; an array has PostgreSQL look each up by its key."""
        return f"IN ({gathered})" if self.is_sqlite else f"= ANY(ARRAY({gathered}))"

    def unindexed(self, condition: Part) -> Part:
        """Have SQLite's planner, which knows no numbers, not prefer an index for these columns."""
        text = condition.sql
        if self.is_sqlite:
            for column in ("d.specialization =", "d.next_free_date <="):
                text = text.replace(column, f"+{column}")
        return Part(text, condition.values)

    def largest(self, parts: Sequence[Part]) -> Part:
        if len(parts) < 2:
            return parts[0] if parts else Part("0")
        inner = Part.join(", ", parts)
        return Part(f"{'max' if self.is_sqlite else 'GREATEST'}({inner.sql})", inner.values)

    def inside(self, text: str) -> Part:
        """Find the words within which a text stands."""
        if self.is_sqlite and has_trigram_tokenizer():
            found = Part(f"SELECT word FROM {self.tables['inside']} WHERE word MATCH %s", (f'"{text}"',))
        else:
            found = Part(f"SELECT word FROM {self.tables['word']} WHERE word LIKE %s", (f"%{text}%",))
        return Part(f"{found.sql} LIMIT {INSIDE_WORDS + 1}", found.values)

    def moment(self, now: datetime) -> Any:
        return self.database.ops.adapt_datetimefield_value(now)

    def day(self, day: date) -> Any:
        return self.database.ops.adapt_datefield_value(day)


def is_probed(sources: Sequence[Part]) -> bool:
    """Return whether an entry of the index says it, and not the doctor's row, which is looked at anyhow."""
    return bool(sources) and all(" WHERE word" in one.sql for one in sources)


def ask(statement: Part) -> list[Any]:
    """Run a query and answer its rows."""
    with read_connection().cursor() as cursor:
        cursor.execute(statement.sql, statement.values)
        rows: list[Any] = cursor.fetchall()
        return rows


def spellings(word: str) -> list[str]:
    """Return a word, and the word without each of its letters."""
    return list(dict.fromkeys([word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]))


class Search:
    """What is asked for, and where the index has it: built in one statement, or in none without words and a city."""

    def __init__(
        self, *, text: str = "", specialization: str = "", city: str = "", available_by: date | None = None,
        ordering: str = "", now: datetime, is_vain: bool = False, is_literal: bool = False,
    ) -> None:  # fmt: skip
        self.dialect = Dialect()
        self.now = now
        self.ordering = ordering
        # Where nothing can be found, nobody looks.
        self.is_vain = is_vain
        self.texts: list[Term] = []
        self.filters: list[Term] = []
        # With `is_literal` no typo is forgiven.
        self.is_literal = is_literal
        self.asked = parse_search(split_search_words(text)[:WORDS])
        # What is searched for instead of words that nobody has, by their place.
        self.corrections: dict[int, str] = {}
        self.look_up(split_search_words(city))
        if specialization:
            entry = Part(
                f"SELECT doctor_id FROM {self.dialect.tables['entry']} WHERE word = %s", (f"#{specialization}",)
            )
            self.filters.append(Term([Tier((entry,), Part("d.specialization = %s", (specialization,)))]))
        if available_by:
            holds = Part(
                "d.next_free_date <= %s AND d.next_free_until >= %s",
                (self.dialect.day(available_by), self.dialect.moment(now)),
            )
            source = Part(
                f"SELECT d.user_id AS doctor_id FROM doctors_doctorprofile d WHERE d.is_listed AND {holds.sql}",
                holds.values,
            )
            self.filters.append(Term([Tier((source,), holds)]))

    # --- What the words mean ----------------------------------------------------------------

    def look_up(self, city: list[str]) -> None:
        """Look up in the index which words are meant; one statement."""
        statements = []
        for at, asked in enumerate(self.asked):
            if asked.is_specialty:
                continue
            if len(asked.text) >= INSIDE_LETTERS:
                statements.append(self.tagged(f"i{at}", self.dialect.inside(asked.text)))
            if self.forgives(asked.text):
                near = self.dialect.one_of("spelling", spellings(asked.text))
                found = Part(f"SELECT DISTINCT word FROM {self.dialect.tables['typo']} WHERE {near.sql}", near.values)
                statements.append(self.tagged(f"t{at}", found))
        if city:
            holds = Part.join(" AND ", [Part("word LIKE %s", (f"%{part}%",)) for part in city])
            found = Part(
                f"SELECT word FROM {self.dialect.tables['word']} WHERE word >= '@' AND word < 'A' AND {holds.sql}"
                f" LIMIT {INSIDE_WORDS + 1}",
                holds.values,
            )
            statements.append(self.tagged("c", found))
        met: dict[str, list[str]] = {}
        if statements:
            for tag, word in ask(Part.join(" UNION ALL ", statements)):
                met.setdefault(tag, []).append(word)
        self.texts = [
            self.specialty(asked)
            if asked.is_specialty
            else self.word(at, asked.text, met.get(f"i{at}", []), met.get(f"t{at}", []))
            for at, asked in enumerate(self.asked)
        ]
        if city:
            holds = Part.join(" AND ", [Part("d.city_key LIKE %s", (f"%{part}%",)) for part in city])
            self.filters.append(Term([self.listed_tier(met.get("c", []), holds)]))

    @staticmethod
    def tagged(tag: str, found: Part) -> Part:
        return Part(f"SELECT '{tag}' AS tag, word FROM ({found.sql}) AS found", found.values)

    def forgives(self, word: str) -> bool:
        """Return whether a typo in this word is forgiven."""
        return not self.is_literal and FORGIVEN_LETTERS <= len(word) < TYPO_LETTERS.stop

    @property
    def corrected(self) -> str | None:
        """Return the words that were searched for instead of those that nobody has; None if all were found."""
        if not self.corrections:
            return None
        return " ".join(self.corrections.get(at, asked.text) for at, asked in enumerate(self.asked))

    def specialty(self, asked: AskedWord) -> Term:
        """Return the only tier of a word that names specialties: their doctors, and people of that very name."""
        entry = self.dialect.tables["entry"]
        sources, holds = [], []
        if " " not in asked.text:
            sources.append(Part(f"SELECT doctor_id FROM {entry} WHERE word = %s", (asked.text,)))
            holds.append(Part("d.search_text LIKE %s", (f"% {asked.text} %",)))
        # The index has the doctors under the specialty's own words already.
        if asked.text not in INDEXED_WORDS:
            for name in asked.specializations or ():
                sources.append(Part(f"SELECT doctor_id FROM {entry} WHERE word = %s", (f"#{name}",)))
                holds.append(Part("d.specialization = %s", (name,)))
        either = Part.join(" OR ", holds) if holds else Part("1 = 0")
        return Term([Tier(tuple(sources), Part(f"({either.sql})", either.values))])

    def word(self, at: int, word: str, inside: list[str], near: list[str]) -> Term:
        """Return the tiers of one ordinary word."""
        entry = self.dialect.tables["entry"]
        whole = Part(f"SELECT doctor_id FROM {entry} WHERE word = %s", (word,))
        # Behind the word itself, which is whole.
        longer = Part(f"SELECT doctor_id FROM {entry} WHERE word > %s AND word < %s", (word, word + LAST))
        tiers = [
            Tier((whole,), Part("d.search_text LIKE %s", (f"% {word} %",))),
            Tier((longer,), Part("d.search_text LIKE %s", (f"% {word}%",))),
        ]
        # The limit counts cities, and the words that begin with it, too.
        is_cut = len(inside) > INSIDE_WORDS
        inside = [each for each in inside if not each.startswith("@") and self.is_hit(word, each)]
        within = [each for each in inside if not each.startswith(word)]
        if is_cut:
            tiers.append(Tier(None, self.contains_text(word)))
        elif within:
            tiers.append(self.listed_tier(within, self.contains_text(word)))
        typos = sorted(
            (each for each in near if word not in each and each not in INDEXED_WORDS and is_one_edit_apart(word, each)),
            key=lambda each: (each[0] != word[0], each),
        )[:TYPO_WORDS]
        if not is_cut and not inside and self.forgives(word):
            if (meant := closest_term(word)) and (not typos or meant.text in INDEXED_WORDS):
                self.corrections[at] = meant.text
                return self.specialty(meant)
            if typos:
                self.corrections[at] = " or ".join(typos[:NAMED_CORRECTIONS])
        if typos:
            known = tiers[-1].holds
            if len(tiers) == TYPO_TIER - 1:
                # Nothing inside: a tier is the same for all words, so that a row's is that of its worst one.
                tiers.append(Tier((), known))
            found = [known, *(Part("d.search_text LIKE %s", (f"% {each} %",)) for each in typos)]
            either = Part.join(" OR ", found)
            tiers.append(self.listed_tier(typos, Part(f"({either.sql})", either.values)))
        return Term(tiers)

    @staticmethod
    def is_hit(word: str, indexed: str) -> bool:
        """Return whether a word of the index that contains this one is found by it.

        A specialty is found by its beginning only: "uro" is not in search of neurologists.
        """
        return indexed not in INDEXED_WORDS or indexed.startswith(word)

    @staticmethod
    def contains_text(word: str) -> Part:
        """Return the condition that a text is inside a doctor's words, apart from the specialty's."""
        text, hidden = "d.search_text", []
        for each in sorted(INDEXED_WORDS):
            if word in each and not each.startswith(word):
                text = f"replace({text}, %s, ' ')"
                hidden.append(f" {each} ")
        return Part(f"{text} LIKE %s", (*hidden, f"%{word}%"))

    def listed_tier(self, found: list[str], holds: Part) -> Tier:
        """Return a tier of these words of the index."""
        if len(found) > INSIDE_WORDS:
            return Tier(None, holds)
        if not found:
            return Tier((), holds)
        one = self.dialect.one_of("word", found)
        source = Part(f"SELECT doctor_id FROM {self.dialect.tables['entry']} WHERE {one.sql}", one.values)
        return Tier((source,), holds, is_many=len(found) > SIZED_WORDS)

    # --- How many ---------------------------------------------------------------------------

    @property
    def terms(self) -> list[Term]:
        return [*self.texts, *self.filters]

    def measure(self, most: int) -> None:
        """Count the index's entries of each tier of each term, up to `most` and one; one statement, once."""
        if self.is_vain or not self.terms or self.terms[0].sizes:
            return
        counts: list[Part] = []
        for term in self.terms:
            for tier in term.tiers:
                if tier.sources and not tier.is_many:
                    union = Part.join(" UNION ALL ", tier.sources)
                    counts.append(
                        Part(
                            f"(SELECT count(*) FROM (SELECT 1 FROM ({union.sql}) AS u LIMIT {most + 1}) AS n)",
                            union.values,
                        )
                    )
        numbers = iter(
            ask(Part(f"SELECT {(joined := Part.join(', ', counts)).sql}", joined.values))[0] if counts else ()
        )
        for term in self.terms:
            size = 0
            for tier in term.tiers:
                is_many = tier.sources is None or tier.is_many
                size += most + 1 if is_many else next(numbers) if tier.sources else 0
                term.sizes.append(size)
        self.is_vain = any(not term.sizes[-1] for term in self.terms)

    @property
    def tiers(self) -> list[int]:
        """Return the tiers in which there is anything, in their order; the last one holds all."""
        last = max(len(term.tiers) for term in self.texts) - 1
        grows = [at for at in range(last) if at == 0 or any(term.size(at) > term.size(at - 1) for term in self.texts)]
        return [*grows, last] if last else [0]

    @property
    def last_tier(self) -> int:
        return max((len(term.tiers) for term in self.texts), default=1) - 1

    # --- Both ways --------------------------------------------------------------------------

    @cached_property
    def may_be_found(self) -> Part:
        return Part(
            "d.is_listed AND (d.license_expires_on IS NULL OR d.license_expires_on >= %s)",
            (self.dialect.day(self.now.date()),),
        )

    def gathered(self, tier: int, most: int) -> Part | None:
        """Return the doctors of the rarest term, as far as the index has them at the others too, one more than `most`.

        None where that would be too many.
        """
        listable = [(term.size(tier), sources) for term in self.terms if (sources := term.sources(tier)) is not None]
        listable.sort(key=lambda one: one[0])
        if not listable:
            return None
        size, sources = listable[0]
        union = Part.join(" UNION ALL ", sources)
        # Few are rather held against their own rows.
        probes = (
            [] if size <= SMALL_RESULT_SIZE else [self.probe(others) for _, others in listable[1:] if is_probed(others)]
        )
        if size > most and not probes:
            return None
        also = Part.join(" AND ", probes)
        where = f" WHERE {also.sql}" if probes else ""
        return Part(f"SELECT doctor_id FROM ({union.sql}) AS u{where} LIMIT {most + 1}", (*union.values, *also.values))

    @staticmethod
    def probe(sources: Sequence[Part]) -> Part:
        """Say that the index has a doctor there too."""
        either = Part.join(
            " OR ", [Part(f"EXISTS ({one.sql} AND doctor_id = u.doctor_id)", one.values) for one in sources]
        )
        return Part(f"({either.sql})", either.values)

    def gather(
        self, tier: int, most: int, start: int, stop: int, *, alone: bool = False
    ) -> tuple[int, list[Any]] | None:
        """Return how many there are up to a tier, and the keys of a page; None where there are more than `most`.

        `alone`: of this tier and none before it.
        """
        gathered = self.gathered(tier, most)
        if gathered is None:
            return None
        rank = self.dialect.largest([term.rank() for term in self.texts])
        ranked = self.texts and not self.ordering
        order = ", ".join(["ranked.tier", *self.sorting]) if ranked else ", ".join(self.sorting)
        holds = Part.join(" AND ", [self.may_be_found, *(term.holds(tier) for term in self.terms)])
        holds = self.dialect.unindexed(holds)
        kept = self.kept
        statement = Part(
            f"WITH drv AS MATERIALIZED ({gathered.sql}), hit AS MATERIALIZED (SELECT ranked.user_id AS id,"
            f" row_number() OVER (ORDER BY {order}) AS place FROM (SELECT d.user_id, {rank.sql} AS tier,"
            f" {kept.sql} AS is_kept, d.experience, d.consultation_fee, d.rating_average, d.rating_count, d.name_key,"
            f" d.next_free_at FROM doctors_doctorprofile d"
            f" WHERE d.user_id {self.dialect.among('SELECT doctor_id FROM drv')} AND {holds.sql}) AS ranked"
            f"{f' WHERE ranked.tier = {tier}' if alone else ''})"
            " SELECT s.gathered, s.total, p.id FROM (SELECT (SELECT count(*) FROM drv) AS gathered,"
            " (SELECT count(*) FROM hit) AS total) AS s LEFT JOIN hit p ON p.place > %s AND p.place <= %s"
            " ORDER BY p.place",
            (*gathered.values, *rank.values, *kept.values, *holds.values, start, stop),
        )
        rows = ask(statement)
        if rows[0][0] > most:
            return None
        return rows[0][1], [row[2] for row in rows if row[2] is not None]

    @property
    def kept(self) -> Part:
        """Say that a kept free time has not passed."""
        if self.ordering != "nextFree":
            return Part("0")
        return Part(
            "CASE WHEN d.next_free_at IS NOT NULL AND d.next_free_until >= %s THEN 0 ELSE 1 END",
            (self.dialect.moment(self.now),),
        )

    @property
    def sorting(self) -> list[str]:
        """Return the order of what is gathered."""
        columns = {
            "consultationFee": ["ranked.consultation_fee"],
            "-rating": ["ranked.rating_average DESC", "ranked.rating_count DESC"],
            "name": ["ranked.name_key"],
            "nextFree": ["ranked.is_kept", "CASE WHEN ranked.is_kept = 0 THEN ranked.next_free_at END"],
        }
        return [*columns.get(self.ordering, ["ranked.experience DESC"]), "ranked.user_id"]

    @property
    def orders(self) -> list[Order]:
        """Return the orders that are walked one after the other."""
        if self.ordering == "nextFree":
            now = self.dialect.moment(self.now)
            # The second spelled out: a negation would lose the rows where one of the two is unknown.
            gone = "(d.next_free_at IS NULL OR d.next_free_until IS NULL OR d.next_free_until < %s)"
            return [
                Order(("next_free_at", "pk"), Part("d.next_free_at IS NOT NULL AND d.next_free_until >= %s", (now,))),
                Order(("pk",), Part(gone, (now,))),
            ]
        columns = {
            "consultationFee": ("consultation_fee",),
            "-rating": ("-rating_average", "-rating_count"),
            "name": ("name_key",),
        }
        return [Order((*columns.get(self.ordering, ("-experience",)), "pk"))]

    def walked(self, tier: int, before: int | None, order: Order) -> Part:
        """Return the condition for the rows of one order, of the tiers behind `before` up to `tier`."""
        holds = [self.may_be_found, *(term.holds(tier) for term in self.terms)]
        if order.only:
            holds.append(order.only)
        if before is not None:
            earlier = Part.join(" AND ", [term.holds(before) for term in self.texts])
            holds.append(Part(f"NOT ({earlier.sql})", earlier.values))
        condition = Part.join(" AND ", holds)
        if self.dialect.is_sqlite and self.ordering not in {"", "-experience"}:
            # Else it would take the index of the specialization, and sort.
            condition = self.dialect.unindexed(condition)
        return condition

    @staticmethod
    def walk(condition: Part, order: Order, start: int, stop: int) -> Part:
        """Return the statement for the keys of a page, read along an order's index."""
        return Part(
            f"SELECT d.user_id FROM doctors_doctorprofile d WHERE {condition.sql} ORDER BY {order.by}"
            " LIMIT %s OFFSET %s",
            (*condition.values, stop - start, start),
        )

    def counted(self, condition: Part, most: int) -> int:
        """Count rows along an order's index, up to `most`."""
        # In an order, since that index has all columns that are looked at; another would lead to the rows.
        return self.number(Part(f"{condition.sql} ORDER BY {Order(('-experience', 'pk')).by}", condition.values), most)

    @staticmethod
    def number(condition: Part, most: int) -> int:
        """Count rows, up to `most`."""
        statement = Part(
            f"SELECT count(*) FROM (SELECT 1 FROM doctors_doctorprofile d WHERE {condition.sql} LIMIT {most}) AS n",
            condition.values,
        )
        return int(ask(statement)[0][0])

    # --- What the form offers ---------------------------------------------------------------

    def keep_staffed(self, specializations: Sequence[str]) -> list[str]:
        """Return those of these specializations that have listed doctors."""
        listed = self.may_be_found
        row = Part.join(
            ", ",
            [
                Part(
                    f"EXISTS (SELECT 1 FROM doctors_doctorprofile d WHERE d.specialization = %s AND {listed.sql})",
                    (name, *listed.values),
                )
                for name in specializations
            ],
        )
        answers = ask(Part(f"SELECT {row.sql}", row.values))[0]
        return [name for name, is_staffed in zip(specializations, answers, strict=True) if is_staffed]

    def find_example(self) -> tuple[str, str] | None:
        """Return the specialization and the city of the most experienced listed doctor who has both."""
        listed = self.may_be_found
        condition = Part(f"{listed.sql} AND d.city_key <> '' AND d.specialization <> 'Other'", listed.values)
        if not (keys := ask(self.walk(condition, Order(("-experience", "pk")), 0, 1))):
            return None
        statement = "SELECT d.specialization, d.hospital_city FROM doctors_doctorprofile d WHERE d.user_id = %s"
        specialization, city = ask(Part(statement, (keys[0][0],)))[0]
        return specialization, city

    # --- A page -----------------------------------------------------------------------------

    def keys(self, start: int, stop: int) -> tuple[int | None, list[Any]]:
        """Return how many there are, if that came to light, and the keys of a page in their order."""
        self.measure(max(LARGE_RESULT_SIZE, stop))
        if self.is_vain:
            return 0, []
        if self.terms and min(term.sizes[-1] for term in self.terms) <= start:
            # Nobody stands so far behind.
            return None, []
        if self.has_own_index:
            return None, self.walk_all(start, stop)
        for most in (SMALL_RESULT_SIZE, LARGE_RESULT_SIZE) if stop > DEEP_OFFSET else (SMALL_RESULT_SIZE,):
            found = self.gather(self.last_tier, most, start, stop)
            if found is not None:
                return found
        return None, self.walk_all(start, stop)

    @property
    def has_own_index(self) -> bool:
        """Return whether a specialization alone is asked for, in the order in which an index has it."""
        one = self.filters[0].tiers[0].holds.sql if len(self.filters) == 1 and not self.texts else ""
        return one.startswith("d.specialization") and self.ordering in {"", "-experience"}

    def walk_all(self, start: int, stop: int) -> list[Any]:
        """Go through the tiers, or the orders, one after the other."""
        ranked = bool(self.texts) and not self.ordering
        found: list[Any] = []
        before: int | None = None
        for tier in self.tiers if ranked else [self.last_tier]:
            for order in self.orders:
                few = (
                    self.gather(tier, SMALL_RESULT_SIZE, start, stop, alone=True)
                    if ranked and tier < self.last_tier
                    else None
                )
                if few is not None:
                    size, keys = few
                else:
                    condition = self.walked(tier, before, order)
                    keys = [row[0] for row in ask(self.walk(condition, order, start, stop))]
                    size = stop
                    if len(keys) < stop - start:
                        size = start + len(keys) if keys else self.counted(condition, stop)
                found += keys
                if len(keys) == stop - start:
                    return found
                start, stop = max(0, start - size), stop - size
            before = tier
        return found

    def count(self) -> int:
        """Count the hits, up to COUNTED."""
        condition = self.walked(self.last_tier, None, Order(("pk",)))
        self.measure(LARGE_RESULT_SIZE)
        if self.is_vain:
            return 0
        if not self.terms:
            return self.counted(condition, COUNTED)
        gathered = self.gathered(self.last_tier, 4 * COUNTED) or self.some(4 * COUNTED)
        if gathered is None:
            return self.counted(condition, COUNTED)
        if self.is_told_by_index and self.told_by_index(gathered) >= COUNTED:
            return COUNTED
        for most in (4 * COUNTED, LARGE_RESULT_SIZE):
            gathered = self.gathered(self.last_tier, most) or self.some(most)
            if gathered is not None:
                among = Part(f"d.user_id {self.dialect.among(gathered.sql)}", gathered.values)
                # A doctor can stand there for several words, and not all may be found.
                if (number := self.number(Part.join(" AND ", [among, condition]), COUNTED)) == COUNTED:
                    return number
        return self.counted(condition, COUNTED)

    @property
    def is_told_by_index(self) -> bool:
        """Return whether every gathered doctor matches every term, without a look at the rows."""
        return all((sources := term.sources(self.last_tier)) and is_probed(sources) for term in self.terms)

    def told_by_index(self, gathered: Part) -> int:
        """Return how many are gathered at least, less those whose licence has run out since the last housekeeping."""
        statement = Part(
            f"SELECT count(DISTINCT doctor_id) - (SELECT count(*) FROM doctors_doctorprofile d WHERE d.is_listed"
            f" AND d.approval = 'approved' AND d.license_expires_on IS NOT NULL AND d.license_expires_on < %s)"
            f" FROM ({gathered.sql}) AS g",
            (self.dialect.day(self.now.date()), *gathered.values),
        )
        return int(ask(statement)[0][0])

    def some(self, most: int) -> Part | None:
        """Return some of the doctors of the only term."""
        if len(self.terms) > 1 or (sources := self.terms[0].sources(self.last_tier)) is None:
            return None
        union = Part.join(" UNION ALL ", sources)
        return Part(f"SELECT doctor_id FROM ({union.sql}) AS u LIMIT {most}", union.values)


class Found:
    """The ids of the doctors that a search finds, sliced and counted like a list of rows."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.total: int | None = None

    def __getitem__(self, part: slice) -> list[UUID]:
        """Read the ids from `part.start` up to `part.stop`; its last page tells how many there are.

        They come from the index: a view that shows one checks once more who may be found.
        """
        start, stop = part.start or 0, part.stop
        self.total, keys = self.search.keys(start, stop)
        if self.total is None and len(keys) < stop - start and (keys or not start):
            self.total = start + len(keys)
        return [key if isinstance(key, UUID) else UUID(key) for key in keys]

    def order_by(self) -> "Counting":
        """Return the same in no order, for counting."""
        return Counting(self)


class Counting:
    """How many a search finds, counted up to where it is sliced."""

    def __init__(self, found: Found, most: int | None = None) -> None:
        self.found, self.most = found, most

    def __getitem__(self, part: slice) -> "Counting":
        return Counting(self.found, part.stop)

    def count(self) -> int:
        total = self.found.total if self.found.total is not None else self.found.search.count()
        return total if self.most is None else min(total, self.most)
