"""Starts two programs in turn and says how long each takes to its window and to its picture, and what memory it then has."""

import ctypes
import os
import select
import statistics
import struct
import subprocess
import sys
import time

ROUNDS = 21
LIMIT = 1.3
PATIENCE = 30
WIDTH, HEIGHT = 560, 680
MAP_NOTIFY, DAMAGE_NOTIFY = 19, 0
SUBSTRUCTURE_NOTIFY, Z_PIXMAP, ALL_PLANES = 1 << 19, 2, 0xFFFFFFFF

pointer, number, long, ulong = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_ulong


def function(library, name, result, *arguments):
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


x11, damage = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXdamage.so.1")
open_display = function(x11, "XOpenDisplay", pointer, ctypes.c_char_p)
root_window = function(x11, "XDefaultRootWindow", ulong, pointer)
select_input = function(x11, "XSelectInput", number, pointer, ulong, long)
next_event = function(x11, "XNextEvent", number, pointer, pointer)
pending = function(x11, "XPending", number, pointer)
connection = function(x11, "XConnectionNumber", number, pointer)
sync = function(x11, "XSync", number, pointer, number)
get_image = function(
    x11, "XGetImage", pointer, pointer, ulong, number, number, ctypes.c_uint, ctypes.c_uint, ulong, number)
get_pixel = function(x11, "XGetPixel", ulong, pointer, number, number)
free = function(x11, "XFree", number, pointer)
query_damage = function(damage, "XDamageQueryExtension", number, pointer, pointer, pointer)
create_damage = function(damage, "XDamageCreate", ulong, pointer, ulong, number)

display = open_display(None)
root = root_window(display)
first_damage_event = number()
if not query_damage(display, ctypes.byref(first_damage_event), ctypes.byref(number())):
    sys.exit("error: the display doesn't tell what is drawn on it")
select_input(display, root, SUBSTRUCTURE_NOTIFY)
create_damage(display, root, 0)
sync(display, 1)


def wait_for(kind):
    event = ctypes.create_string_buffer(192)
    while True:
        if not pending(display) and not select.select([connection(display)], [], [], PATIENCE)[0]:
            sys.exit("error: a program shows nothing")
        next_event(display, event)
        if struct.unpack_from("i", event)[0] == kind:
            return time.monotonic()


def has_picture():
    """Whether the middle of the window holds more than the ground that it comes up with: there is a title at least."""
    image = get_image(display, root, 0, HEIGHT // 2, WIDTH, 100, ALL_PLANES, Z_PIXMAP)
    colours = {get_pixel(image, x, y) for y in range(0, 100, 5) for x in range(0, WIDTH, 3)}
    free(image)
    return len(colours) > 8


def memory(process):
    """What the process holds once it does nothing more."""
    used, still = None, 0
    while still < 4:
        with open(f"/proc/{process.pid}/stat") as file:
            now = file.read().rsplit(")", 1)[1].split()[11:13]
        still = still + 1 if now == used else 0
        used = now
        time.sleep(0.1)
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        sizes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.rstrip().endswith("kB")}
    return sizes["Rss"] / 1024, sizes["Pss"] / 1024


def measure(command):
    begin = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    window = wait_for(MAP_NOTIFY)
    picture = wait_for(first_damage_event.value + DAMAGE_NOTIFY)
    while not has_picture():
        picture = wait_for(first_damage_event.value + DAMAGE_NOTIFY)
    row = ((window - begin) * 1000, (picture - begin) * 1000, *memory(process))
    process.kill()
    process.wait()
    time.sleep(0.1)
    sync(display, 1)
    return row


def span(column, unit):
    column = sorted(column)
    low, high = column[len(column) // 10], column[-1 - len(column) // 10]
    return f"{statistics.median(column):4.0f} {unit} ({low:3.0f} – {high:3.0f})"


os.environ["GTK_A11Y"] = "none"
programs = {"carousel in C": [sys.argv[1]], "doorstep-gtk": [sys.argv[2], "com.example.trailmates"]}
samples = {name: [] for name in programs}
# The first of each only fills the caches.
for turn in range(ROUNDS + 1):
    for name, command in programs.items():
        row = measure(command)
        if turn > 0:
            samples[name].append(row)
heads = ["to window", "to picture", "RSS", "PSS"]
units = ["ms", "ms", "MB", "MB"]
print(f"Medians of {ROUNDS}, and the span in which eight of ten lie\n")
print("| program | " + " | ".join(heads) + " |\n|" + " --- |" * 5)
for name, rows in samples.items():
    print(f"| {name} | " + " | ".join(map(span, zip(*rows), units)) + " |")
least, most = [[statistics.median(column) for column in zip(*rows)] for rows in samples.values()]
ratios = [value / base for value, base in zip(most, least)]
print("| ratio | " + " | ".join(f"{ratio:.2f} ×" for ratio in ratios) + " |")
missed = [head for head, ratio in zip(heads, ratios) if ratio > LIMIT]
if missed:
    sys.exit(f"error: more than {LIMIT} times what the program in C costs: {', '.join(missed)}")
