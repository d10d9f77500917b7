"""What a user of the desktop has: assistive technology's view of a window (AT-SPI), and a keyboard (xdotool)."""

import atexit
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

PATIENCE = 30


def until(what, find):
    """Waits until something is there, and returns it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            found = find()
        except Exception:  # A widget can go away while it is looked at.
            found = None
        if found:
            return found
        time.sleep(0.02)
    raise SystemExit(f"it never happened that {what}")


def every(node):
    """A node of the accessible tree and everything below it."""
    yield node
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

    def press(self, name):
        self.find("push button", name).do_action(0)

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
        """Gives the window the keyboard, as a window manager would."""
        subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", f"^{self.name}$", "windowfocus"], check=True,
            stdout=subprocess.DEVNULL)
        until("the window has the keyboard", lambda: self.focused())

    def type(self, *keys):
        subprocess.run(["xdotool", "key", "--delay", "30", *keys], check=True)

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


def expect(condition, sentence):
    if not condition:
        print(f"not so: {sentence}", file=sys.stderr)
        sys.exit(1)
