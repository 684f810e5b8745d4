"""Tables: macro and micro adjacency F1 over files with true cells, and pages read per CPU second.

    python -m benchmarks.index_tables [--folder DIR] [--each]

DIR holds NAME.pdf beside NAME-str.xml (the ICDAR 2013 form); by default the shared set, where there is one."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared"


def predicted(folder: Path) -> tuple[dict[str, Any], int, float]:
    """What the scorer reads, pages, and CPU seconds of reading them."""
    from kb_index.errors import UnreadableFile
    from kb_index.pdf import tables_of

    found: dict[str, Any] = {}
    pages, spent = 0, 0.0
    for path in sorted(folder.glob("*.pdf")):
        begun = time.process_time()
        try:
            read = tables_of(path)
        except UnreadableFile as error:
            print(error, file=sys.stderr)
            continue
        finally:
            spent += time.process_time() - begun
        pages += len(read)
        found[path.name] = {
            "pages": {
                str(n): [{"rows": [list(r) for r in g.rows]} for g in grids] for n, grids in read.items()
            }
        }
    return found, pages, spent


def scorer(script: Path) -> Any:
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=SHARED / "data" / "pdf" / "tables")
    parser.add_argument("--each", action="store_true", help="F1 of each file")
    asked = parser.parse_args()
    script = SHARED / "scripts" / "score_tables.py"
    if not asked.folder.is_dir() or not script.is_file():
        print(
            "the files with true tables are not here: ../shared/data/pdf/tables, ../shared/scripts/score_tables.py"
        )
        return
    predictions, pages, spent = predicted(asked.folder)
    files = sorted(str(p) for p in asked.folder.glob("*.pdf") if p.with_name(f"{p.stem}-str.xml").is_file())
    scored = scorer(script).score({str(asked.folder / n): p for n, p in predictions.items()}, files)
    if asked.each:
        for file in files:
            print(f"{scored['per'][file]:.3f} {Path(file).name}")
    for name in ("macro", "micro", "cell"):
        print(name, "P R F1", " ".join(f"{x:.3f}" for x in scored[name]))
    print(f"tables {scored['ntab']} of {scored['gt_tab']}; {pages / max(spent, 1e-9):.1f} pages a CPU second")


if __name__ == "__main__":
    main()
