"""Find listed doctors by words, filters and orders, at a cost that does not grow with the directory.

The SQL is the same on both engines, apart from `Dialect`. A search is a list of `Term`s that must all match. Each has
the entries of the index (`doctors/directory/search_index.py`) that it matches, and a condition on a doctor's row. A
page is found in one of two ways:

- *gather*: collect the doctors of the rarest term, if they are few; filter them by the other terms, sort them and
  return the page, with the count.
- *walk*: if there are many matches, read the index of the ordering and keep what matches until the page is full. The
  more matches there are, the sooner it ends.

Words match in tiers: whole, as a prefix, inside a name (from three letters on), with a typo (from four letters on). A
row is in the tier of its worst word. Without a requested ordering, the tiers follow each other, each in the default
ordering. A word that names a specialty (`doctors/directory/specialties.py`) matches that specialty alone, in one tier.
A word that matches nobody is corrected to the closest specialty or else to the closest names
(`Search.corrected_search`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from accounts.text.normalization import is_one_edit_apart, split_search_words
from config.db.router import read_connection
from doctors.directory.search_index import TYPO_WORD_LENGTHS, get_table_names, has_trigram_tokenizer
from doctors.directory.specialties import INDEXED_WORDS, AskedWord, find_closest_term, parse_search

# How many matches are gathered at most for any page, and for one beyond `DEEP_OFFSET`, where walking is slow.
SMALL_RESULT_SIZE = 1_500
LARGE_RESULT_SIZE = 4_000
DEEP_OFFSET = 200
# See `config.api.pagination.COUNT_LIMIT`.
COUNT_LIMIT = 1_001
# Further words of a search are ignored; a text inside more words of the index than this is not resolved to words.
MAX_WORDS = 8
MAX_CONTAINING_WORDS = 1_000
# The doctors of more words than this are not counted, because they are many.
MAX_COUNTED_WORDS = 100
MAX_TYPO_WORDS = 24
MIN_CONTAINED_LETTERS = 3
MIN_TYPO_LETTERS = 4
# The tier of typos, after whole words, prefixes and substrings.
TYPO_TIER = 3
MAX_CORRECTIONS = 3

# Sorts after every other character.
LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True)
class Sql:
    """A piece of SQL with its parameters."""

    sql: str
    values: tuple[Any, ...] = ()

    @staticmethod
    def join(glue: str, parts: Iterable["Sql"]) -> "Sql":
        parts = list(parts)
        return Sql(glue.join(part.sql for part in parts), tuple(value for part in parts for value in part.values))


@dataclass(frozen=True)
class Tier:
    """What a term matches in one tier: the entries of the index that earlier tiers don't include, and a condition.

    `sources` is None if there are too many words to list. `condition` includes earlier tiers.
    """

    sources: tuple[Sql, ...] | None
    condition: Sql
    is_many: bool = False


@dataclass
class Term:
    """A filter, with one tier, or a word of a search, with up to four."""

    tiers: list[Tier]
    # The number of entries in the index up to each tier, counted up to LARGE_RESULT_SIZE + 1.
    sizes: list[int] = field(default_factory=list)

    def clamp_tier(self, tier: int) -> int:
        """Return the term's tier for a tier of the whole search."""
        return min(tier, len(self.tiers) - 1)

    def condition(self, tier: int) -> Sql:
        return self.tiers[self.clamp_tier(tier)].condition

    def list_sources(self, tier: int) -> list[Sql] | None:
        """Return the entries of the index up to this tier, or None if they can't be listed."""
        found: list[Sql] = []
        for each in self.tiers[: self.clamp_tier(tier) + 1]:
            if each.sources is None:
                return None
            found += each.sources
        return found

    def get_size(self, tier: int) -> int:
        return self.sizes[self.clamp_tier(tier)]

    def build_rank(self) -> Sql:
        """Return the SQL expression of a row's tier."""
        cases = [
            Sql(f"WHEN {each.condition.sql} THEN {at}", each.condition.values)
            for at, each in enumerate(self.tiers[:-1])
        ]
        if not cases:
            return Sql("0")
        body = Sql.join(" ", cases)
        return Sql(f"CASE {body.sql} ELSE {len(self.tiers) - 1} END", body.values)


@dataclass(frozen=True)
class Order:
    """An ordering of the directory that an index provides, for the rows that match `condition`."""

    fields: tuple[str, ...]
    condition: Sql | None = None

    @property
    def sql(self) -> str:
        return ", ".join(
            f"d.{name.lstrip('-')}{' DESC' if name.startswith('-') else ''}" for name in (*self.fields[:-1], "user_id")
        )


class Dialect:
    """The differences between the engines' SQL."""

    def __init__(self) -> None:
        self.database = read_connection()
        self.is_sqlite = self.database.vendor == "sqlite"
        self.tables = get_table_names(self.database.vendor)

    def equals_any(self, column: str, values: Sequence[str]) -> Sql:
        """Return the condition that a column equals one of these values."""
        if self.is_sqlite:
            return Sql(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))
        return Sql(f"{column} = ANY(%s)", (list(values),))

    def is_among(self, gathered: str) -> str:
        """Return the condition that a doctor was gathered; with an array, PostgreSQL looks up each one by key."""
        return f"IN ({gathered})" if self.is_sqlite else f"= ANY(ARRAY({gathered}))"

    def disable_indexes(self, condition: Sql) -> Sql:
        """Prevent SQLite's planner, which has no statistics, from using an index on these columns."""
        text = condition.sql
        if self.is_sqlite:
            for column in ("d.specialization =", "d.next_free_date <="):
                text = text.replace(column, f"+{column}")
        return Sql(text, condition.values)

    def greatest(self, parts: Sequence[Sql]) -> Sql:
        if len(parts) < 2:
            return parts[0] if parts else Sql("0")
        inner = Sql.join(", ", parts)
        return Sql(f"{'max' if self.is_sqlite else 'GREATEST'}({inner.sql})", inner.values)

    def find_containing_words(self, text: str) -> Sql:
        """Return the query for the words that contain a text."""
        if self.is_sqlite and has_trigram_tokenizer():
            found = Sql(f"SELECT word FROM {self.tables['inside']} WHERE word MATCH %s", (f'"{text}"',))
        else:
            found = Sql(f"SELECT word FROM {self.tables['word']} WHERE word LIKE %s", (f"%{text}%",))
        return Sql(f"{found.sql} LIMIT {MAX_CONTAINING_WORDS + 1}", found.values)

    def adapt_datetime(self, now: datetime) -> Any:
        return self.database.ops.adapt_datetimefield_value(now)

    def adapt_date(self, day: date) -> Any:
        return self.database.ops.adapt_datefield_value(day)


def is_indexed(sources: Sequence[Sql]) -> bool:
    """Return whether these sources are entries of the index, not rows of doctors."""
    return bool(sources) and all(" WHERE word" in one.sql for one in sources)


def run_query(statement: Sql) -> list[Any]:
    """Return the rows of a query."""
    with read_connection().cursor() as cursor:
        cursor.execute(statement.sql, statement.values)
        rows: list[Any] = cursor.fetchall()
        return rows


def list_deletions(word: str) -> list[str]:
    """Return a word, and the words with one of its letters deleted."""
    return list(dict.fromkeys([word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]))


class Search:
    """The terms of a search, resolved against the index in at most one statement."""

    def __init__(
        self, *, text: str = "", specialization: str = "", city: str = "", available_by: date | None = None,
        ordering: str = "", now: datetime, matches_nothing: bool = False, is_literal: bool = False,
    ) -> None:  # fmt: skip
        self.dialect = Dialect()
        self.now = now
        self.ordering = ordering
        self.matches_nothing = matches_nothing
        self.texts: list[Term] = []
        self.filters: list[Term] = []
        # Whether typos are not corrected.
        self.is_literal = is_literal
        self.words = parse_search(split_search_words(text)[:MAX_WORDS])
        # The replacements of words that match nobody, by position.
        self.corrections: dict[int, str] = {}
        self.resolve_words(split_search_words(city))
        if specialization:
            entry = Sql(
                f"SELECT doctor_id FROM {self.dialect.tables['entry']} WHERE word = %s", (f"#{specialization}",)
            )
            self.filters.append(Term([Tier((entry,), Sql("d.specialization = %s", (specialization,)))]))
        if available_by:
            condition = Sql(
                "d.next_free_date <= %s AND d.next_free_until >= %s",
                (self.dialect.adapt_date(available_by), self.dialect.adapt_datetime(now)),
            )
            source = Sql(
                f"SELECT d.user_id AS doctor_id FROM doctors_doctorprofile d WHERE d.is_listed AND {condition.sql}",
                condition.values,
            )
            self.filters.append(Term([Tier((source,), condition)]))

    # --- Words ------------------------------------------------------------------------------

    def resolve_words(self, city: list[str]) -> None:
        """Find the words of the index that match, in one statement."""
        statements = []
        for at, word in enumerate(self.words):
            if word.is_specialty:
                continue
            if len(word.text) >= MIN_CONTAINED_LETTERS:
                statements.append(self.tag_rows(f"i{at}", self.dialect.find_containing_words(word.text)))
            if self.allows_typo(word.text):
                near = self.dialect.equals_any("spelling", list_deletions(word.text))
                found = Sql(f"SELECT DISTINCT word FROM {self.dialect.tables['typo']} WHERE {near.sql}", near.values)
                statements.append(self.tag_rows(f"t{at}", found))
        if city:
            condition = Sql.join(" AND ", [Sql("word LIKE %s", (f"%{part}%",)) for part in city])
            found = Sql(
                f"SELECT word FROM {self.dialect.tables['word']} WHERE word >= '@' AND word < 'A' AND {condition.sql}"
                f" LIMIT {MAX_CONTAINING_WORDS + 1}",
                condition.values,
            )
            statements.append(self.tag_rows("c", found))
        words_by_tag: dict[str, list[str]] = {}
        if statements:
            for tag, word in run_query(Sql.join(" UNION ALL ", statements)):
                words_by_tag.setdefault(tag, []).append(word)
        self.texts = [
            self.build_specialty_term(word)
            if word.is_specialty
            else self.build_word_term(at, word.text, words_by_tag.get(f"i{at}", []), words_by_tag.get(f"t{at}", []))
            for at, word in enumerate(self.words)
        ]
        if city:
            condition = Sql.join(" AND ", [Sql("d.city_key LIKE %s", (f"%{part}%",)) for part in city])
            self.filters.append(Term([self.build_listed_tier(words_by_tag.get("c", []), condition)]))

    @staticmethod
    def tag_rows(tag: str, found: Sql) -> Sql:
        return Sql(f"SELECT '{tag}' AS tag, word FROM ({found.sql}) AS found", found.values)

    def allows_typo(self, word: str) -> bool:
        """Return whether typos in this word are corrected."""
        return not self.is_literal and MIN_TYPO_LETTERS <= len(word) < TYPO_WORD_LENGTHS.stop

    @property
    def corrected_search(self) -> str | None:
        """Return the search with corrected words; None if every word was found."""
        if not self.corrections:
            return None
        return " ".join(self.corrections.get(at, asked.text) for at, asked in enumerate(self.words))

    def build_specialty_term(self, asked: AskedWord) -> Term:
        """Return the term of a word that names specialties: their doctors, and people with exactly that name."""
        entry = self.dialect.tables["entry"]
        sources, conditions = [], []
        if " " not in asked.text:
            sources.append(Sql(f"SELECT doctor_id FROM {entry} WHERE word = %s", (asked.text,)))
            conditions.append(Sql("d.search_text LIKE %s", (f"% {asked.text} %",)))
        # Specialties' own words are in the index.
        if asked.text not in INDEXED_WORDS:
            for name in asked.specializations or ():
                sources.append(Sql(f"SELECT doctor_id FROM {entry} WHERE word = %s", (f"#{name}",)))
                conditions.append(Sql("d.specialization = %s", (name,)))
        alternatives = Sql.join(" OR ", conditions) if conditions else Sql("1 = 0")
        return Term([Tier(tuple(sources), Sql(f"({alternatives.sql})", alternatives.values))])

    def build_word_term(self, at: int, word: str, inside: list[str], near: list[str]) -> Term:
        """Return the term of an ordinary word."""
        entry = self.dialect.tables["entry"]
        whole = Sql(f"SELECT doctor_id FROM {entry} WHERE word = %s", (word,))
        longer = Sql(f"SELECT doctor_id FROM {entry} WHERE word > %s AND word < %s", (word, word + LAST_CHARACTER))
        tiers = [
            Tier((whole,), Sql("d.search_text LIKE %s", (f"% {word} %",))),
            Tier((longer,), Sql("d.search_text LIKE %s", (f"% {word}%",))),
        ]
        # Before the limit, cities and words that begin with this one are counted, too.
        is_cut = len(inside) > MAX_CONTAINING_WORDS
        inside = [each for each in inside if not each.startswith("@") and self.is_found_inside(word, each)]
        containing = [each for each in inside if not each.startswith(word)]
        if is_cut:
            tiers.append(Tier(None, self.contains_text(word)))
        elif containing:
            tiers.append(self.build_listed_tier(containing, self.contains_text(word)))
        typos = sorted(
            (each for each in near if word not in each and each not in INDEXED_WORDS and is_one_edit_apart(word, each)),
            key=lambda each: (each[0] != word[0], each),
        )[:MAX_TYPO_WORDS]
        if not is_cut and not inside and self.allows_typo(word):
            if (specialty := find_closest_term(word)) and (not typos or specialty.text in INDEXED_WORDS):
                self.corrections[at] = specialty.text
                return self.build_specialty_term(specialty)
            if typos:
                self.corrections[at] = " or ".join(typos[:MAX_CORRECTIONS])
        if typos:
            known = tiers[-1].condition
            if len(tiers) == TYPO_TIER - 1:
                # An empty tier, because tiers have the same numbers for all words.
                tiers.append(Tier((), known))
            found = [known, *(Sql("d.search_text LIKE %s", (f"% {each} %",)) for each in typos)]
            alternatives = Sql.join(" OR ", found)
            tiers.append(self.build_listed_tier(typos, Sql(f"({alternatives.sql})", alternatives.values)))
        return Term(tiers)

    @staticmethod
    def is_found_inside(word: str, indexed: str) -> bool:
        """Return whether a word matches a word of the index that contains it.

        A specialty matches by its beginning only: "uro" does not find neurologists.
        """
        return indexed not in INDEXED_WORDS or indexed.startswith(word)

    @staticmethod
    def contains_text(word: str) -> Sql:
        """Return the condition that a doctor's words contain a text, apart from specialties."""
        text, hidden = "d.search_text", []
        for each in sorted(INDEXED_WORDS):
            if word in each and not each.startswith(word):
                text = f"replace({text}, %s, ' ')"
                hidden.append(f" {each} ")
        return Sql(f"{text} LIKE %s", (*hidden, f"%{word}%"))

    def build_listed_tier(self, found: list[str], condition: Sql) -> Tier:
        """Return the tier of these words of the index."""
        if len(found) > MAX_CONTAINING_WORDS:
            return Tier(None, condition)
        if not found:
            return Tier((), condition)
        one = self.dialect.equals_any("word", found)
        source = Sql(f"SELECT doctor_id FROM {self.dialect.tables['entry']} WHERE {one.sql}", one.values)
        return Tier((source,), condition, is_many=len(found) > MAX_COUNTED_WORDS)

    # --- Counts -----------------------------------------------------------------------------

    @property
    def terms(self) -> list[Term]:
        return [*self.texts, *self.filters]

    def count_entries(self, limit: int) -> None:
        """Set the `sizes` of all terms, counted up to `limit` + 1 in one statement."""
        if self.matches_nothing or not self.terms or self.terms[0].sizes:
            return
        counts: list[Sql] = []
        for term in self.terms:
            for tier in term.tiers:
                if tier.sources and not tier.is_many:
                    union = Sql.join(" UNION ALL ", tier.sources)
                    counts.append(
                        Sql(
                            f"(SELECT count(*) FROM (SELECT 1 FROM ({union.sql}) AS u LIMIT {limit + 1}) AS n)",
                            union.values,
                        )
                    )
        numbers = iter(
            run_query(Sql(f"SELECT {(joined := Sql.join(', ', counts)).sql}", joined.values))[0] if counts else ()
        )
        for term in self.terms:
            size = 0
            for tier in term.tiers:
                is_many = tier.sources is None or tier.is_many
                size += limit + 1 if is_many else next(numbers) if tier.sources else 0
                term.sizes.append(size)
        self.matches_nothing = any(not term.sizes[-1] for term in self.terms)

    @property
    def tiers(self) -> list[int]:
        """Return the tiers that are not empty, and the last one."""
        last = max(len(term.tiers) for term in self.texts) - 1
        grows = [
            at for at in range(last) if at == 0 or any(term.get_size(at) > term.get_size(at - 1) for term in self.texts)
        ]
        return [*grows, last] if last else [0]

    @property
    def last_tier(self) -> int:
        return max((len(term.tiers) for term in self.texts), default=1) - 1

    # --- Gathering --------------------------------------------------------------------------

    @cached_property
    def is_listed_sql(self) -> Sql:
        return Sql(
            "d.is_listed AND (d.license_expires_on IS NULL OR d.license_expires_on >= %s)",
            (self.dialect.adapt_date(self.now.date()),),
        )

    def build_gathering(self, tier: int, limit: int) -> Sql | None:
        """Return the query for the doctors of the rarest term, at most `limit` + 1, or None if there would be more.

        Many are filtered by the other terms' entries in the index.
        """
        candidates = [
            (term.get_size(tier), sources) for term in self.terms if (sources := term.list_sources(tier)) is not None
        ]
        candidates.sort(key=lambda one: one[0])
        if not candidates:
            return None
        size, sources = candidates[0]
        union = Sql.join(" UNION ALL ", sources)
        # Few are filtered faster by their rows.
        probes = (
            []
            if size <= SMALL_RESULT_SIZE
            else [self.build_probe(others) for _, others in candidates[1:] if is_indexed(others)]
        )
        if size > limit and not probes:
            return None
        also = Sql.join(" AND ", probes)
        where = f" WHERE {also.sql}" if probes else ""
        return Sql(f"SELECT doctor_id FROM ({union.sql}) AS u{where} LIMIT {limit + 1}", (*union.values, *also.values))

    @staticmethod
    def build_probe(sources: Sequence[Sql]) -> Sql:
        """Return the condition that a doctor is in these entries of the index."""
        alternatives = Sql.join(
            " OR ", [Sql(f"EXISTS ({one.sql} AND doctor_id = u.doctor_id)", one.values) for one in sources]
        )
        return Sql(f"({alternatives.sql})", alternatives.values)

    def gather_page(
        self, tier: int, limit: int, start: int, stop: int, *, only_this_tier: bool = False
    ) -> tuple[int, list[Any]] | None:
        """Return the number of matches up to a tier and the keys of a page; None for more than `limit` matches.

        With `only_this_tier`, earlier tiers are left out.
        """
        gathered = self.build_gathering(tier, limit)
        if gathered is None:
            return None
        rank = self.dialect.greatest([term.build_rank() for term in self.texts])
        is_ranked = self.texts and not self.ordering
        order = ", ".join(["ranked.tier", *self.sort_columns]) if is_ranked else ", ".join(self.sort_columns)
        condition = Sql.join(" AND ", [self.is_listed_sql, *(term.condition(tier) for term in self.terms)])
        condition = self.dialect.disable_indexes(condition)
        free_time_rank = self.free_time_rank
        statement = Sql(
            f"WITH drv AS MATERIALIZED ({gathered.sql}), hit AS MATERIALIZED (SELECT ranked.user_id AS id,"
            f" row_number() OVER (ORDER BY {order}) AS place FROM (SELECT d.user_id, {rank.sql} AS tier,"
            f" {free_time_rank.sql} AS is_kept, d.experience, d.consultation_fee, d.rating_average, d.rating_count,"
            f" d.name_key, d.next_free_at FROM doctors_doctorprofile d"
            f" WHERE d.user_id {self.dialect.is_among('SELECT doctor_id FROM drv')} AND {condition.sql}) AS ranked"
            f"{f' WHERE ranked.tier = {tier}' if only_this_tier else ''})"
            " SELECT s.gathered, s.total, p.id FROM (SELECT (SELECT count(*) FROM drv) AS gathered,"
            " (SELECT count(*) FROM hit) AS total) AS s LEFT JOIN hit p ON p.place > %s AND p.place <= %s"
            " ORDER BY p.place",
            (*gathered.values, *rank.values, *free_time_rank.values, *condition.values, start, stop),
        )
        rows = run_query(statement)
        if rows[0][0] > limit:
            return None
        return rows[0][1], [row[2] for row in rows if row[2] is not None]

    @property
    def free_time_rank(self) -> Sql:
        """Return the expression that sorts doctors with a stored free time first."""
        if self.ordering != "nextFree":
            return Sql("0")
        return Sql(
            "CASE WHEN d.next_free_at IS NOT NULL AND d.next_free_until >= %s THEN 0 ELSE 1 END",
            (self.dialect.adapt_datetime(self.now),),
        )

    @property
    def sort_columns(self) -> list[str]:
        """Return the columns by which gathered rows are sorted."""
        columns = {
            "consultationFee": ["ranked.consultation_fee"],
            "-rating": ["ranked.rating_average DESC", "ranked.rating_count DESC"],
            "name": ["ranked.name_key"],
            "nextFree": ["ranked.is_kept", "CASE WHEN ranked.is_kept = 0 THEN ranked.next_free_at END"],
        }
        return [*columns.get(self.ordering, ["ranked.experience DESC"]), "ranked.user_id"]

    @property
    def orders(self) -> list[Order]:
        """Return the orderings that are walked one after the other."""
        if self.ordering == "nextFree":
            now = self.dialect.adapt_datetime(self.now)
            # Not a negation of the other condition, which would lose rows with NULL.
            gone = "(d.next_free_at IS NULL OR d.next_free_until IS NULL OR d.next_free_until < %s)"
            return [
                Order(("next_free_at", "pk"), Sql("d.next_free_at IS NOT NULL AND d.next_free_until >= %s", (now,))),
                Order(("pk",), Sql(gone, (now,))),
            ]
        columns = {
            "consultationFee": ("consultation_fee",),
            "-rating": ("-rating_average", "-rating_count"),
            "name": ("name_key",),
        }
        return [Order((*columns.get(self.ordering, ("-experience",)), "pk"))]

    def build_walk_condition(self, tier: int, before: int | None, order: Order) -> Sql:
        """Return the condition for rows of one ordering, in the tiers after `before` up to `tier`."""
        conditions = [self.is_listed_sql, *(term.condition(tier) for term in self.terms)]
        if order.condition:
            conditions.append(order.condition)
        if before is not None:
            earlier = Sql.join(" AND ", [term.condition(before) for term in self.texts])
            conditions.append(Sql(f"NOT ({earlier.sql})", earlier.values))
        condition = Sql.join(" AND ", conditions)
        if self.dialect.is_sqlite and self.ordering not in {"", "-experience"}:
            # Otherwise it would use the index on the specialization, and sort.
            condition = self.dialect.disable_indexes(condition)
        return condition

    @staticmethod
    def build_walk(condition: Sql, order: Order, start: int, stop: int) -> Sql:
        """Return the query for the keys of a page, which reads an index in its order."""
        return Sql(
            f"SELECT d.user_id FROM doctors_doctorprofile d WHERE {condition.sql} ORDER BY {order.sql}"
            " LIMIT %s OFFSET %s",
            (*condition.values, stop - start, start),
        )

    def count_in_order(self, condition: Sql, limit: int) -> int:
        """Count rows up to `limit`, in the order of an index."""
        # Ordered, because that index covers all columns of the condition.
        return self.count_rows(
            Sql(f"{condition.sql} ORDER BY {Order(('-experience', 'pk')).sql}", condition.values), limit
        )

    @staticmethod
    def count_rows(condition: Sql, limit: int) -> int:
        """Count rows, up to `limit`."""
        statement = Sql(
            f"SELECT count(*) FROM (SELECT 1 FROM doctors_doctorprofile d WHERE {condition.sql} LIMIT {limit}) AS n",
            condition.values,
        )
        return int(run_query(statement)[0][0])

    # --- Choices of the form ----------------------------------------------------------------

    def filter_staffed(self, specializations: Sequence[str]) -> list[str]:
        """Return the specializations that have listed doctors."""
        listed = self.is_listed_sql
        row = Sql.join(
            ", ",
            [
                Sql(
                    f"EXISTS (SELECT 1 FROM doctors_doctorprofile d WHERE d.specialization = %s AND {listed.sql})",
                    (name, *listed.values),
                )
                for name in specializations
            ],
        )
        answers = run_query(Sql(f"SELECT {row.sql}", row.values))[0]
        return [name for name, is_staffed in zip(specializations, answers, strict=True) if is_staffed]

    def find_example(self) -> tuple[str, str] | None:
        """Return specialization and city of the most experienced listed doctor who has both."""
        listed = self.is_listed_sql
        condition = Sql(f"{listed.sql} AND d.city_key <> '' AND d.specialization <> 'Other'", listed.values)
        if not (keys := run_query(self.build_walk(condition, Order(("-experience", "pk")), 0, 1))):
            return None
        statement = "SELECT d.specialization, d.hospital_city FROM doctors_doctorprofile d WHERE d.user_id = %s"
        specialization, city = run_query(Sql(statement, (keys[0][0],)))[0]
        return specialization, city

    # --- A page -----------------------------------------------------------------------------

    def list_page(self, start: int, stop: int) -> tuple[int | None, list[Any]]:
        """Return the number of matches, if it was counted, and the keys of a page."""
        self.count_entries(max(LARGE_RESULT_SIZE, stop))
        if self.matches_nothing:
            return 0, []
        if self.terms and min(term.sizes[-1] for term in self.terms) <= start:
            return None, []
        if self.is_specialization_only:
            return None, self.walk_pages(start, stop)
        for limit in (SMALL_RESULT_SIZE, LARGE_RESULT_SIZE) if stop > DEEP_OFFSET else (SMALL_RESULT_SIZE,):
            found = self.gather_page(self.last_tier, limit, start, stop)
            if found is not None:
                return found
        return None, self.walk_pages(start, stop)

    @property
    def is_specialization_only(self) -> bool:
        """Return whether only a specialization is requested, in the ordering of its index."""
        one = self.filters[0].tiers[0].condition.sql if len(self.filters) == 1 and not self.texts else ""
        return one.startswith("d.specialization") and self.ordering in {"", "-experience"}

    def walk_pages(self, start: int, stop: int) -> list[Any]:
        """Return the keys of a page by walking the tiers and orderings in turn."""
        is_ranked = bool(self.texts) and not self.ordering
        found: list[Any] = []
        before: int | None = None
        for tier in self.tiers if is_ranked else [self.last_tier]:
            for order in self.orders:
                page = (
                    self.gather_page(tier, SMALL_RESULT_SIZE, start, stop, only_this_tier=True)
                    if is_ranked and tier < self.last_tier
                    else None
                )
                if page is not None:
                    size, keys = page
                else:
                    condition = self.build_walk_condition(tier, before, order)
                    keys = [row[0] for row in run_query(self.build_walk(condition, order, start, stop))]
                    size = stop
                    if len(keys) < stop - start:
                        size = start + len(keys) if keys else self.count_in_order(condition, stop)
                found += keys
                if len(keys) == stop - start:
                    return found
                start, stop = max(0, start - size), stop - size
            before = tier
        return found

    def count(self) -> int:
        """Return the number of matches, up to `COUNT_LIMIT`."""
        condition = self.build_walk_condition(self.last_tier, None, Order(("pk",)))
        self.count_entries(LARGE_RESULT_SIZE)
        if self.matches_nothing:
            return 0
        if not self.terms:
            return self.count_in_order(condition, COUNT_LIMIT)
        gathered = self.build_gathering(self.last_tier, 4 * COUNT_LIMIT) or self.build_sample(4 * COUNT_LIMIT)
        if gathered is None:
            return self.count_in_order(condition, COUNT_LIMIT)
        if self.is_decided_by_index and self.count_by_index(gathered) >= COUNT_LIMIT:
            return COUNT_LIMIT
        for limit in (4 * COUNT_LIMIT, LARGE_RESULT_SIZE):
            gathered = self.build_gathering(self.last_tier, limit) or self.build_sample(limit)
            if gathered is not None:
                among = Sql(f"d.user_id {self.dialect.is_among(gathered.sql)}", gathered.values)
                # A doctor may be there for several words, and may be unlisted.
                if (number := self.count_rows(Sql.join(" AND ", [among, condition]), COUNT_LIMIT)) == COUNT_LIMIT:
                    return number
        return self.count_in_order(condition, COUNT_LIMIT)

    @property
    def is_decided_by_index(self) -> bool:
        """Return whether the index alone decides that a gathered doctor matches."""
        return all((sources := term.list_sources(self.last_tier)) and is_indexed(sources) for term in self.terms)

    def count_by_index(self, gathered: Sql) -> int:
        """Return a lower bound of the matches, without licenses that expired since the last housekeeping."""
        statement = Sql(
            f"SELECT count(DISTINCT doctor_id) - (SELECT count(*) FROM doctors_doctorprofile d WHERE d.is_listed"
            f" AND d.approval = 'approved' AND d.license_expires_on IS NOT NULL AND d.license_expires_on < %s)"
            f" FROM ({gathered.sql}) AS g",
            (self.dialect.adapt_date(self.now.date()), *gathered.values),
        )
        return int(run_query(statement)[0][0])

    def build_sample(self, limit: int) -> Sql | None:
        """Return the query for some of the doctors of the only term."""
        if len(self.terms) > 1 or (sources := self.terms[0].list_sources(self.last_tier)) is None:
            return None
        union = Sql.join(" UNION ALL ", sources)
        return Sql(f"SELECT doctor_id FROM ({union.sql}) AS u LIMIT {limit}", union.values)


class SearchResult:
    """The ids of the matching doctors, which can be sliced and counted like a queryset."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.total: int | None = None

    def __getitem__(self, bounds: slice) -> list[UUID]:
        """Return a page of ids.

        A doctor may have been unlisted meanwhile, so views check that again.
        """
        start, stop = bounds.start or 0, bounds.stop
        self.total, keys = self.search.list_page(start, stop)
        if self.total is None and len(keys) < stop - start and (keys or not start):
            self.total = start + len(keys)
        return [key if isinstance(key, UUID) else UUID(key) for key in keys]

    def order_by(self) -> "ResultCount":
        """Return the result for counting, like `order_by()` of a queryset."""
        return ResultCount(self)


class ResultCount:
    """The number of matches, counted up to the end of a slice."""

    def __init__(self, found: SearchResult, limit: int | None = None) -> None:
        self.found, self.limit = found, limit

    def __getitem__(self, bounds: slice) -> "ResultCount":
        return ResultCount(self.found, bounds.stop)

    def count(self) -> int:
        total = self.found.total if self.found.total is not None else self.found.search.count()
        return total if self.limit is None else min(total, self.limit)
