"""The buying guide for robot vacuums, a PDF of three pages with the table of models."""

from __future__ import annotations

from pathlib import Path

from demo.documents.pdf import PdfDocument
from demo.vacuums import EASY_VACUUM, VACUUMS

__all__ = ["write"]


def write(path: Path) -> None:
    easy = next(v for v in VACUUMS if v.model == EASY_VACUUM)
    document = PdfDocument("扫地机选购指南")
    document.heading("扫地机选购指南")
    document.text("2024年版，供门店顾问和在线客服使用。价格为官方零售价，含税，促销以当日页面为准。")
    document.heading("一、先问三个问题", 2)
    document.items(
        (
            "家里谁来用？不习惯手机应用的人，应选机身带实体按键、开箱即用的型号。",
            "家里多大、有没有地毯？八十平方米以内的硬地面，入门型号的吸力已经足够。",
            "愿意花多少时间打理？自动集尘每两个月清理一次，手动尘盒每周清理一到两次。",
        )
    )
    document.heading("二、在售型号一览", 2)
    document.table(
        ("型号", "价格", "适合人群", "操作"),
        ((v.model, f"{v.price:,}元", v.suits, v.handling) for v in VACUUMS),
        (2.8, 2.2, 4.8, 6.8),
    )
    document.text("全部型号均为一年整机保修、两年电机保修，尘盒滤网建议每三个月更换一次。")
    document.new_page()
    document.heading("三、给老人选扫地机", 2)
    document.text(
        f"老人使用的扫地机首先要好操作。推荐{easy.model}，价格{easy.price:,}元，在2000元预算以内："
        "机身只有“启动”和“回充”两个大字按键，一键启动，不需要手机，也不需要联网。",
        f"{easy.model}每一步都有普通话语音播报，卡住或尘盒满时会说明怎么处理；首次使用由送货人员上门安装并演示。",
        "MH-R30虽然也在2000元以内，但清扫区域和时间要在手机应用里设置，不建议没有智能手机的老人使用。",
        "给老人选购时的注意事项：门槛高于两厘米的房间需要分开清扫；地面散落的电线和流苏地毯要先收起。",
    )
    document.heading("四、给养宠物的家庭选扫地机", 2)
    document.text(
        "宠物毛发容易缠绕主刷，建议选带防缠绕主刷和自动集尘的MH-R30及以上型号。",
        "有长毛宠物的家庭，集尘袋约一个月更换一次，购机时可以一并选购三个月的耗材包。",
    )
    document.heading("五、大户型与地毯", 2)
    document.text(
        "一百二十平方米以上或地毯较多的家庭，建议选MH-R50：识别地毯后自动增压，拖布会抬起，避免弄湿地毯。",
        "希望清洗拖布、加水、烘干都自动完成的，选MH-R80 Pro，基站需要靠近电源，并预留半平方米的位置。",
    )
    document.new_page()
    document.heading("六、使用与保养", 2)
    document.items(
        (
            "首次使用先充满电，让机器完整走一遍，建立地图；没有地图功能的型号可以直接使用。",
            "每周清理一次尘盒和主刷，每月擦拭一次防跌落感应器，感应器有灰会让机器误判台阶。",
            "连续两次无法开机或电池续航明显缩短，请不要自行拆机，联系客服按质量问题处理。",
        )
    )
    document.heading("七、常见问答", 2)
    document.text(
        "问：没有无线网络能用吗？答：MH-R20可以，其余型号的清扫启停可以用机身按键，区域和定时需要联网设置。",
        "问：噪音大不大？答：标准档约六十分贝，与正常交谈相当；夜间可以用静音档，约五十二分贝。",
        "问：买回来不合适怎么办？答：按退货政策，签收后七天内商品完好可以退货。",
    )
    document.save(path)
