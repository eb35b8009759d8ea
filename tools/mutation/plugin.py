"""The pytest plugin of `preloaded.py`: tests are loaded once and run on one mutant after another.

Pytest collects its tests, then waits for orders (JSON lines) instead of running them. For each order it forks; the
child replaces the code of the function or the value that the mutant changes, runs the tests of the order until one
fails, and reports the result. Children don't affect each other.
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

CO_OPTIMIZED = 0x1  # the flag of a function's code, which the body of a class lacks
failed: list[str] = []


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        failed.append(report.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> bool:
    """Run orders until the pipe is closed."""
    from django.urls import get_resolver

    # Load the views, which Django does with the first request: a child has to find their functions.
    _ = get_resolver().url_patterns
    # conftest.py freezes the loaded objects, and frozen ones would be missing from gc.get_objects().
    gc.unfreeze()
    items = {item.nodeid: item for item in session.items}
    orders, answers = os.fdopen(int(os.environ["MUTANT_ORDERS"])), int(os.environ["MUTANT_ANSWERS"])
    os.write(answers, f"{json.dumps(sorted(items))}\n".encode())
    for line in orders:
        order = json.loads(line)
        os.write(answers, f"{json.dumps(run_in_child(items, order))}\n".encode())
    return True


def run_in_child(items: dict[str, Any], order: dict[str, Any]) -> dict[str, str]:
    """Run an order in a forked child; return the result."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.setsid()
        try:
            result = run_order(items, order, write)
        except BaseException as error:  # noqa: BLE001 - reported, and the child ends
            result = {"result": "broken", "by": repr(error)[:300]}
        os.write(write, json.dumps(result).encode())
        os._exit(0)
    os.close(write)
    output = b""
    while select.select([read], [], [], order["seconds"])[0]:
        chunk = os.read(read, 65536)
        if not chunk:
            break
        output += chunk
    os.close(read)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if output.strip():
        return dict(json.loads(output))
    return {"result": "hangs", "by": f"a test did not end within {order['seconds']} s"}


def run_order(items: dict[str, Any], order: dict[str, Any], progress: int) -> dict[str, str]:
    """Apply the mutant and run the tests until one fails; write a space to `progress` after each."""
    null = os.open(os.devnull, os.O_RDWR)
    for number in (1, 2):
        os.dup2(null, number)
    os.environ["MUTANT_DATABASE"] = order["database"]
    apply = replace_function if order.get("in_function") else replace_value
    if order["source"] and not apply(os.path.realpath(order["path"]), order["source"], order["line"]):
        return {"result": "elsewhere", "by": ""}
    selected = [items[test] for test in order["tests"] if test in items]
    for item, following in zip(selected, [*selected[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed:
            return {"result": "killed", "by": failed[0]}
        os.write(progress, b" ")
    return {"result": "survived", "by": ""}


def replace_function(path: str, source: str, line: int) -> bool:
    """Replace the code of the function that contains a line; return False if that is not possible."""
    new = [code for code in list_functions(compile(source, path, "exec")) if code.co_firstlineno <= line]
    if not new:
        return False
    code = max(new, key=lambda each: each.co_firstlineno)
    is_replaced = False
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and is_same_function(each.__code__, code, path):
            if len(each.__code__.co_freevars) != len(code.co_freevars):
                return False
            each.__code__ = code
            is_replaced = True
    return is_replaced


def replace_value(path: str, source: str, line: int) -> bool:
    """Replace the table or class attribute that is assigned on a line; return False if there is none."""
    module = next((each for each in list(sys.modules.values()) if is_module_of(each, path)), None)
    tree = ast.parse(source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    for owner, body in ((None, tree.body), *((node.name, node.body) for node in classes)):
        for node in body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            if module is None or not node.lineno <= line <= (node.end_lineno or node.lineno):
                continue
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            # The code is our own, as the mutant has it.
            value = eval(compile(ast.Expression(node.value), path, "eval"), vars(module))  # noqa: S307  # nosec B307
            if owner:
                setattr(getattr(module, owner), ast.unparse(target), value)
                return True
            table = getattr(module, ast.unparse(target))
            if isinstance(table, dict):
                # In place, since other modules have imported the name.
                table.clear()
                table.update(value)
                return True
    return False


def is_module_of(module: Any, path: str) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and os.path.realpath(file) == path


def is_same_function(old: CodeType, new: CodeType, path: str) -> bool:
    return (old.co_qualname, old.co_firstlineno) == (new.co_qualname, new.co_firstlineno) and (
        os.path.realpath(old.co_filename) == path
    )


def list_functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions and methods of a module, without nested ones."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if not each.co_flags & CO_OPTIMIZED:
                yield from list_functions(each)
            elif not each.co_name.startswith("<"):
                yield each
