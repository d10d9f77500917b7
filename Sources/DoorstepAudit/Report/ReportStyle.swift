/// How the report looks: light and dark as the reader's system, and on paper.
enum ReportStyle {
    static let css = """
        :root { color-scheme: light dark; --text: #1c1c22; --back: #ffffff; --soft: #5a5a66; --line: #c9c9d2; --card: #f5f5f8;
          --yes: #14622f; --no: #9c1c1c; --c0: #1d5fb8; --c1: #7a4a00; --c2: #14622f; --c3: #8a2a8a; --c4: #a02a2a; --c5: #4a4a55; }
        @media (prefers-color-scheme: dark) { :root { --text: #ececf1; --back: #17171b; --soft: #b4b4c0; --line: #44444f;
          --card: #212127; --yes: #7fd99b; --no: #ff9d9d; --c0: #8fbcff; --c1: #e9b766; --c2: #7fd99b; --c3: #e3a0e3;
          --c4: #ff9d9d; --c5: #b4b4c0; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; color: var(--text); background: var(--back);
          font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.75rem; line-height: 1.2; } h2 { font-size: 1.3rem; margin-top: 2.5rem; } h3 { font-size: 1.05rem; }
        .soft { color: var(--soft); }
        .sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1rem 0; padding: 0; }
        .sums div { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
        .sums dt { color: var(--soft); font-size: .9rem; } .sums dd { margin: 0; font-size: 1.5rem; font-weight: 600; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; font-size: .92rem; }
        caption { text-align: start; font-weight: 600; padding: .4rem 0; }
        th, td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; text-align: start; vertical-align: top; }
        thead th { color: var(--soft); font-weight: 600; } tbody th { font-weight: 500; }
        .yes { color: var(--yes); font-weight: 600; } .no { color: var(--no); font-weight: 600; }
        svg { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
        svg text { fill: var(--text); font: 12px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
        .c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); }
        .c5 { fill: var(--c5); } svg line { stroke: var(--line); }
        @media print { :root { --text: #000; --back: #fff; --card: #fff; --soft: #333; --yes: #14622f; --no: #9c1c1c; }
          body { max-width: none; padding: 0; font-size: 10pt; } h2, h3, caption { break-after: avoid; }
          tr, svg, .sums div { break-inside: avoid; } thead { display: table-header-group; } .scroll { overflow: visible; } }
        """
}
