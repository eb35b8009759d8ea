"""A pytest plugin for `mutations.py`: tests that are loaded once and tried on one mutant after another.

The run collects its tests, then waits for orders instead of running them. For each order it forks; the child swaps the
code of the one function that the mutant changes, or the one value that is assigned, runs the tests it was told to, and
says which failed. Nothing that a child does reaches the next one.
"""

import ast
import gc
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

import pytest

FUNCTION = 0x1  # a code's flag: it has locals of its own, as the body of a class has not
failed: list[str] = []


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        failed.append(report.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> bool:
    """Take orders, one line each, until there are no more."""
    from django.urls import get_resolver

    # Views are loaded with the first request; whoever forks before that would find no function to swap.
    assert get_resolver().url_patterns
    # What the tests' own settings freeze is not among the objects that a function is looked for in.
    gc.unfreeze()
    items = {item.nodeid: item for item in session.items}
    orders, answers = os.fdopen(int(os.environ["MUTANT_ORDERS"])), int(os.environ["MUTANT_ANSWERS"])
    os.write(answers, f"{json.dumps(sorted(items))}\n".encode())
    for line in orders:
        order = json.loads(line)
        os.write(answers, f"{json.dumps(attempt(items, order))}\n".encode())
    return True


def attempt(items: dict[str, Any], order: dict[str, Any]) -> dict[str, str]:
    """Run an order in a child of its own; answers what came of it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.setsid()
        try:
            result = obey(items, order, write)
        except BaseException as error:  # noqa: BLE001 - whatever happens is told, and ends the child
            result = {"result": "broken", "by": repr(error)[:300]}
        os.write(write, json.dumps(result).encode())
        os._exit(0)
    os.close(write)
    told = b""
    while select.select([read], [], [], order["seconds"])[0]:
        piece = os.read(read, 65536)
        if not piece:
            break
        told += piece
    os.close(read)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if told.strip():
        return dict(json.loads(told))
    return {"result": "hangs", "by": f"a test did not end within {order['seconds']} s"}


def obey(items: dict[str, Any], order: dict[str, Any], alive: int) -> dict[str, str]:
    """Swap the code, run the tests up to the first that fails; says after each that it goes on."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(nothing, number)
    os.environ["MUTANT_DATABASE"] = order["database"]
    change = swap if order.get("in_function") else assign
    if order["source"] and not change(os.path.realpath(order["path"]), order["source"], order["line"]):
        return {"result": "elsewhere", "by": ""}
    chosen = [items[test] for test in order["tests"] if test in items]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed:
            return {"result": "killed", "by": failed[0]}
        os.write(alive, b" ")
    return {"result": "survived", "by": ""}


def swap(path: str, source: str, line: int) -> bool:
    """Give the function that holds a line its mutated code; False where no function holds it, or none can take it."""
    new = [code for code in functions(compile(source, path, "exec")) if code.co_firstlineno <= line]
    if not new:
        return False
    code = max(new, key=lambda each: each.co_firstlineno)
    swapped = False
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and is_same(each.__code__, code, path):
            if len(each.__code__.co_freevars) != len(code.co_freevars):
                return False
            each.__code__ = code
            swapped = True
    return swapped


def assign(path: str, source: str, line: int) -> bool:
    """Give the table or the attribute of a class that is assigned on a line its mutated value."""
    module = next((each for each in list(sys.modules.values()) if is_from(each, path)), None)
    tree = ast.parse(source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for owner, body in ((None, tree.body), *((node.name, node.body) for node in classes)):
        for node in body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            if module is None or not node.lineno <= line <= (node.end_lineno or node.lineno):
                continue
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            value = eval(compile(ast.Expression(node.value), path, "eval"), vars(module))
            if owner:
                setattr(getattr(module, owner), ast.unparse(target), value)
                return True
            table = getattr(module, ast.unparse(target))
            if isinstance(table, dict):
                # In place: others have imported it by its name.
                table.clear()
                table.update(value)
                return True
    return False


def is_from(module: Any, path: str) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and os.path.realpath(file) == path


def is_same(old: CodeType, new: CodeType, path: str) -> bool:
    return (old.co_qualname, old.co_firstlineno) == (new.co_qualname, new.co_firstlineno) and (
        os.path.realpath(old.co_filename) == path
    )


def functions(code: CodeType) -> Iterator[CodeType]:
    """List the functions and methods of a module, without those inside them."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if not each.co_flags & FUNCTION:
                yield from functions(each)
            elif not each.co_name.startswith("<"):
                yield each
