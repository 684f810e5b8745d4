"""The CRM module's release notes: 20 pages, an introduction of two and then one version a page (V2.3.1 on page 17)."""

from __future__ import annotations

from pathlib import Path

from demo.crm import CRM_RELEASES
from demo.documents.pdf import PdfDocument
from demo.documents.releases import RELEASES

__all__ = ["write"]


def write(path: Path) -> None:
    document = PdfDocument("CRM模块发布说明 / CRM Release Notes")
    _introduction(document)
    for version, day in CRM_RELEASES.items():
        release = RELEASES[version]
        document.new_page()
        document.heading(f"{version} 发布说明")
        document.text(f"发布日期：{day}　模块：客户关系管理（CRM）　版本：{version}")
        document.text(release.summary, f"CRM {version}: {release.english}")
        document.heading(f"{version} 变更内容", 2)
        document.table(("变更", "模块", "工单"), release.changes, (10.6, 3.0, 3.0))
        document.heading("已知问题", 2)
        document.items(release.known)
    document.save(path)


def _introduction(document: PdfDocument) -> None:
    document.heading("CRM模块发布说明")
    document.text(
        "CRM Release Notes",
        "本文件收录客户关系管理（CRM）模块自首个正式版本以来的全部发布说明，每个版本一页，"
        "供客服、物流、信息技术部门查阅。",
        "Each page of these notes describes one release of the customer relationship module: what changed, in "
        "which part, under which ticket, and what is known not to work yet.",
    )
    document.heading("怎样使用本文件", 2)
    document.items(
        (
            "按版本号查找：每个版本的页面以“版本号 发布说明”为标题。",
            "按问题查找：先看各版本的“已知问题”，再看后续版本的“变更内容”是否已经解决。",
            "变更表中的工单号可以在工单系统中打开，查看需求、评审和测试记录。",
        )
    )
    document.heading("责任部门", 2)
    document.table(
        ("事项", "部门", "联系方式"),
        (
            ("需求与排期", "客户服务部 运营组", "分机 8201"),
            ("开发与测试", "信息技术部 客服系统组", "分机 8317"),
            ("上线与回退", "信息技术部 运维值班", "分机 8300"),
        ),
        (5, 6.6, 5),
    )
    document.new_page()
    document.heading("版本号规则与发布流程")
    document.text("版本号由三段组成：主版本、次版本和修订号，中间以点分隔，前面加字母V。")
    document.table(
        ("段", "何时增加", "是否需要培训"),
        (
            ("主版本", "界面、权限或数据结构有不兼容的变化", "全员培训，至少两周"),
            ("次版本", "增加新功能，原有操作不变", "班长培训，一天"),
            ("修订号", "修复问题，或调整规则与表单", "上线前邮件通知"),
        ),
        (3, 8.6, 5),
    )
    document.heading("发布流程", 2)
    document.items(
        (
            "评审：需求由客户服务部提出，信息技术部在五个工作日内评估影响。",
            "测试：在测试环境运行两周，由三名班长按真实录音回放验收。",
            "分批：先在一个呼叫中心上线，观察一周后再推广到其余中心。",
            "复盘：上线后第四周统计相关投诉，未达预期的列入下一修订版本。",
        )
    )
    document.heading("升级与回退", 2)
    document.text(
        "升级在当日凌晨1点至4点进行，其间来电由人工登记，恢复后补录。",
        "出现影响接听的故障时，由值班工程师在30分钟内回退到上一版本，客户数据不受影响。",
    )
    document.heading("分批上线期间的统计口径", 2)
    document.text(
        "分批上线期间，不同呼叫中心会同时使用两个版本。投诉工单记录的是受理坐席当时使用的版本，"
        "因此同一季度内可以出现多个版本号。",
        "比较版本前后的投诉量时，应按工单上记录的版本统计，不应只按上线日期划分。",
    )
