import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Components whose text is a message, and tags around what is no language. */
const MESSAGE_COMPONENTS = new Set(['Trans', 'Plural', 'code', 'kbd']);
/** Shown when there are no messages. */
const WITHOUT_MESSAGES = 'src/app/StartError.tsx';
/** Attributes that no person reads. */
const TECHNICAL =
  /^(?:accept|aria-keyshortcuts|as|autoComplete|class|d|data-|form|href|id|inputMode|key|lang|method|name|pattern|preserveAspectRatio|rel|role|src|style|target|to|transform|type|value|viewBox|xmlns)/;
const TECHNICAL_ENDINGS = /(?:Class|Href|Id|Key|Name|Path)$/;
const WORD = /\p{L}{2,}/u;
/** A sentence or a label: a capital letter first, or several words. */
const TEXT = /^\p{Lu}\p{Ll}|\p{L}{2,} \p{L}{2,}/u;

function tagName(node: ts.Node): string {
  if (ts.isJsxElement(node)) return node.openingElement.tagName.getText();
  return ts.isJsxSelfClosingElement(node) ? node.tagName.getText() : '';
}

function isMessage(node: ts.Node): boolean {
  for (let each = node.parent; each; each = each.parent) {
    if (MESSAGE_COMPONENTS.has(tagName(each))) return true;
  }
  return false;
}

/** Return the texts of a component that are in no catalog. */
function findTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const report = (node: ts.Node, text: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file}:${line + 1}: ${text.trim()}`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && WORD.test(node.text) && !isMessage(node)) report(node, node.text);
    if (ts.isStringLiteral(node) && TEXT.test(node.text)) {
      const { parent } = node;
      const isAttribute =
        ts.isJsxAttribute(parent) &&
        !TECHNICAL.test(parent.name.getText()) &&
        !TECHNICAL_ENDINGS.test(parent.name.getText());
      const isContent = ts.isJsxExpression(parent) && ts.isJsxElement(parent.parent);
      if ((isAttribute || isContent) && !isMessage(node)) report(node, node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('takes every text of a component from the catalog', () => {
  const files = globSync('src/{app,domain,features,ui}/**/*.tsx').filter(
    (file) => !file.includes('.test.') && file !== WITHOUT_MESSAGES,
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(findTexts)).toEqual([]);
});
