"""Find the access checks in the code that can be removed: who may call, whose rows, which role, legal now.

A mutant is one such check removed: one range of one file replaced. `runner.py` runs the tests on each.
The code is parsed, not imported.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.paths import ROOT

APPS = ("accounts", "doctors", "appointments", "adminpanel")
# Seeding, backups and management commands serve no HTTP requests.
EXCLUDED_FOLDERS = {"tests", "migrations", "seeding", "management", "backups"}
# These format, send, count and examine; no access is decided there.
EXCLUDED_FILES = {
    "accounts/credentials/password_hashing.py", "accounts/files/pdf_rewriter.py", "accounts/files/sandbox_worker.py",
    "accounts/files/validation.py", "accounts/notifications/account_messages.py",
    "accounts/notifications/delivery.py", "adminpanel/queries/analytics.py", "appointments/notifications/messages.py",
    "appointments/notifications/reminders.py", "doctors/directory/demand_stats.py", "doctors/messages.py",
}  # fmt: skip

ALLOW_ANY = '__import__("rest_framework.permissions", fromlist=["AllowAny"]).AllowAny'
# Queryset methods that return only the rows that a user may see.
VISIBILITY_METHODS = {"visible_to", "of_user", "approved", "present", "active", "holds_of"}
# The argument that leaves out doctors who aren't listed.
ONLY_LISTED = "only_listed"
# Columns that say whose a row is, or whether it still exists for users.
OWNER_COLUMNS = {
    "patient", "doctor", "user", "recipient", "appointment", "doctor__user", "role", "ended_at", "removed_at",
    "patient_id", "doctor_id", "user_id", "entity_id", "entity_type", "agent_id", "secret_hash",
}  # fmt: skip
LOOKUPS = {"filter", "get", "get_object_or_404"}
# Columns on which an act depends, and which a concurrent act may change first.
CONDITION_COLUMNS = {"status", "version", "state", "answer", "ended_at", "last_seen_at", "read_at", "revision", "kind"}
REFUSAL_EXCEPTIONS = {"DomainError", "PermissionDenied", "Http404", "NotFound", "AuthenticationFailed", "field_error"}
# Functions that only refuse: limits, single-use tokens, and those that end sessions.
REFUSING_FUNCTIONS = re.compile(
    r"(refuse|reject|check_(own|cases|superuser)|require|forbid|consume|spend|hold|raise_if|end_(\w+_)?sessions)\w*|check"
    r"|reauthenticate|lock_if_active|record_failure"
)
# Functions that return whether access is allowed.
JUDGEMENT_FUNCTIONS = re.compile(
    r"may|may_move|can_read_clinical|has_step|meets_condition|is_already|can_doctor_cancel|needs_reason_from|has_(\w+_)?permission|was_signed_out_since|is_allowed|"
    r"is_(overdue|open|active_at|bookable|staff|due|setup_required)|verify_(passkey|code|second_step)"
)
ROLES = ("PATIENT", "DOCTOR", "ADMIN")
STATES = ("PENDING", "CONFIRMED", "COMPLETED", "CANCELLED")


@dataclass(frozen=True)
class Mutant:
    """One check removed. Its key names the place and the change, and does not depend on line numbers."""

    path: str
    line: int
    last_line: int
    kind: str
    place: str
    original: str
    replacement: str
    start: int
    end: int
    # The lines whose tests could notice.
    around: tuple[int, int]
    # Whether it is in the body of a function, so that it does not run on import.
    in_function: bool = False
    number: int = 1

    @property
    def key(self) -> str:
        which = f" #{self.number}" if self.number > 1 else ""
        return f"{self.path} {self.place}: {shorten(self.original)} -> {shorten(self.replacement) or 'nothing'}{which}"

    def apply(self, source: bytes) -> bytes:
        """Return the file's content without the check."""
        return source[: self.start] + self.replacement.encode() + source[self.end :]


def shorten(text: str) -> str:
    """Return a piece of code on one short line."""
    text = " ".join(text.split()).replace(ALLOW_ANY, "AllowAny")
    return text if len(text) <= 90 else f"{text[:87]}..."


class MutantFinder(ast.NodeVisitor):
    """Collect the mutants of one file."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.mutants: list[Mutant] = []
        self.scopes: list[ast.ClassDef | ast.FunctionDef] = []
        # The calls in a chain that ends in an update or delete.
        self.conditional: set[int] = set()
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    # --- Creating mutants ---

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def text(self, node: ast.AST | None) -> str:
        if not isinstance(node, ast.expr | ast.stmt | ast.keyword):
            return ""
        begin = self.offset(node.lineno, node.col_offset)
        return self.source[begin : self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)].decode()

    def add_mutant(
        self, kind: str, node: ast.expr | ast.stmt, replacement: str, *, start: int | None = None, original: str = ""
    ) -> None:
        """Add the mutant in which `replacement` replaces `node`, or the source from `start` to the end of `node`."""
        begin = self.offset(node.lineno, node.col_offset) if start is None else start
        last = node.end_lineno or node.lineno
        end = self.offset(last, node.end_col_offset or 0)
        scope = self.scopes[-1] if self.scopes else None
        inside = any(isinstance(each, ast.FunctionDef) and node.lineno >= each.lineno for each in self.scopes)
        around = (scope.lineno, scope.end_lineno or scope.lineno) if scope else (1, 10**6)
        self.mutants.append(
            Mutant(
                self.path, node.lineno, last, kind, ".".join(each.name for each in self.scopes) or "module",
                original or self.source[begin:end].decode(), replacement, begin, end, around, inside,
            )
        )  # fmt: skip

    # --- Recognizing checks ---

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scopes.append(node)
        self.generic_visit(node)
        self.scopes.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scopes.append(node)
        if node.name == "get_permissions":
            self.add_permission_mutants(node)
        elif JUDGEMENT_FUNCTIONS.fullmatch(node.name):
            for each in ast.walk(node):
                if isinstance(each, ast.Return) and each.value is not None:
                    for replacement in ("True", "False"):
                        if self.text(each.value) != replacement:
                            self.add_mutant("judgement", each.value, replacement)
        elif node.name in VISIBILITY_METHODS and isinstance(node.body[-1], ast.Return) and self.is_in_queryset():
            self.add_mutant("visibility", node.body[-1], "return self")
        for decorator in node.decorator_list:
            for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
                if keyword.arg == "permissions":
                    self.add_mutant("permission", keyword.value, "[]")
        self.generic_visit(node)
        self.scopes.pop()

    def is_in_queryset(self) -> bool:
        return len(self.scopes) > 1 and self.scopes[-2].name.endswith("QuerySet")

    def add_permission_mutants(self, node: ast.FunctionDef) -> None:
        """Add a mutant for each permission that a view chooses by its action, and one for all of them."""
        last = node.body[-1]
        if isinstance(last, ast.Return) and last.value is not None:
            self.add_mutant("permission", last.value, "[]")
        for each in ast.walk(node):
            if isinstance(each, ast.Dict):
                for value in each.values:
                    self.add_mutant("permission", value, ALLOW_ANY)
            if isinstance(each, ast.Call) and self.text(each.func) == "rules.get" and len(each.args) == 2:
                self.add_mutant("permission", each.args[1], ALLOW_ANY)
            if isinstance(each, ast.IfExp):
                self.add_mutant("permission", each, ALLOW_ANY)

    def visit_Assign(self, node: ast.Assign) -> None:
        name = self.text(node.targets[0])
        if name == "permission_classes" and "AllowAny" not in self.text(node.value):
            self.add_mutant("permission", node.value, "()")
        if name == "doctors_alone":
            self.add_mutant("permission", node.value, "()")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if self.text(node.target) == "TRANSITIONS" and isinstance(node.value, ast.Dict):
            self.add_transition_mutants(node.value)
        self.generic_visit(node)

    def add_transition_mutants(self, table: ast.Dict) -> None:
        """Add a mutant for each transition that the state table allows, and for each that it does not."""
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
                        self.add_mutant("transition", allowed, f"({rest})", original=step)
                    elif allowed is not None:
                        both = "".join(f"Status.{each}, " for each in sorted({*targets, target}))
                        self.add_mutant("transition", allowed, f"({both})", original=f"no {step}")
                    else:
                        self.add_mutant(
                            "transition",
                            value,
                            f"{{**{self.text(value)}, Status.{source}: (Status.{target},)}}",
                            original=f"no {step}",
                        )

    def visit_If(self, node: ast.If) -> None:
        if self.is_refusal(node.body[-1]):
            self.add_mutant("refusal", node.test, "False")
            if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or):
                for value in node.test.values:
                    self.add_mutant("refusal", value, "False")
        elif isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And):
            # Access is granted if all of these hold.
            for value in node.test.values if any(map(self.is_judgement, node.test.values)) else ():
                self.add_mutant("judgement", value, "True")
        self.generic_visit(node)

    def is_judgement(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Call) and bool(
            JUDGEMENT_FUNCTIONS.fullmatch(self.text(value.func).rpartition(".")[2])
        )

    def is_refusal(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return self.text(statement.value.func).startswith(("refuse", "reject", "record_failure"))
        if not isinstance(statement, ast.Raise) or statement.exc is None:
            return False
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        name = self.text(raised)
        return name in REFUSAL_EXCEPTIONS | {"unavailable"} or name.endswith("_error")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            called = self.text(node.value.func).rpartition(".")[2]
            if REFUSING_FUNCTIONS.fullmatch(called):
                self.add_mutant("refusal", node, "pass")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        words = [self.text(each) for each in (node.left, *node.comparators)]
        if any(re.search(r"\bRole\.[A-Z]+|\brole$", word) for word in words) and self.scopes:
            self.add_mutant("role", node, "True")
            self.add_mutant("role", node, "False")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = attribute or self.text(node.func)
        if isinstance(node.func, ast.Attribute):
            sessions = called == "open" and self.text(node.func.value).endswith(("sessions", "Session.objects"))
            if (called in VISIBILITY_METHODS or sessions) and not self.is_manager_method(called):
                receiver = node.func.value
                end = self.offset(receiver.end_lineno or 0, receiver.end_col_offset or 0)
                self.add_mutant("visibility", node, ".all()", start=end)
        if called in {"update", "delete"} and isinstance(node.func, ast.Attribute):
            self.conditional |= {id(each) for each in ast.walk(node.func.value)}
        if called in LOOKUPS:
            self.add_lookup_mutants(node, called)
        for keyword in node.keywords:
            if keyword.arg == ONLY_LISTED and self.text(keyword.value) == "True":
                self.add_mutant("visibility", keyword.value, "False")
        self.generic_visit(node)

    def is_manager_method(self, name: str) -> bool:
        """Return whether we are in the manager's method of that name, which calls the queryset's."""
        return bool(self.scopes) and self.scopes[-1].name == name

    def add_lookup_mutants(self, node: ast.Call, called: str) -> None:
        """Add a mutant for each keyword that selects rows by their owner or state."""
        for number, keyword in enumerate(node.keywords):
            # A state is a check in a conditional update; elsewhere it selects what is shown.
            is_condition = keyword.arg in CONDITION_COLUMNS and id(node) in self.conditional
            if keyword.arg not in OWNER_COLUMNS and not is_condition:
                continue
            if called == "get" and not (len(node.keywords) > 1 or node.args):
                continue  # the only condition
            rest = [self.text(each) for each in node.args]
            rest += [self.text(each) for place, each in enumerate(node.keywords) if place != number]
            left = f"({', '.join(rest)})"
            begin = self.offset(node.func.end_lineno or 0, node.func.end_col_offset or 0)
            kind = "condition" if is_condition else "owner"
            self.add_mutant(kind, node, left, start=begin, original=f"{called}: {self.text(keyword)}")


def list_sources() -> Iterator[Path]:
    """Yield the files in which access is decided, in order."""
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            inside = path.relative_to(ROOT)
            if not EXCLUDED_FOLDERS & set(inside.parts) and inside.as_posix() not in EXCLUDED_FILES:
                yield path


def find_mutants(only: Sequence[str] = ()) -> list[Mutant]:
    """Return the mutants, always in the same order; `only` keeps those with one of these words in their kind or key."""
    mutants: list[Mutant] = []
    for path in list_sources():
        source = path.read_bytes()
        finder = MutantFinder(path.relative_to(ROOT).as_posix(), source)
        finder.visit(ast.parse(source))
        mutants += sorted(
            dict.fromkeys(finder.mutants), key=lambda mutant: (mutant.start, mutant.end, mutant.replacement)
        )
    mutants.append(create_default_permission_mutant())
    counts: dict[str, int] = {}
    numbered = []
    for mutant in mutants:
        counts[mutant.key] = counts.get(mutant.key, 0) + 1
        numbered.append(Mutant(**{**mutant.__dict__, "number": counts[mutant.key]}))
    return [mutant for mutant in numbered if not only or any(word in f"{mutant.kind} {mutant.key}" for word in only)]


def create_default_permission_mutant() -> Mutant:
    """Return the mutant without the default permission."""
    path = ROOT / "config" / "settings.py"
    source = path.read_bytes()
    match = re.search(rb'"DEFAULT_PERMISSION_CLASSES": (\[[^\]]*\])', source)
    if not match:
        raise ValueError("The settings have no DEFAULT_PERMISSION_CLASSES.")
    line = source[: match.start()].count(b"\n") + 1
    return Mutant(
        "config/settings.py", line, line, "permission", "REST_FRAMEWORK", match[1].decode(), "[]", match.start(1),
        match.end(1), (1, 10**6),
    )  # fmt: skip
