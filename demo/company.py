"""明禾电器 (Minghe Appliances): everything the demo's servers, databases and documents show, in one place.

A made-up retailer of home appliances that also lends to its customers. Nothing here is random. What is built in:

* the two boards agree within 5 % (relative) on every return rate but one: product A, 华东, 2024-01, where the
  sales board says 5.2 % and the after-sales board 6.1 %;
* product C in 华南 has no return rate for 2024-02 on either board;
* 华东 changed its logistics provider on 2024-01-03 (LOG-157), and product A came back more often from then on;
* service complaints more than double in 2023-Q4, most of them on CRM V2.3.1, released 2023-10-09.
"""

from __future__ import annotations

from typing import NamedTuple

from demo.borrowers import BORROWERS
from demo.complaints import COMPLAINTS
from demo.crm import CRM_RELEASES
from demo.vacuums import EASY_VACUUM

__all__ = [
    "BORROWERS",
    "CAMPAIGNS",
    "COMPLAINTS",
    "CRM_RELEASES",
    "EASY_VACUUM",
    "EMPTY",
    "MONTHS",
    "NAME",
    "ORDERS",
    "PRODUCTS",
    "PRODUCT_LINES",
    "PROVIDER_CHANGES",
    "QUARTERS",
    "REGIONS",
    "REPURCHASE",
    "REVENUE",
    "Campaign",
    "Order",
    "ProviderChange",
    "ReturnRate",
    "growth",
    "repurchase_rate",
    "return_rate",
    "returns",
    "revenue",
    "revenue_by_month",
]

NAME = "明禾电器 Minghe Appliances"
PRODUCTS = ("A", "B", "C")
REGIONS = ("华东", "华北", "华南")
MONTHS = tuple(f"{y}-{m:02d}" for y in (2023, 2024) for m in range(1, 13) if (y, m) <= (2024, 6))
QUARTERS = ("2023-Q1", "2023-Q2", "2023-Q3", "2023-Q4", "2024-Q1", "2024-Q2")
EMPTY = frozenset({("C", "华南", "2024-02")})


class ReturnRate(NamedTuple):
    product: str
    region: str
    month: str
    permille: int  # 52 is 5.2 %

    @property
    def percent(self) -> str:
        """As a board shows it: "5.2%"."""
        return f"{self.permille / 10:.1f}%"


_USUAL = {
    ("A", "华东"): 34, ("A", "华北"): 31, ("A", "华南"): 36,
    ("B", "华东"): 42, ("B", "华北"): 38, ("B", "华南"): 45,
    ("C", "华东"): 29, ("C", "华北"): 27, ("C", "华南"): 31,
}  # fmt: skip
_SEASON = (
    1,
    2,
    0,
    -1,
    0,
    1,
    -1,
    0,
    1,
    0,
    3,
    2,
    1,
    2,
    0,
    -1,
    0,
    1,
)  # permille, one a month; November is Double 11
_EVENTS = {
    ("A", "华东", "2024-01"): 52, ("A", "华东", "2024-02"): 49, ("A", "华东", "2024-03"): 44,
    ("A", "华东", "2024-04"): 40, ("A", "华东", "2024-05"): 37, ("A", "华东", "2024-06"): 35,
    ("B", "华北", "2024-01"): 38, ("B", "华北", "2024-02"): 40, ("B", "华北", "2024-03"): 45,
    ("B", "华北", "2024-04"): 43, ("B", "华北", "2024-05"): 40,
}  # fmt: skip
# the after-sales team counts parcels refused at the door too; in most months that changes little
_AFTER_SALES = {("A", "华东", "2024-01"): 9, ("B", "华北", "2024-01"): 0}


def returns(board: str = "sales") -> list[ReturnRate]:
    """Return rates as the board "sales" or "support" counts them, by product, region, month."""
    rows = []
    for (product, region), usual in _USUAL.items():
        for i, month in enumerate(MONTHS):
            key = (product, region, month)
            if key in EMPTY:
                continue
            rate = _EVENTS.get(key, usual + _SEASON[i])
            if board == "support":
                rate += _AFTER_SALES.get(key, (0, 1, 0, 1, -1)[(i + usual) % 5])
            rows.append(ReturnRate(product, region, month, rate))
    return rows


def return_rate(board: str, product: str, region: str, month: str) -> float:
    """One rate as a fraction. Raises KeyError for a month that the board has not."""
    return {r[:3]: r.permille for r in returns(board)}[product, region, month] / 1000


# permille of the tier's customers who bought again within the quarter
REPURCHASE = {
    "VIP": {"2023-Q1": 312, "2023-Q2": 335, "2023-Q3": 368, "2023-Q4": 410},
}


def repurchase_rate(tier: str, quarter: str) -> float:
    """As a fraction."""
    return REPURCHASE[tier][quarter] / 1000


class Campaign(NamedTuple):
    quarter: str
    channel: str
    events: int


CAMPAIGNS = tuple(
    Campaign(quarter, channel, count)
    for quarter, online, offline in zip(QUARTERS, (5, 4, 9, 12, 7, 10), (3, 5, 4, 6, 2, 4), strict=True)
    for channel, count in (("线上", online), ("线下", offline))
)


class ProviderChange(NamedTuple):
    key: str
    region: str
    date: str
    provider: str
    previous: str
    summary: str


PROVIDER_CHANGES = (
    ProviderChange("LOG-104", "华东", "2023-03-06", "中联配送", "顺途快运", "华东区大件配送服务商调整"),
    ProviderChange("LOG-112", "华北", "2023-05-22", "安捷物流", "远航速运", "华北区干线与末端统一由一家承运"),
    ProviderChange("LOG-121", "华南", "2023-08-14", "粤通配送", "中联配送", "华南区仓配一体化切换"),
    ProviderChange("LOG-133", "华东", "2023-10-16", "安捷物流", "中联配送", "双11前华东区扩充运力"),
    ProviderChange("LOG-140", "华北", "2023-11-20", "中联配送", "安捷物流", "华北区冬季运力调整"),
    ProviderChange(
        "LOG-157", "华东", "2024-01-03", "迅达物流", "安捷物流", "华东区合同到期，更换大件配送服务商"
    ),
    ProviderChange("LOG-163", "华北", "2024-02-19", "远航速运", "中联配送", "华北区节后更换末端服务商"),
    ProviderChange("LOG-171", "华南", "2024-04-08", "安捷物流", "粤通配送", "华南区服务商到期更换"),
)

# thousand yuan a quarter, in the order of QUARTERS
REVENUE = {
    "清洁电器": (18_420, 21_160, 20_350, 29_780, 23_025, 26_240),
    "厨房电器": (15_600, 16_240, 15_980, 21_500, 16_848, 17_390),
    "环境电器": (9_800, 7_450, 8_120, 12_640, 9_506, 7_310),
    "个人护理": (5_250, 5_610, 5_940, 8_070, 6_048, 6_420),
}


PRODUCT_LINES = tuple(REVENUE)


def revenue(line: str, quarter: str) -> int:
    """In yuan."""
    return REVENUE[line][QUARTERS.index(quarter)] * 1000


def growth(line: str, before: str, after: str) -> float:
    """(after - before) / before, as a fraction."""
    return revenue(line, after) / revenue(line, before) - 1


def revenue_by_month() -> list[tuple[str, str, int]]:
    """(product line, month, yuan); the three months of a quarter sum to REVENUE exactly."""
    rows = []
    for line, quarters in REVENUE.items():
        for i, thousands in enumerate(quarters):
            total = thousands * 1000
            first, second = total * 31 // 100, total * 32 // 100
            for month, amount in zip(
                MONTHS[3 * i : 3 * i + 3], (first, second, total - first - second), strict=True
            ):
                rows.append((line, month, amount))
    return rows


class Order(NamedTuple):
    order_id: str
    product: str
    status: str
    price: int  # yuan
    ordered_on: str


ORDERS = (
    Order("88231", "扫地机", "已签收", 1899, "2024-07-02"),
    Order("88232", "空气净化器", "已签收", 1299, "2024-07-02"),
    Order("88240", "电饭煲", "已退款", 399, "2024-06-18"),
    Order("89015", "洗地机", "退款中", 2699, "2024-06-29"),
    Order("89107", "破壁机", "已签收", 599, "2024-07-05"),
    Order("90033", "电动牙刷", "已下单", 259, "2024-07-14"),
    Order("90417", "空气炸锅", "运输中", 459, "2024-07-12"),
    Order("90418", "扫地机", "运输中", 2799, "2024-07-12"),
    Order("90502", "加湿器", "已下单", 219, "2024-07-15"),
    Order("90511", "吹风机", "已签收", 329, "2024-07-09"),
)
