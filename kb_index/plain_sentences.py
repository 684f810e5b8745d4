"""Ordinary sentences and questions about nothing in particular: what a language's vectors lean to by themselves."""

from __future__ import annotations

__all__ = ["ASKED", "PLAIN"]

PLAIN = {
    "zh": (
        "今天的会议改到下午三点。", "请在表格中填写姓名和电话。", "这条街上新开了一家书店。", "天气预报说明天有雨。",
        "孩子们在公园里放风筝。", "该功能将于下个版本上线。", "本条例自发布之日起施行。", "他每天早上骑车去上班。",
        "产品质量由生产部门负责检验。", "如有疑问请联系客服中心。", "去年全国粮食产量略有增长。", "这部电影讲的是一个老人的故事。",
        "系统会自动保存您的修改。", "货物到达仓库后需要登记。", "火车晚点了二十分钟。", "这道菜的做法很简单。",
    ),
    "latin": (
        "The meeting has been moved to three in the afternoon.", "Please fill in your name and telephone number.",
        "A new bookshop has opened in this street.", "The forecast says that it will rain tomorrow.",
        "The children are flying kites in the park.", "This function will appear in the next version.",
        "These rules apply from the day of publication.", "He rides his bicycle to work every morning.",
        "The production department inspects the quality.", "If in doubt, write to the service centre.",
        "Last year the harvest grew a little.", "The film tells the story of an old man.",
        "The system saves your changes by itself.", "Goods are registered when they reach the warehouse.",
        "The train was twenty minutes late.", "This dish is easy to cook.",
    ),
}  # fmt: skip
ASKED = {
    "zh": (
        "这个月的销售额是多少", "怎么申请停车位", "上海有哪些好玩的地方", "为什么天空是蓝色的",
        "明天开会的时间是几点", "如何更换打印机的墨盒", "公司的地址在哪里", "猫一天要睡多久",
        "谁发明了电话", "什么时候发工资", "怎样学习一门外语", "这本书的作者是谁",
        "附近有没有医院", "手机没有声音怎么办", "咖啡和茶哪个更健康", "去年的计划完成了吗",
    ),
    "latin": (
        "How much did we sell this month?", "How do I apply for a parking space?", "What is there to see in London?",
        "Why is the sky blue?", "When does the meeting start tomorrow?", "How do I change the printer's ink?",
        "Where is the company's office?", "How long does a cat sleep?", "Who invented the telephone?",
        "When are salaries paid?", "How can I learn a language?", "Who wrote this book?",
        "Is there a hospital nearby?", "What can I do when the phone has no sound?",
        "Is coffee healthier than tea?", "Was last year's plan completed?",
    ),
}  # fmt: skip
