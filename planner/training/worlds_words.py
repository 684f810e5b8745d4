"""What the worlds of `planner.training.worlds` are made of: trades with their places, measures, records, deeds and papers.

Each thing has words in two languages. The first words may stand in a catalogue; the others only people say.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TRADES", "Deed", "Listed", "Measure", "Record", "Term", "Trade"]


@dataclass(frozen=True, slots=True)
class Term:
    """`codes` are names that a database could give it."""

    codes: tuple[str, ...]
    zh: tuple[str, ...]
    en: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """`type` is a catalogue's field type."""

    term: Term
    type: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A dimension with listed values, each in (Chinese, English)."""

    term: Term
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Record:
    """Things that are written down one by one. `id_form` has `#` for digits. `owner` is whom a record belongs to, `traits`
    what a list of owners says of them."""

    noun: Term
    id: Term
    id_form: str
    day: Term
    status: Listed
    kind: Listed
    amount: Term
    owner: Term
    owner_form: str
    traits: Listed


@dataclass(frozen=True, slots=True)
class Deed:
    """A write on a record: `zh` and `en` with {id}, {amount} and {reason}; `reasons` in both languages."""

    codes: tuple[str, ...]
    zh: tuple[str, ...]
    en: tuple[str, ...]
    money: Term
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Trade:
    """`first` are measures of one board, `second` of another by the same place; each pair of `rates` are two of `first` whose
    ratio means something. `absent`: what nothing here holds."""

    name: str
    title: tuple[str, str]
    place: Listed
    sort: Listed
    first: tuple[Measure, ...]
    second: tuple[Measure, ...]
    rates: tuple[tuple[int, int], ...]
    record: Record
    deed: Deed
    papers: tuple[tuple[str, str], ...]
    absent: tuple[tuple[str, str], ...]


def _t(codes: str, zh: str, en: str) -> Term:
    return Term(tuple(codes.split()), tuple(zh.split("/")), tuple(en.split("/")))


def _l(term: Term, *values: str) -> Listed:
    return Listed(term, tuple((v.split("=")[0], v.split("=")[1]) for v in values))


def _m(kind: str, codes: str, zh: str, en: str) -> Measure:
    return Measure(_t(codes, zh, en), kind)


def _c(codes: str) -> tuple[str, ...]:
    return tuple(codes.split())


def _p(*pairs: str) -> tuple[tuple[str, str], ...]:
    return tuple((p.split("=")[0], p.split("=")[1]) for p in pairs)


_BEES = Trade(
    "bees", ("蜂场经营", "apiary business"),
    _l(_t("yard fengchang yd_nm", "蜂场/场子", "apiary/bee yard"), "槐岭场=Locust Ridge", "菜花坪场=Rape Flat", "荔枝沟场=Litchi Gully", "椴树林场=Linden Wood", "枣园场=Date Grove"),
    _l(_t("honey_type mizhong hn_tp", "蜜种/蜜源", "honey type/nectar source"), "槐花蜜=acacia honey", "荔枝蜜=litchi honey", "椴树蜜=linden honey", "百花蜜=wildflower honey"),
    (
        _m("number", "honey_kg chanmi_kg hn_qty", "产蜜量/出蜜/打蜜量", "honey yield/honey taken off/honey output"),
        _m("money", "sales_rev mi_xse rev_amt", "蜜款收入/卖蜜进账", "honey sales/takings from honey"),
        _m("number", "hives_alive huoqun hv_cnt", "在养蜂群/活群数", "living colonies/live hives"),
        _m("number", "hives_lost siqun hv_dead", "死亡蜂群/死群数", "lost colonies/dead hives"),
        _m("money", "feed_cost tang_fee fd_amt", "饲糖费用/喂糖花销", "sugar feed cost/spend on syrup"),
        _m("percent", "moisture_pct hanshui mst_rt", "含水率/水分", "moisture/water content"),
    ),
    (
        _m("integer", "keepers yangfeng_rs kp_n", "蜂农人数/养蜂的人", "beekeepers/keepers on site"),
        _m("money", "wage_sum gongzi_fy wg_amt", "人工开支/工钱", "wages/labour bill"),
    ),
    ((3, 2), (1, 0), (4, 1)),
    Record(
        _t("queen_orders wangtai_dan q_ord", "蜂王订单/买王的单", "queen orders/orders for queens"), _t("q_no dan_hao ord_id", "订单编号/单号", "order no./order number"), "QB-####",
        _t("ordered_on xiadan_rq od_day", "下单日/下单日期", "order date/ordered"),
        _l(_t("q_state dan_zt od_stt", "订单进度/到哪一步", "progress/stage"), "待发=to ship", "路上=on its way", "签收=received", "作废=annulled"),
        _l(_t("breed wang_pz q_breed", "蜂王品种/品种", "breed/strain"), "意蜂=Italian", "中蜂=Chinese bee", "卡蜂=Carniolan"),
        _t("paid fukuan_je pd_amt", "付款额/付的钱", "amount paid/sum paid"), _t("buyer_id maijia_bh cu_id", "买家编号/买家", "buyer id/buyer"), "MJ####",
        _l(_t("buyer_kind maijia_lx cu_tp", "买家类型/什么买家", "kind of buyer/buyer type"), "散户=hobbyist", "合作社=co-op", "育种站=breeding station"),
    ),
    Deed(_c("refund_queen tui_wang rf_new"), ("给 {id} 退款 {amount}", "把 {id} 的钱退 {amount} 回去"), ("refund {amount} on {id}", "give {amount} back for {id}"),
         _t("refund_amt tuikuan_je rf_amt", "退款额", "refund amount"), _p("蜂王死亡=dead on arrival", "发错品种=wrong strain", "迟到=late")),
    _p("巢虫防治办法=wax moth control", "转场运输规定=rules for moving hives", "取蜜卫生要求=hygiene at extraction", "农药中毒应急处理=what to do after pesticide poisoning"),
    _p("蜂胶的国际价格=world prices of propolis", "养蜂人的年龄=ages of the keepers", "花期预报=the bloom forecast", "蜂场的土地租金=rent of the land"),
)  # fmt: skip

_SKI = Trade(
    "ski", ("滑雪场运营", "ski area operations"),
    _l(_t("slope xuedao sl_nm", "雪道/道", "slope/piste"), "白桦道=Birch Run", "鹰嘴道=Eagle Beak", "缓风道=Gentle Wind", "北壁道=North Face", "月牙道=Crescent"),
    _l(_t("pass_type piaozhong ps_tp", "票种/票", "pass type/ticket"), "日场票=day pass", "夜场票=night pass", "季卡=season card", "亲子票=family pass"),
    (
        _m("integer", "skiers huaxue_rc sk_cnt", "滑雪人次/来滑的人", "skier visits/people on the snow"),
        _m("money", "ticket_rev piao_sr tk_amt", "门票收入/票钱", "ticket revenue/money from passes"),
        _m("integer", "injuries shoushang_rs inj_n", "受伤人数/摔伤的", "injuries/people hurt"),
        _m("number", "snow_made zaoxue_lf snw_m3", "造雪量/人造雪方数", "snow made/artificial snow"),
        _m("money", "power_cost dian_fy pw_amt", "电费/用电花费", "power cost/electricity bill"),
        _m("percent", "open_rate kaifang_l op_rt", "开放率/开着的比例", "open rate/share of time open"),
    ),
    (
        _m("integer", "coaches jiaolian_rs co_n", "教练人数/教练几个", "instructors/coaches"),
        _m("money", "lesson_rev kecheng_sr ls_amt", "教学收入/上课收入", "lesson income/teaching revenue"),
    ),
    ((2, 0), (1, 0), (4, 3)),
    Record(
        _t("rentals zulin_jl rnt_rec", "雪具租赁/租板的单子", "equipment rentals/gear hires"), _t("rental_no zulin_bh rnt_id", "租赁号/租单号", "rental no./hire number"), "SR######",
        _t("out_day chuzu_rq out_dt", "借出日期/哪天租的", "hired on/out date"),
        _l(_t("gear_state xueju_zt rnt_st", "租赁进展/归还情况", "hire state/return status"), "使用中=in use", "已还=given back", "逾期=past due", "损坏=damaged"),
        _l(_t("gear xueju_lx gr_tp", "雪具/租的啥", "gear/equipment"), "单板=snowboard", "双板=skis", "头盔=helmet"),
        _t("deposit yajin_je dep_amt", "押金/押的钱", "deposit/money held"), _t("guest_no youke_bh gs_id", "游客号/游客", "guest number/guest"), "YK#####",
        _l(_t("guest_level shuiping gs_lv", "水平/滑得咋样", "level/ability"), "新手=beginner", "进阶=intermediate", "高手=expert"),
    ),
    Deed(_c("release_deposit tui_yajin dp_back"), ("退 {id} 的押金 {amount}", "给 {id} 把押金 {amount} 退了"), ("release {amount} of the deposit on {id}", "pay back {amount} held for {id}"),
         _t("back_amt tuihuan_je bk_amt", "退还额", "amount released"), _p("缆车停运=lift closed", "雪质太差=poor snow", "受伤提前离场=left hurt")),
    _p("大风停运标准=when lifts stop for wind", "救护队出警流程=patrol call-out steps", "儿童上道规定=children on the slopes", "遗失雪卡补办=replacing a lost card"),
    _p("酒店入住率=hotel occupancy", "游客从哪个省来=which province guests come from", "停车场收入=parking income", "竞争雪场的票价=what the resort next door charges"),
)  # fmt: skip

_STUDIO = Trade(
    "studio", ("录音棚业务", "recording studio business"),
    _l(_t("room_nm lupeng rm_cd", "录音棚/棚", "studio room/room"), "红厅=Red Hall", "木厅=Wood Hall", "小棚甲=Booth One", "小棚乙=Booth Two", "母带间=Mastering Suite"),
    _l(_t("genre quzhong gn_tp", "曲种/类型", "genre/style"), "民谣=folk", "爵士=jazz", "配音=voice-over", "广告曲=jingle"),
    (
        _m("number", "booked_h yuding_xs bk_hr", "预订时长/订出的钟点", "booked hours/hours sold"),
        _m("money", "room_rev peng_sr rm_amt", "棚费收入/棚费", "room fees/room revenue"),
        _m("number", "idle_h kongxian_xs idl_hr", "空置时长/闲着的钟点", "idle hours/empty hours"),
        _m("integer", "no_shows shuangyue_n ns_cnt", "爽约次数/放鸽子", "no-shows/missed bookings"),
        _m("money", "repair_fee weixiu_fy rp_amt", "设备维修费/修设备的钱", "repair cost/money on repairs"),
        _m("percent", "comeback_rt fuding_l rb_rt", "复订率/回头率", "rebooking rate/share who return"),
    ),
    (
        _m("integer", "engineers luyinshi_n eng_n", "录音师人数/调音的人", "engineers/people at the desk"),
        _m("money", "overtime_pay jiaban_fy ot_amt", "加班费/加班的钱", "overtime pay/late-night pay"),
    ),
    ((2, 0), (1, 0), (3, 0)),
    Record(
        _t("sessions luyin_dan ss_log", "录音单/录音场次", "sessions/recording dates"), _t("sess_no changci_h ss_id", "场次号/场次", "session no./session"), "RS-#####",
        _t("rec_day luyin_rq rec_dt", "录音日/录音那天", "session date/recorded"),
        _l(_t("mix_state huny_zt mx_st", "混音进度/混到哪了", "mix status/mix stage"), "未开始=not begun", "混音中=mixing", "待确认=awaiting approval", "已交付=handed over"),
        _l(_t("client_job yongtu jb_tp", "用途/录来干嘛", "purpose/use"), "专辑=album", "影视=film", "播客=podcast"),
        _t("owed yingshou_je due_amt", "应收余额/欠着的钱", "balance owed/money owed"), _t("artist_id yiren_bh ar_id", "艺人编号/艺人", "artist id/artist"), "YR###",
        _l(_t("label changpai lb_tp", "签约情况/签没签", "contract/signing"), "独立=independent", "签约=under contract", "学生=student"),
    ),
    Deed(_c("waive_fee jianmian_fy fee_off"), ("减免 {id} 的费用 {amount}", "{id} 那笔减 {amount}"), ("waive {amount} on {id}", "knock {amount} off {id}"),
         _t("off_amt jianmian_je off_amt", "减免额", "amount waived"), _p("设备故障=equipment failure", "停电=power cut", "老客户=old client")),
    _p("麦克风借用规定=borrowing microphones", "录音文件保存期限=how long recordings are kept", "隔音验收标准=acceptance of soundproofing", "通宵录音安全要求=safety in overnight sessions"),
    _p("艺人的粉丝数=followers of the artists", "歌曲在平台的播放量=plays on streaming platforms", "房东的押金=the landlord's deposit", "录音师的学历=degrees of the engineers"),
)  # fmt: skip

_ORCHID = Trade(
    "orchid", ("兰花温室", "orchid greenhouses"),
    _l(_t("bay wenshi gh_no", "温室/棚区", "glasshouse/bay"), "春晖棚=Spring Bay", "听雨棚=Rain Bay", "南坡棚=South Bay", "组培棚=Culture Bay", "云台棚=Cloud Bay"),
    _l(_t("species lanzhong sp_nm", "品系/兰种", "species/variety"), "蝴蝶兰=moth orchid", "文心兰=dancing lady", "石斛=dendrobium", "卡特兰=cattleya"),
    (
        _m("integer", "potted chupen_n pt_cnt", "出盆数/成盆数", "pots finished/plants potted"),
        _m("integer", "scrapped feimiao_n sc_cnt", "废苗数/报废的苗", "scrapped plants/plants thrown out"),
        _m("money", "sold_amt xiaoshou_e sl_amt", "兰花销售额/卖花的钱", "orchid sales/money from plants"),
        _m("money", "heat_cost jiawen_fy ht_amt", "加温费/烧暖的花费", "heating cost/heating bill"),
        _m("number", "water_t yongshui_d wt_ton", "用水吨数/浇水量", "water used/tonnes of water"),
        _m("percent", "bloom_rate kaihua_l bl_rt", "开花率/开花的比例", "bloom rate/share in flower"),
    ),
    (
        _m("integer", "growers huanong_n gw_n", "花农人数/种花的工人", "growers/people in the bay"),
        _m("money", "fert_cost feiliao_fy ft_amt", "肥料费/肥钱", "fertiliser cost/spend on feed"),
    ),
    ((1, 0), (2, 0), (3, 2)),
    Record(
        _t("shipments fahuo_jl shp_rec", "发货单/发出去的货", "shipments/consignments"), _t("ship_no fahuo_h shp_id", "发货号/货单号", "shipment no./consignment"), "LH#######",
        _t("shipped_on fahuo_rq shp_dt", "发货日/哪天发的", "shipped on/dispatch date"),
        _l(_t("ship_state huo_zt shp_st", "货物状况/货咋样", "consignment state/condition"), "装箱=packed", "运输=moving", "完好送达=arrived sound", "冻伤=frosted"),
        _l(_t("channel qudao ch_tp", "渠道/走哪个口", "channel/outlet"), "拍卖市场=auction", "花店=florist", "网店=web shop"),
        _t("invoice kaipiao_je bill_val", "开票额/票面钱数", "invoice amount/invoiced"), _t("florist_id huadian_bh fl_id", "花店编号/花店", "florist id/florist"), "HD####",
        _l(_t("town huadian_cs fl_city", "所在镇/哪个镇的", "town/place"), "临溪镇=Linxi", "望湖镇=Wanghu", "石桥镇=Shiqiao"),
    ),
    Deed(_c("credit_note hongchong cn_new"), ("给 {id} 开红字 {amount}", "{id} 冲红 {amount}"), ("issue a credit note of {amount} for {id}", "credit {amount} against {id}"),
         _t("credit_amt hongchong_je cr_amt", "红冲额", "credit amount"), _p("冻伤=frost damage", "花苞脱落=buds dropped", "规格不符=wrong size")),
    _p("组培室无菌操作=sterile work in the culture room", "农药间隔期=interval after spraying", "出口检疫要求=export quarantine rules", "冬季加温预案=winter heating plan"),
    _p("顾客的满意度=customer satisfaction", "同行的出货量=output of other growers", "温室的保险费=insurance of the glasshouses", "花艺课报名人数=sign-ups for flower courses"),
)  # fmt: skip

_ESCAPE = Trade(
    "escape", ("密室逃脱门店", "escape room venues"),
    _l(_t("theme_rm zhuti tm_nm", "主题房/主题", "themed room/theme"), "钟楼谜案=Clock Tower", "深海潜艇=Submarine", "旧宅回声=Old Manor", "火星营地=Mars Camp", "无声列车=Silent Train"),
    _l(_t("slot_kind changci_lx sl_tp", "时段/哪个点", "time slot/part of the day"), "上午场=morning slot", "下午场=afternoon slot", "晚场=evening slot", "通宵场=overnight slot"),
    (
        _m("integer", "players wanjia_rc pl_cnt", "玩家人次/来玩的人", "players/visitors"),
        _m("integer", "escaped taotuo_n esc_cnt", "成功逃脱人次/逃出来的", "escapes/players who got out"),
        _m("money", "till_rev pengfang_sr tl_amt", "门店流水/进账", "takings/money taken"),
        _m("money", "prop_cost daoju_fy pr_amt", "道具费/道具花的钱", "prop cost/spend on props"),
        _m("integer", "hints tishi_n hn_cnt", "提示次数/提示回数", "hints given/clues handed out"),
        _m("percent", "fill_rate manchang_l fl_rt", "满场率/坐满的比例", "fill rate/share of seats taken"),
    ),
    (
        _m("integer", "hosts dianyuan_n hs_n", "主持人数/带场的人", "game hosts/hosts"),
        _m("money", "promo_spend guanggao_fy ad_amt", "推广开支/打广告的钱", "ad spend/advertising"),
    ),
    ((1, 0), (2, 0), (3, 2)),
    Record(
        _t("bookings_er yuyue_dan bk_rec", "预约单/约场的单", "bookings/reservations"), _t("book_no yuyue_h bk_id", "预约号/预约", "booking no./reservation"), "MS######",
        _t("play_day wan_rq pl_dt", "到店日/哪天来玩", "play date/day of play"),
        _l(_t("book_state yuyue_zt yy_stt", "预约状况/约得咋样", "booking state/booking status"), "待付=unpaid", "已付=settled", "已到店=played", "撤单=called off"),
        _l(_t("group_kind tuandui gp_tp", "团队类型/什么人来", "group type/party"), "公司团建=team outing", "生日局=birthday", "路人=passer-by"),
        _t("fee_paid yifu_je fp_amt", "已付金额/交的钱", "fee paid/sum paid"), _t("member_er huiyuan_bh mb_id", "会员编号/会员", "member id/member"), "HY#####",
        _l(_t("tier huiyuan_dj mb_tr", "会员等级/啥等级", "tier/membership level"), "铜牌=bronze", "银牌=silver", "金牌=gold"),
    ),
    Deed(_c("voucher_new fa_quan vc_new"), ("补 {id} 一张 {amount} 的券", "给 {id} 发 {amount} 代金券"), ("send {id} a voucher of {amount}", "issue {amount} in vouchers to {id}"),
         _t("voucher_amt quan_je vc_amt", "券额", "voucher value"), _p("机关故障=broken lock", "超卖=overbooked", "等候太久=long wait")),
    _p("火灾疏散流程=evacuation in a fire", "未成年人入场规定=minors in the rooms", "道具损坏赔偿=paying for broken props", "惊吓级别说明=how scary each room is"),
    _p("玩家的星座=players' star signs", "隔壁影院的票房=box office of the cinema next door", "商场的客流=footfall of the mall", "店员的通勤时间=commutes of the staff"),
)  # fmt: skip

_TRAM = Trade(
    "tram", ("有轨电车检修", "tram depot upkeep"),
    _l(_t("depot cheliangduan dp_nm", "车辆段/段", "depot/shed"), "柳营段=Liuying", "东堤段=East Dyke", "矿口段=Pit Mouth", "花圃段=Nursery Lane", "古渡段=Old Ferry"),
    _l(_t("car_type chexing cr_tp", "车型/哪种车", "car type/model of car"), "低地板车=low-floor car", "复古车=heritage car", "双节车=two-section car", "工程车=works car"),
    (
        _m("number", "run_km yunxing_gl rn_km", "运行公里/跑的里程", "kilometres run/distance run"),
        _m("integer", "faults guzhang_n flt_cnt", "故障件数/坏的次数", "faults/breakdowns"),
        _m("money", "parts_cost beijian_fy pt_amt", "备件费/换件花的钱", "parts cost/spend on parts"),
        _m("number", "down_h tingyun_xs dn_hr", "停运时长/趴着的钟点", "downtime/hours out of service"),
        _m("number", "traction_kwh yongdian_d en_kwh", "牵引用电/耗电", "traction energy/power drawn"),
        _m("percent", "ready_rate wanhao_l rd_rt", "完好率/能上线的比例", "availability/share fit to run"),
    ),
    (
        _m("integer", "fitters jianxiu_rs ft_n", "检修工人数/修车的人", "fitters/people in the workshop"),
        _m("money", "outsource waixie_fy os_amt", "外协费/外包的钱", "contractor cost/spend on contractors"),
    ),
    ((1, 0), (2, 0), (4, 0)),
    Record(
        _t("work_cards jianxiu_k wk_crd", "检修卡/修车的卡", "job cards/repair jobs"), _t("card_no ka_h wk_id", "卡号/检修卡号", "card no./job"), "JX-#####",
        _t("opened_day kaika_rq op_dt", "开卡日/开卡那天", "opened on/raised"),
        _l(_t("job_state ka_zt wk_st", "检修进度/修到哪了", "job state/job stage"), "待料=waiting for parts", "检修=in the shop", "试车=on test", "销卡=signed off"),
        _l(_t("system xitong sy_tp", "系统/哪块坏了", "system/broken part"), "受电弓=pantograph", "车门=doors", "制动=brakes"),
        _t("quote baojia_je qt_amt", "报价/报的价", "quote/quoted price"), _t("car_no cheliang_h cr_id", "车号/哪台车", "car number/car"), "T###",
        _l(_t("maker zhizao_c cr_mk", "制造厂/哪家造的", "maker/builder"), "甲厂=Works A", "乙厂=Works B", "海外厂=Overseas Works"),
    ),
    Deed(_c("order_part dinggou pt_ord"), ("给 {id} 订件 {amount} 的", "{id} 订购备件，金额 {amount}"), ("order parts for {amount} on {id}", "put through {amount} of parts for {id}"),
         _t("order_amt dinggou_je or_amt", "订购额", "order value"), _p("到寿更换=worn out", "撞车=collision", "批次召回=recall")),
    _p("制动试验规程=brake test procedure", "高压断电挂牌=isolating the overhead line", "雪天出车检查=checks before running in snow", "轮对镟修限度=limits of wheel turning"),
    _p("乘客的投诉内容=what passengers complain of", "司机的工资=drivers' pay", "沿线房价=house prices along the line", "公交公司的班次=bus timetables"),
)  # fmt: skip

TRADES = (_BEES, _SKI, _STUDIO, _ORCHID, _ESCAPE, _TRAM)
