"""General words for what a question wants done, Chinese and English. Nothing here belongs to any one company."""

from __future__ import annotations

import re

__all__ = ["OPERATIONS", "pattern"]


def pattern(chinese: str, english: str) -> re.Pattern[str]:
    """English alternatives match whole words; a trailing * leaves the end open. Spaces may be hyphens."""
    parts = [p.strip() for p in re.split(r"\s\|\s|\n", english) if p.strip()]
    words = [
        p.removesuffix("*").replace(" ", r"[\s-]+") + (r"\w*" if p.endswith("*") else r"\b") for p in parts
    ]
    return re.compile("|".join([*([chinese] if chinese else []), *(r"\b" + w for w in words)]))


# a superlative of any regular adjective, minus words that merely end like one
_EST = (
    r"(?!(?:test|rest|latest|interest|request|invest|forest|harvest|suggest|guest|west|east|best|protest|contest|modest|"
    r"honest|nearest|closest|soonest|manifest|arrest|digest|quest|vest|nest|chest|behest|crest|ingest|conquest|priest)\b)[a-z]{2,}est"
)
_MEASURE_WORDS = (
    "回|处|趟|遍|班|架|艘|头|只|批|个|起|条|张|单|笔|次|封|例|宗|项|名|位|辆|票|户|批|道|场|件|家|份|台|人"
)

OPERATIONS: dict[str, re.Pattern[str]] = {
    "difference": pattern(
        r"差多[少远]|超了?多少|超支|多花了?|少花了?|离.{1,6}差|与.{1,8}的差|差了?多|差几|差一?截|差哪|差了?几|差距|相差|差异|差值|差额|差别|差在|差出|悬殊|高多少|低多少|多多少|少多少|高出|多出|高了?几|低了?几|多了?几|少了?几|对比|比较|相比|"
        r"比一比|比一下|比比|谁更?[高低多少大小快慢好差]|孰高|变化(?:了)?多少|变化了几|前后|变动(?:了)?多少|[高低多少快慢]了?多少|比.{1,14}(?:高|低|多|少|快|慢|好|差|长|短)"
        r"(?:吗|么|没|了?多少|了?几|不少|出)|哪[边个].{0,6}更?[高低多少快慢]|"
        r"是不是(?:一个数|一致|一样)",
        "difference* | between the two | against | minus | how far (?:off|out|short|over|under|behind|ahead) | far off | off plan | over budget | under budget | short of | fall short | shortfall | miss(?:ed)? (?:worst|most|by|the) | overspen[dt] | underspen[dt] | overrun |  differ* | gap | delta | versus | vs | compare* | comparison | how far apart | apart | how much (?:more|higher|lower|"
        "less|fewer|bigger|larger|longer|shorter|better|worse|faster|slower) | how many (?:more|fewer) | more .{1,40} than | higher .{0,40}than | "
        "lower .{0,40}than | [a-z]+er than | [a-z]+er .{1,30} than | less .{0,40}than | fewer .{0,40}than | than .{1,30} by how much | "
        "before and after | spread between | margin between | ahead of | behind .{1,20} by | changed? (?:from|between) | "
        "moved? (?:from|between) | stack up | measure up | side by side | difference between | minus | "
        "outsell* | outperform* | beat | exceed* .{1,30} by",
    ),
    "growth": pattern(
        r"增长|增速|增幅|涨幅|跌幅|降幅|升幅|同比|环比|涨了?(?:多少|几|百分)|跌了?(?:多少|几|百分)|降了?(?:多少|几|百分)|升了?(?:多少|几|百分)|下降了?(?:多少|几|百分)|"
        r"上升了?(?:多少|几|百分)|上涨|下跌|下滑了?(?:多少|几|百分)|减少了?(?:多少|几|百分)|增加了?(?:多少|几|百分)|幅度|变化率|翻了?几?倍|涨还是[跌降]|升还是降|增还是减|涨了没|"
        r"提[高升]了?(?:多少|几|百分)|回升了?多少|缩水|涨跌",
        "growth | grew | grow | growing | grown | grows | percent(?:age)? (?:change|increase|decrease|rise|drop|fall|growth) | % change | "
        "percent change | by what percent* | by how many percent | how many percent | what percent* (?:up|down|higher|lower|more|less|increase|did) | "
        "increase[ds]? by | decrease[ds]? by | rate of (?:increase|change|growth) | change rate | year over year | year on year | yoy | mom | qoq | "
        "month over month | month on month | quarter over quarter | quarter on quarter | up or down | rose | fell | risen | fallen | shrink* | shrank | expand* | jump* | climbed | "
        "dropped | declined | gained | increase[ds]? | decrease[ds]? | percentage terms | in percent | relative change | surge*",
    ),
    "share": pattern(
        r"占比|占了?(?:多少|几成|几分|多大|百分|比|整体|全部|总|到|据)|占.{1,16}(?:多少|几成|比例|比重|百分|一半|份额)|份额|比重|几成|构成|百分之多少|占多少|各占|"
        r"贡献(?:了)?(?:多少|几)|分布|组成|(?:多大|多少|什么)比例|.里(?:头|面)?有?(?:几成|百分之几)|占大头|大头",
        "share | shares | share of | proportion* | percentage of | percent of | what percent* | fraction | portion | slice | chunk | makeup | make up | "
        "made up | break ?down | mix | split | contribut* | account(?:s|ed)? for | how much of .{3,60}(?:came|comes|come|goes|went|is from|was from|is due|was due|through) | "
        "composition | what part of | (?:two )?thirds of | half of | how big a (?:part|piece|share) | comes? from each | distribution",
    ),
    "rank": pattern(
        r"排名|排序|排个序|排一?下|排一?排|排行|排出|排列|排在|从[高大多长快好]到[低小少短慢差]|从[低小少短慢差]到[高大多长快好]|由[高大多]到[低小少]|由[低小少]到[高大多]|"
        r"最(?!近|新|后|终|初|早|晚|好是|好能|好给|好不)[\u4e00-\u9fff]|垫底|领先|领跑|前[一二三四五六七八九十\d]+(?:名|位|个|大|家|款|条|强|的)|"
        r"前[三五十](?![个年月季])|倒数|末位|榜首|榜|拔尖|头名|第一名|冠军|数一数二|谁最|拖后腿|哪[\u4e00-\u9fff]{1,6}(?:更|最)|首位|名列|拔得|居首|之首|头部",
        r"rank* | let(?:ting|s)? .{2,20} down | underperform* | drag(?:s|ging)? | worse off | top | bottom | highest | lowest | most(?! recent| of| likely) | least(?! ) | best | worst | biggest | "
        + _EST
        + r" | lead(?:s|ing)?(?! time) | laggards? | "
        r"league table | leader ?board | order(?:ed)? by | sort(?:ed)?(?: by)? | in descending order | in ascending order | descending | ascending | from high(?:est)? to low(?:est)? | "
        r"from best to worst | number one | came (?:in )?(?:first|last) | fewest | runner up | front runner | standout | stand out | strongest | weakest | fastest | slowest | poorest",
    ),
    "trend": pattern(
        r"趋势|走势|走向|变化情况|变化曲线|越来越|怎么变|如何变|变化如何|变化怎样|演变|一路|持续[上下走变增减]|逐[月季年周日](?!.{0,4}排)|波动|起伏|曲线|逐步|逐渐|好转|恶化|"
        r"有没有(?:改善|好转|变好|变差|恶化|起色|下降|上升|提高|提升|降低)|是不是在(?:涨|跌|升|降|变|上|下|恶|好)|在(?:涨|跌|升|降|变差|变好|下滑|上升|走高|走低)|一直在|走高|走低|变化(?:$|[？?。，,的吗呢])|"
        r"的变化|改善了?[吗没]|有所|往[上下高低](?:走|掉)?|每[个]?[月季年周].{0,12}(?:变化|走|怎么样|如何)|月月|一[月年季]比一[月年季]|越.{0,2}越|"
        r"(?:变|见)(?:好|差|坏|多|少|高|低|慢|快|严重)了?[吗没？?]|(?:涨|跌|升|降)势",
        "trend* | over time | getting (?:worse|better|any|more|less|[a-z]+er) | improv* | worsen* | deteriorat* | creep* | drift* | rising | falling | climbing | declining | "
        "going (?:up|down|south|north|anywhere) | on the (?:rise|up|mend|decline) | evolv* | evolution | developed | development of | month by month | week by week | quarter by quarter | year by year | "
        "month after month | trajectory | heading | slipping | sliding | picking up | tailing off | changed? over | progress(?:ed|ion) | how (?:has|have) .{3,60}(?:changed|moved|developed|evolved|held|fared|gone) | "
        "steadily | getting out of hand | recover* | dropping | increasing | decreasing | growing | shrinking | slowing | upward | downward | curve | any better | any worse | "
        "moving (?:up|down|in) | come down | gone up | gone down | coming down | fluctuat*",
    ),
    "correlate": pattern(
        r"越[^越，。,？?]{2,12}[，,]?越|一.{1,8}[，,].{2,14}也?(?:跟着|就|是不是也)|相关|关联|关系|挂钩|影响|联动|同步|一起(?:涨|跌|变|动|升|降|走)|跟着|牵连|有关|因果|带动|拉动|牵动|呼应|对得上趋势|此消彼长|正比|反比|连带|牵扯",
        "correlat* | where (?:fewer|more|less|there) .{2,60} (?:more|less|fewer|better|worse) | do (?:the )?[a-z]+er [a-z]+ .{0,30}(?:[a-z]+er|more|less|fewer) | the (?:more|less|fewer|[a-z]+er) .{2,50} the (?:more|less|fewer|[a-z]+er) | goes? (?:up|down) with | with it | along with it | when .{3,50} (?:does|do|did) .{2,40} (?:too|with|slip|drop|fall|rise|go|suffer|climb|jump) |  move together | move in step | relationship | related to | related | relate | go hand in hand | hand in hand | tracks? with | in tandem | in lockstep | linked | link between | link | association | associated | "
        "tied to | tied | depend* on | driv(?:e|es|en|ing) | affect* | effect of | effect on | impact of | impact on | impact | back that up | goes? (?:up|down) (?:when|as|with) | whenever | follow(?:s|ed)? | "
        "connection between | connected | connection | influence* | hold water | coincide* | goes? with | any bearing on | bearing on | predict* | cause[ds]? | lead to | leads to | mirror*",
    ),
    "sum": pattern(
        r"总共|合计|一共|共计|总计|累计|加起来|加总|总和|总数|总量|总额|总的|总[\u4e00-\u9fff]{0,3}(?:多少|是)|统共|拢共|总[^是之体的]|全年|共(?:有|花|卖|产|发|收|赔|付|用|多少)",
        "in total | total | totals | sum | altogether | combined | overall | all told | add(?:ed|s)? up | cumulative | grand total | put together | in all | aggregate | all in",
    ),
    "mean": pattern(
        r"平均|均值|均摊|日均|月均|年均|人均",
        "average | averages | averaged | on average | mean | typical | typically | avg",
    ),
    "count": pattern(
        rf"多少(?:{_MEASURE_WORDS})|[几幾](?:{_MEASURE_WORDS})|数量|次数|频次|频率|高频|频繁|有多少|条数|起数|件数|单数|个数|最常见|多发|出现最多|常见|扎堆|集中在哪",
        "how many | number of | count | counts | counted | how often | most common | most often | most frequent* | frequent* | commonest | volume of | tally | headcount of | occurrences? | times has | times did",
    ),
    "max": pattern(
        r"最高(?:值|的?是|达|到)|最大值|峰值|最高点|顶峰|最多的?一[天月次]",
        "maximum | max | how high | at its (?:peak|highest) | peak | peaked | high point | highest value | record high | all time high",
    ),
    "min": pattern(
        r"最低(?:值|的?是|到)|最小值|谷底|最低点",
        "minimum | min | how low | at its (?:worst|lowest) | low point | trough | lowest value | record low",
    ),
    "ratio": pattern(
        r"比值|一除|除一下|相除|什么比例|单次|每次|一次.{0,6}(?:花|多少钱|成本)|平均一[次单个件].{0,6}(?:花|成本)|完成率|达成率|之比|除以|比率|的比(?![较例重])|负[\u4e00-\u9fff]率|每(?!个|一|天|月|年|周|季|日|次|位|条|家|批|当|逢|期|小时?候)[\u4e00-\u9fff]{1,6}|人均|单位",
        "ratio | ratios | what (?:did|does|do) (?:one|each|a|every|a single) .{2,30} cost | per .{2,20} of |  divided by | per | for every | for each | relative to | to income | apiece | a head | a piece | as a multiple",
    ),
    "product": pattern(
        r"乘以|乘积|相乘|×",
        "times price | times the | multipl(?:y|ied) by | multiplied | product of | times the",
    ),
    "agree": pattern(
        r"对得上|对不上|对上|对不对得|一致|是不是一个数|两边|两个(?:系统|来源|口径|平台|看板|库)|两套|口径|核对|核一下|比对|对账|吻合|打架|矛盾|出入|谁说的|哪个准",
        "agree* | disagree* | match* | discrepanc* | reconcil* | same number | same figure | consistent | inconsisten* | line up | lines up | tally with | differ | contradict* | square with | both (?:sources|systems|boards|say|show|report)|"
        "never match | say the same | tell the same | cross-check | cross check | how far apart are the two | according to both | as .{2,40} says",
    ),
}
DESCENDING_BAD = pattern(
    r"垫底|倒数|末位|最[低少小短慢轻便宜]|从[低小少短慢差]到|由[低小少]到|升序|吊车尾|落后",
    "lowest | least | fewest | smallest | shortest | bottom | ascending | cheapest | slowest | weakest | lagg* | came last",
)
REPORT = {
    "docx": pattern(r"word|docx", "word (?:document|file|report|doc)? | docx | in word | as word | a word"),
    "html": pattern(r"网页|html", "html | web page | webpage"),
}
REPORT_ANY = pattern(
    r"(?:(?:生成|写|做|整理|导出|给我|出)|(?:要|来)一?[份个篇张])[^，。,]{0,8}(?:报告|报表|文档|材料)",
    "(?:write|prepare|produce|create|generate|make|draft) .{0,20}report | put together a report | as a report",
)
LOOKUP_STATUS = pattern(
    r"到哪(?:了|儿|一?步)|怎么样了|怎样了|进展|什么情况|状态|到没|到了没|好了没|处理得|办得|卡在|走到",
    "where (?:it|that|this|things|they) stands? | status | state of | how far along | stuck | progress | how is .{2,30} going | what happened (?:to|with) | where is | where's | has it .{2,12} yet | stage",
)
STATUS_FIELD = re.compile(r"status|state|stage|progress|状态|进度|阶段|进展")
DOCUMENT_NOUN = pattern(
    r"政策|规定|制度|手册|流程|手续|发布说明|说明书|指南|规程|预案|(?:执行|什么|质量|检验|考核|收费|评分|排放|按|国家|行业)标准|标准(?:是什么|里|上|怎么)|条款|协议|规章|守则|规范|办法|细则|须知|操作步骤|法规|合同里?|指引|章程|文件里|文档|条例|白皮书|知识库|说明文档|公告|通知里|附录|教程|规则|承诺|里(?:面|头)?(?:是怎么)?(?:写|规定|要求|说)|上(?:面)?(?:写|规定)|要求是什么|的要求|"
    r"版本说明|更新说明|更新日志",
    "policy | policies | rule | rules | handbook | manual | guideline* | guidance | procedure* | release notes? | documentation | document | documents | rulebook | protocol | regulation* | standard operating | sop | agreement | contract say* | terms | clause | "
    "playbook | instructions | according to the (?:guide|book) | guide | code of conduct | checklist | faq | knowledge base | standards? require* | the standards? (?:say|set|require|allow)s? | does the standard | commitment* | charter | entitlement | requirements?",
)
# what a rule says must or may be done: no figure answers it
DOCUMENT_MUST = pattern(
    r"什么叫|啥叫|什么是|是一回事|区别是|必须|是否(?:需要|允许|可以|必须)|允许|能不能|可不可以|需不需要|该(?:怎么|如何|走)|要不要|怎么(?:办|处理|处置|申请|规定|走)|如何(?:处理|处置|申请)|哪些材料|什么材料|多久(?:之?内|以内)",
    "when (?:do|does|should) (?:we|our|i|you|they|the) | what is meant by | meant to | definition of | counts as | has to be | have to be | must be | must | allowed | meant to | are we allowed | required to | obliged | supposed to | permitted | entitled | need to be | do (?:i|we|you) (?:need|have) to | what happens (?:if|when) | who (?:approves|signs|has to|must|may)",
)
DOCUMENT_ASK = pattern(
    r"什么叫|啥叫|是一回事|有什么(?:区别|不同)|区别是|怎么区分|术语|怎么(?:办|处理|处置|操作|申请|走|做|弄|算|写|说|规定|填|报|赔|退|修|配|装|安装|判定|判断|定义|要求)|如何(?:办|处理|处置|操作|申请|做|走|报|应对|判定|界定)|该(?:怎么|先|如何|走|找|不该)|该干啥|要不要|需不需要|需要(?:哪些|什么|提供|准备|先|多久)|要(?:哪些|带什么|准备|什么材料|走)|能不能|可不可以|可以.{0,10}[吗么]|能.{0,10}[吗么]|允许|有没有(?:规定|要求|违约|限制)|是否(?:需要|允许|可以|必须)|必须|应该|什么条件|哪些材料|什么材料|算不算|咋(?:办|写|弄|处理)|"
    r"有什么(?:要求|规定|讲究|说法)|违约金|多久(?:之?内|以内|能|可以)|几天(?:之?内|以内)|"
    r"推荐|建议买|选购|适合|哪一?款.{0,6}(?:好|合适)|挑|想买|想要一|什么意思|是什么意思|怎样才|什么是",
    "meant to | at what point | when (?:should|do|does|must|can) (?:i|we|you|they|our|the) | what's the difference between | how do (?:i|we|you|they) | how should | how (?:long|soon|often|many|much) (?:can|must|should|may|are we allowed|do we have to|do i have to|does .{2,20} have to) | what (?:do|should|must) (?:i|we|you|they) | what has to | what have to | what needs? to | are we allowed | allowed | am i allowed | is it ok | "
    "can (?:i|we|they|someone|a|an|you|staff|customers?) | do (?:i|we|you) (?:need|have) to | must | required | require | requires | have to | has to | supposed to | obliged | oblige* | permitted | entitled | eligible | who (?:approves|signs|has to|must|may) | what (?:exactly |actually |really )?counts as | what happens (?:if|when) | "
    "what does .{2,50} say | what's our | what are our | what is our | what are the (?:steps|rules|requirements|conditions) | the right way | recommend* | which .{2,30} should (?:i|we) | suggest* | what does it take | definition of | what is meant | explain | under what",
)
AGREE_WORDS = OPERATIONS["agree"]
