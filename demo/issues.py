"""The demo company's tickets as a Jira-like server gives them: nested fields, custom fields by number, a changelog."""

from __future__ import annotations

from typing import Any

from demo.company import PROVIDER_CHANGES
from demo.complaints import COMPLAINTS

__all__ = ["BY_KEY", "PROJECTS", "lines"]

REGION, CATEGORY, VERSION, QUARTER = (f"customfield_{n}" for n in (10021, 10034, 10035, 10036))
PROVIDER = "Logistics provider"


def _issue(key: str, number: int, kind: str, created: str, summary: str, **custom: Any) -> dict[str, Any]:
    return {
        "id": str(number),
        "key": key,
        "fields": {
            "summary": summary,
            "created": created,
            "issuetype": {"name": kind},
            "project": {"key": key.split("-")[0]},
            "status": {"name": "Closed"},
            **custom,
        },
        "changelog": {"startAt": 0, "maxResults": 100, "total": 0, "histories": []},
    }


def _history(number: int, at: str, *items: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "id": str(number),
        "author": {"displayName": "物流运营"},
        "created": at,
        "items": [
            {"field": field, "fieldtype": "custom", "fromString": before, "toString": after}
            for field, before, after in items
        ],
    }


def _logistics() -> list[dict[str, Any]]:
    """The provider changes, and between them tickets of the same project that change no provider."""
    issues = []
    for n, change in enumerate(PROVIDER_CHANGES):
        day = change.date
        issue = _issue(
            change.key, 30100 + n, "Change", f"{day}T09:30:00.000+0800", change.summary,
            **{REGION: {"value": change.region}},
        )  # fmt: skip
        issue["changelog"]["histories"] = [
            _history(50100 + 2 * n, f"{day}T10:05:00.000+0800", ("status", "Open", "In Progress")),
            _history(
                50101 + 2 * n, f"{day}T16:40:00.000+0800",
                (PROVIDER, change.previous, change.provider), ("status", "In Progress", "Closed"),
            ),
        ]  # fmt: skip
        issues.append(issue)
    for n, (key, day, region, summary) in enumerate(
        (
            ("LOG-109", "2023-04-17", "华东", "嘉兴仓盘点差异复核"),
            ("LOG-127", "2023-09-05", "华北", "天津分拨中心停电应急"),
            ("LOG-145", "2023-12-12", "华南", "大促期间夜间派送时段延长"),
            ("LOG-168", "2024-03-18", "华东", "退货件暂存区扩容"),
        )
    ):
        issue = _issue(
            key, 30200 + n, "Task", f"{day}T11:00:00.000+0800", summary, **{REGION: {"value": region}}
        )
        issue["changelog"]["histories"] = [
            _history(50200 + n, f"{day}T15:00:00.000+0800", ("status", "Open", "Closed"))
        ]
        issues.append(issue)
    for issue in issues:
        issue["changelog"]["total"] = len(issue["changelog"]["histories"])
    return sorted(issues, key=lambda i: str(i["fields"]["created"]))


def _complaints() -> list[dict[str, Any]]:
    return [
        _issue(
            c.ticket_id, 41000 + n, "Complaint", c.created, c.summary,
            **{CATEGORY: {"value": c.category}, VERSION: c.crm_version, QUARTER: c.quarter},
        )
        for n, c in enumerate(COMPLAINTS)
    ]  # fmt: skip


PROJECTS = {"LOG": _logistics(), "CS": _complaints()}
BY_KEY = {issue["key"]: issue for group in PROJECTS.values() for issue in group}


def lines(issue: dict[str, Any]) -> list[tuple[str, str]]:
    """What a person sees of an issue, as (label, text)."""
    fields = issue["fields"]
    shown = [("创建时间 Created", fields["created"]), ("状态 Status", fields["status"]["name"])]
    labels = {REGION: "区域 Region", CATEGORY: "类别 Category", VERSION: "CRM版本", QUARTER: "季度 Quarter"}
    for name, label in labels.items():
        value = fields.get(name)
        if value:
            shown.append((label, value["value"] if isinstance(value, dict) else value))
    for history in issue["changelog"]["histories"]:
        for item in history["items"]:
            change = f"{item['field']}: {item['fromString']} → {item['toString']}"
            shown.append((history["created"][:16].replace("T", " "), change))
    return shown
