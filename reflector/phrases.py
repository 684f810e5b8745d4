"""The sentences of an answer, Chinese and English. A key's two forms take the same parts."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Language", "language_of", "say"]

Language = Literal["zh", "en"]
_CJK = re.compile(r"[\u3400-\u9fff]")

_PHRASES: dict[str, tuple[str, str]] = {
    # findings
    "value": ("{key}：{label} {value}", "{key}: {label} {value}"),
    "value_alone": ("{label} {value}", "{label} {value}"),
    "row": ("{key}：{fields}", "{key}: {fields}"),
    "field": ("{label} {value}", "{label} {value}"),
    "and_more": ("另有 {n} 行，见报告", "{n} more rows are in the report"),
    "span": (
        "{what}：共 {n} 行，{label}最低 {low}、最高 {high}",
        "{what}: {n} rows, lowest {label} {low}, highest {high}",
    ),
    "span_ends": (
        "，{start} 为 {first}，{end} 为 {last}", ", {first} in {start}, {last} in {end}",
    ),
    "records": ("{what}：共 {n} 条记录", "{what}: {n} record(s)"),
    "record": ("{key}：{fields}", "{key}: {fields}"),
    "quote": ("《{doc}》{place}：“{text}”", "{doc}{place}: “{text}”"),
    "quote_plain": ("《{doc}》{place}：{text}", "{doc}{place}: {text}"),
    "page": ("第 {page} 页", "page {page}"),
    "dropped": ("按“{bound}”略去了表中超出的行", "rows of the table beyond “{bound}” are left out"),
    "nothing_within": ("表中没有符合“{bound}”的行", "no row of the table is within “{bound}”"),
    "receipt": ("{what}：已提交，回执 {receipt}", "{what}: submitted, receipt {receipt}"),
    "receipt_before": (
        "{what}：此前已提交，未重复提交，回执 {receipt}",
        "{what}: submitted earlier and not submitted again, receipt {receipt}",
    ),
    "report": ("报告已生成：{path}", "report written: {path}"),
    # derived
    "higher": (
        "{head}{a} {label} {left}，比 {b}（{right}）高 {by}", "{head}{label} of {a} is {left}, {by} higher than {b} ({right})",
    ),
    "lower": (
        "{head}{a} {label} {left}，比 {b}（{right}）低 {by}", "{head}{label} of {a} is {left}, {by} lower than {b} ({right})",
    ),
    "equal": (
        "{head}{a} {label} {left}，与 {b}（{right}）相同", "{head}{label} of {a} is {left}, the same as {b} ({right})",
    ),
    "formula": ("{head}{a} {left} {sign} {b} {right} = {value}", "{head}{a} {left} {sign} {b} {right} = {value}"),
    "grew": (
        "{head}{label} 由 {right}{b} 增至 {left}{a}，增长率 {by}", "{head}{label} rose from {right}{b} to {left}{a}, growth {by}",
    ),
    "shrank": (
        "{head}{label} 由 {right}{b} 降至 {left}{a}，增长率 {by}", "{head}{label} fell from {right}{b} to {left}{a}, growth {by}",
    ),
    "stayed": ("{head}{label} {left}，没有变化", "{head}{label} unchanged at {left}"),
    "share": ("{head}{label} {value}，占 {share}", "{head}{label} {value}, a share of {share}"),
    "rank": ("第 {rank}：{head}{label} {value}", "no. {rank}: {head}{label} {value}"),
    "trend": (
        "{head}{label} 由 {first} 变为 {last}，总体{way}", "{head}{label} went from {first} to {last}: overall {way}",
    ),
    "trend_slope": ("，平均每期 {slope}", ", {slope} a period on average"),
    "rising": ("上升", "rising"),
    "falling": ("下降", "falling"),
    "flat": ("持平", "flat"),
    "correlate": (
        "{a} 与 {b} 的相关系数 r = {r}（n = {n}），{strength}{way}",
        "correlation of {a} and {b}: r = {r} (n = {n}), {strength} {way}",
    ),
    "few": ("；样本很少，且相关不等于因果", "; few points, and correlation is not causation"),
    "not_causal": ("；相关不等于因果", "; correlation is not causation"),
    "uncorrelated": (
        "{a} 与 {b} 的相关系数算不出（n = {n}）", "no correlation of {a} and {b} can be computed (n = {n})",
    ),
    "strong": ("强", "a strong"),
    "moderate": ("中等", "a moderate"),
    "weak": ("弱", "a weak"),
    "positive": ("正相关", "positive correlation"),
    "negative": ("负相关", "negative correlation"),
    "sum": ("{head}{label} 合计 {value}", "{head}total {label} {value}"),
    "mean": ("{head}{label} 平均 {value}", "{head}average {label} {value}"),
    "min": ("{head}{label} 最低 {value}", "{head}lowest {label} {value}"),
    "max": ("{head}{label} 最高 {value}", "{head}highest {label} {value}"),
    "count": ("{head}{value} 条", "{head}{value}"),
    "count_total": ("合计：{value} 条", "total: {value}"),
    "count_total_of": ("{of} 合计：{value} 条", "total of {of}: {value}"),
    "of_places": (" 等 {n} 条", " and others, {n} in all"),
    "points": ("{value} 个百分点", "{value} pp"),
    "label_growth": ("{label}增长率", "growth of {label}"),
    "label_share": ("{label}占比", "share of {label}"),
    "label_difference": ("{label}差", "difference of {label}"),
    "label_mean": ("平均{label}", "average {label}"),
    "label_count": ("条数", "count"),
    "label_ratio": ("比值", "ratio"),
    "label_product": ("乘积", "product"),
    "label_correlate": ("相关系数", "correlation"),
    "ranked": ("第 {rank}：{statement}", "no. {rank}: {statement}"),
    "unused": ("问题中的这些词没有用上：{words}", "words of the question that were not used: {words}"),
    "near": (
        "{record}发生在 {item}所属期间（{period}）内；时间相近不等于因果",
        "{record} fell into the period of {item} ({period}); that is no proof of a cause",
    ),
    "near_before": (
        "{record}发生在 {item}所属期间（{period}）之前一个月内；时间相近不等于因果",
        "{record} fell into the month before the period of {item} ({period}); that is no proof of a cause",
    ),
    "none_near": (
        "{item}所属期间（{period}）及此前一个月内没有相关记录，最近一条是 {record}",
        "there is no record in the period of {item} ({period}) or the month before; the latest is {record}",
    ),
    "in_brackets": ("{name}（{inner}）", "{name} ({inner})"),
    "colon": ("：", ": "),
    # criteria
    "criterion_met": ("{label} {value}，符合“{rule}”", "{label} {value} meets “{rule}”"),
    "criterion_failed": ("{label} {value}，不符合“{rule}”", "{label} {value} does not meet “{rule}”"),
    "all_met": (
        "符合制度所列条件：{names}；此结论仅依据所引条款，最终由人审批",
        "the conditions of the rules are met: {names}; this rests on the rules cited only, and a person decides",
    ),
    "part_met": (
        "已核验的条件均符合：{names}；未能核验：{unchecked}，因此不能据此认定全部符合；最终由人审批",
        "the conditions that could be checked are met: {names}; not checked: {unchecked}, so this is not the whole; a person decides",
    ),
    "criterion_open": ("未能核验“{rule}”：没有对应的数据", "“{rule}” could not be checked: nothing measured it"),
    "some_failed": (
        "不符合制度所列条件：{failed}；此结论仅依据所引条款，最终由人审批",
        "conditions of the rules are not met: {failed}; this rests on the rules cited only, and a person decides",
    ),
    "lacking": (" 缺 {months}", " without {months}"),
    "each_there": (" 每月都有", " without a gap"),
    "list": ("、", ", "),
    # conflicts, relaxations, gaps
    "conflict": (
        "{key} 的{label}各来源不一致：{claims}；{rule}，取 {kept}",
        "sources differ on {label} of {key}: {claims}; {rule}, kept {kept}",
    ),
    "conflict_alone": (
        "{label}各来源不一致：{claims}；{rule}，取 {kept}", "sources differ on {label}: {claims}; {rule}, kept {kept}",
    ),
    "claim": ("{source} 为 {value}（权重 {weight}）", "{source} says {value} (weight {weight})"),
    "mean_rule": ("按可信度加权平均", "trust-weighted mean"),
    "trusted_rule": ("以最可信者为准", "the most trusted wins"),
    "first_rule": ("未能合并，以首个来源为准", "they could not be merged and the first source stands"),
    "relaxed": (
        "{step}：{why}；{label} 由 {asked} 放宽为 {used}", "{step}: {why}; {label} widened from {asked} to {used}",
    ),
    "no_limit": ("不限", "any"),
    "open": ("不限", "open"),
    "nothing_there": ("{source} 没有所问的 {dataset} 数据", "{source} has nothing in {dataset} for what was asked"),
    "part_there": ("{source} 缺少部分所问的 {dataset} 数据", "{source} lacks part of what was asked of {dataset}"),
    "gap": ("{what}：{why}", "{what}: {why}"),
    "gap_remedy": ("{what}：{why}（{remedy}）", "{what}: {why} ({remedy})"),
    "waits": ("等待审批，尚未执行", "waits for approval; not done"),
    "approve": ("确认后加 --approve {source} 重新提问", "to approve, ask again with --approve {source}"),
    "condition_false": ("条件不成立（{when}），未执行", "not done, its condition does not hold ({when})"),
    "not_run": ("没有执行到", "was not reached"),
    "input_missing": ("所依赖的数据缺失（{message}）", "what it depends on is missing ({message})"),
    "to_check": ("需要人工核对（{message}）", "{message}"),
    "explained": ("{named}：{why}", "{named}: {why}"),
    "why_timeout": ("来源在限定时间内没有答复", "no answer within its time"),
    "why_rate_limited": ("来源限制了访问频率，重试后仍未放行", "the source limits how often it is asked"),
    "why_unavailable": ("来源当前无法访问", "the source cannot be reached"),
    "why_no_results": ("来源没有符合条件的数据", "the source has nothing that matches"),
    "why_format_error": ("来源的返回内容无法解析", "the reply cannot be read"),
    "why_schema_drift": ("来源的字段与目录中登记的不一致", "the source's fields are not those of the catalogue"),
    "why_validation_failed": ("数据已取得，但未通过校验", "the data came and failed its validation"),
    "why_auth": ("来源拒绝了登录", "the source refused the login"),
    "why_refused": ("按策略不允许读取或执行", "policy does not allow it"),
    "why_circuit_open": ("来源连续失败，暂停访问", "the source is left alone after repeated failures"),
    "why_skipped_input": ("所需的输入缺失", "its input is missing"),
    "why_cancelled": ("运行已取消", "the run was cancelled"),
    "why_bug": ("程序内部错误", "an internal error"),
    "opening_partial": (
        "以下只是部分结果：已有{known}；缺少{missing}。", "This is a partial result: it has {known}, and lacks {missing}.",
    ),
    "opening_nothing": (
        "以下只是部分结果：缺少{missing}。", "This is a partial result: it lacks {missing}.",
    ),
    "opening_insufficient": (
        "数据不足，无法判断：没有取得{missing}。", "Insufficient data: the question cannot be answered, as {missing} could not be had.",
    ),
    "opening_refusal": (
        "数据不足，无法判断：{missing}。", "Insufficient data: the question cannot be answered, as {missing}.",
    ),
    "opening_refused": (
        "没有权限读取所需的数据：{missing}。", "The sources needed may not be read: {missing}.",
    ),
    "titles": ("、", ", "),
    "quoted": ("“{title}”", "“{title}”"),
    "instead": ("{source} 未能给出数据（{why}），改用 {other}", "{source} gave no data ({why}); {other} was used instead"),
    "anew": (
        "{source} 未能给出数据（{why}），其余部分由 {planner} 重新规划", "{source} gave no data ({why}); the rest was planned anew by {planner}",
    ),
    "no_second": ("未能用 {source} 核对：{why}", "could not be checked against {source}: {why}"),
    "no_rows": ("{source} 没有符合条件的记录", "{source} has no matching record"),
    # headings
    "insufficient": ("数据不足，无法判断。", "Insufficient data: the question cannot be answered."),
    "refused": ("没有权限读取所需的数据。", "The sources needed may not be read."),
    "partial": ("以下只是部分结果。", "This is a partial result."),
    "missing": ("缺少：", "Missing:"),
    "conclusion": ("结论：", "Conclusion:"),
    "facts": ("依据：", "Based on:"),
    "record_heading": ("相关记录：", "Records:"),
    "passages": ("文档依据：", "From the documents:"),
    "done": ("已办：", "Done:"),
    "conflicts": ("来源不一致：", "Sources disagree:"),
    "relaxations": ("放宽的条件：", "Widened:"),
    "notes": ("说明：", "Notes:"),
    # kinds of failure
    "timeout": ("超时", "timed out"),
    "rate_limited": ("限流", "rate limited"),
    "unavailable": ("无法访问", "unavailable"),
    "no_results": ("没有数据", "no data"),
    "format_error": ("返回格式不对", "unreadable reply"),
    "schema_drift": ("字段已变更", "fields have changed"),
    "validation_failed": ("数据未通过校验", "the data failed validation"),
    "auth": ("登录失败", "login failed"),
    "refused_kind": ("策略不允许", "refused by policy"),
    "circuit_open": ("连续失败，暂停访问", "left alone after repeated failures"),
    "skipped_input": ("缺少输入", "input missing"),
    "cancelled": ("已取消", "cancelled"),
    "bug": ("程序错误", "internal error"),
    "remedy_outage": ("待 {source} 恢复后重试", "ask again when {source} is back"),
    "remedy_schema": ("需更新 {source} 的字段映射", "the mapping of {source} needs mending"),
    "remedy_auth": ("需检查 {source} 的账号", "check the credentials of {source}"),
    "comma": ("，", ", "),
    "semicolon": ("；", "; "),
}  # fmt: skip


def language_of(question: str) -> Language:
    """The answer's language: Chinese unless Chinese characters are few beside letters (a value in an English question)."""
    letters = sum(c.isalpha() for c in question)
    return "zh" if len(_CJK.findall(question)) * 4 >= max(letters, 1) else "en"


def say(language: Language, phrase: str, **parts: object) -> str:
    """The phrase with its parts filled in. KeyError for an unknown phrase or a part that is missing."""
    zh, en = _PHRASES[phrase]
    return (zh if language == "zh" else en).format_map(parts)
