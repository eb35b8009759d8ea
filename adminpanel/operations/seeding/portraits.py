"""Draw flat portraits of invented people from the shapes in `portraits.json`.

A drawing is a list of steps on a square of 512 units: fill a path, draw it as a stroke or a ring, or fill a disc.
A path joins segments; a point is [x, y] or [x, y, k], where x moves by k for each unit that the face is wider than
`USUAL_WIDTH`. Colors are hexadecimal, roles of the look ("hair"), or [color, color, share of the second].
"""

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from PIL import Image, ImageChops, ImageColor, ImageDraw

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = Sequence[Point]

SIDE = 512
# Drawn larger and averaged down, which is all the antialiasing that flat shapes need.
SCALE = 3
# The part of the drawing that is kept, since faces are shown small.
FRAME = (30, 44, 482, 496)
MIDDLE = 256.0
USUAL_WIDTH = 86
CURVE_STEPS = 14


@cache
def load_shapes() -> Any:
    """Return the palettes, the parts of a face and the hair styles."""
    return json.loads(Path(__file__).with_suffix(".json").read_text())


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What tells one portrait from another; the names are keys in `portraits.json`."""

    skin: str
    hair: str
    color: str = "black"
    cloth: str = "teal"
    backdrop: str = "teal"
    # "coat" with a stethoscope, "scrubs", and "jumper" or "shirt" for patients.
    top: str = "coat"
    beard: str = ""
    glasses: str = ""
    smile: str = "gentle"
    lashes: bool = False
    earrings: bool = False
    # Lines beside the eyes.
    years: bool = False
    # Half the width of the face, and how much the jaw narrows.
    width: float = USUAL_WIDTH
    jaw: float = 0.17


def webp(look: Look) -> bytes:
    """Draw a portrait and encode it as WebP."""
    out = io.BytesIO()
    draw(look).save(out, "WEBP", quality=90, method=4)
    return out.getvalue()


def draw(look: Look) -> Image.Image:
    """Draw a portrait, from what is farthest away to what is nearest."""
    shapes = load_shapes()
    backdrop, disc = shapes["backdrops"][look.backdrop]
    canvas = Canvas(look, backdrop)
    canvas.disc((MIDDLE, 262), 204, 204, disc)
    style = shapes["styles"][look.hair]
    canvas.draw(style.get("behind", []))
    canvas.draw_parts(f"top: {look.top}")
    if not style.get("covers neck"):
        if not style.get("covers ears"):
            canvas.draw_parts("ears", *(["earrings"] if look.earrings else []))
        canvas.draw_parts("face", *features(look))
    canvas.draw(style["front"])
    if look.glasses:
        canvas.draw_parts(f"glasses: {look.glasses}")
    return canvas.finish()


def features(look: Look) -> list[str]:
    """Name the parts of the face, in drawing order."""
    brows = "brows above glasses" if look.glasses else "brows"
    return [
        "cheeks",
        "eyes",
        f"{brows}, fine" if look.lashes else brows,
        *(["lashes"] if look.lashes else []),
        *(["years"] if look.years else []),
        "nose",
        *([f"beard: {look.beard}"] if look.beard else []),
        f"mouth: {look.smile}",
    ]


def resolve_colors(look: Look) -> dict[str, str]:
    """Return the color of each role for a look."""
    shapes = load_shapes()
    # A scarf or turban differs from a doctor's own cloth; with a jumper the headscarf matches it.
    is_matching = look.hair == "headscarf" and look.top == "jumper"
    scarf = look.cloth if is_matching else shapes["scarf over cloth"][look.cloth]
    roles = {
        ("skin", "skin shade", "blush", "skin line"): shapes["skins"][look.skin],
        ("hair", "strand", "brow"): shapes["hairs"][look.color],
        ("cloth", "fold"): shapes["cloths"][look.cloth],
        ("scarf", "scarf fold"): shapes["cloths"][scarf],
    }
    return {name: color for names, colors in roles.items() for name, color in zip(names, colors, strict=True)}


class Canvas:
    """A square to draw on, in units of the finished picture."""

    def __init__(self, look: Look, background: str) -> None:
        self.look = look
        self.colors = resolve_colors(look)
        self.image = Image.new("RGB", (SIDE * SCALE, SIDE * SCALE), background)
        self.brush = ImageDraw.Draw(self.image)

    def finish(self) -> Image.Image:
        """Return the drawing cut to its frame and averaged down."""
        left, top, right, bottom = (unit * SCALE for unit in FRAME)
        return self.image.resize((SIDE, SIDE), Image.Resampling.LANCZOS, box=(left, top, right, bottom))

    def draw_parts(self, *names: str) -> None:
        for name in names:
            self.draw(load_shapes()["parts"][name])

    def draw(self, steps: Sequence[Mapping[str, Any]]) -> None:
        for step in steps:
            if "part" in step:
                self.draw_parts(*features(self.look))
                continue
            color = self.color(step["color"])
            if "disc" in step:
                center, radii = (self.point(*point) for point in step["disc"])
                self.disc(center, *radii, color)
            elif "fill" in step:
                self.fill(self.path(step["fill"]), color, self.path(step["within"]) if "within" in step else None)
            elif "stroke" in step:
                line = self.path(step["stroke"])
                self.stroke(line[: int(len(line) * step.get("until", 1))], step["width"], color)
            else:
                # In halves: where a ribbon crosses itself the fill leaves a hole.
                ring = self.path(step["ring"])
                half = len(ring) // 2
                self.stroke(ring[: half + 1], step["width"], color)
                self.stroke([*ring[half:], ring[0]], step["width"], color)

    def color(self, color: Any) -> str:
        """Return a color in hexadecimal."""
        if isinstance(color, list):
            first, second, share = self.color(color[0]), self.color(color[1]), color[2]
            pairs = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
            return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
        return self.colors.get(color) or str(color)

    def point(self, x: float, y: float, k: float = 0) -> Point:
        return x + k * (self.look.width - USUAL_WIDTH), y

    def path(self, segments: Sequence[Any]) -> list[Point]:
        """Return the points of a path."""
        points: list[Point] = []
        for kind, *given in segments:
            if kind == "face":
                points += self.face(*given)
            elif kind in {"oval", "squircle"}:
                points += oval(self.point(*given[0]), *given[1], *given[2:])
            else:
                corners = [self.point(*point) for point in given]
                points += {"line": lambda points: points, "curve": curve, "blob": blob}[kind](corners)
        return points

    def face(self, grown: float, lowered: float = 0) -> list[Point]:
        """Return the outline of the head, `grown` units larger all round: round above, narrowing towards the chin."""
        points = []
        for step in range(144):
            angle = math.tau * step / 144
            across, down = math.cos(angle), math.sin(angle)
            x = math.copysign(abs(across) ** 0.9, across) * (self.look.width + grown)
            y = down * ((108 if down < 0 else 112) + grown)
            if down > 0:
                x *= 1 - self.look.jaw * down**2.2
            points.append((MIDDLE + x, 228 + y + lowered))
        return points

    def fill(self, shape: Shape, color: str, within: Shape | None = None) -> None:
        """Fill a shape, or as much of it as lies within another one."""
        if within is None:
            self.brush.polygon(scaled(shape), fill=color)
            return
        xs, ys = zip(*scaled(within), strict=True)
        corner, size = (int(min(xs)), int(min(ys))), (int(max(xs) - min(xs)) + 2, int(max(ys) - min(ys)) + 2)
        both = ImageChops.darker(mask(shape, corner, size), mask(within, corner, size))
        self.image.paste(color, corner, both)

    def disc(self, center: Point, across: float, down: float, color: str) -> None:
        x, y = center
        self.brush.ellipse(scaled([(x - across, y - down), (x + across, y + down)]), fill=color)

    def stroke(self, line: Shape, width: float, color: str) -> None:
        """Draw a line with round ends."""
        self.fill(ribbon(line, width), color)
        for end in (line[0], line[-1]):
            self.disc(end, width / 2, width / 2, color)


def ribbon(line: Shape, width: float) -> list[Point]:
    """Return a line as a shape of that width; Pillow's own wide lines wobble in their bends."""
    left, right = [], []
    for at, (x, y) in enumerate(line):
        (before_x, before_y), (after_x, after_y) = line[max(at - 1, 0)], line[min(at + 1, len(line) - 1)]
        along_x, along_y = after_x - before_x, after_y - before_y
        half = width / 2 / (math.hypot(along_x, along_y) or 1)
        left.append((x - along_y * half, y + along_x * half))
        right.append((x + along_y * half, y - along_x * half))
    return [*left, *reversed(right)]


def scaled(points: Shape) -> list[Point]:
    return [(x * SCALE, y * SCALE) for x, y in points]


def mask(shape: Shape, corner: tuple[int, int], size: tuple[int, int]) -> Image.Image:
    """Return a shape as a mask of that part of the drawing."""
    surface = Image.new("L", size)
    ImageDraw.Draw(surface).polygon([(x - corner[0], y - corner[1]) for x, y in scaled(shape)], fill=255)
    return surface


def catmull_rom(before: Point, start: Point, end: Point, after: Point) -> list[Point]:
    """Return the points of a Catmull-Rom curve from `start` up to `end`."""
    points = []
    for step in range(CURVE_STEPS):
        t = step / CURVE_STEPS
        weights = (
            -0.5 * t**3 + t**2 - 0.5 * t,
            1.5 * t**3 - 2.5 * t**2 + 1,
            -1.5 * t**3 + 2 * t**2 + 0.5 * t,
            0.5 * t**3 - 0.5 * t**2,
        )
        four = (before, start, end, after)
        x, y = (sum(weight * point[axis] for weight, point in zip(weights, four, strict=True)) for axis in (0, 1))
        points.append((x, y))
    return points


def curve(points: list[Point]) -> list[Point]:
    """Return a smooth line through the points."""
    padded = [points[0], *points, points[-1]]
    line = [point for at in range(len(points) - 1) for point in catmull_rom(*padded[at : at + 4])]
    return [*line, points[-1]]


def blob(points: list[Point]) -> list[Point]:
    """Return a smooth closed shape through the points."""
    around = [points[-1], *points, points[0], points[1]]
    return [point for at in range(len(points)) for point in catmull_rom(*around[at : at + 4])]


def oval(center: Point, across: float, down: float, corner: float = 2) -> list[Point]:
    """Return an ellipse as a shape; the higher `corner`, the squarer."""
    points = []
    for step in range(96):
        angle = math.tau * step / 96
        cos, sin = math.cos(angle), math.sin(angle)
        x = center[0] + math.copysign(abs(cos) ** (2 / corner), cos) * across
        points.append((x, center[1] + math.copysign(abs(sin) ** (2 / corner), sin) * down))
    return points
