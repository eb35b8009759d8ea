"""Rewrite a PDF from an allowlist, keeping only what its pages need.

`ALLOWED_KEYS` lists, for each kind of dictionary or stream in ISO 32000-2, the permitted keys and the kind of each
value. The rewriter starts at the catalog and the pages and removes all other keys; objects that become unreachable are
not written. The only actions that remain are jumps within the same document.

`sandbox_worker` runs this in its restricted process.
"""

import io
import re
import zlib
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pikepdf

MAX_PAGES = 2_000
MAX_OBJECTS = 50_000
MAX_PARTS = 400_000
MAX_DECODED_BYTES = 256 * 1024 * 1024
MAX_FILTERS = 4
INFLATE_CHUNK_BYTES = 1024 * 1024
MAX_DEPTH = 50

# Scripts, embedded files and media. A document with one of these is rejected, since its pages would not work as
# intended without it. Other actions (links to the web or to another file) are removed silently.
ACTIVE_ACTIONS = {
    *("/JavaScript", "/Launch", "/ImportData", "/SubmitForm", "/GoToE", "/Rendition", "/Movie", "/Sound"),
    *("/RichMediaExecute", "/GoTo3DView"),
}
ACTIVE_ANNOTATIONS = {"/RichMedia", "/FileAttachment", "/Movie", "/Sound", "/Screen", "/3D", "/Projection"}
MARKUP_ANNOTATIONS = {
    *("/Text", "/FreeText", "/Line", "/Square", "/Circle", "/Polygon", "/PolyLine", "/Highlight", "/Underline"),
    *("/Squiggly", "/StrikeOut", "/Stamp", "/Caret", "/Ink", "/Popup", "/Redact", "/Watermark"),
}
NAVIGATION_ACTIONS = {"/NextPage", "/PrevPage", "/FirstPage", "/LastPage"}
PAGE_MODES = {"/UseNone", "/UseOutlines", "/UseThumbs", "/UseOC"}

# The filters that qpdf can decode, with their abbreviations. Data under image filters is copied unchanged.
DECODABLE_FILTERS = {
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
IMAGE_FILTERS = {"/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode", "/DCT", "/CCF"}
# An object header inside an image, a string or uncompressed data. A reader that repairs files could pick it up.
HIDDEN_OBJECT = re.compile(rb"\d\s+\d+\s+obj\b")
# A cheap first test on compressed data; the few streams that match by chance are compressed again.
POSSIBLE_HIDDEN_OBJECT = re.compile(rb"[\d\s]obj\b|trailer")
# What precedes an object header that qpdf wrote itself.
OBJECT_START = re.compile(rb"\n\d*")


def allow_keys(kind: str, names: str) -> dict[str, str]:
    return {f"/{name}": kind for name in names.split()}


# For each kind, its permitted keys and the kinds of their values. "kind[]" is one value or an array of that kind,
# "kind{}" a dictionary with any keys and such values, "a|b" either. "plain" contains no dictionary and no stream.
ANNOTATION_KEYS = {
    **allow_keys("name", "Type Subtype"),
    **allow_keys("number", "F"),
    "/Rect": "plain",
    "/P": "page",
    "/OC": "group",
}
ANNOTATION_KEYS |= {**allow_keys("plain", "Contents NM M AS Border C CA ca BM Lang StructParent"), "/AP": "looks"}
ANNOTATION_KEYS |= {"/BS": "border", "/BE": "border"}
ALLOWED_KEYS: dict[str, dict[str, str]] = {
    "catalog": {
        **allow_keys("name", "Type PageLayout"),
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
    "marks": allow_keys("plain", "Marked Suspects UserProperties"),
    "preferences": allow_keys("name", "Direction"),
    "intent": {
        **allow_keys("plain", "Type S OutputCondition OutputConditionIdentifier Info"),
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
    "label": allow_keys("plain", "Type S P St"),
    "outline": {
        **allow_keys("plain", "Type Title Count C F"),
        **allow_keys("outline", "First Last Next Prev Parent"),
        "/Dest": "destination",
        "/A": "action",
        "/SE": "element",
    },
    "go to": {**allow_keys("name", "Type S"), "/D": "destination"},
    "turn": allow_keys("name", "Type S N"),
    # --- pages ---
    "page": {
        **allow_keys("name", "Type Tabs"),
        **allow_keys("plain", "MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit StructParents"),
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
        **allow_keys(
            "plain", "Type Subtype Width Height BitsPerComponent Intent ImageMask Decode Interpolate SMaskInData"
        ),
        **allow_keys("plain", "Name StructParent Matte"),
        "/ColorSpace": "color space",
        "/Mask": "plain|object",
        "/SMask": "object",
        "/OC": "group",
    },
    "form": {
        **allow_keys("plain", "Type Subtype FormType BBox Matrix StructParent StructParents Name"),
        "/Resources": "resources",
        "/Group": "blending",
        "/OC": "group",
    },
    "blending": {**allow_keys("plain", "Type S I K"), "/CS": "color space"},
    "graphics state": {
        **allow_keys("plain", "Type LW LC LJ ML D RI OP op OPM FL SM SA BM CA ca AIS TK"),
        "/Font": "sized font",
        "/SMask": "name|soft mask",
    },
    "soft mask": {**allow_keys("plain", "Type S BC"), "/G": "object", "/TR": "name|function"},
    "pattern": {
        **allow_keys("plain", "Type PatternType PaintType TilingType BBox XStep YStep Matrix"),
        "/Resources": "resources",
        "/Shading": "shading",
        "/ExtGState": "graphics state",
    },
    "shading": {
        **allow_keys("plain", "ShadingType Background BBox AntiAlias Coords Domain Extend Matrix BitsPerCoordinate"),
        **allow_keys("plain", "BitsPerComponent BitsPerFlag Decode VerticesPerRow"),
        "/ColorSpace": "color space",
        "/Function": "function[]",
    },
    "function": {
        **allow_keys("plain", "FunctionType Domain Range Size BitsPerSample Order Encode Decode C0 C1 N Bounds"),
        "/Functions": "function[]",
    },
    "color dictionary": {
        **allow_keys("plain", "WhitePoint BlackPoint Gamma Matrix Range Subtype Components"),
        **allow_keys("plain", "FunctionType Domain Encode C0 C1 N Bounds"),
        "/Functions": "function[]",
        "/Colorants": "color space{}",
        "/Process": "color dictionary",
        "/ColorSpace": "color space",
    },
    "color stream": {
        **allow_keys("plain", "N Range FunctionType Domain Size BitsPerSample Order Encode Decode"),
        "/Alternate": "color space",
    },
    # --- fonts ---
    "font": {
        **allow_keys("plain", "Type Subtype Name BaseFont FirstChar LastChar Widths DW W DW2 W2 FontBBox FontMatrix"),
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
        **allow_keys(
            "plain", "Type FontName FontFamily FontStretch FontWeight Flags FontBBox ItalicAngle Ascent Descent"
        ),
        **allow_keys("plain", "Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth CharSet Lang"),
        **allow_keys("font program", "FontFile FontFile2 FontFile3"),
        "/Style": "style",
        "/FD": "font descriptor{}",
        "/CIDSet": "content",
    },
    "style": allow_keys("text", "Panose"),
    "font program": allow_keys("plain", "Length1 Length2 Length3 Subtype"),
    "encoding": allow_keys("plain", "Type BaseEncoding Differences"),
    "character map": {
        **allow_keys("plain", "Type CMapName WMode"),
        "/CIDSystemInfo": "collection",
        "/UseCMap": "name|character map",
    },
    "collection": allow_keys("plain", "Registry Ordering Supplement"),
    # --- layers and marked content ---
    "group": {
        **allow_keys("plain", "Type Name Intent P"),
        "/OCGs": "group[]",
        "/VE": "groups",
        "/Usage": "usage",
    },
    "usage": dict.fromkeys(("/Language", "/Export", "/Zoom", "/Print", "/View", "/PageElement"), "usage part"),
    "usage part": allow_keys("plain", "Lang Preferred ExportState PrintState ViewState Subtype min max"),
    "properties": {
        **allow_keys("plain", "Type Subtype Name Intent P MCID Lang ActualText Alt E BBox Attached"),
        "/OCGs": "group[]",
        "/VE": "groups",
        "/Usage": "usage",
    },
    "layers": {"/OCGs": "group[]", "/D": "layer settings", "/Configs": "layer settings[]"},
    "layer settings": {
        **allow_keys("plain", "Name BaseState Intent ListMode"),
        **allow_keys("group[]", "ON OFF Locked"),
        "/AS": "layer use[]",
        "/Order": "groups",
        "/RBGroups": "groups",
    },
    "layer use": {**allow_keys("plain", "Event Category"), "/OCGs": "group[]"},
    # --- annotations and fields ---
    "link": {**ANNOTATION_KEYS, **allow_keys("plain", "H QuadPoints"), "/A": "action", "/Dest": "destination"},
    "note": {
        **ANNOTATION_KEYS,
        **allow_keys(
            "plain", "T Subj CreationDate RT Name State StateModel IT LE IC CL RD L Vertices InkList QuadPoints"
        ),
        **allow_keys("plain", "CO CP Cap LL LLE LLO DA Q Sy Open OverlayText Repeat Rotate"),
        **allow_keys("annotation", "IRT Popup Parent"),
    },
    "field": {
        **ANNOTATION_KEYS,
        **allow_keys("plain", "FT T TU V DV Ff MaxLen Opt TI I DA Q H"),
        "/MK": "button",
        "/Parent": "field",
        "/Kids": "field[]",
    },
    "looks": allow_keys("look", "N D R"),
    "border": allow_keys("plain", "Type W S D I"),
    "button": {**allow_keys("plain", "R BC BG CA RC AC TP"), **allow_keys("object", "I RI IX")},
    "form fields": {**allow_keys("plain", "NeedAppearances DA Q"), "/Fields": "field[]", "/DR": "resources"},
    # --- structure for screen readers ---
    "structure": {
        **allow_keys("plain", "Type ParentTreeNextKey"),
        "/K": "element kid[]",
        "/ParentTree": "parents",
        "/RoleMap": "name{}",
        "/ClassMap": "attributes[]{}",
        "/Namespaces": "namespace[]",
    },
    "parents": {"/Kids": "parents[]", "/Nums": "parent pairs", "/Limits": "plain"},
    "namespace": {**allow_keys("plain", "Type NS"), "/RoleMapNS": "name{}"},
    "element": {
        **allow_keys("plain", "Type ID C R T Lang Alt E ActualText"),
        "/S": "role",
        "/P": "element parent",
        "/Pg": "page",
        "/K": "element kid[]",
        "/A": "plain|attributes[]",
        "/NS": "namespace",
    },
    "marked content": {**allow_keys("plain", "Type MCID"), "/Pg": "page", "/Stm": "object"},
    "object reference": {"/Type": "name", "/Pg": "page", "/Obj": "annotation|object"},
    "attributes": {
        **allow_keys(
            "plain", "O Placement WritingMode BackgroundColor BorderColor BorderStyle BorderThickness Padding"
        ),
        **allow_keys(
            "plain", "Color SpaceBefore SpaceAfter StartIndent EndIndent TextIndent TextAlign BBox Width Height"
        ),
        **allow_keys(
            "plain", "BlockAlign InlineAlign TBorderStyle TPadding BaselineShift LineHeight TextDecorationColor"
        ),
        **allow_keys(
            "plain", "TextDecorationThickness TextDecorationType RubyAlign RubyPosition ColumnCount ColumnGap"
        ),
        **allow_keys(
            "plain", "GlyphOrientationVertical ColumnWidths ListNumbering RowSpan ColSpan Headers Scope Summary"
        ),
        **allow_keys("plain", "Short Role checked Checked Desc Type Subtype Attached"),
    },
    "parameters": {
        **allow_keys(
            "plain", "Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows"
        ),
        **allow_keys("plain", "EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform"),
        "/JBIG2Globals": "content",
    },
}
STREAM_KINDS = {"content", "image", "form", "color stream", "font program", "character map"}
STREAM_OR_DICTIONARY_KINDS = {"pattern", "shading", "function"}
STREAM_KEYS = {"/Length": "number", "/Filter": "plain", "/DecodeParms": "parameters[]"}
# Arrays of alternating keys and values, as in name and number trees.
PAIR_KINDS = {
    "destination pairs": "destination|destination entry",
    "label pairs": "label",
    "parent pairs": "element[]",
}
ARRAY_KINDS = {"groups": "plain|groups|group", "color array": "plain|color array|color stream|color dictionary"}


class PdfRejectedError(Exception):
    """The PDF is not accepted; the message is a code of `validation.REJECTION_MESSAGES`."""


def rewrite_pdf(content: bytes) -> bytes:
    """Return a PDF with the same pages and no active content; raise PdfRejectedError if that is not possible."""
    try:
        pdf = pikepdf.Pdf.open(io.BytesIO(content), suppress_warnings=True)
    except pikepdf.PasswordError as error:
        raise PdfRejectedError("encrypted") from error
    with pdf:
        rewriter = Rewriter(pdf)
        rewriter.clean()
        out = io.BytesIO()
        pdf.save(
            out,
            encryption=False,
            min_version="1.5",
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            # Streams that were compressed were already measured.
            recompress_flate=False,
            deterministic_id=True,
            fix_metadata_version=False,
        )
    with pikepdf.Pdf.open(out, attempt_recovery=False, suppress_warnings=True) as output:
        if len(output.pages) != len(rewriter.pages):
            raise PdfRejectedError("broken")
    if has_hidden_object(out.getvalue()):
        raise PdfRejectedError("two_in_one")
    return out.getvalue()


def has_hidden_object(content: bytes) -> bool:
    """Return whether an object header occurs anywhere but at the start of a line."""
    starts = (match.start() for match in HIDDEN_OBJECT.finditer(content))
    return any(not OBJECT_START.fullmatch(content, content.rfind(b"\n", 0, start), start) for start in starts)


def type_of(value: Any) -> str:
    """Return pikepdf's name of a value's type, or "number", "bool", "null" or "text" for a Python value."""
    if isinstance(value, pikepdf.Object):
        return str(value._type_code.name)
    if value is None:
        return "null"
    return "bool" if isinstance(value, bool) else "number" if isinstance(value, (int, Decimal, float)) else "text"


def name_text(value: Any) -> str:
    """Return a name as text; empty for other types and for names that are not UTF-8."""
    try:
        return str(value) if type_of(value) == "name_" else ""
    except UnicodeDecodeError:
        return ""


class Rewriter:
    """Walks one document with a queue, not recursively, so that a document can't exhaust the stack."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self.pdf = pdf
        self.queue: deque[tuple[Any, str]] = deque()
        self.seen: set[tuple[int, int, str]] = set()
        self.streams: set[tuple[int, int]] = set()
        self.parts = 0
        self.decoded_bytes = 0
        self.pages: set[tuple[int, int]] = set()
        self.tree: tuple[int, int] = (0, 0)
        self.checks: dict[str, Callable[[Any], bool]] = {
            "plain": self.is_plain,
            "number": lambda value: type_of(value) == "number",
            "name": lambda value: type_of(value) == "name_",
            "text": lambda value: type_of(value) in {"text", "string"},
            "page": lambda value: type_of(value) == "dictionary" and value.objgen in self.pages,
            "tree": lambda value: type_of(value) == "dictionary" and value.objgen == self.tree,
            "role": lambda value: type_of(value) == "name_" and name_text(value) not in ACTIVE_ACTIONS,
            "page mode": lambda value: name_text(value) in PAGE_MODES,
            "destination": self.is_destination,
            "action": self.is_safe_action,
            "opening": self.is_safe_open_action,
            "annotation": self.is_annotation,
            "object": self.is_object,
            "look": self.is_appearance,
            "sized font": self.is_sized_font,
            "color space": lambda value: type_of(value) == "name_" or self.is_allowed(value, "color array"),
            "element kid": self.is_structure_kid,
            "element parent": self.is_structure_parent,
        }

    def clean(self) -> None:
        """Remove everything that is not in `ALLOWED_KEYS`."""
        catalog = self.pdf.Root
        self.reject_active_document(catalog)
        self.flatten_page_tree(catalog)
        for name in list(self.pdf.trailer.keys()):
            if name != "/Root":
                del self.pdf.trailer[name]
        # qpdf corrects the number, but only if the key exists.
        self.pdf.trailer["/Size"] = 1
        self.queue.append((catalog, "catalog"))
        self.queue.extend((page, "page") for page in catalog.Pages.Kids)
        while self.queue:
            value, kind = self.queue.popleft()
            self.count_part()
            if value.is_indirect and self.mark_seen(value, kind):
                continue
            self.clean_part(value, kind)

    def reject_active_document(self, catalog: Any) -> None:
        """Reject document-level scripts, embedded files, portfolios and forms that exist only as XFA."""
        self.reject_active_actions(catalog.get("/AA"))
        names = catalog.get("/Names")
        for name in ("/JavaScript", "/EmbeddedFiles"):
            if type_of(names) == "dictionary" and has_leaves(names.get(name)):
                raise PdfRejectedError("active")
        form = catalog.get("/AcroForm")
        # XFA next to ordinary fields only repeats them; alone, it is the whole document.
        is_xfa_only = type_of(form) == "dictionary" and "/XFA" in form and not is_filled_array(form.get("/Fields"))
        if is_xfa_only or "/Collection" in catalog or catalog.get("/NeedsRendering") is True:
            raise PdfRejectedError("active")

    def flatten_page_tree(self, catalog: Any) -> None:
        """Move all pages below one new node, with their inherited attributes."""
        pages = [page.obj for page in self.pdf.pages]
        if not pages:
            raise PdfRejectedError("broken")
        if len(pages) > MAX_PAGES:
            raise PdfRejectedError("too_much")
        tree = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Pages))
        for page in pages:
            copy_inherited_attributes(page)
            page["/Type"] = pikepdf.Name.Page
            page["/Parent"] = tree
            self.reject_active_actions(page.get("/AA"))
        tree["/Kids"] = pikepdf.Array(pages)
        tree["/Count"] = len(pages)
        catalog["/Pages"] = tree
        self.tree = tree.objgen
        self.pages = {page.objgen for page in pages}

    def count_part(self) -> None:
        self.parts += 1
        if self.parts > MAX_PARTS:
            raise PdfRejectedError("too_much")

    def mark_seen(self, value: Any, kind: str) -> bool:
        number, generation = value.objgen
        key = (number, generation, kind)
        if key in self.seen:
            return True
        self.seen.add(key)
        if len(self.seen) > MAX_OBJECTS:
            raise PdfRejectedError("too_much")
        return False

    def clean_part(self, value: Any, kind: str) -> None:
        """Remove what is not allowed from one dictionary, stream or array, and queue the values that remain."""
        if type_of(value) == "array":
            self.clean_array(value, kind)
            return
        base = kind.removesuffix("{}")
        table = None if base != kind else ALLOWED_KEYS[kind]
        if type_of(value) == "stream":
            table = {**ALLOWED_KEYS[kind], **STREAM_KEYS}
        for name in list(value.keys()):
            inner = base if table is None else table.get(name)
            if inner is None or not self.is_allowed(value[name], inner):
                del value[name]
        if type_of(value) == "stream" and value.objgen not in self.streams:
            self.streams.add(value.objgen)
            self.clean_stream(value)

    def clean_array(self, array: Any, kind: str) -> None:
        """Replace items that are not allowed with null, because other items are referenced by their position."""
        inner = PAIR_KINDS.get(kind) or ARRAY_KINDS.get(kind) or kind.removesuffix("[]")
        rejected = []
        for index, item in enumerate(array):
            is_key = kind in PAIR_KINDS and index % 2 == 0
            if not (self.is_plain(item) if is_key else self.is_allowed(item, inner)):
                rejected.append(index)
                array[index] = None
        if inner == "annotation":
            for index in reversed(rejected):
                del array[index]

    def is_allowed(self, value: Any, kinds: str) -> bool:
        """Return whether a value is of one of these kinds, and queue it so that its content is checked too."""
        for kind in kinds.split("|"):
            check = self.checks.get(kind)
            if check(value) if check else self.is_of_kind(value, kind):
                return True
        return False

    def is_of_kind(self, value: Any, kind: str) -> bool:
        form = type_of(value)
        if kind.endswith("[]") and form != "array":
            return self.is_allowed(value, kind.removesuffix("[]"))
        if kind.endswith("[]") or kind in PAIR_KINDS or kind in ARRAY_KINDS:
            fits = form == "array"
        elif kind in STREAM_KINDS:
            fits = form == "stream"
        elif kind in STREAM_OR_DICTIONARY_KINDS:
            fits = form in {"stream", "dictionary"}
        else:
            fits = form == "dictionary"
        if fits:
            self.queue.append((value, kind))
        return fits

    def is_plain(self, value: Any, depth: int = 0) -> bool:
        form = type_of(value)
        if form == "array":
            # An array that contains the next one twice doubles the work at each level.
            self.count_part()
            return depth < MAX_DEPTH and all(self.is_plain(item, depth + 1) for item in value)
        return form not in {"dictionary", "stream", "operator", "inlineimage"}

    # --- kinds that depend on the value ------------------------------------------------------------

    def is_destination(self, value: Any) -> bool:
        """Return whether a value is a destination in this document, or the name of one."""
        if type_of(value) == "array":
            is_page = len(value) > 1 and self.checks["page"](value[0])
            return is_page and all(self.is_plain(value[place]) for place in range(1, len(value)))
        if type_of(value) == "dictionary":
            return self.is_of_kind(value, "destination entry")
        return type_of(value) in {"name_", "text", "string"}

    def is_safe_action(self, value: Any) -> bool:
        self.reject_active_actions(value)
        if type_of(value) != "dictionary":
            return False
        what = name_text(value.get("/S"))
        if what == "/GoTo" and self.is_destination(value.get("/D")):
            return self.is_of_kind(value, "go to")
        return what == "/Named" and name_text(value.get("/N")) in NAVIGATION_ACTIONS and self.is_of_kind(value, "turn")

    def is_safe_open_action(self, value: Any) -> bool:
        if type_of(value) == "dictionary":
            return self.is_safe_action(value) and name_text(value.get("/S")) == "/GoTo"
        return type_of(value) == "array" and self.is_destination(value)

    def reject_active_actions(self, value: Any) -> None:
        """Reject an active action anywhere in a chain of actions, or in a dictionary of actions by event."""
        queue, remaining = [value], 1_000
        while queue and remaining:
            action = queue.pop()
            remaining -= 1
            if type_of(action) == "array":
                queue.extend(action[index] for index in range(min(len(action), remaining)))
            elif type_of(action) == "dictionary":
                if "/JS" in action or name_text(action.get("/S")) in ACTIVE_ACTIONS:
                    raise PdfRejectedError("active")
                names = ["/Next"] if "/S" in action else list(action.keys())[:remaining]
                queue.extend(action.get(name) for name in names)

    def is_annotation(self, value: Any) -> bool:
        if type_of(value) != "dictionary":
            return False
        subtype = name_text(value.get("/Subtype"))
        if subtype in ACTIVE_ANNOTATIONS:
            raise PdfRejectedError("active")
        if subtype == "/Widget":
            return self.is_of_kind(value, "field")
        self.reject_active_actions(value.get("/AA"))
        if subtype == "/Link":
            return self.is_of_kind(value, "link")
        return subtype in MARKUP_ANNOTATIONS and self.is_of_kind(value, "note")

    def is_object(self, value: Any) -> bool:
        if type_of(value) != "stream":
            return False
        subtype = name_text(value.get("/Subtype"))
        if subtype == "/Image":
            return self.is_of_kind(value, "image")
        return subtype == "/Form" and self.is_of_kind(value, "form")

    def is_appearance(self, value: Any) -> bool:
        """Return whether a value is an appearance: a form, or one form for each state."""
        if type_of(value) == "dictionary":
            return self.is_of_kind(value, "form{}")
        return self.is_of_kind(value, "form")

    def is_sized_font(self, value: Any) -> bool:
        return (
            type_of(value) == "array"
            and len(value) == 2
            and self.is_of_kind(value[0], "font")
            and type_of(value[1]) == "number"
        )

    def is_structure_kid(self, value: Any) -> bool:
        if type_of(value) != "dictionary":
            return type_of(value) == "number"
        kind = {"/MCR": "marked content", "/OBJR": "object reference"}.get(name_text(value.get("/Type")), "element")
        return self.is_of_kind(value, kind)

    def is_structure_parent(self, value: Any) -> bool:
        is_root = type_of(value) == "dictionary" and name_text(value.get("/Type")) == "/StructTreeRoot"
        return self.is_of_kind(value, "structure" if is_root else "element")

    # --- stream data ------------------------------------------------------------------------------

    def clean_stream(self, stream: Any) -> None:
        """Drop bytes that the stream's filters don't read; reject streams that decode to too much."""
        filters, parameters = as_list(stream.get("/Filter")), as_list(stream.get("/DecodeParms"))
        names = [name_text(name) for name in filters]
        is_image = bool(names) and names[-1] in IMAGE_FILTERS
        decodable = names[:-1] if is_image else names
        if len(names) > MAX_FILTERS:
            raise PdfRejectedError("too_much")
        if any(name not in DECODABLE_FILTERS for name in decodable):
            raise PdfRejectedError("broken")
        raw = stream.read_raw_bytes()
        if is_image and not decodable:
            data = raw
        elif names in (["/FlateDecode"], ["/Fl"]):
            self.clean_deflated(stream, raw)
            return
        else:
            data = self.decode(raw, decodable, parameters)
        self.count_decoded(len(data))
        if is_image and HIDDEN_OBJECT.search(data):
            raise PdfRejectedError("two_in_one")
        if data is raw:
            return
        if is_image:
            image_parameters = parameters[len(decodable)] if len(parameters) > len(decodable) else None
            stream.write(data, filter=pikepdf.Name(names[-1]), decode_parms=image_parameters)
        else:
            stream.write(data)

    def clean_deflated(self, stream: Any, raw: bytes) -> None:
        """Cut off trailing bytes of a deflated stream; recompress the readable part of a damaged one."""
        inflater, rest = zlib.decompressobj(), raw
        try:
            while rest and not inflater.eof:
                self.count_decoded(len(inflater.decompress(rest, INFLATE_CHUNK_BYTES)))
                rest = inflater.unconsumed_tail
            is_damaged = bool(raw) and not inflater.eof
        except zlib.error:
            is_damaged = True
        if is_damaged:
            data = zlib.compress(self.inflate_damaged(raw))
        elif POSSIBLE_HIDDEN_OBJECT.search(raw):
            data = zlib.compress(zlib.decompress(raw[: len(raw) - len(inflater.unused_data)]))
            # Deflate stores incompressible data as it is.
            if HIDDEN_OBJECT.search(data):
                raise PdfRejectedError("two_in_one")
        elif inflater.unused_data:
            data = raw[: -len(inflater.unused_data)]
        else:
            return
        stream.write(data, filter=stream["/Filter"], decode_parms=stream.get("/DecodeParms"))

    def inflate_damaged(self, raw: bytes) -> bytes:
        """Inflate a damaged stream up to the damage, ignoring its checksum, as PDF readers do."""
        inflater, rest, parts = zlib.decompressobj(-zlib.MAX_WBITS), raw[2:], []
        try:
            while rest and not inflater.eof:
                parts.append(inflater.decompress(rest, 4096))
                self.count_decoded(len(parts[-1]))
                rest = inflater.unconsumed_tail
        except zlib.error:
            pass
        return b"".join(parts)

    def decode(self, raw: bytes, names: list[str], parameters: list[Any]) -> bytes:
        """Decode with qpdf."""
        scratch = self.pdf.make_stream(raw)
        if names:
            scratch["/Filter"] = pikepdf.Array([pikepdf.Name(DECODABLE_FILTERS[name]) for name in names])
            valid = [part if type_of(part) == "dictionary" else None for part in parameters[: len(names)]]
            if any(part is not None for part in valid):
                scratch["/DecodeParms"] = pikepdf.Array([*valid, *[None] * (len(names) - len(valid))])
        return scratch.read_bytes(pikepdf.StreamDecodeLevel.specialized)

    def count_decoded(self, size: int) -> None:
        self.decoded_bytes += size
        if self.decoded_bytes > MAX_DECODED_BYTES:
            raise PdfRejectedError("too_much")


def as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if type_of(value) == "array" else [value]


def is_filled_array(value: Any) -> bool:
    return type_of(value) == "array" and len(value) > 0


def has_leaves(tree: Any) -> bool:
    """Return whether a name tree contains any name, or is too large to tell."""
    queue, remaining = [tree], 1_000
    while queue:
        node = queue.pop()
        remaining -= 1
        if remaining <= 0:
            return True
        if type_of(node) != "dictionary":
            continue
        if is_filled_array(node.get("/Names")):
            return True
        if type_of(node.get("/Kids")) == "array":
            queue.extend(node["/Kids"])
    return False


def copy_inherited_attributes(page: Any) -> None:
    """Copy the attributes that a page inherits from its ancestors (ISO 32000-2, table 31)."""
    node = page.get("/Parent")
    for _ in range(MAX_DEPTH):
        if type_of(node) != "dictionary":
            return
        for name in ("/Resources", "/MediaBox", "/CropBox", "/Rotate"):
            if name not in page and name in node:
                page[name] = node[name]
        node = node.get("/Parent")
