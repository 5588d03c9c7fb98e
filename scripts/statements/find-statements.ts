import { child, children, bare, lineOf, type Module, type Modules, nameOf, nodesOf, type Node } from "./ast.ts";
import { textsOf } from "./statement-texts.ts";
import { Unreadable } from "./written.ts";

/** A call that sends a statement. */
export interface FoundStatement {
  /** Path from the project's root. */
  readonly path: string;
  readonly line: number;
  /** The source text of the call. */
  readonly source: string;
  /** Every text the statement can have; empty if it can't be read from the source. */
  readonly texts: readonly string[];
  /** Why it can't be read from the source. */
  readonly unreadable?: string | undefined;
  readonly module: Module;
  /** The Row type of `query<Row>(…)`; undefined if none is given. */
  readonly row?: Node | undefined;
  /** How many parameters are passed; undefined if a list is passed whose length is only known at run time. */
  readonly parameters?: number | undefined;
  /** Whether the rows come from the driver itself, without the server's column types. */
  readonly isDriver: boolean;
}

const SENDS = /\.query\b/;
const PREPARED = /: (Statement|Record<\w+, Statement>)\b|\bStatement\b.*=>|\bnamedStatement\(/;
/** Matches a named parameter, as `namedStatement` takes it. */
const NAMED = /\$([a-z]\w*)/g;

/** Finds every statement in the sources: calls of `query`, and the texts of prepared statements (`Statement`). */
export function findStatements(modules: Modules): FoundStatement[] {
  const calls = modules.where((text) => SENDS.test(text)).flatMap((module) => callsIn(modules, module));
  const prepared = modules.where((text) => PREPARED.test(text)).flatMap((module) => preparedIn(modules, module));
  return [...calls, ...prepared].toSorted(byPlace);
}

function byPlace(a: FoundStatement, b: FoundStatement): number {
  if (a.path === b.path) return a.line - b.line;
  return a.path < b.path ? -1 : 1;
}

function callsIn(modules: Modules, module: Module): FoundStatement[] {
  return nodesOf(module, "CallExpression").flatMap((call): FoundStatement[] => {
    const callee = child(call, "callee");
    if (callee?.type !== "MemberExpression" || nameOf(child(callee, "property")) !== "query") return [];
    const [text, values] = children(call, "arguments");
    if (text === undefined) return [];
    const [given] = children(child(call, "typeArguments"), "params");
    // Rows that are read as lists have no column names to compare.
    const row = given?.type === "TSArrayType" ? undefined : given;
    return [
      {
        ...read(modules, module, text),
        ...writtenAt(module, call),
        row,
        parameters: countOf(values),
        isDriver: isDriver(module, call),
      },
    ];
  });
}

/** Finds statements like `{ name: "…", text: "…" }`, which lanes take. Their rows are lists of cells without a type. */
function preparedIn(modules: Modules, module: Module): FoundStatement[] {
  return nodesOf(module, "ObjectExpression").flatMap((object): FoundStatement[] => {
    const values = new Map(
      children(object, "properties").map((property) => [nameOf(child(property, "key")), child(property, "value")]),
    );
    const text = values.get("text");
    if (text === undefined || !values.has("name") || values.size !== 2) return [];
    const found = read(modules, module, text);
    return [{ ...found, texts: found.texts.map(numbered), ...writtenAt(module, object), isDriver: false }];
  });
}

/** Replaces named parameters by numbers, in order of first use, because PostgreSQL doesn't have names. */
function numbered(text: string): string {
  const names = [...new Set(Array.from(text.matchAll(NAMED), ([, name]) => name))];
  return text.replaceAll(NAMED, (_, name: string) => `$${names.indexOf(name) + 1}`);
}

function read(modules: Modules, module: Module, node: Node) {
  try {
    return { path: module.path, module, texts: textsOf(modules, module, node) };
  } catch (error) {
    if (error instanceof Unreadable) return { path: module.path, module, texts: [], unreadable: error.message };
    throw error;
  }
}

function writtenAt({ text }: Module, { start, end }: Node) {
  return { line: lineOf(text, start), source: text.slice(start, end) };
}

/** Returns how many values a call passes; undefined if that is unknown. */
function countOf(values: Node | undefined): number | undefined {
  if (values === undefined) return 0;
  const list = bare(values);
  if (list?.type === "Identifier" && nameOf(list) === "undefined") return 0;
  if (list?.type !== "ArrayExpression") return undefined;
  const elements = children(list, "elements");
  return elements.some(({ type }) => type === "SpreadElement") ? undefined : elements.length;
}

/** Returns whether a call uses the driver, which returns `{ rows }`; the server's pools return the rows themselves. */
function isDriver(module: Module, call: Node): boolean {
  const awaited = module.parents.get(call);
  const user = awaited?.type === "AwaitExpression" ? module.parents.get(awaited) : awaited;
  const outer = user?.type === "ParenthesizedExpression" ? module.parents.get(user) : user;
  const pattern = child(outer, "id");
  if (pattern?.type === "ObjectPattern")
    return children(pattern, "properties").some((property) => nameOf(child(property, "key")) === "rows");
  return outer?.type === "MemberExpression" && /^(rows|rowCount)$/.test(nameOf(child(outer, "property")));
}
