"""Settings of an installation, from `configs/assay.yaml`. Every key has a default; an unknown one stops the start."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assay.errors import UsageError
from planner.errors import CatalogueError
from planner.yaml_marks import Marked, Place, key_of, read_yaml

if TYPE_CHECKING:
    from planner.remote import Endpoint

__all__ = ["Knowledge", "Limits", "Planning", "Remote", "Settings", "find_configs"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Knowledge(_Strict):
    """What the nightly job indexes, and with which embedding."""

    paths: tuple[str, ...] = ()
    collection: str = "default"
    model: str = (
        ""  # a SentenceTransformer's name or folder; empty: multilingual-e5-small, laid out from its wheel
    )
    store: str = "edge"  # edge, or the URL of a Qdrant server
    ocr: bool = True  # pages without a text layer are read from their picture
    file_seconds: float = Field(default=600.0, gt=0, allow_inf_nan=False, description="for parsing one file")
    glossary: str = ""  # a file of names and the words that passages use for them
    reranker: str = ""  # a cross-encoder's folder or name


class Limits(_Strict):
    """Bounds of one run."""

    rounds: int = Field(default=8, ge=1, description="how often the reflector may ask for more")
    seconds: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    replans: int = Field(
        default=1, ge=0, description="how often the rest of a question may be planned anew in a run"
    )
    parallel: int = Field(default=8, ge=1, description="sub-goals at the same time")
    tolerance: float = Field(
        default=0.05,
        ge=0,
        allow_inf_nan=False,
        description="relative difference up to which two sources agree; execution-and-reflection.md",
    )
    second_opinion: bool = True  # ask an alternative source too, so that a disagreement can be seen


class Remote(_Strict):
    """An OpenAI-compatible endpoint that may plan. `key` is a reference, env:NAME; empty sends none."""

    url: str
    model: str
    key: str = Field(default="", pattern=r"^(env:[A-Za-z_][A-Za-z0-9_]*)?$")
    timeout_s: float = Field(default=60.0, gt=0, allow_inf_nan=False)


class Planning(_Strict):
    """Below `threshold`, the measured probability that a plan is right, a person chooses before anything runs."""

    threshold: float = Field(default=0.5, ge=0, le=1)
    remote: Remote | None = None

    def endpoint(self) -> Endpoint | None:
        """The remote endpoint with its key read. Raises UsageError naming a variable that is not set."""
        from planner.remote import Endpoint

        if self.remote is None:
            return None
        name = self.remote.key.removeprefix("env:")
        if name and not os.environ.get(name):
            raise UsageError(f"planning.remote.key: the environment variable {name} is not set")
        key = os.environ.get(name, "") if name else ""
        return Endpoint(self.remote.url, self.remote.model, key, self.remote.timeout_s)


class Settings(_Strict):
    """`root` is the folder that holds the configuration's folder; relative paths are read against it."""

    root: Path
    home: Path = Path(".assay")
    store: str = ""  # where run records live: a path or an SQLAlchemy URL
    planner: Literal["auto", "local", "rules", "remote"] = "auto"
    planning: Planning = Planning()
    knowledge: Knowledge = Knowledge()
    limits: Limits = Limits()
    browser: str = ""  # path of a Chromium; empty: the first one found
    ocr_min_score: float = Field(default=0.6, ge=0, le=1)  # a value read with less confidence is refused
    demo: bool = False  # these configs describe the demo company: start its servers when none is up

    @classmethod
    def load(cls, configs: Path) -> Settings:
        """Reads `configs/assay.yaml`; without one, the defaults. Raises UsageError with file, line and key."""
        if not configs.is_dir():
            raise UsageError(f"{configs}: no such folder; give one with --configs or ASSAY_CONFIGS")
        file = configs / "assay.yaml"
        marked = _read(file)
        root = configs.resolve().parent
        try:
            found = cls.model_validate({**marked.data, "root": root})
        except ValidationError as e:
            first = e.errors()[0]
            raise _fault(file, marked, first["loc"], first["msg"]) from None
        home = Path(os.environ.get("ASSAY_HOME") or root / found.home).absolute()
        found = found.model_copy(update={"home": home})
        where = found.store or "${home}/runs.db"
        return found.model_copy(update={"store": where if "://" in where else str(found.resolve(where))})

    def without_replans(self) -> Settings:
        """The same where nobody plans anew."""
        return self.model_copy(update={"limits": self.limits.model_copy(update={"replans": 0})})

    def resolve(self, path: str) -> Path:
        """A path of the settings: `${home}` is the home folder, a relative one stands against `root`."""
        return self.root / path.replace("${home}", str(self.home))


def find_configs(given: str | None) -> Path:
    """The configuration's folder: the one given, ASSAY_CONFIGS, ./configs, else the one beside the code."""
    if given or os.environ.get("ASSAY_CONFIGS"):
        return Path(given or os.environ["ASSAY_CONFIGS"])
    here = Path("configs")
    return here if (here / "sources").is_dir() else Path(__file__).resolve().parent.parent / "configs"


def _read(file: Path) -> Marked:
    """The file's keys and values, none without a file. Raises UsageError."""
    if not file.exists():
        return Marked({})
    try:
        marked = read_yaml(file.read_text(encoding="utf-8-sig"), str(file))
    except CatalogueError as e:
        raise UsageError(str(e)) from None
    except UnicodeDecodeError as e:
        raise UsageError(f"{file}:1: not UTF-8 (byte {e.start})") from None
    except OSError as e:
        raise UsageError(f"{file}: cannot be read: {e.strerror}") from None
    if marked.data is None:
        marked.data = {}
    if not isinstance(marked.data, dict):
        raise UsageError(f"{file}:1: expected keys and values at the top")
    if "root" in marked.data:
        raise _fault(file, marked, ("root",), "unknown key; it is the folder above this one")
    return marked


def _fault(file: Path, marked: Marked, place: Place, message: str) -> UsageError:
    return UsageError(f"{file}:{marked.line(place)}: {key_of(place)}: {message}")
