import { child, children, lineOf, type Module, type Modules, nameOf, type Node } from "./ast.ts";
import { schemaField } from "./schema-type.ts";

/**
 * What a field's type in a Row allows: JavaScript's primitive types, `null`, `undefined`, `Date`, `Buffer`,
 * `object`, `any` (also for `unknown`), or an array of one of them, as in `bigint[]`.
 */
export interface FieldType {
  readonly kinds: ReadonlySet<string>;
  /** The words of a union of string literals; undefined if any text is allowed. */
  readonly words?: ReadonlySet<string> | undefined;
  /** Marked `Present<…>`: the statement guarantees a value where the schema can't. */
  readonly present?: boolean | undefined;
  /** Where it is written, since several statements may share a Row type. */
  readonly origin?: string | undefined;
}

/** Thrown if a type can't be read from the source; the message says which part and where. */
export class UnreadableType extends Error {}

/** A type with its place in the source and the types bound to the parameters around it. */
interface Written {
  readonly module: Module;
  readonly node: Node;
  readonly parameters?: ReadonlyMap<string, Written> | undefined;
  /** A field's types in each part of a union of Row types. */
  readonly alternatives?: readonly Written[] | undefined;
}

const KEYWORDS: Readonly<Record<string, string>> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBigIntKeyword: "bigint",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSUndefinedKeyword: "undefined",
  TSUnknownKeyword: "any",
  TSAnyKeyword: "any",
  TSObjectKeyword: "object",
  TSTypeLiteral: "object",
  TSTemplateLiteralType: "string",
  TSMappedType: "object",
};
const CLASSES: Readonly<Record<string, string>> = {
  Date: "Date",
  Buffer: "Buffer",
  Uint8Array: "Buffer",
  Record: "object",
};
const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

/**
 * Reads the fields of a Row type from the source: type literals, interfaces, aliases, intersections, imports, `Pick`, `Omit`,
 * `Partial`, `Readonly` and `Record`. Throws `UnreadableType` for anything else.
 */
export function fieldsOf(modules: Modules, module: Module, node: Node): Map<string, FieldType> {
  const reader = new TypeReader(modules);
  const fields = [...reader.fields({ module, node })];
  return new Map(
    fields.map(([name, type]) => {
      const parts = (type.alternatives ?? [type]).map((part) => reader.field(part));
      return [name, { ...union(parts), origin: `${type.module.path}:${type.node.start}` }];
    }),
  );
}

class TypeReader {
  private readonly modules: Modules;

  constructor(modules: Modules) {
    this.modules = modules;
  }

  fields(type: Written): Map<string, Written> {
    const { node } = type;
    switch (node.type) {
      case "TSTypeLiteral":
        return this.signatures(type, children(node, "members"));
      case "TSInterfaceDeclaration":
        return new Map([
          ...children(node, "extends").flatMap((parent) => Array.from(this.fields(inside(type, parent)))),
          ...this.signatures(type, children(child(node, "body"), "body")),
        ]);
      case "TSTypeAliasDeclaration":
        return this.fields(inside(type, child(node, "typeAnnotation")));
      case "TSParenthesizedType":
        return this.fields(inside(type, child(node, "typeAnnotation")));
      case "TSIntersectionType":
        return new Map(children(node, "types").flatMap((part) => Array.from(this.fields(inside(type, part)))));
      case "TSIndexedAccessType":
        return this.fields(this.entry(type));
      case "TSTypeReference":
      case "TSInterfaceHeritage":
        return this.referred(type);
      case "TSUnionType":
        return this.alternatives(type);
      default:
        throw this.unreadable(type);
    }
  }

  /** Returns each field of `{ … } | { … }` with all the types it can have; a `null` in the union adds none. */
  private alternatives(type: Written): Map<string, Written> {
    const parts = children(type.node, "types").filter((part) => part.type !== "TSNullKeyword");
    const found = parts.flatMap((part) => Array.from(this.fields(inside(type, part))));
    const grouped = Map.groupBy(found, ([name]) => name);
    return new Map(
      [...grouped].flatMap(([name, entries]) => {
        const [first] = entries;
        return first ? [[name, { ...first[1], alternatives: entries.map(([, field]) => field) }] as const] : [];
      }),
    );
  }

  private signatures(type: Written, members: readonly Node[]): Map<string, Written> {
    return new Map(
      members.flatMap((member) => {
        const annotation = child(child(member, "typeAnnotation"), "typeAnnotation");
        const name = nameOf(child(member, "key"));
        // `[name: string]: unknown` doesn't name a column.
        return annotation && name !== "" ? [[name, inside(type, annotation)] as const] : [];
      }),
    );
  }

  private referred(type: Written): Map<string, Written> {
    const name = nameOf(child(type.node, "typeName") ?? child(type.node, "expression"));
    const [first, second] = children(child(type.node, "typeArguments"), "params");
    if (first === undefined || this.isDeclared(type, name)) return this.fields(this.named(type, name, type.node));
    if (/^(Readonly|Partial|Required|NonNullable)$/.test(name)) return this.fields(inside(type, first));
    const names = (of: Node | undefined) => this.field(inside(type, of)).words ?? new Set<string>();
    if (name === "Pick") return pick(this.fields(inside(type, first)), (field) => names(second).has(field));
    if (name === "Omit") return pick(this.fields(inside(type, first)), (field) => !names(second).has(field));
    // A Record with arbitrary keys adds no field that the result must have.
    if (name === "Record") return new Map([...names(first)].map((field) => [field, inside(type, second)]));
    throw this.unreadable(type);
  }

  field(type: Written): FieldType {
    const { node } = type;
    const keyword = KEYWORDS[node.type];
    if (keyword !== undefined) return { kinds: new Set([keyword]) };
    const inner = child(node, "typeAnnotation");
    switch (node.type) {
      case "TSLiteralType":
        return literal(child(node, "literal"));
      case "TSParenthesizedType":
      case "TSTypeOperator":
      case "TSTypeAliasDeclaration":
        if (node["operator"] === "keyof") return { kinds: new Set(["string"]), words: this.keys(inside(type, inner)) };
        return this.field(inside(type, inner));
      case "TSArrayType":
        return arrayOf(this.field(inside(type, child(node, "elementType"))));
      case "TSTupleType":
        return arrayOf(union(children(node, "elementTypes").map((part) => this.field(inside(type, part)))));
      case "TSUnionType":
        return union(children(node, "types").map((part) => this.field(inside(type, part))));
      case "TSIntersectionType": {
        // `bigint & { readonly unit: … }` is a bigint with a brand for the compiler.
        const parts = children(node, "types").map((part) => this.field(inside(type, part)));
        return (
          parts.find(({ kinds }) => [...kinds].some((kind) => PRIMITIVES.has(kind))) ?? { kinds: new Set(["object"]) }
        );
      }
      case "TSIndexedAccessType":
        return this.indexed(type);
      case "TSTypeReference":
        return this.referredField(type);
      case "TSInterfaceDeclaration":
        return { kinds: new Set(["object"]) };
      default:
        throw this.unreadable(type);
    }
  }

  private referredField(type: Written): FieldType {
    const name = nameOf(child(type.node, "typeName"));
    const [first] = children(child(type.node, "typeArguments"), "params");
    const kind = CLASSES[name];
    if (kind !== undefined) return { kinds: new Set([kind]) };
    if (first !== undefined) {
      if (name === "Present") return { ...this.field(inside(type, first)), present: true };
      if (name === "Array" || name === "ReadonlyArray") return arrayOf(this.field(inside(type, first)));
      if (name === "Readonly") return this.field(inside(type, first));
      if (/^(Partial|Pick|Omit)$/.test(name)) return { kinds: new Set(["object"]) };
      if (name === "Exclude" || name === "Extract" || name === "NonNullable") {
        const { kinds } = this.field(inside(type, first));
        return { kinds: new Set([...kinds].filter((found) => name !== "NonNullable" || found !== "null")) };
      }
    }
    return this.field(this.named(type, name, type.node));
  }

  /** Reads `Row["field"]` and `(typeof LIST)[number]`. */
  private indexed(type: Written): FieldType {
    const object = child(type.node, "objectType");
    const index = child(type.node, "indexType");
    const query = object?.type === "TSParenthesizedType" ? child(object, "typeAnnotation") : object;
    if (query?.type === "TSTypeQuery") return this.queried(type, query);
    const schema = this.inferred(inside(type, object));
    const [name = ""] = this.field(inside(type, index)).words ?? [];
    const field = schema && schemaField(this.modules, schema.module, nameOf(child(schema.node, "exprName")), name);
    return field ?? this.field(this.entry(type));
  }

  /** Returns the type of `Row["field"]`. */
  private entry(type: Written): Written {
    const [name] = this.field(inside(type, child(type.node, "indexType"))).words ?? [];
    const found = name === undefined ? undefined : this.fields(inside(type, child(type.node, "objectType"))).get(name);
    if (found === undefined) throw this.unreadable(type);
    return found;
  }

  /** Finds the `typeof schema` of `v.InferOutput<typeof schema>`, through aliases. */
  private inferred(type: Written): Written | undefined {
    const name = child(type.node, "typeName");
    const [first] = children(child(type.node, "typeArguments"), "params");
    if (first?.type === "TSTypeQuery" && nameOf(child(name, "right")) === "InferOutput") return inside(type, first);
    if (type.node.type !== "TSTypeReference" || name?.type !== "Identifier") return undefined;
    const found = this.modules.find(type.module, nameOf(name));
    const alias = found?.node.type === "TSTypeAliasDeclaration" ? child(found.node, "typeAnnotation") : undefined;
    return found && alias && this.inferred({ module: found.module, node: alias });
  }

  private queried(type: Written, query: Node): FieldType {
    const found = this.modules.find(type.module, nameOf(child(query, "exprName")));
    const text = found?.module.text.slice(found.node.start, found.node.end) ?? "";
    const list = /^\w+[^=]*= (?:\[([^\]]*)\]|\{)/.exec(text)?.[1];
    if (list === undefined) throw this.unreadable(type);
    return {
      kinds: new Set(["string"]),
      words: new Set(Array.from(list.matchAll(/"([^"]*)"/g), ([, word = ""]) => word)),
    };
  }

  private keys(type: Written): ReadonlySet<string> | undefined {
    if (type.node.type === "TSTypeQuery") return undefined;
    return new Set(this.fields(type).keys());
  }

  private isDeclared(type: Written, name: string): boolean {
    return type.parameters?.has(name) === true || this.modules.find(type.module, name) !== undefined;
  }

  /** Resolves a type's name, with its own parameters bound. */
  private named(type: Written, name: string, use: Node): Written {
    const bound = type.parameters?.get(name);
    if (bound) return bound;
    const found = this.modules.find(type.module, name);
    if (!found) throw this.unreadable({ ...type, node: use });
    const given = children(child(use, "typeArguments"), "params");
    const parameters = new Map(
      children(child(found.node, "typeParameters"), "params").flatMap((parameter, index) => {
        const argument = given[index];
        return argument ? [[nameOf(child(parameter, "name")), inside(type, argument)] as const] : [];
      }),
    );
    return { ...found, parameters };
  }

  private unreadable({ module, node }: Written): UnreadableType {
    const shown = module.text.slice(node.start, node.end).replaceAll(/\s+/g, " ").slice(0, 80);
    return new UnreadableType(`\`${shown}\` (${module.path}:${lineOf(module.text, node.start)})`);
  }
}

function inside(type: Written, node: Node | undefined): Written {
  return { module: type.module, parameters: type.parameters, node: node ?? type.node };
}

function pick<Value>(from: ReadonlyMap<string, Value>, isWanted: (name: string) => boolean): Map<string, Value> {
  return new Map([...from].filter(([name]) => isWanted(name)));
}

function literal(node: Node | undefined): FieldType {
  const value = node?.["value"];
  if (typeof value === "string") return { kinds: new Set(["string"]), words: new Set([value]) };
  return { kinds: new Set([node?.type === "TemplateLiteral" ? "string" : typeof value]) };
}

function arrayOf({ kinds }: FieldType): FieldType {
  const elements = [...kinds].filter((kind) => kind !== "null" && kind !== "undefined");
  return { kinds: new Set(elements.map((kind) => `${kind}[]`)) };
}

function union(parts: readonly FieldType[]): FieldType {
  const texts = parts.filter(({ kinds }) => kinds.has("string"));
  const isOpen = texts.some(({ words }) => words === undefined);
  return {
    kinds: new Set(parts.flatMap(({ kinds }) => [...kinds])),
    words: isOpen || texts.length === 0 ? undefined : new Set(texts.flatMap(({ words }) => Array.from(words ?? []))),
    present: parts.some(({ present }) => present === true),
  };
}
