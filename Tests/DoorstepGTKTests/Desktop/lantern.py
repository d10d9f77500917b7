"""Reads Lantern's terms, which `doorstep run` shows in a window, and closes it; then reads and accepts them.

What the program said on standard error is printed.
"""

import sys

from desktop import Window

left = Window(sys.argv[1:], "Lantern")
left.find("heading")
left.focus()
left.type("ctrl+w")
print(left.end(status=1))

finished = Window(sys.argv[1:], "Lantern")
finished.find("heading")
finished.focus()
finished.type("Return")
print(finished.end())
