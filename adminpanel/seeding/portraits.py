"""Draw flat, friendly portraits of people who do not exist.

Everything is a shape on a square of 512 units. The drawing is made several times as large and averaged down,
which is all the antialiasing that flat shapes need.
"""

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image, ImageChops, ImageColor, ImageDraw

Point: TypeAlias = tuple[float, float]
Shape: TypeAlias = Sequence[Point]

SIDE = 512
SCALE = 3
# What is kept of the drawing: a little less than all, since faces are shown small.
FRAME = (30, 44, 482, 496)
MIDDLE = 256.0
CURVE_STEPS = 14

WHITE = "#FFFFFF"
INK = "#211B1D"
STEEL = "#9DAAB0"
TUBE = "#2F4147"
COAT = "#FDFDFC"
COAT_SHADE = "#E3E9EA"
COAT_LINE = "#C3CDD0"

# Each backdrop is a tint of the site's own colours, and a deeper one for the disc behind the head.
BACKDROPS = {
    "teal": ("#E0F0EF", "#C3E0DE"),
    "peach": ("#FCE9DF", "#F7D3C0"),
    "green": ("#E3F3E8", "#C6E4D0"),
    "sand": ("#FDF0D5", "#F8DFAE"),
    "blue": ("#E5EFF9", "#C9DEF2"),
    "stone": ("#F1EEE9", "#DFD9D0"),
}
# Skin, its shade, the blush and the line of nose and mouth.
SKINS = {
    "porcelain": ("#F8DCC9", "#EBBFA6", "#F3B3A0", "#B5644F"),
    "peach": ("#F2C9A9", "#DFA983", "#EBA183", "#A65743"),
    "honey": ("#E0AC82", "#C88E64", "#D98B69", "#8F4A34"),
    "almond": ("#C68C61", "#A97048", "#BF7350", "#743A26"),
    "umber": ("#996443", "#7D4D31", "#97543B", "#532617"),
    "cocoa": ("#80533A", "#643D29", "#844631", "#3D1A10"),
}
# Hair, the strands drawn on it, and the brows.
HAIRS = {
    "black": ("#2B2830", "#45414D", "#221F26"),
    "coffee": ("#40302B", "#5B463E", "#33261F"),
    "brown": ("#66462F", "#80593D", "#4F3625"),
    "chestnut": ("#8A5331", "#A66B44", "#6B3F24"),
    "copper": ("#BC6636", "#D28250", "#924B25"),
    "blond": ("#DDB066", "#C79648", "#A87D3C"),
    "grey": ("#9B9FA3", "#B5B9BC", "#77797C"),
    "silver": ("#DAD9D6", "#BFBEBA", "#9C9A96"),
}
# What people wear, and its darker fold.
CLOTHS = {
    "teal": ("#2E7F82", "#1F6669"),
    "coral": ("#DE8062", "#C3664A"),
    "navy": ("#3B5578", "#2B4160"),
    "mustard": ("#DBA63F", "#BE8A2A"),
    "plum": ("#85618D", "#6C4B74"),
    "sage": ("#84A389", "#6A8A70"),
    "rose": ("#CF8796", "#B56D7D"),
    "sky": ("#7FA9CC", "#658FB3"),
    "slate": ("#657880", "#4F6068"),
    "cream": ("#F1E4CC", "#D9C8A8"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """All that tells one portrait from another; the names are keys of the tables in this file."""

    skin: str
    hair: str
    colour: str = "black"
    cloth: str = "teal"
    backdrop: str = "teal"
    # "coat" with a stethoscope, "scrubs", and "jumper" or "shirt" for patients.
    top: str = "coat"
    beard: str = ""
    glasses: str = ""
    smile: str = "gentle"
    lashes: bool = False
    earrings: bool = False
    # Lines beside the eyes and the mouth, of those who have laughed for longer.
    years: bool = False
    # How wide the face is and how much the jaw narrows.
    width: float = 86
    jaw: float = 0.17


def webp(look: Look) -> bytes:
    """Draw a portrait and encode it as WebP."""
    out = io.BytesIO()
    draw(look).save(out, "WEBP", quality=90, method=4)
    return out.getvalue()


def draw(look: Look) -> Image.Image:
    """Draw a portrait, from what is farthest away to what is nearest."""
    easel = Easel(BACKDROPS[look.backdrop][0])
    easel.disc((MIDDLE, 262), 204, 204, BACKDROPS[look.backdrop][1])
    style = STYLES[look.hair]
    if style.behind:
        style.behind(easel, look)
    body(easel, look)
    if style.covers_neck:
        style.front(easel, look)
        return easel.finished()
    if not style.covers_ears:
        ears(easel, look)
    easel.fill(face(look), SKINS[look.skin][0])
    features(easel, look)
    style.front(easel, look)
    if look.glasses:
        GLASSES[look.glasses](easel, look)
    return easel.finished()


# --- Tools ------------------------------------------------------------------------------------


class Easel:
    """A square to draw on, in units of the finished picture."""

    def __init__(self, background: str) -> None:
        self.image = Image.new("RGB", (SIDE * SCALE, SIDE * SCALE), background)
        self.brush = ImageDraw.Draw(self.image)

    def finished(self) -> Image.Image:
        """Cut the drawing to its frame and average it down."""
        left, top, right, bottom = (unit * SCALE for unit in FRAME)
        return self.image.resize((SIDE, SIDE), Image.Resampling.LANCZOS, box=(left, top, right, bottom))

    def fill(self, shape: Shape, colour: str, within: Shape | None = None) -> None:
        """Fill a shape, or as much of it as lies within another one."""
        if within is None:
            self.brush.polygon(scaled(shape), fill=colour)
        else:
            xs, ys = zip(*scaled(within), strict=True)
            corner, size = (int(min(xs)), int(min(ys))), (int(max(xs) - min(xs)) + 2, int(max(ys) - min(ys)) + 2)
            both = ImageChops.darker(mask(shape, corner, size), mask(within, corner, size))
            self.image.paste(colour, corner, both)

    def disc(self, centre: Point, across: float, down: float, colour: str) -> None:
        """Fill an ellipse of two radii."""
        x, y = centre
        self.brush.ellipse(scaled([(x - across, y - down), (x + across, y + down)]), fill=colour)

    def stroke(self, line: Shape, width: float, colour: str) -> None:
        """Draw a line with round ends."""
        self.fill(ribbon(line, width), colour)
        for end in (line[0], line[-1]):
            self.disc(end, width / 2, width / 2, colour)

    def ring(self, shape: Shape, width: float, colour: str) -> None:
        """Draw the outline of a shape, in halves: where a ribbon crosses itself the fill leaves a hole."""
        closed, half = [*shape, shape[0]], len(shape) // 2
        self.stroke(closed[: half + 1], width, colour)
        self.stroke(closed[half:], width, colour)


def ribbon(line: Shape, width: float) -> list[Point]:
    """Answer a line as a shape of that width; Pillow's own wide lines wobble in their bends."""
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
    """Answer a shape as a mask of that part of the drawing."""
    surface = Image.new("L", size)
    ImageDraw.Draw(surface).polygon([(x - corner[0], y - corner[1]) for x, y in scaled(shape)], fill=255)
    return surface


def mixed(colour: str, other: str, share: float) -> str:
    """Answer `colour` with a share of another one."""
    pairs = zip(ImageColor.getrgb(colour), ImageColor.getrgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def between(before: Point, start: Point, end: Point, after: Point) -> list[Point]:
    """Answer the points of a Catmull-Rom curve from `start` up to `end`."""
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
        points.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, four, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, four, strict=True)),
            )
        )
    return points


def curve(*points: Point) -> list[Point]:
    """Answer a smooth line through the points."""
    padded = [points[0], *points, points[-1]]
    line = [point for at in range(len(points) - 1) for point in between(*padded[at : at + 4])]
    return [*line, points[-1]]


def blob(*points: Point) -> list[Point]:
    """Answer a smooth closed shape through the points."""
    around = [points[-1], *points, points[0], points[1]]
    return [point for at in range(len(points)) for point in between(*around[at : at + 4])]


def both_sides(*points: Point) -> tuple[Point, ...]:
    """Answer the points, which run down the left side, and after them their mirror images back up the right."""
    return (*points, *((2 * MIDDLE - x, y) for x, y in reversed(points) if x != MIDDLE))


def oval(centre: Point, across: float, down: float) -> list[Point]:
    """Answer an ellipse as a shape."""
    x, y = centre
    steps = [math.tau * step / 96 for step in range(96)]
    return [(x + across * math.cos(angle), y + down * math.sin(angle)) for angle in steps]


# --- Head and body ----------------------------------------------------------------------------


def face(look: Look, *, grown: float = 0) -> list[Point]:
    """Answer the outline of the head: round above, narrowing towards the chin; `grown` units larger all round."""
    points = []
    for step in range(144):
        angle = math.tau * step / 144
        across, down = math.cos(angle), math.sin(angle)
        x = math.copysign(abs(across) ** 0.9, across) * (look.width + grown)
        y = down * ((108 if down < 0 else 112) + grown)
        if down > 0:
            x *= 1 - look.jaw * down**2.2
        points.append((MIDDLE + x, 228 + y))
    return points


def ears(easel: Easel, look: Look) -> None:
    skin, shade, _, _ = SKINS[look.skin]
    for side in (-1, 1):
        x = MIDDLE + side * (look.width + 1)
        easel.disc((x, 244), 16, 22, skin)
        easel.stroke(curve((x + side * 5, 234), (x - side * 1, 243), (x + side * 3, 254)), 4, shade)
        if look.earrings:
            easel.disc((x + side * 2, 269), 6, 6, "#E2B04A")


def body(easel: Easel, look: Look) -> None:
    skin = SKINS[look.skin][0]
    easel.fill(shoulders(), COAT if look.top == "coat" else CLOTHS[look.cloth][0])
    neck = blob(*both_sides((220, 300), (219, 350), (213, 384), (226, 416), (256, 428)))
    if look.top == "coat":
        coat(easel, look, neck)
    else:
        easel.fill(neck, skin)
        chin_shadow(easel, look, neck)
        {"scrubs": scrubs, "jumper": jumper, "shirt": shirt}[look.top](easel, look)


def chin_shadow(easel: Easel, look: Look, neck: Shape) -> None:
    """Shade what the head shades of the neck."""
    easel.fill([(x, y + 20) for x, y in face(look)], SKINS[look.skin][1], within=neck)


def shoulders() -> list[Point]:
    return [
        *curve((214, 378), (188, 396), (128, 416), (88, 448), (70, 520)),
        *reversed([(2 * MIDDLE - x, y) for x, y in curve((214, 378), (188, 396), (128, 416), (88, 448), (70, 520))]),
    ]


def coat(easel: Easel, look: Look, neck: Shape) -> None:
    cloth, fold = CLOTHS[look.cloth]
    # The shirt in the opening, then its collar's shadow, then the neck.
    easel.fill([(208, 384), (304, 384), (284, 520), (228, 520)], cloth)
    easel.fill(neck, SKINS[look.skin][0])
    chin_shadow(easel, look, neck)
    easel.fill([(216, 384), (256, 436), (228, 462), (204, 398)], mixed(cloth, WHITE, 0.22))
    easel.fill([(296, 384), (256, 436), (284, 462), (308, 398)], mixed(cloth, WHITE, 0.22))
    easel.stroke([(256, 440), (256, 520)], 3, fold)
    for side in (-1, 1):

        def at(x: float, y: float, side: int = side) -> Point:
            return MIDDLE + side * x, y

        easel.fill(
            [at(44, 378), at(64, 392), at(82, 440), at(60, 452), at(68, 466), at(18, 520), at(30, 480)], COAT_SHADE
        )
        easel.stroke([at(82, 440), at(60, 452), at(68, 466), at(18, 520)], 2.5, COAT_LINE)
        easel.stroke([at(134, 470), at(130, 520)], 2.5, COAT_LINE)
    stethoscope(easel)


def stethoscope(easel: Easel) -> None:
    easel.stroke(curve((206, 380), (189, 406), (186, 434), (190, 456)), 7, TUBE)
    easel.stroke(curve((306, 380), (323, 406), (326, 426), (321, 444)), 7, TUBE)
    easel.stroke(curve((321, 444), (310, 458), (309, 476)), 5, STEEL)
    easel.stroke(curve((321, 444), (332, 458), (333, 476)), 5, STEEL)
    easel.disc((191, 466), 17, 17, STEEL)
    easel.disc((191, 466), 10, 10, "#D5DDE0")


def scrubs(easel: Easel, look: Look) -> None:
    cloth, fold = CLOTHS[look.cloth]
    skin = SKINS[look.skin][0]
    easel.fill([(206, 386), (306, 386), (256, 462)], skin)
    easel.fill([(216, 398), (296, 398), (256, 436)], skin)
    easel.stroke([(208, 384), (256, 462), (304, 384)], 9, fold)
    easel.stroke([(134, 474), (128, 520)], 3, fold)
    easel.stroke([(378, 474), (384, 520)], 3, fold)
    easel.stroke([(296, 482), (344, 482)], 5, mixed(cloth, WHITE, 0.35))


def jumper(easel: Easel, look: Look) -> None:
    _, fold = CLOTHS[look.cloth]
    easel.stroke(curve((208, 388), (226, 420), (256, 430), (286, 420), (304, 388)), 17, fold)
    easel.stroke([(134, 474), (128, 520)], 3, fold)
    easel.stroke([(378, 474), (384, 520)], 3, fold)


def shirt(easel: Easel, look: Look) -> None:
    cloth, fold = CLOTHS[look.cloth]
    light = mixed(cloth, WHITE, 0.25)
    easel.fill([(212, 380), (256, 434), (224, 466), (192, 396)], light)
    easel.fill([(300, 380), (256, 434), (288, 466), (320, 396)], light)
    easel.stroke([(256, 442), (256, 520)], 3, fold)
    for y in (470, 500):
        easel.disc((256, y), 4.5, 4.5, fold)
    easel.stroke([(134, 474), (128, 520)], 3, fold)
    easel.stroke([(378, 474), (384, 520)], 3, fold)


# --- Features ---------------------------------------------------------------------------------


def features(easel: Easel, look: Look) -> None:
    skin, shade, blush, line = SKINS[look.skin]
    brow = HAIRS[look.colour][2]
    for side in (-1, 1):

        def at(x: float, y: float, side: int = side) -> Point:
            return MIDDLE + side * x, y

        easel.fill(oval(at(50, 280), 19, 13), mixed(skin, blush, 0.55), within=face(look))
        easel.disc(at(35, 240), 7.5, 9, INK)
        easel.disc((at(35, 240)[0] + 2.6, 236.5), 2.5, 2.5, WHITE)
        brow_y = 207 if look.glasses else 213
        easel.stroke(curve(at(20, brow_y), at(36, brow_y - 5), at(53, brow_y + 1)), 5.5 if look.lashes else 6.5, brow)
        if look.lashes:
            easel.stroke(curve(at(27, 233), at(36, 229), at(46, 234)), 4, INK)
            easel.stroke([at(45, 233), at(50, 229)], 3, INK)
        if look.years:
            easel.stroke(curve(at(57, 244), at(64, 250)), 3, shade)
            easel.stroke(curve(at(57, 252), at(63, 258)), 3, shade)
    easel.stroke(curve((247, 268), (256, 275), (265, 268)), 5.5, shade)
    if look.beard:
        BEARDS[look.beard](easel, look)
    mouth(easel, look, line)


def mouth(easel: Easel, look: Look, line: str) -> None:
    if look.smile == "broad":
        upper = curve((226, 294), (256, 300), (286, 294))
        lower = curve((286, 294), (274, 315), (256, 321), (238, 315), (226, 294))
        easel.fill([*upper, *lower], WHITE)
        easel.stroke(upper, 4.5, line)
        easel.stroke(lower, 4.5, line)
    else:
        easel.stroke(curve((231, 297), (242, 307), (256, 310), (270, 307), (281, 297)), 6, line)


def full_beard(easel: Easel, look: Look) -> None:
    hair = HAIRS[look.colour][0]
    lower = [
        (MIDDLE - 110, 256),
        *curve(
            (172, 256), (190, 282), (216, 284), (238, 283), (256, 287), (274, 283), (296, 284), (322, 282), (340, 256)
        ),
        (MIDDLE + 110, 256),
        (MIDDLE + 110, 380),
        (MIDDLE - 110, 380),
    ]
    easel.fill(face(look, grown=5), hair, within=lower)
    easel.fill(oval((256, 304), 33, 13), SKINS[look.skin][0])


def short_beard(easel: Easel, look: Look) -> None:
    hair = mixed(HAIRS[look.colour][0], SKINS[look.skin][0], 0.25)
    lower = [
        (MIDDLE - 110, 262),
        *curve(
            (172, 262), (186, 292), (214, 296), (232, 284), (256, 286), (280, 284), (298, 296), (326, 292), (340, 262)
        ),
        (MIDDLE + 110, 262),
        (MIDDLE + 110, 380),
        (MIDDLE - 110, 380),
    ]
    easel.fill(face(look, grown=1), hair, within=lower)
    easel.fill(oval((256, 304), 34, 12), SKINS[look.skin][0])


def moustache(easel: Easel, look: Look) -> None:
    hair = HAIRS[look.colour][0]
    easel.fill(
        blob(
            (256, 281),
            (274, 279),
            (292, 290),
            (300, 301),
            (280, 298),
            (256, 292),
            (232, 298),
            (212, 301),
            (220, 290),
            (238, 279),
        ),
        hair,
    )


BEARDS: Mapping[str, Callable[[Easel, Look], None]] = {
    "full": full_beard,
    "short": short_beard,
    "moustache": moustache,
}


def round_glasses(easel: Easel, look: Look) -> None:
    spectacles(easel, look, 29, 28, 2.0, "#3C3437")


def square_glasses(easel: Easel, look: Look) -> None:
    spectacles(easel, look, 31, 24, 4.0, "#2F4147")


def spectacles(easel: Easel, look: Look, across: float, down: float, corner: float, colour: str) -> None:
    """Draw a pair of glasses; the higher `corner`, the squarer."""
    for side in (-1, 1):
        x = MIDDLE + side * 36
        ring = []
        for step in range(96):
            angle = math.tau * step / 96
            cos, sin = math.cos(angle), math.sin(angle)
            ring.append(
                (
                    x + math.copysign(abs(cos) ** (2 / corner), cos) * across,
                    241 + math.copysign(abs(sin) ** (2 / corner), sin) * down,
                )
            )
        easel.ring(ring, 5, colour)
        easel.stroke([(x + side * across, 236), (MIDDLE + side * (look.width + 2), 232)], 5, colour)
    easel.stroke([(MIDDLE - 36 + across, 236), (MIDDLE + 36 - across, 236)], 5, colour)


GLASSES: Mapping[str, Callable[[Easel, Look], None]] = {"round": round_glasses, "square": square_glasses}


# --- Hair -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Style:
    """How hair, or what covers it, is drawn: behind the head and in front of it."""

    front: Callable[[Easel, Look], None]
    behind: Callable[[Easel, Look], None] | None = None
    covers_ears: bool = False
    covers_neck: bool = False


def cap(easel: Easel, look: Look, outer: Shape, hairline: Shape, colour: str | None = None) -> None:
    """Fill the hair between its outline, from left to right, and the hairline, from right to left."""
    easel.fill([*outer, *hairline], colour or HAIRS[look.colour][0])


def strands(easel: Easel, look: Look, *lines: Shape) -> None:
    for line in lines:
        easel.stroke(line, 4, HAIRS[look.colour][1])


def crown(look: Look, lift: float, low: float = 236, bulge: float = 8) -> list[Point]:
    """Answer an outline over the head from the left temple to the right one; `lift` units above the skull."""
    side = look.width + bulge
    return curve(
        (MIDDLE - look.width - 2, low),
        (MIDDLE - side, 196),
        (MIDDLE - side * 0.86, 148),
        (MIDDLE - side * 0.5, 124 - lift * 0.8),
        (MIDDLE, 116 - lift),
        (MIDDLE + side * 0.5, 124 - lift * 0.8),
        (MIDDLE + side * 0.86, 148),
        (MIDDLE + side, 196),
        (MIDDLE + look.width + 2, low),
    )


def crop(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 2, 228, 3),
        curve(
            (256 + w - 10, 226),
            (256 + w - 14, 196),
            (256 + w - 34, 168),
            (256, 160),
            (256 - w + 34, 168),
            (256 - w + 14, 196),
            (256 - w + 10, 226),
        ),
    )


def side_part(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 14, 238),
        curve(
            (256 + w - 8, 236),
            (256 + w - 14, 204),
            (300, 178),
            (250, 172),
            (206, 152),
            (190, 176),
            (256 - w + 14, 204),
            (256 - w + 8, 236),
        ),
    )
    strands(easel, look, curve((206, 150), (236, 132), (276, 128)), curve((216, 158), (252, 148), (292, 152)))


def quiff(easel: Easel, look: Look) -> None:
    w = look.width
    outer = curve(
        (256 - w - 2, 234),
        (256 - w - 5, 196),
        (178, 146),
        (206, 106),
        (260, 88),
        (312, 96),
        (340, 134),
        (256 + w + 5, 196),
        (256 + w + 2, 234),
    )
    cap(
        easel,
        look,
        outer,
        curve(
            (256 + w - 9, 232),
            (256 + w - 16, 196),
            (314, 164),
            (268, 158),
            (222, 168),
            (256 - w + 18, 192),
            (256 - w + 9, 232),
        ),
    )
    strands(easel, look, curve((216, 150), (240, 118), (282, 106)), curve((246, 150), (270, 128), (306, 126)))


def curls(easel: Easel, look: Look) -> None:
    hair = HAIRS[look.colour][0]
    cap(
        easel,
        look,
        crown(look, 10, 232),
        curve(
            (256 + look.width - 8, 230),
            (326, 186),
            (290, 164),
            (256, 160),
            (222, 164),
            (186, 186),
            (256 - look.width + 8, 230),
        ),
    )
    for x, y, r in (
        (170, 198, 22),
        (176, 162, 25),
        (202, 132, 28),
        (238, 114, 29),
        (276, 114, 29),
        (310, 132, 28),
        (336, 162, 25),
        (342, 198, 22),
    ):
        easel.disc((x, y), r, r, hair)
    for x, y, r in ((206, 164, 20), (238, 154, 21), (272, 154, 21), (304, 164, 20)):
        easel.disc((x, y), r, r, hair)
    for x, y in ((204, 136), (240, 120), (278, 120), (310, 138)):
        easel.stroke(curve((x - 10, y + 4), (x, y - 5), (x + 10, y + 4)), 4, HAIRS[look.colour][1])


def afro_behind(easel: Easel, look: Look) -> None:
    easel.fill(
        blob(*both_sides((256, 62), (192, 76), (146, 122), (128, 190), (140, 256), (176, 300), (256, 306))),
        HAIRS[look.colour][0],
    )


def afro(easel: Easel, look: Look) -> None:
    cap(
        easel,
        look,
        crown(look, 14, 222, 6),
        curve(
            (256 + look.width - 6, 222),
            (326, 182),
            (296, 160),
            (256, 154),
            (216, 160),
            (186, 182),
            (256 - look.width + 6, 222),
        ),
    )
    strands(
        easel,
        look,
        curve((186, 118), (196, 108), (208, 106)),
        curve((246, 92), (258, 86), (270, 90)),
        curve((306, 108), (318, 114), (326, 126)),
        curve((160, 170), (160, 158), (166, 148)),
        curve((346, 150), (352, 160), (352, 172)),
    )


def bob_behind(easel: Easel, look: Look) -> None:
    easel.fill(
        blob(*both_sides((256, 98), (192, 112), (150, 168), (142, 250), (146, 318), (176, 340), (216, 330))),
        HAIRS[look.colour][0],
    )


def bob(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 16, 306, 14),
        curve(
            (256 + w - 4, 300),
            (256 + w - 8, 232),
            (316, 190),
            (282, 178),
            (232, 178),
            (198, 190),
            (256 - w + 8, 232),
            (256 - w + 4, 300),
        ),
    )
    strands(
        easel,
        look,
        curve((214, 182), (216, 160), (226, 140)),
        curve((256, 178), (256, 156), (258, 136)),
        curve((298, 182), (296, 160), (288, 140)),
    )


def long_behind(easel: Easel, look: Look) -> None:
    easel.fill(
        blob(
            *both_sides((256, 96), (190, 108), (148, 160), (138, 250), (128, 340), (116, 420), (140, 452), (200, 440))
        ),
        HAIRS[look.colour][0],
    )


def long(easel: Easel, look: Look) -> None:
    w = look.width
    hair = HAIRS[look.colour][0]
    left = [
        *curve((256, 104), (200, 112), (256 - w - 12, 170), (256 - w - 14, 250), (256 - w - 14, 330)),
        *curve((256 - w - 2, 330), (256 - w + 6, 262), (190, 206), (226, 172), (256, 142)),
    ]
    easel.fill(left, hair)
    easel.fill([(512 - x, y) for x, y in left], hair)
    strands(easel, look, curve((240, 124), (204, 146), (180, 190)), curve((272, 124), (308, 146), (332, 190)))


def side_swept(easel: Easel, look: Look) -> None:
    w = look.width
    hair = HAIRS[look.colour][0]
    outer = curve(
        (256 - w - 14, 320),
        (256 - w - 14, 230),
        (172, 150),
        (216, 110),
        (262, 98),
        (312, 116),
        (256 + w + 10, 170),
        (256 + w + 14, 240),
        (256 + w + 14, 320),
    )
    line = curve(
        (256 + w, 320),
        (256 + w - 4, 250),
        (330, 210),
        (292, 184),
        (246, 160),
        (222, 132),
        (210, 176),
        (184, 216),
        (256 - w + 6, 262),
        (256 - w, 320),
    )
    easel.fill([*outer, *line], hair)
    strands(easel, look, curve((226, 130), (262, 122), (304, 140)), curve((240, 146), (284, 152), (326, 186)))


def wavy_behind(easel: Easel, look: Look) -> None:
    hair = HAIRS[look.colour][0]
    easel.fill(
        blob(*both_sides((256, 96), (190, 108), (150, 164), (146, 250), (150, 340), (170, 400), (216, 400))), hair
    )
    for x, y, r in ((150, 214, 26), (140, 258, 30), (134, 304, 32), (132, 350, 33), (142, 394, 32), (174, 414, 28)):
        easel.disc((x, y), r, r, hair)
        easel.disc((512 - x, y), r, r, hair)


def bun_behind(easel: Easel, look: Look) -> None:
    hair, strand, _ = HAIRS[look.colour]
    easel.disc((256, 96), 39, 35, hair)
    easel.stroke(curve((232, 90), (256, 76), (280, 90)), 4, strand)
    easel.stroke(curve((238, 104), (256, 92), (274, 104)), 4, strand)


def pulled_back(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 8, 240, 5),
        curve(
            (256 + w - 3, 240),
            (256 + w - 10, 206),
            (308, 172),
            (256, 152),
            (204, 172),
            (256 - w + 10, 206),
            (256 - w + 3, 240),
        ),
    )
    strands(
        easel,
        look,
        curve((196, 176), (214, 146), (240, 126)),
        curve((256, 152), (256, 134), (256, 122)),
        curve((316, 176), (298, 146), (272, 126)),
    )


def low_bun_behind(easel: Easel, look: Look) -> None:
    easel.disc((348, 322), 38, 36, HAIRS[look.colour][0])
    easel.stroke(curve((344, 302), (362, 316), (356, 336)), 4, HAIRS[look.colour][1])
    easel.fill(blob((300, 200), (352, 240), (352, 330), (300, 330)), HAIRS[look.colour][0])


def low_bun(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 10, 262, 8),
        curve(
            (256 + w - 2, 258),
            (256 + w - 8, 214),
            (306, 184),
            (252, 164),
            (222, 140),
            (206, 180),
            (256 - w + 12, 214),
            (256 - w + 2, 258),
        ),
    )
    strands(easel, look, curve((228, 136), (270, 134), (312, 158)), curve((238, 150), (280, 158), (324, 190)))


def pixie(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 16, 250, 9),
        curve(
            (256 + w - 2, 250),
            (256 + w - 8, 214),
            (318, 200),
            (290, 206),
            (262, 188),
            (226, 196),
            (206, 184),
            (188, 204),
            (256 - w + 8, 222),
            (256 - w + 2, 250),
        ),
    )
    strands(easel, look, curve((206, 184), (226, 150), (266, 132)), curve((262, 188), (276, 160), (302, 148)))


def locs_behind(easel: Easel, look: Look) -> None:
    hair, strand, _ = HAIRS[look.colour]
    easel.fill(blob(*both_sides((256, 100), (190, 112), (156, 170), (154, 260), (176, 330), (226, 340))), hair)
    for number, (x, bottom) in enumerate(((204, 372), (184, 398), (162, 384), (141, 356))):
        colour = mixed(hair, strand, 0.5 * (number % 2))
        for side in (-1, 1):
            line = curve((256 + side * (230 - x), 190), (256 + side * (250 - x), 290), (256 + side * (256 - x), bottom))
            easel.stroke(line, 23, colour)


def locs(easel: Easel, look: Look) -> None:
    w = look.width
    cap(
        easel,
        look,
        crown(look, 14, 262, 10),
        curve(
            (256 + w, 262), (256 + w - 9, 208), (306, 170), (256, 148), (206, 170), (256 - w + 9, 208), (256 - w, 262)
        ),
    )
    for side in (-1, 1):
        for number in range(4):
            reach = w + 8 - number * 9
            strand = curve(
                (256 + side * 4, 106 + number * 11),
                (256 + side * reach * 0.62, 122 + number * 12),
                (256 + side * reach * 0.97, 178 + number * 8),
                (256 + side * (w + 6 - number * 2), 236 - number * 4),
            )
            easel.stroke(strand if number < 3 else strand[: len(strand) * 2 // 3], 3.5, HAIRS[look.colour][1])


def receding_behind(easel: Easel, look: Look) -> None:
    easel.disc((MIDDLE, 238), look.width + 11, 58, HAIRS[look.colour][0])


def receding(easel: Easel, look: Look) -> None:
    w = look.width
    for side in (-1, 1):

        def at(x: float, y: float, side: int = side) -> Point:
            return MIDDLE + side * x, y

        temple = blob(at(w + 8, 180), at(w - 5, 186), at(w - 13, 206), at(w - 8, 236), at(w + 8, 240))
        easel.fill(temple, HAIRS[look.colour][0], within=face(look, grown=4))
    bald(easel, look)


def bald(easel: Easel, look: Look) -> None:
    easel.stroke(curve((212, 150), (230, 138), (252, 134)), 7, mixed(SKINS[look.skin][0], WHITE, 0.3))


def headscarf(easel: Easel, look: Look) -> None:
    cloth, fold = CLOTHS[look.cloth]
    if look.top != "jumper":
        cloth, fold = CLOTHS[SCARF_WITH[look.cloth]]
    easel.fill(
        blob(
            *both_sides(
                (256, 92),
                (192, 104),
                (152, 158),
                (148, 244),
                (160, 318),
                (150, 372),
                (150, 412),
                (200, 440),
                (256, 452),
            )
        ),
        cloth,
    )
    easel.fill(face(look), SKINS[look.skin][0], within=oval((256, 244), 80, 98))
    features(easel, look)
    # An under-scarf at the brow, and the folds.
    easel.stroke(curve((182, 208), (206, 168), (256, 152), (306, 168), (330, 208)), 11, fold)
    easel.stroke(curve((180, 300), (206, 350), (256, 368), (318, 352), (352, 318)), 5, fold)
    easel.stroke(curve((170, 356), (214, 398), (276, 404), (346, 376)), 5, fold)
    easel.stroke(curve((196, 118), (170, 160), (164, 214)), 4, fold)
    if look.glasses:
        GLASSES[look.glasses](easel, look)


SCARF_WITH = {
    "teal": "sage",
    "coral": "cream",
    "navy": "sky",
    "plum": "rose",
    "sage": "teal",
    "sky": "navy",
    "rose": "plum",
    "mustard": "slate",
    "slate": "teal",
    "cream": "coral",
}


def turban(easel: Easel, look: Look) -> None:
    cloth, fold = CLOTHS[SCARF_WITH[look.cloth]]
    w = look.width
    outer = curve(
        (256 - w - 4, 214),
        (256 - w - 20, 170),
        (178, 108),
        (256, 78),
        (334, 108),
        (256 + w + 20, 170),
        (256 + w + 4, 214),
    )
    line = curve((256 + w + 4, 214), (310, 186), (256, 158), (202, 186), (256 - w - 4, 214))
    easel.fill([*outer, *line], cloth)
    for lift in (0, 24, 46):
        easel.stroke(
            curve((256 - w - 10 + lift * 0.4, 196 - lift), (214, 164 - lift), (262, 130 - lift * 0.6)), 4.5, fold
        )
        easel.stroke(
            curve((256 + w + 10 - lift * 0.4, 196 - lift), (298, 160 - lift), (262, 130 - lift * 0.6)), 4.5, fold
        )


STYLES: Mapping[str, Style] = {
    "crop": Style(crop),
    "side part": Style(side_part),
    "quiff": Style(quiff),
    "curls": Style(curls),
    "afro": Style(afro, afro_behind, covers_ears=True),
    "bob": Style(bob, bob_behind, covers_ears=True),
    "long": Style(long, long_behind, covers_ears=True),
    "swept": Style(side_swept, long_behind, covers_ears=True),
    "wavy": Style(side_swept, wavy_behind, covers_ears=True),
    "bun": Style(pulled_back, bun_behind),
    "low bun": Style(low_bun, low_bun_behind),
    "pixie": Style(pixie),
    "locs": Style(locs, locs_behind),
    "receding": Style(receding, receding_behind),
    "bald": Style(bald),
    "headscarf": Style(headscarf, covers_neck=True),
    "turban": Style(turban),
}
