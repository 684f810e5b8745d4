"""A small board server on loopback: pages that log in, render late, poll, hang, rename columns, draw on canvas."""

from __future__ import annotations

import asyncio
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

ROWS = [
    {"product": p, "region": r, "month": m, "rate": rate}
    for p, r, m, rate in [
        ("A", "华东", "2024-01", 0.0521),
        ("A", "华东", "2024-02", 0.0432),
        ("A", "华南", "2024-01", 0.0218),
        ("B", "华东", "2024-01", 0.0305),
        ("B", "华南", "2024-02", 0.1249),
    ]
]
QUARTERS = {"2023Q3": 31.2, "2023Q4": 29.8, "2024Q1": 34.5, "2024Q2": 36.1}
USER, PASSWORD = "analyst", "s3cret"

_HEAD = "<!doctype html><html lang=zh><meta charset=utf-8><title>board</title><body style='font-family:sans-serif'>"
_FORM = (
    "<form method=post action='/login'><input name=username><input name=password type=password>"
    "<button type=submit>登录</button></form>"
)

# paints the table that split boards paint: one for the header, one for the body; rounded text, exact title
_PAINT = """
const shown = r => [[r.product], [r.region], [r.month.slice(0, 4) + '年' + +r.month.slice(5) + '月'],
  [(r.rate * 100).toFixed(1) + '%', (r.rate * 100).toFixed(2) + '%']];
const row = r => '<tr>' + shown(r).map(([t, x]) => `<td${x ? ` title="${x}"` : ''}>${t}</td>`).join('') + '</tr>';
const paint = rows => { document.querySelector('#body tbody').innerHTML = rows.map(row).join(''); };
"""


def _split(headers: str = "产品,区域,月份,退货率") -> str:
    cells = "".join(f"<th>{h}</th>" for h in headers.split(","))
    return (
        "<h1>销售看板</h1><h2>退货率</h2><div role=table><table><thead><tr>" + cells + "</tr></thead></table>"
        "<table id=body><tbody></tbody></table></div><h2>其他</h2>"
    )


def _script(code: str) -> str:
    return f"<script>{_PAINT}{code}</script>"


_FETCH = "fetch('{0}').then(r => r.json()).then(d => paint(d.data)).catch(() => 0);"
_CANVAS = """<h2>复购率</h2><canvas id=c width=640 height=320></canvas><script>
const g = document.getElementById('c').getContext('2d'), W = 640, H = 320;
const draw = part => {
  g.fillStyle = '#fff'; g.fillRect(0, 0, W, H); g.font = '13px sans-serif'; g.textBaseline = 'middle';
  for (let i = 0; i <= 5; i++) {
    const y = H - 40 - (H - 90) * i / 5;
    g.fillStyle = '#666'; g.textAlign = 'right'; g.fillText(10 * i + '%', 44, y);
    g.fillStyle = '#eee'; g.fillRect(50, y, W - 60, 1);
  }
  const cats = Object.keys(DATA), step = (W - 60) / cats.length;
  cats.forEach((c, i) => {
    g.fillStyle = '#666'; g.textAlign = 'center'; g.fillText(c, 50 + step * (i + .5), H - 22);
    const values = DATA[c], width = step * .7 / values.length;
    values.forEach((v, j) => {
      const h = (H - 90) * v * part / 50, x = 50 + step * (i + .15) + width * j;
      g.fillStyle = ['#5470c6', '#91cc75'][j]; g.fillRect(x, H - 40 - h, width - 4, h);
      g.fillStyle = '#333'; g.fillText((v * part).toFixed(1) + '%', x + width / 2, H - 40 - h - 10);
    });
  });
  NAMES.forEach((n, j) => {
    g.fillStyle = ['#5470c6', '#91cc75'][j]; g.fillRect(240 + j * 90, 10, 22, 14);
    g.fillStyle = '#333'; g.textAlign = 'left'; g.fillText(n, 268 + j * 90, 17);
  });
};
const begin = performance.now() + 300;
const frame = now => { const part = Math.min((now - begin) / 800, 1); if (part > 0) draw(part); if (part < 1) requestAnimationFrame(frame); };
requestAnimationFrame(frame);
</script>"""


def _chart(data: str, names: str = "[]") -> str:
    return _CANVAS.replace("DATA", f"({data})").replace("NAMES", names)


_ONE = str({q: [v] for q, v in QUARTERS.items()})
_TWO = "{'2024Q1': [42.2, 21.2], '2024Q2': [43.8, 19.8], '2024Q3': [24.5, 44.5]}"
_DRAWN = """<h2>退货率</h2><canvas id=c width=640 height=200></canvas><script>
const g = document.getElementById('c').getContext('2d');
g.fillStyle = '#fff'; g.fillRect(0, 0, 640, 200); g.fillStyle = '#222'; g.font = '15px sans-serif';
[['产品', '区域', '月份', '退货率'], ['A', '华东', '2024-01', '5.2%'], ['B', '华南', '2024-02', '12.5%']]
  .forEach((r, i) => r.forEach((c, j) => g.fillText(c, 20 + j * 150, 40 + i * 40)));
</script>"""

PAGES = {
    "late": _split() + _script(_FETCH.format("/api/returns?slow=1")),
    "quick": _split() + _script(_FETCH.format("/api/returns")),
    "job": _split() + _script(
        "const ask = n => fetch('/api/job?n=' + n).then(r => r.json())"
        ".then(d => d.data ? 0 : setTimeout(() => ask(n + 1), 200)); ask(0);"),
    "silent": _split() + _script(_FETCH.format("/api/other")),
    "dripping": _split()
    + _script("let n = 0; const all = ROWS.slice(0, 3); const t = setInterval(() => { paint(all.slice(0, ++n)); "
              "if (n === all.length) { clearInterval(t); document.body.dataset.ready = 'true'; } }, 900);"),
    "renamed": _split("产品,区域,月份,退款率") + _script(_FETCH.format("/api/other")),
    "empty": _split() + _script("paint([]);"),
    "no_data": _split() + _script("document.querySelector('#body tbody').innerHTML = '<tr><td colspan=4>暂无数据</td></tr>';"),
    "failing": _split() + _script(_FETCH.format("/api/broken")),
    "hung": _split() + _script(_FETCH.format("/api/never")),
    "stuck": _split() + _script("setTimeout(() => { while (true) {} }, 50);"),
    "polling": _split() + "<p id=n></p>" + _script(
        _FETCH.format("/api/other") + "let i = 0; setInterval(() => fetch('/api/tick').then(r => r.json())"
        ".then(() => { document.getElementById('n').textContent = '刷新 '.repeat(++i % 9); }), 150);"),
    "other_place": "<h1>销售看板</h1><h2>销量</h2><p>没有退货率</p>",
    "merged": """<h2>退货率</h2><table><thead><tr><th rowspan=2>产品</th><th rowspan=2>区域</th><th colspan=2>2024</th></tr>
      <tr><th>月份 ▲</th><th>退货率 (%)</th></tr></thead><tbody>
      <tr><td rowspan=2>A</td><td>华东</td><td>2024-01</td><td>5.2</td></tr>
      <tr><td>华南</td><td>2024-01</td><td>2.2</td></tr></tbody></table>""",
    "virtual": """<h2>退货率</h2><div role=grid aria-rowcount=1201>
      <div role=row><span role=columnheader>产品</span><span role=columnheader>区域</span><span role=columnheader>月份</span><span role=columnheader>退货率</span></div>
      <div role=row><span role=gridcell>A</span><span role=gridcell>华东</span><span role=gridcell>2024-01</span><span role=gridcell>5.2%</span></div></div>""",
    "chart": _chart(_ONE),
    "series": _chart(_TWO, "['VIP', '普通']"),
    "drawn": _DRAWN,
    "blank": "<h2>复购率</h2><canvas id=c width=640 height=320></canvas>",
}  # fmt: skip


@dataclass
class Boards:
    """The running server: its address, and how often somebody logged in."""

    url: str
    logins: list[str] = field(default_factory=list)


def _app(boards: Boards) -> Starlette:
    async def login(request: Request) -> Response:
        if request.method == "GET":
            return HTMLResponse(_HEAD + "<h1>登录</h1>" + _FORM)
        sent = (await request.body()).decode()
        if sent != f"username={USER}&password={PASSWORD}":
            return HTMLResponse(_HEAD + "<h1>登录</h1><p role=alert>用户名或密码错误</p>" + _FORM)
        boards.logins.append(USER)
        reply = RedirectResponse("/home", status_code=303)
        reply.set_cookie("session", "good")
        return reply

    async def home(request: Request) -> Response:
        return HTMLResponse(_HEAD + "<h1>首页</h1>")

    async def guarded(request: Request) -> Response:
        if request.cookies.get("session") != "good":
            return RedirectResponse("/login")
        return HTMLResponse(_HEAD + PAGES["late"])

    async def form_in_place(request: Request) -> Response:
        if request.cookies.get("session") != "good":
            return HTMLResponse(_HEAD + "<h1>登录</h1>" + _FORM)
        return HTMLResponse(_HEAD + PAGES["quick"])

    async def board(request: Request) -> Response:
        name = request.path_params["name"]
        if name == "down":
            return HTMLResponse("down", status_code=503)
        if name not in PAGES:
            return HTMLResponse("no such board", status_code=404)
        return HTMLResponse(_HEAD + PAGES[name].replace("ROWS", str(ROWS)))

    async def api(request: Request) -> Response:
        name = request.path_params["name"]
        if name == "never":
            while not await request.is_disconnected():
                await asyncio.sleep(0.1)
        if name == "broken":
            return JSONResponse({"error": "database"}, status_code=500)
        if name == "job" and request.query_params["n"] < "3":
            return JSONResponse({"state": "running"}, status_code=202)
        if name == "tick":
            return JSONResponse({})
        if request.query_params.get("slow"):
            await asyncio.sleep(random.uniform(0.3, 1.0))  # the delay that is tested
        return JSONResponse({"data": ROWS})

    return Starlette(
        routes=[
            Route("/login", login, methods=["GET", "POST"]),
            Route("/home", home),
            Route("/boards/guarded", guarded),
            Route("/boards/form", form_in_place),
            Route("/boards/{name}", board),
            Route("/api/{name}", api),
        ]
    )


@contextmanager
def serve() -> Iterator[Boards]:
    """Runs the server in a thread on a free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        boards = Boards(f"http://127.0.0.1:{listener.getsockname()[1]}")
        config = uvicorn.Config(
            _app(boards), log_level="error", lifespan="off", ws="none", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            while not server.started:
                if not thread.is_alive():
                    raise RuntimeError("the board server did not start")
                thread.join(0.02)
            yield boards
        finally:
            server.should_exit = True
            thread.join(5)
