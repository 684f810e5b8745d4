"""The call centre's complaint tickets, 2023-Q3 to 2024-Q2, spread evenly over the days of each release.

Summaries are the phrases of the call centre's form, so the same complaint reads the same on every ticket.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from demo.crm import CRM_RELEASES

__all__ = ["COMPLAINTS", "Complaint"]


class Complaint(NamedTuple):
    ticket_id: str
    category: str
    quarter: str
    created: str  # ISO 8601 with +0800, as Jira writes it
    crm_version: str
    summary: str


_TRANSFER = "来电多次转接仍未找到对口坐席"
_WAIT = "客服热线排队等待时间过长"
_RECALL = "回访未按约定时间进行"
_REPEAT = "报修资料需要反复登记"
_ATTITUDE = "客服态度生硬"
_BREAK = "主机使用不久即无法开机"
_NOISE = "运行噪音明显偏大"
_BATTERY = "电池续航明显缩短"
_DAMAGE = "外壳到货时已有裂纹"
_LATE = "配送超过承诺时间"
_CRUSHED = "外包装破损、商品受潮"
_WRONG = "送错地址或错发型号"

# category, quarter, version: how often each thing was complained of
_COUNTS: dict[tuple[str, str, str], dict[str, int]] = {
    ("服务", "2023-Q3", "V2.2.0"): {_WAIT: 1, _ATTITUDE: 1},
    ("服务", "2023-Q3", "V2.3.0"): {_WAIT: 3, _RECALL: 2, _ATTITUDE: 1, _REPEAT: 1},
    ("服务", "2023-Q4", "V2.3.0"): {_WAIT: 2, _RECALL: 2, _ATTITUDE: 1},
    ("服务", "2023-Q4", "V2.3.1"): {_TRANSFER: 9, _WAIT: 6, _REPEAT: 3, _RECALL: 1},
    ("服务", "2024-Q1", "V2.3.1"): {_TRANSFER: 4, _WAIT: 3, _REPEAT: 1},
    ("服务", "2024-Q1", "V2.3.2"): {_WAIT: 3, _RECALL: 2, _TRANSFER: 1},
    ("服务", "2024-Q2", "V2.3.2"): {_WAIT: 1, _ATTITUDE: 1},
    ("服务", "2024-Q2", "V2.4.0"): {_WAIT: 2, _RECALL: 2, _REPEAT: 1},
    ("服务", "2024-Q2", "V2.4.1"): {_RECALL: 1},
    ("质量", "2023-Q3", "V2.2.0"): {_NOISE: 1},
    ("质量", "2023-Q3", "V2.3.0"): {_BREAK: 3, _NOISE: 3, _BATTERY: 2, _DAMAGE: 1},
    ("质量", "2023-Q4", "V2.3.0"): {_BREAK: 1, _NOISE: 1},
    ("质量", "2023-Q4", "V2.3.1"): {_BREAK: 3, _NOISE: 2, _BATTERY: 3, _DAMAGE: 1},
    ("质量", "2024-Q1", "V2.3.1"): {_BREAK: 1, _DAMAGE: 3, _BATTERY: 1},
    ("质量", "2024-Q1", "V2.3.2"): {_BREAK: 2, _NOISE: 1, _DAMAGE: 1},
    ("质量", "2024-Q2", "V2.3.2"): {_BATTERY: 2, _BREAK: 1},
    ("质量", "2024-Q2", "V2.4.0"): {_BREAK: 2, _NOISE: 3, _BATTERY: 2},
    ("质量", "2024-Q2", "V2.4.1"): {_BATTERY: 1},
    ("物流", "2023-Q3", "V2.3.0"): {_LATE: 4, _CRUSHED: 2, _WRONG: 1},
    ("物流", "2023-Q4", "V2.3.1"): {_LATE: 6, _CRUSHED: 2, _WRONG: 1},
    ("物流", "2024-Q1", "V2.3.1"): {_CRUSHED: 5, _LATE: 3, _WRONG: 1},
    ("物流", "2024-Q1", "V2.3.2"): {_CRUSHED: 2, _LATE: 1},
    ("物流", "2024-Q2", "V2.4.0"): {_LATE: 3, _CRUSHED: 2, _WRONG: 1},
}
# not every site moved to V2.3.1 on the day: until then these ended where the next began
_LAST_SITES = {"V2.3.0": "2023-11-20"}


def _days(quarter: str, version: str) -> tuple[dt.date, int]:
    """First day, and number of days, on which `version` was in use within `quarter`."""
    year, q = int(quarter[:4]), int(quarter[-1])
    first = dt.date(year, 3 * q - 2, 1)
    end = dt.date(year + q // 4, 3 * q % 12 + 1, 1)
    versions = list(CRM_RELEASES)
    released = dt.date.fromisoformat(CRM_RELEASES[version])
    place = versions.index(version) + 1
    if place < len(versions):
        gone = dt.date.fromisoformat(_LAST_SITES.get(version, CRM_RELEASES[versions[place]]))
        end = min(end, gone)
    first = max(first, released)
    return first, (end - first).days


def _tickets() -> tuple[Complaint, ...]:
    drafts = []
    for (category, quarter, version), themes in _COUNTS.items():
        first, days = _days(quarter, version)
        left, order = dict(themes), []
        while left:  # one of each theme in turn, so that none clusters on a few days
            for theme in list(left):
                order.append(theme)
                left[theme] -= 1
                if not left[theme]:
                    del left[theme]
        for i, theme in enumerate(order):
            day = first + dt.timedelta(days=(2 * i + 1) * days // (2 * len(order)))
            drafts.append((day, category, quarter, version, theme))
    drafts.sort()
    return tuple(
        Complaint(
            f"CS-{2001 + n}", category, quarter,
            f"{day}T{9 + n * 7 % 9:02d}:{n * 13 % 60:02d}:00.000+0800", version, theme,
        )
        for n, (day, category, quarter, version, theme) in enumerate(drafts)
    )  # fmt: skip


COMPLAINTS = _tickets()
