"""Opens an HTML file in a headless Chromium through its debugging pipe, and prints as JSON what a reader would meet:
errors, elements that could act, the accessibility tree's images, tables and headings, and the contrast of every text,
in light and dark; and whether it prints to PDF. Usage: look.py CHROMIUM FILE SCREENSHOT-PREFIX"""

import base64
import json
import os
import subprocess
import sys
import tempfile

chromium, path, prefix = sys.argv[1:4]
to_read, to_write = os.pipe()
from_read, from_write = os.pipe()
profile = tempfile.mkdtemp(prefix="doorstep-chromium-")


def ends():
    os.dup2(to_read, 3)
    os.dup2(from_write, 4)
    for end in (3, 4):
        os.set_inheritable(end, True)


# The pipe's ends must not already stand where they are put.
to_read, from_write = os.dup2(to_read, 20), os.dup2(from_write, 21)
browser = subprocess.Popen(
    [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
     "--no-first-run", "--user-data-dir=" + profile, "about:blank"],
    preexec_fn=ends, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(to_read)
os.close(from_write)
buffer, count, events = b"", 0, []


def message():
    global buffer
    while b"\0" not in buffer:
        part = os.read(from_read, 1 << 16)
        if not part:
            sys.exit("the browser ended")
        buffer += part
    text, buffer = buffer.split(b"\0", 1)
    return json.loads(text)


def call(method, session=None, **parameters):
    global count
    count += 1
    request = {"id": count, "method": method, "params": parameters}
    if session:
        request["sessionId"] = session
    os.write(to_write, json.dumps(request).encode() + b"\0")
    while True:
        found = message()
        if found.get("id") == count:
            if "error" in found:
                sys.exit(f"{method}: {found['error']}")
            return found["result"]
        events.append(found)


def wait(name):
    while not any(event.get("method") == name for event in events):
        events.append(message())


CONTRAST = """(() => {
  const lum = c => { const v = c.map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4 });
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2] };
  const parse = t => { const m = t.match(/[\\d.]+/g).map(Number); return m.length > 3 && m[3] === 0 ? null : m.slice(0, 3) };
  let worst = 99, where = '';
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    if (['TITLE', 'DESC', 'STYLE'].includes(e.tagName.toUpperCase())) continue;
    const style = getComputedStyle(e);
    const ink = parse(e.closest('svg') ? style.fill : style.color);
    let back = null;
    for (let p = e; p && !back; p = p.parentElement) back = parse(getComputedStyle(p).backgroundColor);
    back = back || [255, 255, 255];
    const [a, b] = [lum(ink), lum(back)].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < worst) { worst = ratio; where = e.tagName + ': ' + e.textContent.slice(0, 40) }
  }
  return { worst, where };
})()"""

STRUCTURE = """(() => ({
  lang: document.documentElement.lang, title: document.title,
  active: document.querySelectorAll('script, iframe, object, embed, form, img, a, link, base, [onerror], [onload], [onclick]').length,
  headings: [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map(e => Number(e.tagName[1])),
  tables: document.querySelectorAll('table').length,
  faultyTables: [...document.querySelectorAll('table')].filter(t => !t.caption || !t.caption.textContent
    || [...t.querySelectorAll('th')].some(h => !h.scope)).length,
  danglingLabels: [...document.querySelectorAll('[aria-labelledby]')].flatMap(e => e.getAttribute('aria-labelledby').split(' '))
    .filter(id => !document.getElementById(id)),
  doubleIDs: [...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i),
  charts: document.querySelectorAll('svg').length, width: document.documentElement.scrollWidth,
  text: document.body.innerText,
}))()"""

try:
    target = call("Target.createTarget", url="about:blank")["targetId"]
    session = call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
        call(domain + ".enable", session)
    call("Emulation.setDeviceMetricsOverride", session, width=1000, height=900, deviceScaleFactor=1, mobile=False)
    call("Page.navigate", session, url="file://" + os.path.abspath(path))
    wait("Page.loadEventFired")

    def value(script):
        found = call("Runtime.evaluate", session, expression=script, returnByValue=True)["result"]
        if "value" not in found:
            sys.exit(f"a script failed: {found}")
        return found["value"]

    result = value(STRUCTURE)
    nodes = [node for node in call("Accessibility.getFullAXTree", session)["nodes"] if not node.get("ignored")]

    def unnamed(role):
        return sum(node["role"]["value"] == role and not node.get("name", {}).get("value") for node in nodes)

    result["roles"] = {r: sum(n["role"]["value"] == r for n in nodes) for r in ("image", "table", "heading", "main", "banner")}
    result["unnamed"] = {role: unnamed(role) for role in ("image", "table", "heading", "region")}
    for scheme in ("light", "dark"):
        call("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
        result[scheme] = value(CONTRAST)
        shot = call("Page.captureScreenshot", session, captureBeyondViewport=True)
        with open(f"{prefix}-{scheme}.png", "wb") as file:
            file.write(base64.b64decode(shot["data"]))
    result["pdf"] = base64.b64decode(call("Page.printToPDF", session)["data"])[:5].decode()
    call("Emulation.setDeviceMetricsOverride", session, width=320, height=900, deviceScaleFactor=1, mobile=False)
    result["narrowWidth"] = value("document.documentElement.scrollWidth")
    result["errors"] = [
        event["params"] for event in events
        if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
    result["requests"] = [
        event["params"]["request"]["url"] for event in events if event.get("method") == "Network.requestWillBeSent"]
    print(json.dumps(result))
finally:
    browser.kill()
    browser.wait()
    subprocess.run(["rm", "-rf", profile], check=False)
