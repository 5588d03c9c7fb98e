import { type Expression, type JSXEmptyExpression, parseSync, Visitor } from "oxc-parser";
import type { SourceFile } from "../walls/import-graph.ts";

/**
 * Returns the classes that a module's elements can have, as far as its `className` attributes spell them out: texts,
 * templates, and either side of a condition. A name that is put together, such as `tone-${tone}`, is left out.
 */
export function classesOf({ path, text }: SourceFile): string[] {
  const names = new Set<string>();
  new Visitor({
    JSXAttribute({ name, value }) {
      if (name.type !== "JSXIdentifier" || name.name !== "className" || value === null) return;
      const found = textsOf(value.type === "JSXExpressionContainer" ? value.expression : value);
      for (const word of found.flatMap((each) => each.split(/\s+/))) if (word !== "") names.add(word);
    },
  }).visit(parseSync(path, text).program);
  return [...names];
}

/** Returns the classes that a stylesheet has rules for. */
export function classesIn(css: string): ReadonlySet<string> {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, "");
  return new Set([...rules.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name = ""]) => name));
}

/** Returns the texts that an expression can be; a template's without the words that touch a value. */
function textsOf(expression: Expression | JSXEmptyExpression): string[] {
  if (expression.type === "Literal") return typeof expression.value === "string" ? [expression.value] : [];
  if (expression.type === "ConditionalExpression")
    return [...textsOf(expression.consequent), ...textsOf(expression.alternate)];
  if (expression.type === "LogicalExpression") return textsOf(expression.right);
  if (expression.type !== "TemplateLiteral") return [];
  return [...wholeWords(expression.quasis.map(({ value }) => value.raw)), ...expression.expressions.flatMap(textsOf)];
}

function wholeWords(pieces: readonly string[]): string[] {
  return pieces.map((piece, place) => {
    const begun = place === 0 ? piece : piece.replace(/^\S+/, "");
    return place === pieces.length - 1 ? begun : begun.replace(/\S+$/, "");
  });
}
