"""What a user of the desktop has: assistive technology's view of a window (AT-SPI), and a keyboard (xdotool)."""

import atexit
import os
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

import picture  # noqa: E402

PATIENCE = 30
# Places are told from inside the window's edge; the window itself comes up in the display's corner, as nothing moves it.
EDGE = 5


def until(what, find):
    """Waits until something is there, and returns it."""
    found = soon(find, PATIENCE)
    if not found:
        raise SystemExit(f"it never happened that {what}")
    return found


def soon(find, patience=3):
    """Waits a while for something, and returns it if it came."""
    deadline = time.monotonic() + patience
    while True:
        try:
            found = find()
        except Exception:  # A widget can go away while it is looked at.
            found = None
        if found or time.monotonic() > deadline:
            return found
        time.sleep(0.02)


# What has nothing of its own below it: each look at a node is a message to the program and back.
LEAVES = {"alert", "heading", "image", "label", "push button", "scroll bar", "slider", "text"}


def every(node):
    """A node of the accessible tree and everything below it."""
    yield node
    if node.get_role_name() in LEAVES:
        return
    for index in range(node.get_child_count()):
        child = node.get_child_at_index(index)
        if child:
            yield from every(child)


def states(node):
    return {state.value_nick for state in node.get_state_set().get_states()}


class Window:
    """A program's window."""

    def __init__(self, command, name):
        self.name = name
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        # A script that gives up leaves no window behind.
        atexit.register(self.process.kill)
        self.app = until(f"{name} shows up", self._find)

    def _find(self):
        if self.process.poll() is not None:
            raise SystemExit(f"the program ended with {self.process.returncode}: {self.process.stderr.read()}")
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(index)
            if app and app.get_process_id() == self.process.pid and app.get_child_count() > 0:
                return app
        return None

    def nodes(self):
        self.app.clear_cache()
        return every(self.app)

    def find(self, role, name=None):
        def look():
            for node in self.nodes():
                if node.get_role_name() == role and (name is None or node.get_name() == name):
                    return node
            return None

        return until(f"there is a {role} {name or ''}", look)

    def press(self, *names):
        """Presses the first of these buttons that there is."""
        self.button(*names).do_action(0)

    def button(self, *names):
        def look():
            there = {node.get_name(): node for node in self.nodes() if node.get_role_name() == "push button"}
            return next((there[name] for name in names if name in there), None)

        return until(f"there is one of the buttons {names}", look)

    def heading(self, text):
        """Waits for the page with this title."""
        return self.find("heading", text)

    def focused(self):
        return next((node for node in self.nodes() if "focused" in states(node)), None)

    def unnamed_controls(self):
        """The controls that assistive technology can't tell apart: nothing but the toolkit's class names them."""
        found = []
        for node in self.nodes():
            role, name = node.get_role_name(), node.get_name()
            if role in ("push button", "toggle button", "check box", "combo box", "slider", "spin button", "text", "switch"):
                if not name or name.startswith(("Gtk", "Adw")):
                    found.append(f"{role} {name!r}")
        return found

    def focus(self):
        """Gives the window the keyboard, as a window manager would; a busy display may have to be asked again."""
        def ask():
            subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--name", f"^{self.name}$", "windowfocus"], check=False,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return soon(self.focused)

        until("the window has the keyboard", ask)

    def type(self, *keys):
        subprocess.run(["xdotool", "key", "--delay", "30", *keys], check=True)

    def click(self, find, share=0.5):
        """Clicks what is found, in its middle, or at another share of its width."""
        def area(node):
            found = node.get_extents(Atspi.CoordType.WINDOW)
            return found.x, found.y, found.width, found.height

        def still():
            """Where it stands, unless it is on its way."""
            node = find()
            before = area(node)
            time.sleep(0.05)
            return before if before[2] > 0 and before == area(node) else None

        x, y, width, height = until("it stands still", still)
        x, y = EDGE + x + width * share, EDGE + y + height / 2
        subprocess.run(
            ["xdotool", "mousemove", str(round(x)), str(round(y)), "sleep", "0.05", "click", "1"], check=True)

    def click_until_changed(self, find, share=0.5):
        """Clicks until there is something else to be read: a list that is just being closed takes a click for itself."""
        def texts():
            return [(node.get_role_name(), node.get_name()) for node in self.nodes()]

        before = texts()
        for _ in range(5):
            self.click(find, share)
            if soon(lambda: self.process.poll() is not None or texts() != before):
                return
        raise SystemExit("the clicks changed nothing")

    def still(self):
        """Waits until nothing moves: the same places, asked twice."""
        def places():
            return [node.get_extents(Atspi.CoordType.WINDOW).x for node in self.nodes() if node.get_role_name() == "heading"]

        until("the page stands still", lambda: places() == (time.sleep(0.05) or places()))

    def picture(self, number):
        """Keeps what is shown, where pictures are wanted."""
        if path := os.environ.get("DOORSTEP_PICTURES"):
            self.still()
            picture.keep(f"{path}-{number}.png")

    def end(self, status=0):
        """Waits for the end; nothing may have been complained of."""
        try:
            _, errors = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise SystemExit("the program did not end")
        complaints = [line for line in errors.splitlines() if "WARNING" in line or "CRITICAL" in line]
        if complaints:
            raise SystemExit("\n".join(complaints))
        if self.process.returncode != status:
            raise SystemExit(f"the program ended with {self.process.returncode}: {errors}")
        return errors


def expect(condition, sentence):
    if not condition:
        print(f"not so: {sentence}", file=sys.stderr)
        sys.exit(1)
