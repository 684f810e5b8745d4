"""The return policy: in Chinese as a Word file, in English as a PDF."""

from __future__ import annotations

from pathlib import Path

from demo.documents.pdf import PdfDocument
from demo.documents.word import new_document, ruled_table, save

__all__ = ["write_chinese", "write_english"]

_SECTIONS = (
    (
        "一、适用范围",
        (
            "本政策适用于在明禾电器官网、手机应用和直营门店购买的全部商品，自2023年7月1日起执行。",
            "经由第三方平台购买的商品，按该平台的规则退货；平台没有规定的，按本政策办理。",
        ),
    ),
    (
        "二、七天无理由退货",
        (
            "自签收之日起7天内，商品完好、附件和赠品齐全的，可以无理由退货，退货运费由客户承担。",
            "完好是指不影响二次销售：外包装可以拆开，机身没有使用痕迹，滤网、尘盒、拖布未沾水沾尘。",
        ),
    ),
    (
        "三、质量问题退换",
        (
            "自签收之日起15天内出现质量问题的，可以选择退货或换货，往返运费由明禾电器承担。",
            "超过15天、在一年保修期内的，免费维修；同一故障维修两次仍未修好的，可以退货。",
            "签收时发现外壳破裂或缺件的，请在48小时内联系客服并保留照片，按质量问题处理。",
        ),
    ),
    (
        "四、退货流程",
        (
            "第一步：在“我的订单”中选择订单，点击“申请退货”，填写原因并上传照片；也可以致电客服热线办理。",
            "第二步：客服在1个工作日内审核。大件商品由物流人员上门取件，小件商品由客户寄回。",
            "第三步：仓库收到商品后在2个工作日内验货，验货通过即发起退款。",
        ),
    ),
    (
        "五、退款时限",
        (
            "退款原路返回：微信、支付宝在1至3个工作日到账，银行卡在3至7个工作日到账。",
            "使用家电分期购买的，退款先冲抵未还本金，剩余部分返回原支付账户。",
        ),
    ),
    (
        "六、不予退货的情形",
        (
            "人为损坏、自行拆修、浸水或超出使用说明范围使用造成的故障，不予退货，可以付费维修。",
            "电动牙刷刷头、加湿器香薰等贴身或消耗用品拆封后不予退货，质量问题除外。",
        ),
    ),
)
_TABLE = (
    ("情形", "期限", "运费承担", "处理方式"),
    ("七天无理由", "签收后7天内", "客户", "退货退款"),
    ("质量问题", "签收后15天内", "明禾电器", "退货或换货"),
    ("质量问题", "一年保修期内", "明禾电器", "免费维修"),
    ("运输破损", "签收后48小时内报告", "明禾电器", "退货或换货"),
)


def write_chinese(path: Path) -> None:
    document = new_document("退货政策")
    document.add_paragraph("文件编号：MH-CS-007　版本：2.1　发布部门：客户服务部")
    for heading, paragraphs in _SECTIONS:
        document.add_heading(heading, level=1)
        for text in paragraphs:
            document.add_paragraph(text)
    document.add_heading("七、期限与运费一览", level=1)
    ruled_table(document, _TABLE[0], _TABLE[1:])
    save(document, path)


def write_english(path: Path) -> None:
    document = PdfDocument("Return Policy", footer=False)
    document.heading("Return Policy")
    document.text("Document MH-CS-007-EN, version 2.1, Customer Service. In force since 1 July 2023.")
    document.heading("1 Scope", 2)
    document.text(
        "This policy covers everything bought on the Minghe website, in the mobile app and in our own stores. "
        "Goods bought on another platform are returned by the rules of that platform."
    )
    document.heading("2 Returns without a reason", 2)
    document.text(
        "Goods in sellable condition may be returned within 7 days of delivery without giving a reason. "
        "The packaging may be opened; filters, dust boxes and mops must be unused. The customer pays the return "
        "shipping."
    )
    document.heading("3 Faulty goods", 2)
    document.text(
        "A fault that shows within 15 days of delivery entitles the customer to a refund or a replacement; "
        "Minghe pays the shipping both ways. After 15 days and within the one-year warranty the repair is free, and "
        "goods that still fail after two repairs of the same fault may be returned.",
        "Cracked housings and missing parts are to be reported within 48 hours of delivery, with photographs.",
    )
    document.heading("4 How to return", 2)
    document.items(
        (
            "Choose the order under My Orders, press Request Return, state the reason and add photographs.",
            "Customer Service reviews the request within 1 working day. Large appliances are collected at the door.",
            "The warehouse inspects the goods within 2 working days of receipt and then starts the refund.",
        )
    )
    document.heading("5 Refunds", 2)
    document.text(
        "Refunds go back the way the payment came: 1 to 3 working days for mobile wallets, 3 to 7 working days for "
        "bank cards. For purchases on instalments the refund first reduces the principal still owed."
    )
    document.heading("6 What cannot be returned", 2)
    document.text(
        "Damage caused by the user, unauthorised repair or water; opened brush heads, aroma refills and other "
        "personal or consumable items, unless they are faulty."
    )
    document.heading("7 Periods and shipping at a glance", 2)
    document.table(
        ("Case", "Period", "Shipping paid by", "Remedy"),
        (
            ("No reason given", "7 days from delivery", "Customer", "Refund"),
            ("Fault", "15 days from delivery", "Minghe", "Refund or replacement"),
            ("Fault", "1-year warranty", "Minghe", "Free repair"),
            ("Damage in transit", "Report within 48 hours", "Minghe", "Refund or replacement"),
        ),
        (4, 4.6, 3.6, 4.4),
    )
    document.save(path)
