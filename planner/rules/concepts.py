"""Verbs and adjectives that stand for a measure: "cheapest" asks for a price, 卖得多 for units sold.

Each row is a way of asking and the words that a measure's name, synonyms or description must hold. General language
only: the measure itself always comes from the catalogue."""

from __future__ import annotations

import re

from planner.rules.lexicon import Table
from planner.rules.vocabulary import pattern

__all__ = ["conceived"]

_ROWS: list[tuple[re.Pattern[str], re.Pattern[str]]] = [
    (pattern(r"便宜|最贵|贵了|更贵|涨价|跌价|降价|价[格钱位]|单价|多少钱一", "cheap* | expensive | pric* | dear* | costl* | per unit"),
     re.compile(r"price|单价|价格|均价|进价|售价|报价|\bfee\b|tariff|\bfare\b|电价")),
    (pattern(r"钱|烧了|成本|花了?多少|花费|开销|支出|烧钱|费用|多少钱|开支", "cost* | spend* | spent | expens* | pay | paid | bill* | outlay"),
     re.compile(r"cost|spend|expense|charge|\bfee|成本|费|支出|花|开支|采购额|bill")),
    (pattern(r"卖得|卖了?多少|卖出|畅销|热销|销得|滞销|卖不动|卖掉|好卖", "sold | sell* | best seller* | bestseller*"),
     re.compile(r"units? sold|sold|sales volume|销量|售出|销售量|销售件数|\bsales\b|销售额|tickets? sold")),
    (pattern(r"赚|挣|盈利|利润|创收|进账|收了?多少钱|卖了?多少钱|收入", "earn* | revenue | income | made us | make money | bring in | brought in | took in | profit* | takings | grossed | turnover"),
     re.compile(r"revenue|income|profit|earn|turnover|takings|gross|营收|收入|利润|销售额|票房|sales\b")),
    (pattern(r"等(?:了|得|待)?(?:多久|太久|更久|最久|久)|排队|候", "wait* | queue* | hang around | sit around"), re.compile(r"wait|queue|等|候|排队")),
    (pattern(r"晚点|迟到|准时|准点|延误|拖延|按时|守时", "late | delay* | on time | punctual* | tardy | overdue | behind schedule | slip*"),
     re.compile(r"late|delay|on.time|punctual|准时|准点|正点|延误|晚点|按时|准交|逾期|otd")),
    (pattern(r"多久|多长时间|多少天|几天|耗时|时长|花.{0,4}时间|慢|最快|更快|拖", "how long | how fast | slow* | quick* | fast* | take so long | turnaround | duration"),
     re.compile(r"days|hours|minutes|duration|lead|turnaround|cycle|time|天数|小时|分钟|时长|周期|时间|耗时")),
    (pattern(r"人多|多少人|忙|客流|人气|火爆|热门|冷清|人次|来了多少", "busy | busiest | crowded | popular | visited | attend* | footfall | traffic | how many people"),
     re.compile(r"visit|attend|passenger|footfall|traffic|boarding|guest|headcount|admission|人次|客流|人数|流量|入场|到访|在岗")),
    (pattern(r"剩|还有多少|库存|存货|够不够|缺货|断货", "left | remain* | in stock | on hand | stock | inventory | run* out"),
     re.compile(r"stock|on.hand|inventory|remaining|balance|available|库存|存量|余量|剩余|余额|可用")),
    (pattern(r"质量|次品|不良|报废|废品|坏了|合格", "quality | defect* | faulty | scrap* | reject* | waste"),
     re.compile(r"defect|scrap|reject|yield|quality|waste|不良|报废|合格|良率|废品|次品|缺陷率")),
    (pattern(r"满意|口碑|评价|好评|差评|打分|评分", "satisf* | happy | happier | happiest | unhappy | rating* | rated | review score | score*"),
     re.compile(r"satisf|nps|rating|score|csat|满意|评分|口碑|推荐值|好评")),
    (pattern(r"流失|离职|走了|跑了|退订", "churn* | left us | leaving | attrition | quit* | turnover | cancel* | lost"),
     re.compile(r"churn|attrition|turnover|流失|离职|退订|cancel")),
    (pattern(r"产出|产了?多少|生产了?多少|做了?多少|产量|造了", "produc* | output | made | make | manufactur* | yield* | generat*"),
     re.compile(r"output|produc|units.made|made|yield|generat|产量|产出|完工|下线|发电")),
    (pattern(r"耗电|用电|能耗|用水|费电|油耗", "energy | electricity | power | consum* | fuel"),
     re.compile(r"energy|electric|power|kwh|consum|fuel|能耗|电量|用电|水量|油耗")),
    (pattern(r"重|多少吨|多重", "heav* | weigh* | tonn* | tons"), re.compile(r"weight|tonne|tons|\bkg\b|吨|重量|公斤")),
    (pattern(r"远|多少公里|里程|跑了", "far | distance | mileage | kilomet* | miles"), re.compile(r"mile|km|distance|kilomet|里程|公里|距离")),
    (pattern(r"满(?:员|座|载|房)|空置|利用|占用|上座|入住", "full | fullest | empty | emptiest | occup* | utili[sz]* | vacan* | load factor"),
     re.compile(r"occup|utili|vacan|load|利用率|入住率|上座率|满载|占用|空置|负荷")),
    (pattern(r"公斤|千克|斤", "kilos? | kilograms? | kgs? | weigh*"), re.compile(r"\bkg\b|kilo|公斤|重量|千克")),
    (pattern(r"小时|钟头|工时", "hours? | how long"), re.compile(r"hours|小时|工时|时长")),
    (pattern(r"多少吨|吨数|吨", "tons? | tonnes?"), re.compile(r"\bton\b|tonne|吨")),
    (pattern(r"度电|千瓦时", "kwh | kilowatt hours?"), re.compile(r"kwh|电量|发电")),
    (pattern(r"立方|方水", "cubic met*"), re.compile(r"\bm3\b|立方|水量")),
    (pattern(r"退货|退回|退换", "return* | sent back | bring back"), re.compile(r"return|退货|退换")),
]  # fmt: skip


# characters of measures' names that tell none from another
_COMMON = frozenset("费用量数额金率时间成本钱价总均人次月季年日天平收支出入的")


def conceived(question: str, table: Table) -> list[str]:
    """Measures of the table that the question's verbs and adjectives stand for, best first."""
    found: dict[str, int] = {}
    for asked, named in _ROWS:
        if not asked.search(question):
            continue
        for name in table.measures:
            f = table.fields[name]
            words = " ".join((f.name.replace("_", " "), *f.synonyms, f.description)).lower()
            hits = len(named.findall(words))
            if hits:
                found[name] = max(found.get(name, 0), hits)
    characters = set(question) - _COMMON

    def alike(name: str) -> int:
        """Characters shared with the question settle a tie: 纸 for 纸张费."""
        return len({c for s in table.fields[name].synonyms for c in s if c > "\u4e00"} & characters)

    return sorted(found, key=lambda n: (-alike(n), -found[n]))
