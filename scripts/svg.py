"""Draws what `tmux capture-pane -p -e` prints as an SVG: svg.py COLUMNS ROWS < capture > picture.svg"""

import re
import sys
import unicodedata
from html import escape

CELL, LINE, FRONT, BACK = 8.4, 18, "#d8dee4", "#0d1117"


def colour(parts, index):
    if parts[index + 1] == 2:
        return "#%02x%02x%02x" % tuple(parts[index + 2 : index + 5]), index + 5
    number = parts[index + 2]
    if number >= 232:
        return "#%02x%02x%02x" % ((8 + (number - 232) * 10,) * 3), index + 3
    levels = [0, 95, 135, 175, 215, 255]
    cube = max(number - 16, 0)
    return "#%02x%02x%02x" % (levels[cube // 36], levels[cube // 6 % 6], levels[cube % 6]), index + 3


def style(state, codes):
    parts = [int(code or 0) for code in codes.replace(":", ";").split(";")]
    index = 0
    while index < len(parts):
        part = parts[index]
        if part == 0:
            state = {}
        elif part in (1, 4, 7):
            state = {**state, part: True}
        elif part in (38, 48):
            value, index = colour(parts, index)
            state = {**state, part: value}
            continue
        elif part in (39, 49):
            state = {key: value for key, value in state.items() if key != part - 1}
        index += 1
    return state


def main():
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    width, height = columns * CELL + 24, rows * LINE + 24
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-size="14" '
        'font-family="ui-monospace, DejaVu Sans Mono, monospace">'
    )
    print(f'<rect width="{width:g}" height="{height:g}" rx="8" fill="{BACK}"/>')
    state = {}
    for row, line in enumerate(sys.stdin.read().split("\n")[:rows]):
        column = 0
        for piece in re.split(r"(\x1b\[[0-9;:]*m)", line):
            if piece.startswith("\x1b"):
                state = style(state, piece[2:-1])
                continue
            cells = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in piece)
            x, y = 12 + column * CELL, 12 + row * LINE
            front, back = state.get(38, FRONT), state.get(48)
            if state.get(7):
                front, back = back or BACK, front
            if back:
                print(f'<rect x="{x:g}" y="{y:g}" width="{cells * CELL:g}" height="{LINE}" fill="{back}"/>')
            if piece.strip() or state.get(4):
                marks = (' font-weight="bold"' if state.get(1) else "") + (
                    ' text-decoration="underline"' if state.get(4) else ""
                )
                print(
                    f'<text x="{x:g}" y="{y + 14:g}" fill="{front}" textLength="{cells * CELL:g}" '
                    f'xml:space="preserve"{marks}>{escape(piece)}</text>'
                )
            column += cells
    print("</svg>")


main()
