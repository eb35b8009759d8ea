"""Find every check in the code that could be taken away: who may call, whose rows, which role, legal now.

A mutant is one such check removed, as a change of one stretch of one file. `mutations.py` runs the tests on each.
Nothing is imported here: the code is read, not run.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = ("accounts", "doctors", "appointments", "adminpanel")
# Seeding, backups and the commands of operators serve nobody over HTTP.
LEFT_OUT = {"tests", "migrations", "seeding", "management", "backups"}
# These word, send, count and examine; who may read or do what is not decided there.
NO_ACCESS = {
    "accounts/admitted_files.py", "accounts/delivery.py", "accounts/notices.py", "accounts/passwords.py",
    "adminpanel/analytics.py", "appointments/notices.py", "appointments/reminders.py", "doctors/demand.py",
    "doctors/notices.py",
}  # fmt: skip

ANYONE = '__import__("rest_framework.permissions", fromlist=["AllowAny"]).AllowAny'
# Methods that keep the rows which somebody may see.
VISIBLE = {"visible_to", "of_person", "approved", "present", "active", "holds_of"}
# What a reader of doctors is told, to leave out who can't be found.
LISTED_ALONE = "only_listed"
# Columns that say whose a row is, or whether it is still there for anybody.
OWNERS = {
    "patient", "doctor", "user", "recipient", "appointment", "doctor__user", "role", "ended_at", "removed_at",
    "patient_id", "doctor_id", "user_id", "entity_id", "entity_type", "agent_id", "secret_hash",
}  # fmt: skip
LOOKUPS = {"filter", "get", "get_object_or_404"}
# Columns on which an act hangs: whoever is quicker changes them.
CONDITIONS = {"status", "version", "state", "answer", "ended_at", "last_seen_at", "read_at", "revision", "kind"}
REFUSALS = {"RuleBroken", "PermissionDenied", "Http404", "NotFound", "AuthenticationFailed", "field_error"}
# Functions that do nothing but refuse: limits, tickets that are good once, and what ends the sessions of others.
REFUSING = re.compile(r"(refuse|check_own|require|forbid|take|spend|hold|end_(\w+_)?sessions)\w*")
# Functions whose answer is a yes or a no on which access hangs.
JUDGING = re.compile(
    r"may|may_(move|read)|stands(_by)?|needs_reason_from|has_(\w+_)?permission|accept|was_sent_away|"
    r"is_(overdue|open|living|bookable|staff|due|right)"
)
ROLES = ("PATIENT", "DOCTOR", "ADMIN")
STATES = ("PENDING", "CONFIRMED", "COMPLETED", "CANCELLED")


@dataclass(frozen=True)
class Mutant:
    """One check taken away. Its key says where it stood and how, whatever lines come or go above."""

    path: str
    line: int
    last_line: int
    kind: str
    place: str
    was: str
    put: str
    start: int
    end: int
    # The stretch of lines whose tests could notice.
    around: tuple[int, int]
    # Whether it stands in the body of a function, so that nothing of it is read while modules load.
    in_function: bool = False
    number: int = 1

    @property
    def key(self) -> str:
        which = f" #{self.number}" if self.number > 1 else ""
        return f"{self.path} {self.place}: {brief(self.was)} -> {brief(self.put) or 'nothing'}{which}"

    def apply(self, source: bytes) -> bytes:
        """Answer the file's content without the check."""
        return source[: self.start] + self.put.encode() + source[self.end :]


def brief(text: str) -> str:
    """Write a piece of code on one short line."""
    text = " ".join(text.split()).replace(ANYONE, "AllowAny")
    return text if len(text) <= 90 else f"{text[:87]}..."


class Finder(ast.NodeVisitor):
    """Walk one file and note each check."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.found: list[Mutant] = []
        self.scopes: list[ast.ClassDef | ast.FunctionDef] = []
        # The calls within a chain that ends in a change of rows.
        self.conditional: set[int] = set()
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    # --- What a mutant is made of ---

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def text(self, node: ast.AST | None) -> str:
        if not isinstance(node, ast.expr | ast.stmt | ast.keyword):
            return ""
        begin = self.offset(node.lineno, node.col_offset)
        return self.source[begin : self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)].decode()

    def take(self, kind: str, node: ast.expr | ast.stmt, put: str, *, start: int | None = None, was: str = "") -> None:
        """Note that `put` may stand where `node` stands."""
        begin = self.offset(node.lineno, node.col_offset) if start is None else start
        last = node.end_lineno or node.lineno
        end = self.offset(last, node.end_col_offset or 0)
        scope = self.scopes[-1] if self.scopes else None
        inside = any(isinstance(each, ast.FunctionDef) and node.lineno >= each.lineno for each in self.scopes)
        around = (scope.lineno, scope.end_lineno or scope.lineno) if scope else (1, 10**6)
        self.found.append(
            Mutant(
                self.path, node.lineno, last, kind, ".".join(each.name for each in self.scopes) or "module",
                was or self.source[begin:end].decode(), put, begin, end, around, inside,
            )
        )  # fmt: skip

    # --- Where checks stand ---

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scopes.append(node)
        if node.name == "get_permissions":
            self.permission_rules(node)
        elif JUDGING.fullmatch(node.name):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    for put in ("True", "False"):
                        if self.text(each.value) != put:
                            self.take("judgement", each.value, put)
        elif node.name in VISIBLE and isinstance(node.body[-1], ast.Return) and self.in_queryset():
            self.take("visibility", node.body[-1], "return self")
        for decorator in node.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                if keyword.arg == "permissions":
                    self.take("permission", keyword.value, "[]")
        self.generic_visit(node)
        self.scopes.pop()

    def in_queryset(self) -> bool:
        return len(self.scopes) > 1 and self.scopes[-2].name.endswith("QuerySet")

    def permission_rules(self, node: ast.FunctionDef) -> None:
        """Note each rule that a view chooses by its action, and all of them."""
        last = node.body[-1]
        if isinstance(last, ast.Return) and last.value is not None:
            self.take("permission", last.value, "[]")
        for each in ast.walk(node):
            if isinstance(each, ast.Dict):
                for value in each.values:
                    self.take("permission", value, ANYONE)
            if isinstance(each, ast.Call) and self.text(each.func) == "rules.get" and len(each.args) == 2:
                self.take("permission", each.args[1], ANYONE)
            if isinstance(each, ast.IfExp):
                self.take("permission", each, ANYONE)

    def visit_Assign(self, node: ast.Assign) -> None:
        name = self.text(node.targets[0])
        if name == "permission_classes" and "AllowAny" not in self.text(node.value):
            self.take("permission", node.value, "()")
        if name == "doctors_alone":
            self.take("permission", node.value, "()")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if self.text(node.target) == "TRANSITIONS" and isinstance(node.value, ast.Dict):
            self.transitions(node.value)
        self.generic_visit(node)

    def transitions(self, table: ast.Dict) -> None:
        """Note each step that the state table does not allow, and each one that it does."""
        for key, value in zip(table.keys, table.values, strict=True):
            role = self.text(key).removeprefix("Role.") if key else ""
            steps = (
                dict(zip(map(self.text, value.keys), value.values, strict=True)) if isinstance(value, ast.Dict) else {}
            )
            for source in STATES:
                allowed = steps.get(f"Status.{source}")
                targets = (
                    {self.text(each).removeprefix("Status.") for each in allowed.elts}
                    if isinstance(allowed, ast.Tuple)
                    else set()
                )
                for target in STATES:
                    if target == source:
                        continue
                    step = f"{role}: {source} to {target}"
                    if target in targets and isinstance(allowed, ast.Tuple):
                        rest = "".join(f"Status.{each}, " for each in sorted(targets - {target}))
                        self.take("transition", allowed, f"({rest})", was=step)
                    elif allowed is not None:
                        both = "".join(f"Status.{each}, " for each in sorted({*targets, target}))
                        self.take("transition", allowed, f"({both})", was=f"no {step}")
                    else:
                        self.take(
                            "transition",
                            value,
                            f"{{**{self.text(value)}, Status.{source}: (Status.{target},)}}",
                            was=f"no {step}",
                        )

    def visit_If(self, node: ast.If) -> None:
        if self.refuses(node.body[-1]):
            self.take("refusal", node.test, "False")
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                for value in node.test.values:
                    self.take("refusal", value, "False")
        elif isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And):
            # What lets somebody in when all of it holds.
            for value in node.test.values if any(map(self.judges, node.test.values)) else ():
                self.take("judgement", value, "True")
        self.generic_visit(node)

    def judges(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Call) and bool(JUDGING.fullmatch(self.text(value.func).rpartition(".")[2]))

    def refuses(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return self.text(statement.value.func).startswith("refuse")
        if not isinstance(statement, ast.Raise) or statement.exc is None:
            return False
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return self.text(raised) in REFUSALS | {"unavailable"} or self.text(raised).startswith("why_")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            called = self.text(node.value.func).rpartition(".")[2]
            if REFUSING.fullmatch(called):
                self.take("refusal", node, "pass")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        words = [self.text(each) for each in (node.left, *node.comparators)]
        if any(re.search(r"\bRole\.[A-Z]+|\brole$", word) for word in words) and self.scopes:
            self.take("role", node, "True")
            self.take("role", node, "False")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = attribute or self.text(node.func)
        if isinstance(node.func, ast.Attribute):
            sessions = called == "open" and self.text(node.func.value).endswith(("sessions", "Session.objects"))
            if (called in VISIBLE or sessions) and not self.defines(called):
                receiver = node.func.value
                end = self.offset(receiver.end_lineno or 0, receiver.end_col_offset or 0)
                self.take("visibility", node, ".all()", start=end)
        if called in {"update", "delete"} and isinstance(node.func, ast.Attribute):
            self.conditional |= {id(each) for each in ast.walk(node.func.value)}
        if called in LOOKUPS:
            self.keywords(node, called)
        for keyword in node.keywords:
            if keyword.arg == LISTED_ALONE and self.text(keyword.value) == "True":
                self.take("visibility", keyword.value, "False")
        self.generic_visit(node)

    def defines(self, name: str) -> bool:
        """Tell whether this is the manager's own method of that name, which calls the queryset's."""
        return bool(self.scopes) and self.scopes[-1].name == name

    def keywords(self, node: ast.Call, called: str) -> None:
        """Note each column by which rows are chosen that says whose they are, or in which state."""
        for number, keyword in enumerate(node.keywords):
            # A state is a check where a row is changed on that condition; elsewhere it chooses what is shown.
            is_condition = keyword.arg in CONDITIONS and id(node) in self.conditional
            if keyword.arg not in OWNERS and not is_condition:
                continue
            if called == "get" and not (len(node.keywords) > 1 or node.args):
                continue  # without it there would be nothing to get by
            rest = [self.text(each) for each in node.args]
            rest += [self.text(each) for place, each in enumerate(node.keywords) if place != number]
            left = f"({', '.join(rest)})"
            begin = self.offset(node.func.end_lineno or 0, node.func.end_col_offset or 0)
            kind = "condition" if is_condition else "owner"
            self.take(kind, node, left, start=begin, was=f"{called}: {self.text(keyword)}")


def sources() -> Iterator[Path]:
    """List the files whose checks count, in order."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            inside = path.relative_to(ROOT)
            if not LEFT_OUT & set(inside.parts) and inside.as_posix() not in NO_ACCESS:
                yield path


def mutants(only: Sequence[str] = ()) -> list[Mutant]:
    """List all mutants, always in the same order; `only` keeps those whose key or kind has one of these words."""
    found: list[Mutant] = []
    for path in sources():
        source = path.read_bytes()
        finder = Finder(path.relative_to(ROOT).as_posix(), source)
        finder.visit(ast.parse(source))
        found += sorted(dict.fromkeys(finder.found), key=lambda each: (each.start, each.end, each.put))
    found.append(default_permission())
    counted: dict[str, int] = {}
    numbered = []
    for each in found:
        counted[each.key] = counted.get(each.key, 0) + 1
        numbered.append(Mutant(**{**each.__dict__, "number": counted[each.key]}))
    return [each for each in numbered if not only or any(word in f"{each.kind} {each.key}" for word in only)]


def default_permission() -> Mutant:
    """Make the mutant without the rule for views that name none."""
    path = ROOT / "config" / "settings.py"
    source = path.read_bytes()
    found = re.search(rb'"DEFAULT_PERMISSION_CLASSES": (\[[^\]]*\])', source)
    assert found, "the settings name no default permission"
    line = source[: found.start()].count(b"\n") + 1
    return Mutant(
        "config/settings.py", line, line, "permission", "REST_FRAMEWORK", found[1].decode(), "[]", found.start(1),
        found.end(1), (1, 10**6),
    )  # fmt: skip
