"""Starts two programs in turn and says how long each takes to its window, and what memory it has then."""

import ctypes
import os
import statistics
import subprocess
import sys
import time

ROUNDS = 15
SUBSTRUCTURE_NOTIFY = 1 << 19
MAP_NOTIFY = 19

x11 = ctypes.CDLL("libX11.so.6")
x11.XOpenDisplay.restype = ctypes.c_void_p
x11.XDefaultRootWindow.argtypes = [ctypes.c_void_p]
x11.XDefaultRootWindow.restype = ctypes.c_ulong
x11.XSelectInput.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_long]
x11.XNextEvent.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
x11.XPending.argtypes = [ctypes.c_void_p]
x11.XSync.argtypes = [ctypes.c_void_p, ctypes.c_int]
display = x11.XOpenDisplay(None)
x11.XSelectInput(display, x11.XDefaultRootWindow(display), SUBSTRUCTURE_NOTIFY)
x11.XSync(display, 1)


def wait_for_window():
    event = (ctypes.c_long * 24)()
    while True:
        x11.XNextEvent(display, event)
        if event[0] & 0xFFFFFFFF == MAP_NOTIFY:
            return time.monotonic()


def memory(process):
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.rstrip().endswith("kB")}
    return sizes["Rss"] / 1024, sizes["Pss"] / 1024


def measure(command):
    begin = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    shown = wait_for_window() - begin
    time.sleep(1)  # Until the first frames are drawn.
    rss, pss = memory(process)
    process.kill()
    process.wait()
    time.sleep(0.1)
    x11.XSync(display, 1)
    return shown * 1000, rss, pss


os.environ["GTK_A11Y"] = "none"
programs = {"carousel in C": [sys.argv[1]], "doorstep-gtk": [sys.argv[2], "com.example.trailmates"]}
samples = {name: [] for name in programs}
for _ in range(ROUNDS):
    for name, command in programs.items():
        samples[name].append(measure(command))
base = None
print(f"{'':16} {'to window':>10} {'RSS':>9} {'PSS':>9}   (medians of {ROUNDS})")
for name, rows in samples.items():
    middle = [statistics.median(column) for column in zip(*rows)]
    base = base or middle
    print(f"{name:16} {middle[0]:7.0f} ms {middle[1]:6.1f} MB {middle[2]:6.1f} MB   "
          + " ".join(f"{value / least:.2f}x" for value, least in zip(middle, base)))
    if any(value > 1.3 * least for value, least in zip(middle, base)):
        sys.exit("error: more than 1.3 times what the program in C costs")
