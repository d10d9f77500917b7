"""Goes through Aurora's pages by keyboard: what can be skipped is skipped, and a permission is gone on without."""

import sys

from desktop import Window, until


def way_on():
    """The button that leaves a page without doing what it is about, else its own."""
    names = [node.get_name() for node in window.nodes() if node.get_role_name() == "push button"]
    own = [name for name in names if name not in ("Minimize", "Maximize", "Close", "Back")]
    return next((name for name in ("Skip", "Continue Without") if name in own), own[0] if own else None)


window = Window([sys.argv[1], "com.example.aurora"], "Aurora")
window.heading("Find your night sky")
window.focus()
window.type("Return")
window.heading("What’s your name?")
window.type("A", "d", "a", "Return")
seen = set()
while True:
    def ahead():
        """The next page, or the profile, or the end."""
        if window.process.poll() is not None:
            return "end"
        for node in window.nodes():
            if node.get_role_name() == "push button" and node.get_name() == "Done":
                return "Done"
        for node in window.nodes():
            if node.get_role_name() == "heading" and node.get_name() not in seen:
                return node.get_name()
        return None

    page = until("another page comes", ahead)
    if page in ("Done", "end"):
        break
    seen.add(page)
    if page != "What’s your name?":
        window.press(until("there is a way on", way_on))
if page == "Done":
    window.press("Done")
window.end()
