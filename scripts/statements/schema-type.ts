import { child, children, type Module, type Modules, nameOf, type Node } from "./ast.ts";
import type { FieldType } from "./row-type.ts";

interface Schema {
  readonly module: Module;
  readonly node: Node;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "string",
  picklist: "string",
  number: "number",
  bigint: "bigint",
  boolean: "boolean",
  date: "Date",
  object: "object",
  strictObject: "object",
  record: "object",
  array: "object",
  unknown: "any",
};

/**
 * Reads what a field of a schema (`v.object({ … })` in packages/protocol) allows; undefined if the source doesn't tell.
 * The schema is found by its name, as in `v.InferOutput<typeof deposit>`.
 */
export function schemaField(modules: Modules, module: Module, schema: string, field: string): FieldType | undefined {
  const found = resolve(modules, module, schema);
  const [object] = found ? children(found.node, "arguments") : [];
  const property = children(object, "properties").find((entry) => nameOf(child(entry, "key")) === field);
  const node = child(property, "value");
  return found && node ? typeOf(modules, { module: found.module, node }) : undefined;
}

/** What each wrapper adds to the kinds of the value inside it. */
const MAY_BE_MISSING: Readonly<Record<string, readonly string[]>> = {
  pipe: [],
  brand: [],
  nullable: ["null"],
  optional: ["undefined"],
  nullish: ["null", "undefined"],
};

function typeOf(modules: Modules, { module, node }: Schema): FieldType | undefined {
  const named = namedSchema(modules, module, node);
  if (named !== null) return named && typeOf(modules, named);
  const called = nameOf(child(child(node, "callee"), "property"));
  const [first] = children(node, "arguments");
  const missing = MAY_BE_MISSING[called];
  if (first && missing !== undefined) {
    const type = typeOf(modules, { module, node: first });
    return type && { ...type, kinds: new Set([...type.kinds, ...missing]) };
  }
  if (called === "literal") return { kinds: new Set([typeof first?.["value"]]) };
  const kind = KINDS[called];
  if (kind === undefined) return undefined;
  const words =
    called === "picklist" && first?.type === "ArrayExpression" ? children(first, "elements").map(nameOf) : undefined;
  return { kinds: new Set([kind]), words: words && new Set(words) };
}

/** Returns the schema that a name refers to; null if the node isn't a name, undefined if the name can't be found. */
function namedSchema(modules: Modules, module: Module, node: Node): Schema | undefined | null {
  if (node.type === "Identifier") return resolve(modules, module, nameOf(node));
  if (node.type !== "MemberExpression") return null;
  // `s.text`: an export of a namespace import.
  const from = module.imported.get(nameOf(child(node, "object")));
  const shapes = from && modules.at(from.path);
  return shapes && resolve(modules, shapes, nameOf(child(node, "property")));
}

function resolve(modules: Modules, module: Module, name: string): Schema | undefined {
  const found = modules.find(module, name);
  const node = found && child(found.node, "init");
  return found && node && { module: found.module, node };
}
