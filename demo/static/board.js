// Fetches each panel and paints it a while later, the way a BI front does: nothing is in the page when it loads.
"use strict";

const PANELS = {
  sales: [
    { name: "returns", title: "退货率", about: "各产品各区域月度退货率，销售部口径", paint: returnsFromRows },
    { name: "repurchase", title: "VIP客户复购率", about: "各季度 VIP 客户当季再次购买的比例", paint: chart("VIP") },
    { name: "campaigns", title: "市场活动场次", about: "市场部各季度线上、线下活动", paint: sheet(["活动场次"]) },
  ],
  support: [
    { name: "returns", title: "退货率", about: "各产品各区域月度退货率，售后部口径（含拒收）", paint: sheet(["退货率", "退货比例"]) },
  ],
};

const board = document.body.dataset.board;
const later = (ms) => new Promise((done) => setTimeout(done, ms));

function open(text) {
  const bytes = Uint8Array.from(atob(text), (c, i) => c.charCodeAt(0) ^ ((i * 31 + 89) % 256));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function element(tag, text, parent, css) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (css) made.className = css;
  if (parent) parent.append(made);
  return made;
}

function table(rows, numbers, into) {
  if (!rows.length) return element("div", "暂无数据", into, "empty");
  const made = element("table", "", element("div", "", into, "sheet"));
  const names = Object.keys(rows[0]);
  const css = (name) => (numbers.includes(name) ? "number" : "");
  const head = element("tr", "", element("thead", "", made));
  names.forEach((name) => (element("th", name, head, css(name)).scope = "col"));
  const body = element("tbody", "", made);
  for (const row of rows) {
    const line = element("tr", "", body);
    names.forEach((name) => element("td", String(row[name]), line, css(name)));
  }
  return made;
}

function returnsFromRows(reply, into) {
  const heads = { product: "产品", region: "区域", month: "月份", return_rate: "退货率", return_ratio: "退货比例" };
  const rows = reply.data.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) =>
    [heads[name], typeof value === "number" ? (value * 100).toFixed(1) + "%" : value])));
  table(rows, ["退货率", "退货比例"], into);
}

function sheet(numbers) {
  return (reply, into) => table(open(reply.sheet), numbers, into);
}

function chart(tier) {
  return (reply, into) => {
    const points = open(reply.chart)[tier];
    const [wide, high, scale] = [900, 400, window.devicePixelRatio || 1];
    const canvas = element("canvas", "", into);
    canvas.width = wide * scale;
    canvas.height = high * scale;
    canvas.setAttribute("role", "img");
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, wide, high);
    const [base, top] = [high - 56, 60];
    const most = Math.max(...points.map((p) => p[1])) * 1.02;
    const step = wide / points.length;
    pen.strokeStyle = "#c9d3dd";
    pen.beginPath();
    pen.moveTo(20, base + 0.5);
    pen.lineTo(wide - 20, base + 0.5);
    pen.stroke();
    pen.textAlign = "center";
    points.forEach(([quarter, permille], i) => {
      const [x, tall] = [step * (i + 0.5), ((base - top) * permille) / most];
      pen.fillStyle = "#0f6e8c";
      pen.fillRect(x - step * 0.25, base - tall, step * 0.5, tall);
      pen.fillStyle = "#1d2733";
      pen.font = "600 26px Arial, Helvetica, sans-serif";
      pen.fillText((permille / 10).toFixed(1) + "%", x, base - tall - 14);
      pen.font = "24px Arial, Helvetica, sans-serif";
      pen.fillText(quarter, x, base + 38);
    });
  };
}

async function show(panel, into) {
  const card = element("section", "", into, "card");
  element("h2", panel.title, card);
  element("p", panel.about, card, "about");
  const place = element("div", "", card, "panel");
  const waiting = element("div", "加载中…", place, "waiting");
  for (;;) {
    const reply = await fetch(`/api/${board}/${panel.name}`);
    if (reply.status === 200) {
      const data = await reply.json();
      await later(300 + Math.random() * 900);
      waiting.remove();
      return panel.paint(data, place);
    }
    if (reply.status === 401) return location.assign("/login?next=" + encodeURIComponent(location.pathname));
    if (reply.status !== 202) {
      waiting.remove();
      return element("div", `加载失败（${reply.status}）`, place, "empty");
    }
    await later(700); // the query is still running
  }
}

document.querySelectorAll("nav a").forEach((link) => link.classList.toggle("here", link.dataset.name === board));
Promise.all(PANELS[board].map((panel) => show(panel, document.getElementById("panels")))).then(() => {
  document.getElementById("main").dataset.ready = "true";
});
