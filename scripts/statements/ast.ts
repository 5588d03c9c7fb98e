import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "oxc-parser";

/** A node of the syntax tree. Its fields are read by name, because these walks meet nearly every kind of node. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

export function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

export function children(node: Node | undefined, field: string): readonly Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the name of an identifier or the text of a string; an empty text for anything else. */
export function nameOf(node: Node | undefined): string {
  const value = node?.["name"] ?? node?.["value"];
  return typeof value === "string" ? value : "";
}

/** Returns the node inside `as const`, `satisfies …`, parentheses and `await`. */
export function bare(node: Node | undefined): Node | undefined {
  let inner = node;
  while (
    inner &&
    /^(TSAsExpression|TSSatisfiesExpression|ParenthesizedExpression|TSNonNullExpression)$/.test(inner.type)
  )
    inner = child(inner, "expression");
  return inner;
}

/** A parsed source file with its top-level declarations. */
export interface Module {
  readonly path: string;
  readonly text: string;
  readonly program: Node;
  /** The parent of every node. */
  readonly parents: ReadonlyMap<Node, Node>;
  /** All nodes by their type. */
  readonly kinds: ReadonlyMap<string, readonly Node[]>;
  /** Top-level values, functions and types, by name. */
  readonly declared: ReadonlyMap<string, Node>;
  /** Imported names, each with its file and its name there. */
  readonly imported: ReadonlyMap<string, { readonly path: string; readonly name: string }>;
  /** Files from which everything is re-exported. */
  readonly passedOn: readonly string[];
}

/** A module while it is being built. */
type OpenModule = Module & {
  readonly declared: Map<string, Node>;
  readonly imported: Map<string, { path: string; name: string }>;
  readonly passedOn: string[];
};

/** The project's modules. Each one is parsed when it is first needed. */
export class Modules {
  private readonly root: string;
  private readonly texts: ReadonlyMap<string, string>;
  private readonly known = new Map<string, Module | undefined>();

  /** `texts` holds files by their path from `root`; other files are read from disk. */
  constructor(root: string, texts: ReadonlyMap<string, string>) {
    this.root = root;
    this.texts = texts;
  }

  /** Returns the module at a path; undefined if there is no such file. Throws if it doesn't parse. */
  at(path: string): Module | undefined {
    if (!this.known.has(path)) this.known.set(path, this.parse(path));
    return this.known.get(path);
  }

  /** Returns the modules of `texts` whose text fulfils a condition. */
  where(condition: (text: string) => boolean): Module[] {
    return [...this.texts].flatMap(([path, text]) => (condition(text) ? (this.at(path) ?? []) : []));
  }

  /** Finds what a top-level name in a module stands for, through imports and re-exports. */
  find(module: Module, name: string): { readonly module: Module; readonly node: Node } | undefined {
    const own = module.declared.get(name);
    if (own) return { module, node: own };
    const from = module.imported.get(name);
    if (from) {
      const next = this.at(from.path);
      return next && this.find(next, from.name);
    }
    for (const path of module.passedOn) {
      const next = this.at(path);
      const found = next && this.find(next, name);
      if (found) return found;
    }
    return undefined;
  }

  private parse(path: string): Module | undefined {
    const file = join(this.root, path);
    const text = this.texts.get(path) ?? (existsSync(file) ? readFileSync(file, "utf8") : undefined);
    if (text === undefined) return undefined;
    const { program, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
    const top = program as unknown as Node;
    const parents = new Map<Node, Node>();
    noteParents(top, parents);
    const kinds = Map.groupBy(parents.keys(), ({ type }) => type);
    const module = { path, text, program: top, parents, kinds, declared: new Map(), imported: new Map(), passedOn: [] };
    for (const statement of children(top, "body")) this.addDeclared(module, statement);
    return module;
  }

  private addDeclared(module: OpenModule, statement: Node): void {
    const source = child(statement, "source");
    if (source) {
      this.addImported(module, statement, this.resolve(module.path, nameOf(source)));
      return;
    }
    const declaration = statement.type === "ExportNamedDeclaration" ? child(statement, "declaration") : statement;
    if (declaration?.type === "VariableDeclaration") {
      for (const item of children(declaration, "declarations")) module.declared.set(nameOf(child(item, "id")), item);
    } else if (declaration && child(declaration, "id")) {
      module.declared.set(nameOf(child(declaration, "id")), declaration);
    }
  }

  /** Records what a statement imports or re-exports from a file of the project. */
  private addImported(module: OpenModule, statement: Node, path: string | undefined): void {
    if (path === undefined) return;
    if (statement.type === "ExportAllDeclaration") module.passedOn.push(path);
    for (const specifier of children(statement, "specifiers")) {
      const isImport = statement.type === "ImportDeclaration";
      const outer = nameOf(child(specifier, isImport ? "local" : "exported"));
      // A namespace import has no name in the other file.
      const isWhole = specifier.type === "ImportNamespaceSpecifier";
      const inner = isWhole ? "*" : nameOf(child(specifier, isImport ? "imported" : "local"));
      if (inner !== "") module.imported.set(outer, { path, name: inner });
    }
  }

  /** Returns the path of an imported file, from the root; undefined for packages that aren't the project's own. */
  private resolve(from: string, specifier: string): string | undefined {
    if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
    const [, name, rest = ""] = /^@fairtick\/([a-z0-9-]+)(\/.*)?$/.exec(specifier) ?? [];
    for (const folder of name === undefined ? [] : [`packages/${name}`, `apps/${name}`]) {
      const manifest = join(this.root, folder, "package.json");
      if (!existsSync(manifest)) continue;
      const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { exports?: Record<string, string> };
      for (const [pattern, target] of Object.entries(exports ?? {})) {
        if (pattern === `.${rest}`) return normalize(join(folder, target));
        const [head = "", tail] = pattern.split("*");
        if (tail === undefined || !`.${rest}`.startsWith(head)) continue;
        return normalize(join(folder, target.replace("*", `.${rest}`.slice(head.length))));
      }
    }
    return undefined;
  }
}

function noteParents(node: Node, parents: Map<Node, Node>): void {
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (!isNode(inner)) continue;
      parents.set(inner, node);
      noteParents(inner, parents);
    }
  }
}

/** Returns the nodes of a type in a module, outer ones first. */
export function nodesOf(module: Module, type: string): readonly Node[] {
  return module.kinds.get(type) ?? [];
}

/** Returns the line of a position in a text, counted from 1. */
export function lineOf(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}
