"""The results of ./dev bench as a picture: for each workload the ratio to each
peer on a logarithmic axis, and how near to the roofline it runs."""
import html
import math

import table

COLOURS = {"xla_cpu": "#d1495b", "iree": "#2a7f9e", "torch_eager": "#e08e29",
           "torch_compile": "#8a6fb3", "torch_xla": "#7a8794", "onnxruntime": "#3f9b5f"}
LINE, LEFT, WIDTH, BAR, TOP = 22, 190, 560, 170, 64


def axis(ratios):
    """Ends of the axis, powers of two around all ratios and 1."""
    low = min([0.5, *ratios])
    high = max([2.0, *ratios])
    return 2.0 ** math.floor(math.log2(low)), 2.0 ** math.ceil(math.log2(high))


def text(x, y, words, anchor="start", style=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{html.escape(words)}</text>'


def draw(rows):
    """An SVG document; rows without a time of xlac are left out."""
    rows = [row for row in rows if row.xlac]
    peers = table.peers_in(rows)
    ratios = [ratio for row in rows for peer in peers if (ratio := row.ratio(peer))]
    low, high = axis(ratios)
    place = lambda ratio: LEFT + WIDTH * math.log(ratio / low) / math.log(high / low)
    bottom = TOP + LINE * len(rows)
    total = LEFT + WIDTH + 40 + BAR + 60
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{bottom + 40}" '
           f'viewBox="0 0 {total} {bottom + 40}" font-family="system-ui,sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="#ffffff"/>']
    for i, peer in enumerate(peers):
        x = LEFT + i * 110
        out.append(f'<circle cx="{x}" cy="16" r="5" fill="{COLOURS[peer]}"/>')
        out.append(text(x + 9, 20, table.NAMES[peer]))
    out.append(text(LEFT, 44, "time of xlac / time of the peer: left of 1 xlac is faster"))
    out.append(text(LEFT + WIDTH + 40, 44, "% of the roofline"))
    ratio = low
    while ratio <= high * 1.001:
        x, strong = place(ratio), abs(ratio - 1) < 1e-9
        out.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" '
                   f'stroke="{"#1c2430" if strong else "#dde2e8"}"/>')
        out.append(text(x, bottom + 16, f"{ratio:g}", "middle"))
        ratio *= 2
    for i, row in enumerate(rows):
        y = TOP + LINE * i + LINE / 2
        if i % 2 == 0:
            out.append(f'<rect x="0" y="{y - LINE / 2:.1f}" width="{total}" height="{LINE}" '
                       'fill="#1c2430" fill-opacity="0.035"/>')
        out.append(text(LEFT - 10, y + 4, row.name, "end"))
        for peer in peers:
            if row.ratio(peer):
                out.append(f'<circle cx="{place(row.ratio(peer)):.1f}" cy="{y:.1f}" r="5" '
                           f'fill="{COLOURS[peer]}" fill-opacity="0.85"><title>'
                           f'{table.NAMES[peer]}: {row.ratio(peer):.2f}</title></circle>')
        if row.to_bound():
            part = min(1.0, 1 / row.to_bound())
            out.append(f'<rect x="{LEFT + WIDTH + 40}" y="{y - 6:.1f}" '
                       f'width="{BAR * part:.1f}" height="12" fill="#7aa7e8"/>')
            out.append(text(LEFT + WIDTH + 46 + BAR * part, y + 4, f"{100 / row.to_bound():.0f}"))
    out.append("</svg>")
    return "\n".join(out) + "\n"
