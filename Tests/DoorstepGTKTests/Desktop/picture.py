"""Keeps what the display shows as a PNG file."""

import ctypes
import struct
import zlib


def keep(path, width=560, height=680):
    """Writes the display's upper left corner, where windows come up, as nothing moves them."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = x11.XGetImage.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    x11.XDefaultRootWindow.argtypes = x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    x11.XGetImage.argtypes = [
        ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_ulong,
        ctypes.c_int]
    display = x11.XOpenDisplay(None)
    image = x11.XGetImage(display, x11.XDefaultRootWindow(display), 0, 0, width, height, 0xFFFFFF, 2)
    # An XImage begins with four numbers and then points to its pixels: blue, green, red and nothing, four bytes each.
    pixels = ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, width * height * 4)
    x11.XCloseDisplay(display)
    colours = bytearray(width * height * 3)
    for place in range(3):
        colours[place::3] = pixels[2 - place::4]
    lines = b"".join(b"\0" + colours[line * width * 3:(line + 1) * width * 3] for line in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))
