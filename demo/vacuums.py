"""The robot vacuums that the demo company sells, as its buying guide lists them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["EASY_VACUUM", "VACUUMS", "Vacuum"]


class Vacuum(NamedTuple):
    model: str
    price: int  # yuan
    suits: str
    handling: str


VACUUMS = (
    Vacuum("MH-R10", 999, "租房、小户型", "手机应用设置，无自动集尘"),
    Vacuum("MH-R20", 1599, "老人、不用智能手机的家庭", "一键启动，语音播报，大字按键"),
    Vacuum("MH-R30", 1899, "养宠物的家庭", "手机应用设置，自动集尘"),
    Vacuum("MH-R50", 2799, "大户型、地毯多的家庭", "手机应用设置，自动集尘、自动洗拖布"),
    Vacuum("MH-R80 Pro", 3999, "希望全程不动手的家庭", "语音控制与手机应用，全能基站"),
)
EASY_VACUUM = "MH-R20"
