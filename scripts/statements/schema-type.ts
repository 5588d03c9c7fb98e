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
 * What a field of a schema (`v.object({ … })` in packages/protocol) says of a value; undefined where it cannot be told from
 * the source. The schema is found by its name, as in `v.InferOutput<typeof deposit>`.
 */
export function schemaField(modules: Modules, module: Module, schema: string, field: string): FieldType | undefined {
  const found = resolve(modules, module, schema);
  const [object] = found ? children(found.node, "arguments") : [];
  const property = children(object, "properties").find((entry) => nameOf(child(entry, "key")) === field);
  const node = child(property, "value");
  return found && node ? typeOf(modules, { module: found.module, node }) : undefined;
}

function typeOf(modules: Modules, { module, node }: Schema): FieldType | undefined {
  if (node.type === "Identifier") {
    const found = resolve(modules, module, nameOf(node));
    return found && typeOf(modules, found);
  }
  // `s.text`: an entry of a file that is imported as a whole.
  if (node.type === "MemberExpression") {
    const from = module.imported.get(nameOf(child(node, "object")));
    const shapes = from && modules.at(from.path);
    const found = shapes && resolve(modules, shapes, nameOf(child(node, "property")));
    return found && typeOf(modules, found);
  }
  const called = nameOf(child(child(node, "callee"), "property"));
  const [first] = children(node, "arguments");
  const inner = first && { module, node: first };
  if (inner && (called === "pipe" || called === "brand")) return typeOf(modules, inner);
  if (inner && (called === "nullable" || called === "optional" || called === "nullish")) {
    const type = typeOf(modules, inner);
    const nothing = called === "nullable" ? ["null"] : called === "optional" ? ["undefined"] : ["null", "undefined"];
    return type && { ...type, kinds: new Set([...type.kinds, ...nothing]) };
  }
  if (called === "literal") return { kinds: new Set([typeof first?.["value"]]) };
  const kind = KINDS[called];
  if (kind === undefined) return undefined;
  const words =
    called === "picklist" && first?.type === "ArrayExpression" ? children(first, "elements").map(nameOf) : undefined;
  return { kinds: new Set([kind]), words: words && new Set(words) };
}

function resolve(modules: Modules, module: Module, name: string): Schema | undefined {
  const found = modules.find(module, name);
  const node = found && child(found.node, "init");
  return found && node && { module: found.module, node };
}
