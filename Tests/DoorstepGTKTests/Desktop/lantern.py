"""Reads Lantern's terms, which `doorstep run` shows in a window, and closes it; then reads and accepts them."""

import sys

from desktop import Window, until

left = Window(sys.argv[1:], "Lantern")
left.find("heading")
left.focus()
left.type("ctrl+w")
left.end(status=1)

finished = Window(sys.argv[1:], "Lantern")
finished.find("heading")
finished.focus()
finished.type("Return")
finished.end()
