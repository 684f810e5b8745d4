"""Headings of the HTML report, Chinese and English."""

from __future__ import annotations

from reflector.phrases import Language

__all__ = ["headings"]

_WORDS: dict[str, tuple[str, str]] = {
    "answer": ("回答", "Answer"),
    "answered": ("已回答", "answered"),
    "partial": ("部分结果", "partial"),
    "insufficient": ("数据不足", "insufficient data"),
    "refused": ("无权读取", "refused"),
    "plan": ("计划", "Plan"),
    "conflicts": ("来源不一致", "Conflicts"),
    "relaxations": ("放宽的条件", "Relaxations"),
    "gaps": ("缺失与说明", "Gaps and remarks"),
    "evidence": ("证据", "Evidence"),
    "citations": ("引用", "Citations"),
    "attempts": ("访问记录", "Attempts"),
    "decisions": ("决策过程", "Decisions"),
    "prompt": ("合成提示词", "Synthesis prompt"),
    "step": ("步骤", "step"),
    "source": ("来源", "source"),
    "status": ("状态", "status"),
    "failure": ("失败类型", "failure"),
    "message": ("信息", "message"),
    "started": ("开始", "started"),
    "seconds": ("秒", "seconds"),
    "rule": ("规则", "rule"),
    "why": ("原因", "why"),
    "key": ("键", "key"),
    "measure": ("指标", "measure"),
    "value": ("值", "value"),
    "weight": ("权重", "weight"),
    "kept": ("采用", "kept"),
    "asked": ("所问", "asked"),
    "used": ("实际", "used"),
    "place": ("位置", "place"),
    "as_written": ("原文", "as written"),
    "clause": ("校验", "validation"),
    "measured": ("实测", "measured"),
    "more_rows": ("另有行数：", "further rows: "),
    "run": ("运行", "run"),
    "planner": ("规划器", "planner"),
    "route": ("路径", "route"),
    "took": ("用时", "took"),
    "file": ("文件", "file"),
    "url": ("网址", "address"),
    "params": ("参数", "parameters"),
    # states of a step
    "success": ("成功", "success"),
    "failed_fatal": ("失败", "failed"),
    "failed_retryable": ("失败，可重试", "failed, may be retried"),
    "skipped": ("未执行", "skipped"),
    "pending": ("等待", "pending"),
    "running": ("进行中", "running"),
    # why a step was added
    "retry": ("重试", "retry"),
    "relax": ("放宽条件", "widened"),
    "fallback": ("改用来源", "fallback"),
    "second_opinion": ("复核", "second opinion"),
    "reconcile": ("合并", "reconciled"),
    "recompute": ("重新计算", "computed anew"),
    "replan": ("重新规划", "replanned"),
}


def headings(language: Language) -> dict[str, str]:
    """Name → heading."""
    n = 0 if language == "zh" else 1
    return {name: words[n] for name, words in _WORDS.items()}
