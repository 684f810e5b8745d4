"""Words for the states that most records share, both languages, in groups of one meaning."""

from __future__ import annotations

import re

__all__ = ["groups_of", "same_state"]

# each group: states as catalogues spell them, and the ways in which people speak of them
_GROUPS: dict[str, tuple[str, str]] = {
    "delivered": (r"签收|送达|已到|到达|收货|妥投|到货|交付", r"到了|到没|送到|收到|签收|送达|到货|妥投|deliver(?:ed|y)?|arrived?|arrival|received?|signed for"),
    "shipped": (r"运输|在途|发货|已发|配送|派送|出库", r"发货|发出|运输|在途|路上|配送|寄出|shipped|dispatched|in transit|on (?:its|the) way|out for delivery|en route"),
    "paid": (r"付款|支付|已付|缴清|结清|到账", r"付了|付款|支付|缴了|结清|付清|到账|paid|settled|payment received|cleared"),
    "unpaid": (r"未付|未支付|待付|待支付|欠费|未缴|未结", r"没付|未付|没交钱|欠着|欠费|unpaid|outstanding|not (?:been )?paid"),
    "closed": (r"关闭|已关|解决|完成|办结|完结|结案|结束|处理完|已处理", r"关了|关闭|关单|解决|完成|办完|办结|搞定|修好|处理完|处理好|结案|弄好|closed|resolved|done|complete[d]?|finished|fixed|solved|settled"),
    "open": (r"打开|未关|待处理|未解决|进行|处理中|未完成|受理|新建|未结|未处理|待办", r"没关|未关|没结|未结|还开着|没处理|未处理|待处理|没解决|未解决|还没完|没完成|未完成|进行中|处理中|悬而未决|open|unresolved|pending|outstanding|in progress|ongoing|not (?:yet )?(?:closed|resolved)|active|underway"),
    "approved": (r"通过|批准|同意|已批|核准", r"批了|批准|通过|同意|批下来|核准|approved?|accepted|passed|signed off|granted|green-?lit"),
    "rejected": (r"拒绝|驳回|未通过|不通过|退回", r"拒了|拒绝|驳回|没通过|没批|打回|rejected|declined|denied|refused|turned down|failed"),
    "cancelled": (r"取消|作废|撤销|终止", r"取消|作废|撤销|撤了|退订|cancel(?:l?ed)?|void(?:ed)?|withdrawn|called off|scrapped"),
    "blocked": (r"冻结|暂停|挂起|停用|阻塞|扣留|停机", r"冻结|暂停|停了|卡住|挂起|停用|blocked|on hold|frozen|suspended|paused|stuck|held"),
    "expired": (r"过期|到期|失效|逾期", r"过期|到期|失效|逾期|expired|lapsed|overdue|past due|out of date"),
    "confirmed": (r"确认|已定|已约", r"确认|定了|敲定|confirmed|booked|firm"),
    "refunded": (r"已退款|退款完成", r"退款了|退了钱|退过款|refunded|money back"),
    "late": (r"延迟|延误|晚点|逾期|超时", r"晚了|延迟|延误|晚点|超时|late|delayed|behind schedule|overdue"),
    "high": (r"高|严重|紧急|重大|critical|severe|urgent", r"高(?:危|优|级|风险|严重)|严重|紧急|加急|重大|high|severe|critical|urgent|major"),
    "medium": (r"中", r"中(?:等|级|危|度)|medium|moderate"),
    "low": (r"低|轻微|一般", r"低(?:危|优|级|风险)|轻微|low|minor"),
    "active": (r"在职|有效|启用|正常|在用|生效", r"在职|有效|启用|正常|在用|还在用|生效|active|valid|in force|live|enabled|in use"),
    "inactive": (r"离职|无效|停用|注销|失效", r"离职|无效|停用|注销|inactive|disabled|terminated|retired"),
    "online": (r"线上|网上|在线", r"线上|网上|在线|online|web|internet"),
    "offline": (r"线下|门店|实体", r"线下|实体|offline|in-store|in person"),
    "failed": (r"失败|不合格|未达标|故障|异常", r"失败|不合格|没过|不达标|failed?|failing|faulty|broken"),
    "passed": (r"合格|达标", r"合格|达标|没问题|pass(?:ed)?"),
}  # fmt: skip
_EN_STATE = {
    "delivered": "deliver|arriv|receiv", "shipped": "ship|transit|dispatch", "paid": "^paid|settled", "unpaid": "unpaid|outstanding",
    "closed": "clos|resolv|done|complet|finish|fixed|solved", "open": "open|pending|progress|new|unresolved|ongoing", "approved": "approv|accept|grant",
    "rejected": "reject|declin|den(?:y|ied)|refus", "cancelled": "cancel|void|withdrawn", "blocked": "block|hold|frozen|suspend|paus",
    "expired": "expir|overdue|lapsed", "confirmed": "confirm|booked", "refunded": "refunded", "late": "late|delay|overdue", "high": "high|critical|severe|urgent|major",
    "medium": "medium|moderate", "low": "^low|minor", "active": "^active|valid|live|enabled", "inactive": "inactive|disabled|terminated|retired",
    "online": "online|web", "offline": "offline|store", "failed": "fail|fault", "passed": "pass",
}  # fmt: skip
_STATES = {name: re.compile(f"{zh}|{_EN_STATE[name]}") for name, (zh, _) in _GROUPS.items()}
_SPOKEN = {
    name: re.compile(
        "|".join(rf"(?<![a-z]){w}(?![a-z])" if w[0].isascii() and w[0] not in "(?" else w for w in _split)
    )
    for name, _split in ((n, re.split(r"\|(?![^(]*\))", spoken)) for n, (_, spoken) in _GROUPS.items())
}


def groups_of(phrase: str) -> list[tuple[str, int, int]]:
    """Meaning groups that a phrase of the question speaks of, with their place."""
    found = [(name, m.start(), m.end()) for name, words in _SPOKEN.items() if (m := words.search(phrase))]
    return sorted(found, key=lambda f: f[1])


def same_state(group: str, values: tuple[str, ...]) -> list[str]:
    """The listed values that mean the group; a negated one (未完成) does not mean its opposite."""
    negative = re.compile(r"^(?:未|不|没|非|un|not|in(?!_))")
    fits = [v for v in values if _STATES[group].search(v.lower())]
    plain = [
        v
        for v in fits
        if not negative.match(v.lower()) or group in ("unpaid", "open", "inactive", "failed", "rejected")
    ]
    exact = (
        [v for v in plain if not any(w in v for w in ("中", "待"))]
        if group in ("closed", "paid", "approved", "refunded", "delivered")
        else plain
    )
    return exact or plain
