"""Write a PDF again with those of its parts that show pages, and with nothing else.

`TABLES` lists what may stay: for each kind of dictionary or stream of ISO 32000-2 the keys that a page needs, and of
which kind each value is. The walk begins at the page tree and the catalog; what the tables don't name is removed, and
what nothing leads to any more isn't written. Of actions, going to a page of the same document stays.

`sandbox_worker` runs this in its confined process.
"""

import io
import re
import zlib
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pikepdf

MOST_PAGES = 2_000
MOST_OBJECTS = 50_000
MOST_PARTS = 400_000
MOST_UNPACKED = 256 * 1024 * 1024
MOST_FILTERS = 4
STEP = 1024 * 1024
DEEPEST = 50

# Programs, other files and players. A document that brings one of these is refused: without it, its pages would not
# be what its author meant. Other actions (links to the web or to another file, ...) are only left out.
PROGRAMS = {
    *("/JavaScript", "/Launch", "/ImportData", "/SubmitForm", "/GoToE", "/Rendition", "/Movie", "/Sound"),
    *("/RichMediaExecute", "/GoTo3DView"),
}
PLAYERS = {"/RichMedia", "/FileAttachment", "/Movie", "/Sound", "/Screen", "/3D", "/Projection"}
MARKUP = {
    *("/Text", "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine", "/Highlight", "/Underline"),
    *("/Squiggly", "/StrikeOut", "/Stamp", "/Caret", "/Ink", "/Popup", "/Redact", "/Watermark"),
}
NAVIGATION = {"/NextPage", "/PrevPage", "/FirstPage", "/LastPage"}
PAGE_MODES = {"/UseNone", "/UseOutlines", "/UseThumbs", "/UseOC"}

# The filters that qpdf undoes; what is packed with the others are pictures, which stay as they are.
PACKED = {
    "/FlateDecode": "/FlateDecode",
    "/LZWDecode": "/LZWDecode",
    "/RunLengthDecode": "/RunLengthDecode",
    "/ASCII85Decode": "/ASCII85Decode",
    "/ASCIIHexDecode": "/ASCIIHexDecode",
    "/Fl": "/FlateDecode",
    "/LZW": "/LZWDecode",
    "/RL": "/RunLengthDecode",
    "/A85": "/ASCII85Decode",
    "/AHx": "/ASCIIHexDecode",
}
PICTURES = {"/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode", "/DCT", "/CCF"}
# An object that no table lists, hidden in a picture, a text or what is deflated without being packed; a reader that
# repairs a file might find it.
HIDDEN = re.compile(rb"\d\s+\d+\s+obj\b")
# What may be one; few packed streams have it by chance, and those are packed again.
LIKE_HIDDEN = re.compile(rb"[\d\s]obj\b|trailer")
# The beginning of an object as it is written here.
BEGINNING = re.compile(rb"\n\d*")


def keys(kind: str, names: str) -> dict[str, str]:
    return {f"/{name}": kind for name in names.split()}


# For each kind: the keys that may stay, and the kinds of their values. "kind[]" is one or an array of that kind,
# "kind{}" a dictionary of any names with such values, "a|b" either. "plain" holds no dictionary and no stream.
APPEARANCE = {**keys("name", "Type Subtype"), **keys("number", "F"), "/Rect": "plain", "/P": "page", "/OC": "group"}
APPEARANCE |= {**keys("plain", "Contents NM M AS Border C CA ca BM Lang StructParent"), "/AP": "looks"}
APPEARANCE |= {"/BS": "border", "/BE": "border"}
TABLES: dict[str, dict[str, str]] = {
    "catalog": {
        **keys("name", "Type PageLayout"),
        "/Pages": "tree",
        "/PageMode": "page mode",
        "/OpenAction": "opening",
        "/Lang": "text",
        "/Names": "names",
        "/Dests": "destination{}",
        "/Outlines": "outline",
        "/PageLabels": "labels",
        "/OCProperties": "layers",
        "/AcroForm": "form fields",
        "/StructTreeRoot": "structure",
        "/MarkInfo": "marks",
        "/ViewerPreferences": "preferences",
        "/OutputIntents": "intent[]",
    },
    "marks": keys("plain", "Marked Suspects UserProperties"),
    "preferences": keys("name", "Direction"),
    "intent": {
        **keys("plain", "Type S OutputCondition OutputConditionIdentifier Info"),
        "/DestOutputProfile": "color stream",
    },
    "names": {"/Dests": "destination names"},
    "destination names": {
        "/Kids": "destination names[]",
        "/Names": "destination pairs",
        "/Limits": "plain",
    },
    "destination entry": {"/D": "destination"},
    "labels": {"/Kids": "labels[]", "/Nums": "label pairs", "/Limits": "plain"},
    "label": keys("plain", "Type S P St"),
    "outline": {
        **keys("plain", "Type Title Count C F"),
        **keys("outline", "First Last Next Prev Parent"),
        "/Dest": "destination",
        "/A": "action",
        "/SE": "element",
    },
    "go to": {**keys("name", "Type S"), "/D": "destination"},
    "turn": keys("name", "Type S N"),
    # --- pages ---
    "page": {
        **keys("name", "Type Tabs"),
        **keys("plain", "MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit StructParents"),
        "/Parent": "tree",
        "/Resources": "resources",
        "/Contents": "content[]",
        "/Group": "blending",
        "/Annots": "annotation[]",
    },
    "content": {},
    "resources": {
        "/Font": "font{}",
        "/XObject": "object{}",
        "/ExtGState": "graphics state{}",
        "/ProcSet": "plain",
        "/ColorSpace": "color space{}",
        "/Pattern": "pattern{}",
        "/Shading": "shading{}",
        "/Properties": "properties{}",
    },
    "image": {
        **keys("plain", "Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate SMaskInData"),
        **keys("plain", "Name StructParent Matte"),
        "/ColorSpace": "color space",
        "/Mask": "plain|object",
        "/SMask": "object",
        "/OC": "group",
    },
    "form": {
        **keys("plain", "Type Subtype FormType BBox Matrix StructParent StructParents Name"),
        "/Resources": "resources",
        "/Group": "blending",
        "/OC": "group",
    },
    "blending": {**keys("plain", "Type S I K"), "/CS": "color space"},
    "graphics state": {
        **keys("plain", "Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK"),
        "/Font": "sized font",
        "/SMask": "name|soft mask",
    },
    "soft mask": {**keys("plain", "Type S BC"), "/G": "object", "/TR": "name|function"},
    "pattern": {
        **keys("plain", "Type PatternType PaintType TilingType BBox XStep YStep Matrix"),
        "/Resources": "resources",
        "/Shading": "shading",
        "/ExtGState": "graphics state",
    },
    "shading": {
        **keys("plain", "ShadingType Background BBox AntiAlias Coords Domain Extend Matrix BitsPerCoordinate"),
        **keys("plain", "BitsPerComponent BitsPerFlag Decode VerticesPerRow"),
        "/ColorSpace": "color space",
        "/Function": "function[]",
    },
    "function": {
        **keys("plain", "FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds"),
        "/Functions": "function[]",
    },
    "color dictionary": {
        **keys("plain", "WhitePoint BlackPoint Gamma Matrix Range Subtype Components"),
        **keys("plain", "FunctionType Domain Encode C0 C1 N Bounds"),
        "/Functions": "function[]",
        "/Colorants": "color space{}",
        "/Process": "color dictionary",
        "/ColorSpace": "color space",
    },
    "color stream": {
        **keys("plain", "N Range FunctionType Domain Size BitsPerSample Order Encode Decode"),
        "/Alternate": "color space",
    },
    # --- fonts ---
    "font": {
        **keys("plain", "Type Subtype Name BaseFont FirstChar LastChar Widths DW W DW2 W2 FontBBox FontMatrix"),
        "/FontDescriptor": "font descriptor",
        "/Encoding": "name|encoding|character map",
        "/ToUnicode": "name|character map",
        "/DescendantFonts": "font[]",
        "/CIDSystemInfo": "collection",
        "/CIDToGIDMap": "name|content",
        "/CharProcs": "content{}",
        "/Resources": "resources",
    },
    "font descriptor": {
        **keys("plain", "Type FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent"),
        **keys("plain", "Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth CharSet Lang"),
        **keys("font program", "FontFile FontFile2 FontFile3"),
        "/Style": "style",
        "/FD": "font descriptor{}",
        "/CIDSet": "content",
    },
    "style": keys("text", "Panose"),
    "font program": keys("plain", "Length1 Length2 Length3 Subtype"),
    "encoding": keys("plain", "Type BaseEncoding Differences"),
    "character map": {
        **keys("plain", "Type CMapName WMode"),
        "/CIDSystemInfo": "collection",
        "/UseCMap": "name|character map",
    },
    "collection": keys("plain", "Registry Ordering Supplement"),
    # --- layers, and the marks in contents ---
    "group": {
        **keys("plain", "Type Name Intent P"),
        "/OCGs": "group[]",
        "/VE": "groups",
        "/Usage": "usage",
    },
    "usage": dict.fromkeys(("/Language", "/Export", "/Zoom", "/Print", "/View", "/PageElement"), "usage part"),
    "usage part": keys("plain", "Lang Preferred ExportState PrintState ViewState Subtype min max"),
    "properties": {
        **keys("plain", "Type Subtype Name Intent P MCID Lang ActualText Alt E BBox Attached"),
        "/OCGs": "group[]",
        "/VE": "groups",
        "/Usage": "usage",
    },
    "layers": {"/OCGs": "group[]", "/D": "layer settings", "/Configs": "layer settings[]"},
    "layer settings": {
        **keys("plain", "Name BaseState Intent ListMode"),
        **keys("group[]", "ON OFF Locked"),
        "/AS": "layer use[]",
        "/Order": "groups",
        "/RBGroups": "groups",
    },
    "layer use": {**keys("plain", "Event Category"), "/OCGs": "group[]"},
    # --- annotations and fields ---
    "link": {**APPEARANCE, **keys("plain", "H QuadPoints"), "/A": "action", "/Dest": "destination"},
    "note": {
        **APPEARANCE,
        **keys("plain", "T Subj CreationDate RT Name State StateModel IT LE IC CL RD L Vertices InkList QuadPoints"),
        **keys("plain", "CO CP Cap LL LLE LLO DA Q Sy Open OverlayText Repeat Rotate"),
        **keys("annotation", "IRT Popup Parent"),
    },
    "field": {
        **APPEARANCE,
        **keys("plain", "FT T TU V DV Ff MaxLen Opt TI I DA Q H"),
        "/MK": "button",
        "/Parent": "field",
        "/Kids": "field[]",
    },
    "looks": keys("look", "N D R"),
    "border": keys("plain", "Type W S D I"),
    "button": {**keys("plain", "R BC BG CA RC AC TP"), **keys("object", "I RI IX")},
    "form fields": {**keys("plain", "NeedAppearances DA Q"), "/Fields": "field[]", "/DR": "resources"},
    # --- what screen readers go by ---
    "structure": {
        **keys("plain", "Type ParentTreeNextKey"),
        "/K": "element kid[]",
        "/ParentTree": "parents",
        "/RoleMap": "name{}",
        "/ClassMap": "attributes[]{}",
        "/Namespaces": "namespace[]",
    },
    "parents": {"/Kids": "parents[]", "/Nums": "parent pairs", "/Limits": "plain"},
    "namespace": {**keys("plain", "Type NS"), "/RoleMapNS": "name{}"},
    "element": {
        **keys("plain", "Type ID C R T Lang Alt E ActualText"),
        "/S": "role",
        "/P": "element parent",
        "/Pg": "page",
        "/K": "element kid[]",
        "/A": "plain|attributes[]",
        "/NS": "namespace",
    },
    "marked content": {**keys("plain", "Type MCID"), "/Pg": "page", "/Stm": "object"},
    "object reference": {"/Type": "name", "/Pg": "page", "/Obj": "annotation|object"},
    "attributes": {
        **keys("plain", "O Placement WritingMode BackgroundColor BorderColor BorderStyle BorderThickness Padding"),
        **keys("plain", "Color SpaceBefore SpaceAfter StartIndent EndIndent TextIndent TextAlign BBox Width Height"),
        **keys("plain", "BlockAlign InlineAlign TBorderStyle TPadding BaselineShift LineHeight TextDecorationColor"),
        **keys("plain", "TextDecorationThickness TextDecorationType RubyAlign RubyPosition ColumnCount ColumnGap"),
        **keys("plain", "GlyphOrientationVertical ColumnWidths ListNumbering RowSpan ColSpan Headers Scope Summary"),
        **keys("plain", "Short Role checked Checked Desc Type Subtype Attached"),
    },
    "parameters": {
        **keys("plain", "Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows"),
        **keys("plain", "EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform"),
        "/JBIG2Globals": "content",
    },
}
STREAMS = {"content", "image", "form", "color stream", "font program", "character map"}
EITHER = {"pattern", "shading", "function"}
STREAM_KEYS = {"/Length": "number", "/Filter": "plain", "/DecodeParms": "parameters[]"}
# Arrays of a key and a value by turns, as trees of names and of numbers have them; and what else an array may hold.
PAIRS = {
    "destination pairs": "destination|destination entry",
    "label pairs": "label",
    "parent pairs": "element[]",
}
ARRAYS = {"groups": "plain|groups|group", "color array": "plain|color array|color stream|color dictionary"}


class Refused(Exception):  # noqa: N818 - the name says what happened
    """This PDF is not taken; the message is the code of the reason."""


def rewrite(content: bytes) -> bytes:
    """Return a PDF with the same pages that does nothing; raise Refused for one that can't become that."""
    try:
        pdf = pikepdf.Pdf.open(io.BytesIO(content), suppress_warnings=True)
    except pikepdf.PasswordError as locked:
        raise Refused("encrypted") from locked
    with pdf:
        rewriter = Rewriter(pdf)
        rewriter.clean()
        out = io.BytesIO()
        pdf.save(
            out,
            encryption=False,
            min_version="1.5",
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            # What is packed already was measured and stays so; the rest is packed.
            recompress_flate=False,
            deterministic_id=True,
            fix_metadata_version=False,
        )
    with pikepdf.Pdf.open(out, attempt_recovery=False, suppress_warnings=True) as kept:
        if len(kept.pages) != len(rewriter.pages):
            raise Refused("broken")
    if has_hidden(out.getvalue()):
        raise Refused("two_in_one")
    return out.getvalue()


def has_hidden(written: bytes) -> bool:
    """Return whether the text of an entry looks like an object; in texts, lines don't end."""
    starts = (found.start() for found in HIDDEN.finditer(written))
    return any(not BEGINNING.fullmatch(written, written.rfind(b"\n", 0, start), start) for start in starts)


def kind_of(value: Any) -> str:
    """Name the type of a value: as pikepdf names it, and "number", "bool" or "null" for what Python has itself."""
    if isinstance(value, pikepdf.Object):
        return str(value._type_code.name)
    if value is None:
        return "null"
    return "bool" if isinstance(value, bool) else "number" if isinstance(value, (int, Decimal, float)) else "text"


def name_of(value: Any) -> str:
    """Return a name as text; nothing where it is no name, or its bytes are no UTF-8 (older programs wrote others)."""
    try:
        return str(value) if kind_of(value) == "name_" else ""
    except UnicodeDecodeError:
        return ""


class Rewriter:
    """One document on its way through the tables. The walk has no recursion that a document could deepen at will."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.waiting: deque[tuple[Any, str]] = deque()
        self.seen: set[tuple[int, int, str]] = set()
        self.streams: set[tuple[int, int]] = set()
        self.parts = 0
        self.unpacked = 0
        self.pages: set[tuple[int, int]] = set()
        self.tree: tuple[int, int] = (0, 0)
        self.special: dict[str, Callable[[Any], bool]] = {
            "plain": self.is_plain,
            "number": lambda value: kind_of(value) == "number",
            "name": lambda value: kind_of(value) == "name_",
            "text": lambda value: kind_of(value) in {"text", "string"},
            "page": lambda value: kind_of(value) == "dictionary" and value.objgen in self.pages,
            "tree": lambda value: kind_of(value) == "dictionary" and value.objgen == self.tree,
            "role": lambda value: kind_of(value) == "name_" and name_of(value) not in PROGRAMS,
            "page mode": lambda value: name_of(value) in PAGE_MODES,
            "destination": self.is_destination,
            "action": self.is_harmless_action,
            "opening": self.is_harmless_opening,
            "annotation": self.is_annotation,
            "object": self.is_object,
            "look": self.is_look,
            "sized font": self.is_sized_font,
            "color space": lambda value: kind_of(value) == "name_" or self.may_stay(value, "color array"),
            "element kid": self.is_element_kid,
            "element parent": self.is_element_parent,
        }

    def clean(self) -> None:
        """Remove from the document what no table names."""
        catalog = self.pdf.Root
        self.refuse_what_would_be_missed(catalog)
        self.flatten_tree(catalog)
        for name in list(self.pdf.trailer.keys()):
            if name != "/Root":
                del self.pdf.trailer[name]
        # qpdf writes the right number, but only where there was one.
        self.pdf.trailer["/Size"] = 1
        self.waiting.append((catalog, "catalog"))
        self.waiting.extend((page, "page") for page in catalog.Pages.Kids)
        while self.waiting:
            value, kind = self.waiting.popleft()
            self.count_part()
            if value.is_indirect and self.was_seen(value, kind):
                continue
            self.clean_part(value, kind)

    def refuse_what_would_be_missed(self, catalog: Any) -> None:
        """Raise Refused for programs of the whole document, other files in it, and a form that is a program."""
        self.refuse_programs(catalog.get("/AA"))
        names = catalog.get("/Names")
        for name in ("/JavaScript", "/EmbeddedFiles"):
            if kind_of(names) == "dictionary" and has_leaves(names.get(name)):
                raise Refused("active")
        form = catalog.get("/AcroForm")
        # Beside ordinary fields an XFA form only repeats them; alone, it is the whole document.
        is_program = kind_of(form) == "dictionary" and "/XFA" in form and not is_filled_array(form.get("/Fields"))
        if is_program or "/Collection" in catalog or catalog.get("/NeedsRendering") is True:
            raise Refused("active")

    def flatten_tree(self, catalog: Any) -> None:
        """Put all pages below one node of our own, with what they inherited."""
        pages = [page.obj for page in self.pdf.pages]
        if not pages:
            raise Refused("broken")
        if len(pages) > MOST_PAGES:
            raise Refused("too_much")
        tree = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Pages))
        for page in pages:
            inherit(page)
            page["/Type"] = pikepdf.Name.Page
            page["/Parent"] = tree
            self.refuse_programs(page.get("/AA"))
        tree["/Kids"] = pikepdf.Array(pages)
        tree["/Count"] = len(pages)
        catalog["/Pages"] = tree
        self.tree = tree.objgen
        self.pages = {page.objgen for page in pages}

    def count_part(self) -> None:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise Refused("too_much")

    def was_seen(self, value: Any, kind: str) -> bool:
        number, generation = value.objgen
        key = (number, generation, kind)
        if key in self.seen:
            return True
        self.seen.add(key)
        if len(self.seen) > MOST_OBJECTS:
            raise Refused("too_much")
        return False

    def clean_part(self, value: Any, kind: str) -> None:
        """Remove what may not stay from one dictionary, stream or array; what may stay waits for its own turn."""
        if kind_of(value) == "array":
            self.clean_array(value, kind)
            return
        base = kind.removesuffix("{}")
        table = None if base != kind else TABLES[kind]
        if kind_of(value) == "stream":
            table = {**TABLES[kind], **STREAM_KEYS}
        for name in list(value.keys()):
            inner = base if table is None else table.get(name)
            if inner is None or not self.may_stay(value[name], inner):
                del value[name]
        if kind_of(value) == "stream" and value.objgen not in self.streams:
            self.streams.add(value.objgen)
            self.clean_stream(value)

    def clean_array(self, array: Any, kind: str) -> None:
        """Put null in the place of what may not stay, since others are found by their places."""
        inner = PAIRS.get(kind) or ARRAYS.get(kind) or kind.removesuffix("[]")
        keep = []
        for place, item in enumerate(array):
            is_key = kind in PAIRS and place % 2 == 0
            stays = self.is_plain(item) if is_key else self.may_stay(item, inner)
            keep.append(stays)
            if not stays:
                array[place] = None
        if inner == "annotation":
            for place in reversed(range(len(keep))):
                if not keep[place]:
                    del array[place]

    def may_stay(self, value: Any, kinds: str) -> bool:
        """Return whether a value is of one of these kinds; its insides are looked through later."""
        for kind in kinds.split("|"):
            check = self.special.get(kind)
            if check(value) if check else self.is_of_table(value, kind):
                return True
        return False

    def is_of_table(self, value: Any, kind: str) -> bool:
        form = kind_of(value)
        if kind.endswith("[]") and form != "array":
            return self.may_stay(value, kind.removesuffix("[]"))
        if kind.endswith("[]") or kind in PAIRS or kind in ARRAYS:
            fits = form == "array"
        elif kind in STREAMS:
            fits = form == "stream"
        elif kind in EITHER:
            fits = form in {"stream", "dictionary"}
        else:
            fits = form == "dictionary"
        if fits:
            self.waiting.append((value, kind))
        return fits

    def is_plain(self, value: Any, depth: int = 0) -> bool:
        form = kind_of(value)
        if form == "array":
            # Arrays that hold the next one twice double at each level.
            self.count_part()
            return depth < DEEPEST and all(self.is_plain(item, depth + 1) for item in value)
        return form not in {"dictionary", "stream", "operator", "inlineimage"}

    # --- kinds that show in their values ----------------------------------------------------------

    def is_destination(self, value: Any) -> bool:
        """Return whether a value is a place on a page of this document, or the name of one."""
        if kind_of(value) == "array":
            is_page = len(value) > 1 and self.special["page"](value[0])
            return is_page and all(self.is_plain(value[place]) for place in range(1, len(value)))
        if kind_of(value) == "dictionary":
            return self.is_of_table(value, "destination entry")
        return kind_of(value) in {"name_", "text", "string"}

    def is_harmless_action(self, value: Any) -> bool:
        self.refuse_programs(value)
        if kind_of(value) != "dictionary":
            return False
        what = name_of(value.get("/S"))
        if what == "/GoTo" and self.is_destination(value.get("/D")):
            return self.is_of_table(value, "go to")
        return what == "/Named" and name_of(value.get("/N")) in NAVIGATION and self.is_of_table(value, "turn")

    def is_harmless_opening(self, value: Any) -> bool:
        if kind_of(value) == "dictionary":
            return self.is_harmless_action(value) and name_of(value.get("/S")) == "/GoTo"
        return kind_of(value) == "array" and self.is_destination(value)

    def refuse_programs(self, value: Any) -> None:
        """Raise Refused for an action that is a program, at any place of a chain, or a set of such actions."""
        waiting, left = [value], 1_000
        while waiting and left:
            action = waiting.pop()
            left -= 1
            if kind_of(action) == "array":
                waiting.extend(action[place] for place in range(min(len(action), left)))
            elif kind_of(action) == "dictionary":
                if "/JS" in action or name_of(action.get("/S")) in PROGRAMS:
                    raise Refused("active")
                names = ["/Next"] if "/S" in action else list(action.keys())[:left]
                waiting.extend(action.get(name) for name in names)

    def is_annotation(self, value: Any) -> bool:
        if kind_of(value) != "dictionary":
            return False
        subtype = name_of(value.get("/Subtype"))
        if subtype in PLAYERS:
            raise Refused("active")
        if subtype == "/Widget":
            return self.is_of_table(value, "field")
        self.refuse_programs(value.get("/AA"))
        if subtype == "/Link":
            return self.is_of_table(value, "link")
        return subtype in MARKUP and self.is_of_table(value, "note")

    def is_object(self, value: Any) -> bool:
        if kind_of(value) != "stream":
            return False
        subtype = name_of(value.get("/Subtype"))
        if subtype == "/Image":
            return self.is_of_table(value, "image")
        return subtype == "/Form" and self.is_of_table(value, "form")

    def is_look(self, value: Any) -> bool:
        """Return whether a value is how an annotation looks: a form, or one for each of its states."""
        if kind_of(value) == "dictionary":
            return self.is_of_table(value, "form{}")
        return self.is_of_table(value, "form")

    def is_sized_font(self, value: Any) -> bool:
        return (
            kind_of(value) == "array"
            and len(value) == 2
            and self.is_of_table(value[0], "font")
            and kind_of(value[1]) == "number"
        )

    def is_element_kid(self, value: Any) -> bool:
        if kind_of(value) != "dictionary":
            return kind_of(value) == "number"
        kind = {"/MCR": "marked content", "/OBJR": "object reference"}.get(name_of(value.get("/Type")), "element")
        return self.is_of_table(value, kind)

    def is_element_parent(self, value: Any) -> bool:
        is_root = kind_of(value) == "dictionary" and name_of(value.get("/Type")) == "/StructTreeRoot"
        return self.is_of_table(value, "structure" if is_root else "element")

    # --- the bytes of streams ---------------------------------------------------------------------

    def clean_stream(self, stream: Any) -> None:
        """Keep a stream's bytes as far as its filters read them; raise Refused for too many of them."""
        filters, parameters = as_list(stream.get("/Filter")), as_list(stream.get("/DecodeParms"))
        names = [name_of(name) for name in filters]
        is_picture = bool(names) and names[-1] in PICTURES
        packed = names[:-1] if is_picture else names
        if len(names) > MOST_FILTERS:
            raise Refused("too_much")
        if any(name not in PACKED for name in packed):
            raise Refused("broken")
        raw = stream.read_raw_bytes()
        if is_picture and not packed:
            data = raw
        elif names in (["/FlateDecode"], ["/Fl"]):
            self.clean_deflated(stream, raw)
            return
        else:
            data = self.unpack(raw, packed, parameters)
        self.count(len(data))
        if is_picture and HIDDEN.search(data):
            raise Refused("two_in_one")
        if data is raw:
            return
        last = parameters[len(packed)] if is_picture and len(parameters) > len(packed) else None
        if is_picture:
            stream.write(data, filter=pikepdf.Name(names[-1]), decode_parms=last)
        else:
            stream.write(data)

    def clean_deflated(self, stream: Any, raw: bytes) -> None:
        """Cut off what stands behind a deflated stream; pack one that is damaged again as far as it can be read."""
        inflater, rest = zlib.decompressobj(), raw
        try:
            while rest and not inflater.eof:
                self.count(len(inflater.decompress(rest, STEP)))
                rest = inflater.unconsumed_tail
            is_damaged = bool(raw) and not inflater.eof
        except zlib.error:
            is_damaged = True
        if is_damaged:
            packed = zlib.compress(self.saved_from(raw))
        elif LIKE_HIDDEN.search(raw):
            packed = zlib.compress(zlib.decompress(raw[: len(raw) - len(inflater.unused_data)]))
            # What can't be made smaller is stored as it is.
            if HIDDEN.search(packed):
                raise Refused("two_in_one")
        elif inflater.unused_data:
            packed = raw[: -len(inflater.unused_data)]
        else:
            return
        stream.write(packed, filter=stream["/Filter"], decode_parms=stream.get("/DecodeParms"))

    def saved_from(self, raw: bytes) -> bytes:
        """Inflate a damaged stream in small steps up to the damage, as readers do, whatever its checksum says."""
        inflater, rest, parts = zlib.decompressobj(-zlib.MAX_WBITS), raw[2:], []
        try:
            while rest and not inflater.eof:
                parts.append(inflater.decompress(rest, 4096))
                self.count(len(parts[-1]))
                rest = inflater.unconsumed_tail
        except zlib.error:
            pass
        return b"".join(parts)

    def unpack(self, raw: bytes, names: list[str], parameters: list[Any]) -> bytes:
        """Undo filters with qpdf."""
        scratch = self.pdf.make_stream(raw)
        if names:
            scratch["/Filter"] = pikepdf.Array([pikepdf.Name(PACKED[name]) for name in names])
            kept = [part if kind_of(part) == "dictionary" else None for part in parameters[: len(names)]]
            if any(part is not None for part in kept):
                scratch["/DecodeParms"] = pikepdf.Array([*kept, *[None] * (len(names) - len(kept))])
        return scratch.read_bytes(pikepdf.StreamDecodeLevel.specialized)

    def count(self, size: int) -> None:
        self.unpacked += size
        if self.unpacked > MOST_UNPACKED:
            raise Refused("too_much")


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if kind_of(value) == "array" else [value]


def is_filled_array(value: Any) -> bool:
    return kind_of(value) == "array" and len(value) > 0


def has_leaves(tree: Any) -> bool:
    """Return whether a tree of names has any name in it, or is too odd to tell."""
    waiting, left = [tree], 1_000
    while waiting:
        node = waiting.pop()
        left -= 1
        if left <= 0:
            return True
        if kind_of(node) != "dictionary":
            continue
        if is_filled_array(node.get("/Names")):
            return True
        if kind_of(node.get("/Kids")) == "array":
            waiting.extend(node["/Kids"])
    return False


def inherit(page: Any) -> None:
    """Give a page what it has from the nodes above it (ISO 32000-2, table 31)."""
    node = page.get("/Parent")
    for _ in range(DEEPEST):
        if kind_of(node) != "dictionary":
            return
        for name in ("/Resources", "/MediaBox", "/CropBox", "/Rotate"):
            if name not in page and name in node:
                page[name] = node[name]
        node = node.get("/Parent")
