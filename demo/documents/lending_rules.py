"""The lending rules, by which a customer's application for a loan is decided; a PDF of two pages."""

from __future__ import annotations

from pathlib import Path

from demo.documents.pdf import PdfDocument

__all__ = ["write"]


def write(path: Path) -> None:
    document = PdfDocument("信贷审批制度")
    document.heading("信贷审批制度")
    document.text(
        "文件编号：MH-FIN-012　版本：3.0　发布部门：消费金融部　生效日期：2024-01-01",
        "本制度规定明禾电器消费金融部受理个人贷款申请时的审批条件、核验方法和结论登记。",
    )
    document.heading("一、适用范围", 2)
    document.text("适用于个人客户的家电分期和消费贷款，单笔金额不超过20万元。经营性贷款另行规定。")
    document.heading("二、审批条件", 2)
    document.text("申请人同时满足下列三项条件的，予以批准；任何一项不满足的，不予批准。")
    document.table(
        ("指标", "要求", "数据来源"),
        (
            ("征信分", "不低于 650", "征信系统的个人征信报告"),
            ("负债率", "不超过 50 %", "核心账务系统的负债与收入流水"),
            ("收入流水", "近6个月连续，每月均有入账", "核心账务系统的收入流水"),
        ),
        (3.2, 6.2, 7.2),
    )
    document.heading("三、负债率的计算", 2)
    document.text(
        "负债率 = 负债余额合计 ÷ 近12个月收入合计。负债余额包括在其他机构的贷款和信用卡分期的未还本金。",
        "例：负债余额合计6万元，近12个月收入合计15万元，负债率为40 %。",
    )
    document.new_page()
    document.heading("四、收入流水的校验", 2)
    document.text(
        "核对申请日之前连续6个月的入账记录。其中任何一个月没有入账的，视为流水中断，不满足条件。",
        "一次性入账（年终奖、变卖资产所得）计入当月收入，但不能代替缺失月份的流水。",
    )
    document.heading("五、结论与登记", 2)
    document.text(
        "三项条件全部满足，结论为“批准”；有一项不满足，结论为“不批准”，并写明是哪一项。",
        "征信分在650至680之间的，批准金额不超过近12个月收入合计的30 %。",
        "审批结论由有权审批人确认后登记，系统给出的结论仅供参考。",
    )
    document.heading("六、有效期", 2)
    document.text("征信报告自查询日起30天内有效；收入流水和负债以申请当日系统数据为准。")
    document.heading("七、Summary in English", 2)
    document.text(
        "A personal loan is approved when all three hold: the credit score is at least 650; the debt ratio (total "
        "debt divided by the income of the last 12 months) is at most 50 %; and the income records of the last 6 "
        "months are unbroken. Otherwise it is declined, and the condition that failed is named."
    )
    document.save(path)
