"""`assay setup`: what pip cannot bring: a browser, Java, a Chinese font, the model folders."""

from __future__ import annotations

import typer

from assay.commands.options import ConfigsOption

__all__ = ["setup"]


def setup(configs: ConfigsOption = None) -> None:
    """Find or install a browser, Java and a Chinese font, and lay out the models. Safe to repeat.

    Exit code 2 when something needed is missing that could not be installed; one line says how to get it.
    """
    from assay.provision import provision
    from assay.settings import Settings, find_configs

    findings = provision(Settings.load(find_configs(configs)).home)
    for f in findings:
        mark = "✓" if f.ok else "✗" if f.needed else "–"
        typer.echo(f"{mark} {f.name:<10} {f.detail}", err=not f.ok)
    if not all(f.ok or not f.needed for f in findings):
        raise typer.Exit(2)
