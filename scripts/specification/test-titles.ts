import { type CallExpression, type Expression, parseSync, Visitor } from "oxc-parser";

/** The titles of a test from the outside in: its groups, its own, and a step's if it is a step. */
export type TitlePath = readonly string[];

const TITLED = new Set(["describe", "it", "test"]);
const NOT_RUN = new Set(["fixme", "skip", "skipIf", "todo"]);

/**
 * Lists the titles of a test file's groups, tests and Playwright steps, each with the groups around it, as they are
 * written (`${…}` and `%s` included). Skipped ones are left out. Throws for a file that doesn't parse.
 */
export function titlesOf(path: string, text: string): TitlePath[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const found: TitlePath[] = [];
  const around: { readonly end: number; readonly title: string }[] = [];
  new Visitor({
    CallExpression(call) {
      const title = titleOf(call, text);
      if (title === null) return;
      while ((around.at(-1)?.end ?? Infinity) <= call.start) around.pop();
      around.push({ end: call.end, title });
      found.push(around.map((one) => one.title));
    },
  }).visit(program);
  return found;
}

/**
 * Returns the title of calls like `it("…")`, `test.step("…")` and `describe.each(rows)("…")`; null for any other call.
 */
function titleOf(call: CallExpression, text: string): string | null {
  const names = namesOf(call.callee);
  if (!TITLED.has(names[0] ?? "") || names.some((name) => NOT_RUN.has(name))) return null;
  const [first] = call.arguments;
  if (first?.type === "Literal" && typeof first.value === "string") return first.value;
  return first?.type === "TemplateLiteral" ? text.slice(first.start + 1, first.end - 1) : null;
}

/** Returns the names in a call: test, describe and each for `test.describe.each(rows)`. */
function namesOf(callee: Expression): string[] {
  if (callee.type === "Identifier") return [callee.name];
  if (callee.type === "CallExpression") return namesOf(callee.callee);
  if (callee.type === "TSInstantiationExpression") return namesOf(callee.expression);
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return [];
  return [...namesOf(callee.object), callee.property.name];
}
