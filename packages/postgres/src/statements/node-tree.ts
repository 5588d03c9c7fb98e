/**
 * PostgreSQL's text form of an analyzed statement (`pg_node_tree`), as stored in `pg_proc.prosqlbody` and
 * `pg_rewrite.ev_action`: `{VAR :varno 1 :varattno 2 …}` is a node, `( … )` a list, `<>` nothing, and anything else a
 * word.
 */
export type Tree = string | null | readonly Tree[] | TreeNode;

/** A node with its kind (`QUERY`, `VAR`, `FUNCEXPR`) and its fields by name. */
export class TreeNode {
  readonly kind: string;
  private readonly fields: ReadonlyMap<string, Tree>;

  constructor(kind: string, fields: ReadonlyMap<string, Tree>) {
    this.kind = kind;
    this.fields = fields;
  }

  /** Returns the node in a field; undefined if it has none. */
  node(name: string): TreeNode | undefined {
    const value = this.fields.get(name);
    return value instanceof TreeNode ? value : undefined;
  }

  /** Returns the nodes of a field that has a list; empty if it has none. */
  nodes(name: string): readonly TreeNode[] {
    return this.list(name).filter((item) => item instanceof TreeNode);
  }

  list(name: string): readonly Tree[] {
    const value = this.fields.get(name);
    return Array.isArray(value) ? (value as readonly Tree[]) : [];
  }

  number(name: string): number {
    return Number(this.word(name));
  }

  /** Returns the word in a field; empty if it has none. */
  word(name: string): string {
    const value = this.fields.get(name);
    return typeof value === "string" ? value : "";
  }

  is(name: string): boolean {
    return this.word(name) === "true";
  }

  /** Returns all values of the node, for walking a whole tree. */
  values(): Iterable<Tree> {
    return this.fields.values();
  }
}

/**
 * Matches braces, parentheses, or a word. A backslash makes the next character part of the word; a quoted word ends at
 * its quote.
 */
const TOKENS = /[{}()]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()\\])+/gs;

/** Parses a tree from its text. Throws if the text ends too early. */
export function parseTree(text: string): Tree {
  const tokens = text.match(TOKENS) ?? [];
  let at = 0;

  function value(): Tree {
    const token = tokens[at++];
    if (token === undefined) throw new Error("a pg_node_tree ended too early");
    if (token === "(") return items(")");
    if (token === "{") return node();
    return token === "<>" ? null : unescape(token);
  }

  function items(end: string): Tree[] {
    const found: Tree[] = [];
    while (tokens[at] !== end) found.push(value());
    at += 1;
    return found;
  }

  function node(): TreeNode {
    const kind = tokens[at++] ?? "";
    const fields = new Map<string, Tree>();
    while (tokens[at] !== "}") {
      const name = String(tokens[at++]).slice(1);
      const found: Tree[] = [];
      while (tokens[at] !== "}" && tokens[at]?.startsWith(":") === false) found.push(value());
      // The bytes of a constant are written as several words.
      fields.set(name, found.length === 1 ? (found[0] ?? null) : found);
    }
    at += 1;
    return new TreeNode(kind, fields);
  }

  return value();
}

function unescape(token: string): string {
  const bare = token.startsWith('"') ? token.slice(1, -1) : token;
  return bare.replaceAll(/\\(.)/gs, "$1");
}
