import { child, children, lineOf, type Module, type Modules, nameOf, nodesOf, type Node } from "./ast.ts";

/** Thrown if a statement can't be read from the source; the message says which part and where. */
export class Unreadable extends Error {}

/** Thrown if a text depends on a function's parameter, so that its callers have to be read. */
export class NeedsCallers extends Error {
  readonly module: Module;
  readonly declared: Node;

  constructor(module: Module, declared: Node) {
    super("a parameter decides");
    this.module = module;
    this.declared = declared;
  }
}

/** An expression and its place in the source. */
export interface Written {
  readonly node: Node;
  readonly place: Place;
}

/** Where an expression is read: its file, and the values bound to the parameters of the functions around it. */
export interface Place {
  readonly module: Module;
  readonly bindings?: ReadonlyMap<Node, Written> | undefined;
}

export type Word = string | number | bigint;

/** Returns every call of a function in the project's sources, with its arguments. */
export function callsOf(modules: Modules, module: Module, declared: Node) {
  const name = nameOf(child(declared, "id") ?? child(module.parents.get(declared), "id"));
  const target = name === "" ? undefined : modules.find(module, name)?.node;
  if (target === undefined) return [];
  const isExported = new RegExp(`\\bexport [^=;]*\\b${name}\\b`).test(module.text);
  const callers = isExported
    ? modules.where((text) => text.includes(`${name}(`) || text.includes(`${name}<`))
    : [module];
  return callers
    .filter((caller) => modules.find(caller, name)?.node === target)
    .flatMap((caller) =>
      nodesOf(caller, "CallExpression").flatMap((call) =>
        nameOf(child(call, "callee")) === name ? [{ module: caller, values: children(call, "arguments") }] : [],
      ),
    );
}

/** Binds the values of a call to the function's parameters. */
export function bind(place: Place, declared: Node, values: readonly Node[]): Map<Node, Written> {
  return new Map(
    children(declared, "params").flatMap((param, index) => {
      const node = values[index] ?? child(param, "right");
      return node ? [[param, { node, place }] as const] : [];
    }),
  );
}

export function unreadable({ module }: Pick<Place, "module">, node: Node, why: string): Unreadable {
  const shown = module.text.slice(node.start, node.end).replaceAll(/\s+/g, " ").slice(0, 80);
  return new Unreadable(`\`${shown}\` (${module.path}:${lineOf(module.text, node.start)}) ${why}`);
}

export function pairs<Left, Right>(left: readonly Left[], right: readonly Right[]): [Left, Right][] {
  return left.flatMap((one) => right.map((other): [Left, Right] => [one, other]));
}

export function calculate(operator: string, left: Word, right: Word): Word {
  if (typeof left === "string" || typeof right === "string") {
    if (operator === "+") return `${left}${right}`;
  } else if (typeof left === "bigint" && typeof right === "bigint") {
    if (operator === "<<") return left << right;
    if (operator === "+") return left + right;
    if (operator === "-") return left - right;
    if (operator === "*") return left * right;
  } else {
    const [one, other] = [Number(left), Number(right)];
    if (operator === "+") return one + other;
    if (operator === "-") return one - other;
    if (operator === "*") return one * other;
    if (operator === "/") return one / other;
  }
  throw new Unreadable(`${left} ${operator} ${right} is not calculated here`);
}
