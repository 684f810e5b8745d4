"""The `assay` command. Exit codes: 0 done, 2 usage or configuration, 3 partial or insufficient, 4 unsure of the plan, 1 a bug.

Only typer is imported here: a command imports what it needs when it runs, so that `--help` is quick.
"""

from __future__ import annotations

import errno
import io
import json
import sys
from contextlib import suppress
from typing import NoReturn

import typer

from assay.commands import ask, check, demo, index, plan, planner, runs, setup

__all__ = ["app", "main"]

# rich's help pages would cost 0.2 CPU seconds at each start
app = typer.Typer(
    help="Ask questions over BI boards, tickets, SQL and documents; every number in the answer is cited.",
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("ask")(ask.ask)
app.command("plan")(plan.plan)
app.command("check")(check.check)
app.command("setup")(setup.setup)
app.add_typer(index.app, name="index")
app.add_typer(runs.app, name="runs")
app.add_typer(planner.app, name="planner")
app.add_typer(demo.app, name="demo")


# what the machine refuses: no right, no room, a file where a folder belongs
REFUSED = {
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR, errno.EISDIR,
    errno.EEXIST, errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE,
}  # fmt: skip
INTERRUPTED = 130
BROKEN_PIPE = 141  # as a shell says it of a program that SIGPIPE ended


def main() -> None:
    """The entry point: whatever goes wrong becomes one line and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without 中文 must not end a run
    try:
        _check_arguments()
        app()
    except SystemExit as e:
        if e.code == INTERRUPTED:  # typer takes Ctrl-C for itself, and says nothing
            _fail("interrupted", INTERRUPTED)
        # ours end in _fail; typer and rich leave so when the reader of standard output has gone
        raise SystemExit(BROKEN_PIPE if e.code == 1 else e.code) from None
    except KeyboardInterrupt:
        _fail("interrupted", INTERRUPTED)
    except Exception as e:
        if _is_expected(e):
            _fail(" ".join(str(e).split()), 2)
        if isinstance(e, OSError) and e.errno in REFUSED:
            _fail(f"{e.filename or 'standard output or the disk'}: {e.strerror}", 2)
        _fail(f"a bug in assay: {type(e).__name__}: {' '.join(str(e).split())}; details: {_write_crash()}", 1)


def _check_arguments() -> None:
    """Raises UsageError for bytes that are no text: no store, index or message could hold them."""
    from assay.errors import UsageError

    for n, argument in enumerate(sys.argv[1:], 1):
        if any("\ud800" <= c <= "\udfff" for c in argument):
            raise UsageError(f"argument {n} is not UTF-8")


def _is_expected(e: Exception) -> bool:
    """Is this one of our typed errors? Their roots are looked up only among the modules already imported."""
    roots = {
        "assay.errors": "AssayError",
        "planner.errors": "PlannerError",
        "adapters.errors": "SourceError",
        "kb_index.errors": "KnowledgeIndexError",
        "executor.errors": "ExecutorError",
        "demo.errors": "DemoError",
    }
    kinds = tuple(
        getattr(sys.modules[module], name) for module, name in roots.items() if module in sys.modules
    )
    return isinstance(e, kinds)


def _fail(line: str, code: int) -> NoReturn:
    with suppress(OSError):
        if "--json" in sys.argv:
            print(json.dumps({"error": line, "exit_code": code}, ensure_ascii=False), flush=True)
    print(f"assay: {line}", file=sys.stderr)
    raise SystemExit(code)


def _write_crash() -> str:
    """Keeps the traceback in a file, so that a bug's report loses nothing and the terminal stays readable."""
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="assay-crash-", suffix=".txt", delete=False) as f:
        f.write(traceback.format_exc())
    return f.name
