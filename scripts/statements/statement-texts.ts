import { bare, child, children, type Module, type Modules, nameOf, nodesOf, type Node } from "./ast.ts";
import {
  bind,
  calculate,
  callsOf,
  NeedsCallers,
  pairs,
  type Place,
  unreadable,
  type Word,
  type Written,
} from "./written.ts";

/** A statement with more texts than this must be listed in `COMPOSED` instead. */
const FORMS_MAX = 64;
const DEPTH_MAX = 40;

/**
 * Reads the texts that an expression can have, without running it: literals, templates, constants of this and other
 * files, both sides of a condition, every entry of a table of texts, functions that compose texts, and parameters by
 * what callers in the project pass. Throws `Unreadable` for anything else.
 */
export function textsOf(modules: Modules, module: Module, node: Node): string[] {
  const found = new Set(readForCallers(modules, module, node, new Map()));
  if (found.size > FORMS_MAX) throw unreadable({ module }, node, `has ${found.size} forms`);
  return [...found];
}

function readForCallers(modules: Modules, module: Module, node: Node, given: ReadonlyMap<Node, Written>): string[] {
  try {
    return new Reader(modules, given).read({ module }, node, 0).map(String);
  } catch (error) {
    if (!(error instanceof NeedsCallers)) throw error;
    if (given.size > DEPTH_MAX) throw unreadable({ module }, node, "is put together in too many steps");
    const calls = callsOf(modules, error.module, error.declared);
    if (calls.length === 0)
      throw unreadable(error, error.declared, "has a parameter that decides, and no caller that can be read");
    return calls.flatMap((call) =>
      readForCallers(
        modules,
        module,
        node,
        new Map([...given, ...bind({ module: call.module }, error.declared, call.values)]),
      ),
    );
  }
}

class Reader {
  private readonly modules: Modules;
  private readonly given: ReadonlyMap<Node, Written>;

  constructor(modules: Modules, given: ReadonlyMap<Node, Written>) {
    this.modules = modules;
    this.given = given;
  }

  read(place: Place, wrapped: Node, depth: number): Word[] {
    const node = bare(wrapped) ?? wrapped;
    if (depth > DEPTH_MAX) throw unreadable(place, node, "is put together in too many steps");
    const next = (inner: Node | undefined) => (inner ? this.read(place, inner, depth + 1) : []);
    switch (node.type) {
      case "Literal": {
        const value = node["value"];
        if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return [value];
        break;
      }
      case "TemplateLiteral":
        return this.template(place, node, depth);
      case "BinaryExpression":
        return pairs(next(child(node, "left")), next(child(node, "right"))).map(([left, right]) =>
          calculate(String(node["operator"]), left, right),
        );
      case "CallExpression":
        if (nameOf(child(child(node, "callee"), "property")) === "join") return this.joined(place, node, depth);
        break;
      case "ObjectExpression":
        // A statement with its name, as the driver takes it.
        return this.entries({ node, place }, "text").flatMap((text) => this.read(text.place, text.node, depth + 1));
      default:
    }
    const found = this.values(place, node, depth);
    if (found.some((value) => value.node === node))
      throw unreadable(place, node, "is not a text that can be read from the source");
    return found.flatMap((value) => this.read(value.place, value.node, depth + 1));
  }

  /** Reads a template. A part that occurs twice has the same text in both places. */
  private template(place: Place, node: Node, depth: number): string[] {
    const quasis = (node["quasis"] as readonly { readonly value: { readonly cooked: string } }[]).map(
      ({ value }) => value.cooked,
    );
    const parts = children(node, "expressions").map((part) => place.module.text.slice(part.start, part.end));
    const words = new Map(
      children(node, "expressions").map((part, index) => [
        parts[index],
        [part, this.read(place, part, depth + 1)] as const,
      ]),
    );
    let forms: ReadonlyMap<string | undefined, Word>[] = [new Map()];
    for (const [part, [, choices]] of words)
      forms = pairs(forms, choices).map(([form, choice]) => new Map([...form, [part, choice]]));
    return forms.map((form) =>
      quasis.map((text, index) => `${text}${index < parts.length ? form.get(parts[index]) : ""}`).join(""),
    );
  }

  private joined(place: Place, node: Node, depth: number): Word[] {
    const [end] = children(node, "arguments");
    const [separator] = end ? this.read(place, end, depth + 1) : [","];
    const lists = this.items(place, child(child(node, "callee"), "object") ?? node, depth + 1).map((item) =>
      this.read(item.place, item.node, depth + 1),
    );
    return lists.reduce<Word[]>(
      (texts, words, index) =>
        pairs(texts, words).map(([left, right]) => (index === 0 ? right : `${left}${separator}${right}`)),
      [""],
    );
  }

  /** Returns the expressions that a name, member, condition or call can stand for; any other expression itself. */
  private values(place: Place, wrapped: Node, depth: number): Written[] {
    const node = bare(wrapped) ?? wrapped;
    if (depth > DEPTH_MAX) throw unreadable(place, node, "is put together in too many steps");
    const sides = (...names: readonly string[]) =>
      names.flatMap((side) => this.values(place, child(node, side) ?? node, depth + 1));
    switch (node.type) {
      case "ConditionalExpression":
        return sides("consequent", "alternate");
      case "LogicalExpression":
        return sides("left", "right");
      case "MemberExpression":
        return this.members(place, node, depth);
      case "CallExpression":
        return this.answers(place, node, depth);
      case "Identifier":
        return this.named(place, node, depth);
      default:
        return [{ node, place }];
    }
  }

  private named(place: Place, node: Node, depth: number): Written[] {
    const local = this.local(place, node, nameOf(node), depth);
    if (local) return local;
    const top = this.modules.find(place.module, nameOf(node));
    const initial = top && child(top.node, "init");
    if (top && initial) return this.values({ module: top.module }, initial, depth + 1);
    throw unreadable(place, node, "is a name whose value is not in the source");
  }

  /** Resolves a name within the functions and loops around it; undefined if it belongs to the file. */
  private local(place: Place, use: Node, name: string, depth: number): Written[] | undefined {
    const { module } = place;
    for (let around = module.parents.get(use); around; around = module.parents.get(around)) {
      for (const statement of around.type === "BlockStatement" ? children(around, "body") : []) {
        const found = children(statement, "declarations").find((item) => nameOf(child(item, "id")) === name);
        const initial = child(found, "init");
        if (initial) return this.values(place, initial, depth + 1);
      }
      if (around.type === "ForOfStatement") {
        const [declared] = children(child(around, "left"), "declarations");
        const items = this.looped(place, child(declared, "id"), child(around, "right"), name, depth);
        if (items) return items;
      }
      const param = children(around, "params").find((found) => nameOf(child(found, "left") ?? found) === name);
      if (param === undefined) continue;
      const bound = place.bindings?.get(param) ?? this.given.get(param);
      if (bound === undefined) throw new NeedsCallers(module, around);
      return this.values(bound.place, bound.node, depth + 1);
    }
    return undefined;
  }

  /** Resolves names in `for (const name of LIST)` and `for (const [key, name] of Object.entries(TABLE))`. */
  private looped(place: Place, pattern: Node | undefined, source: Node | undefined, name: string, depth: number) {
    if (!pattern || !source) return undefined;
    if (nameOf(pattern) === name) return this.items(place, source, depth + 1);
    const isEntries = /^Object\.entries\b/.test(place.module.text.slice(source.start, source.end));
    return isEntries && nameOf(children(pattern, "elements")[1]) === name
      ? this.table(place, source, depth)
      : undefined;
  }

  /** Returns the entries of a table that a key selects; all of them if the key is only known at run time. */
  private members(place: Place, node: Node, depth: number): Written[] {
    const property = child(node, "property");
    const isKnown = node["computed"] !== true || property?.type === "Literal";
    const object = child(node, "object") ?? node;
    return this.values(place, object, depth + 1).flatMap((table) => {
      // A null table has no entries.
      if (table.node.type === "Literal" && table.node["value"] === null) return [];
      if (table.node.type === "ArrayExpression") return this.items(table.place, table.node, depth + 1);
      return this.entries(table, isKnown ? nameOf(property) : undefined).flatMap((entry) =>
        this.values(entry.place, entry.node, depth + 1),
      );
    });
  }

  private entries(table: Written, key?: string): Written[] {
    const { node, place } = table;
    if (node.type !== "ObjectExpression")
      throw unreadable(place, node, "is not a table of texts that can be read from the source");
    const found = children(node, "properties").flatMap((property): Written[] => {
      const spread = property.type === "SpreadElement" ? child(property, "argument") : undefined;
      if (spread) return this.values(place, spread, 1).flatMap((inner) => this.entries(inner, key));
      const value = child(property, "value");
      return value && (key === undefined || nameOf(child(property, "key")) === key) ? [{ node: value, place }] : [];
    });
    if (found.length === 0) throw unreadable(place, node, `has no ${key ?? "entry"} that can be read from the source`);
    return found;
  }

  /** Reads `Object.values(TABLE)` and `Object.entries(TABLE)`. */
  private table(place: Place, call: Node, depth: number): Written[] {
    const [table] = children(call, "arguments");
    return table ? this.values(place, table, depth + 1).flatMap((found) => this.entries(found)) : [];
  }

  private items(place: Place, list: Node, depth: number): Written[] {
    return this.values(place, list, depth + 1).flatMap((found): Written[] => {
      if (found.node.type === "ArrayExpression") {
        return children(found.node, "elements").flatMap((node) => {
          const spread = node.type === "SpreadElement" ? child(node, "argument") : undefined;
          return spread ? this.items(found.place, spread, depth + 1) : [{ node, place: found.place }];
        });
      }
      const method = nameOf(child(child(found.node, "callee"), "property"));
      const source = child(child(found.node, "callee"), "object");
      const [each] = children(found.node, "arguments");
      if (source && each && (method === "map" || method === "flatMap")) {
        return this.items(found.place, source, depth + 1)
          .flatMap((item) => this.results({ ...found.place, bindings: this.bound(found.place, each, [item]) }, each))
          .flatMap((result) => (method === "map" ? [result] : this.items(result.place, result.node, depth + 1)));
      }
      if (source && /^(sort|toSorted)$/.test(method)) return this.items(found.place, source, depth + 1);
      if (nameOf(source) === "Object" && method === "values") return this.table(found.place, found.node, depth);
      throw unreadable(found.place, found.node, "is not a list that can be read from the source");
    });
  }

  /** Returns the results of a call to a function in the source; the call itself if it is a method of a list. */
  private answers(place: Place, call: Node, depth: number): Written[] {
    const callee = child(call, "callee");
    if (callee?.type === "MemberExpression") return [{ node: call, place }];
    const found = callee && this.modules.find(place.module, nameOf(callee));
    const declared = found && (child(found.node, "init") ?? found.node);
    if (!found || !declared) throw unreadable(place, call, "is a call that cannot be read from the source");
    const values = children(call, "arguments").map((node) => ({ node, place }));
    return this.results({ module: found.module, bindings: this.bound(place, declared, values) }, declared).flatMap(
      (result) => this.values(result.place, result.node, depth + 1),
    );
  }

  private bound(place: Place, declared: Node, values: readonly Written[]): ReadonlyMap<Node, Written> {
    const given = children(declared, "params").flatMap((param, index) => {
      const value = values[index];
      return value ? [[param, value] as const] : [];
    });
    return new Map([...bind(place, declared, []), ...(place.bindings ?? []), ...given]);
  }

  /** Returns a function's results: its expression, or all values that it returns. */
  private results(place: Place, declared: Node): Written[] {
    const body = child(declared, "body");
    if (body && body.type !== "BlockStatement") return [{ node: body, place }];
    const returned = nodesOf(place.module, "ReturnStatement").filter(
      (found) => body && found.start >= body.start && found.end <= body.end,
    );
    const nodes = returned.flatMap((found) => child(found, "argument") ?? []);
    if (nodes.length === 0) throw unreadable(place, declared, "is no function whose answer can be read");
    return nodes.map((node) => ({ node, place }));
  }
}
