import type { Catalog } from "./catalog.ts";
import { type Tree, TreeNode } from "./node-tree.ts";

/**
 * Whether a value may be null: `never` is certain, `maybe` means that a column, join or expression allows it, and
 * `unknown` that it depends on a function's own code or a caller's value.
 */
export type Nullness = "never" | "maybe" | "unknown";

/** A query, the one around it, and the nulls that its conditions rule out. */
export interface Scope {
  readonly query: TreeNode;
  readonly outer?: Scope | undefined;
  /** Columns that aren't null in any row of the result because a condition compares them, as `varno.varattno`. */
  readonly compared: ReadonlySet<string>;
  /**
   * Parameters of the function whose body this is; undefined for a statement's own parameters, which the caller
   * provides.
   */
  readonly parameters?: readonly Nullness[] | undefined;
}

/** Values of `:rtekind`. */
export const RANGE = { relation: 0, subquery: 1, join: 2, function: 3, values: 5, cte: 6, group: 9 } as const;
const INNER_JOIN = 0;
const LEFT_JOIN = 1;
const RIGHT_JOIN = 3;
const IS_NOT_NULL = 1;
const ANY_SUBLINK = 2;

export function openScope(
  catalog: Catalog,
  query: TreeNode,
  outer?: Scope,
  parameters: readonly Nullness[] | undefined = outer?.parameters,
): Scope {
  const compared = new Set<string>();
  const jointree = query.node("jointree");
  if (jointree) compareIn(catalog, jointree, compared);
  return { query, outer, compared, parameters };
}

export const columnKey = (column: TreeNode): string => `${column.word("varno")}.${column.word("varattno")}`;

/** Returns whether an operator or function returns null for any null argument, without being called. */
export function isStrict(catalog: Catalog, node: TreeNode): boolean {
  const id = node.number(node.kind === "FUNCEXPR" ? "funcid" : "opfuncid");
  return catalog.functions.get(id)?.strict === true;
}

/**
 * Examines the conditions that all rows of the result meet. The side of an outer join that may be missing is left out.
 */
function compareIn(catalog: Catalog, node: TreeNode, compared: Set<string>): void {
  if (node.kind === "FROMEXPR") {
    for (const item of node.nodes("fromlist")) compareIn(catalog, item, compared);
    holds(catalog, node.node("quals"), compared);
  } else if (node.kind === "JOINEXPR") {
    const kind = node.number("jointype");
    const left = node.node("larg");
    const right = node.node("rarg");
    if (left && (kind === INNER_JOIN || kind === LEFT_JOIN)) compareIn(catalog, left, compared);
    if (right && (kind === INNER_JOIN || kind === RIGHT_JOIN)) compareIn(catalog, right, compared);
    if (kind === INNER_JOIN) holds(catalog, node.node("quals"), compared);
  }
}

/** Collects the columns that can't be null if a condition is true. */
function holds(catalog: Catalog, condition: Tree | undefined, compared: Set<string>): void {
  if (!(condition instanceof TreeNode)) return;
  switch (condition.kind) {
    case "BOOLEXPR":
      if (condition.word("boolop") === "and")
        for (const part of condition.nodes("args")) holds(catalog, part, compared);
      if (condition.word("boolop") === "not")
        for (const part of condition.nodes("args")) valued(catalog, part, compared);
      break;
    case "NULLTEST":
      if (condition.number("nulltesttype") === IS_NOT_NULL) valued(catalog, condition.node("arg"), compared);
      break;
    case "SUBLINK":
      if (condition.number("subLinkType") === ANY_SUBLINK) holds(catalog, condition.node("testexpr"), compared);
      break;
    default:
      valued(catalog, condition, compared);
  }
}

/** Collects the columns that can't be null if an expression isn't null. */
function valued(catalog: Catalog, expression: TreeNode | undefined, compared: Set<string>): void {
  if (expression === undefined) return;
  switch (expression.kind) {
    case "VAR":
      if (expression.number("varlevelsup") === 0) compared.add(columnKey(expression));
      break;
    case "RELABELTYPE":
    case "COERCEVIAIO":
      valued(catalog, expression.node("arg"), compared);
      break;
    case "OPEXPR":
    case "FUNCEXPR":
      if (isStrict(catalog, expression))
        for (const argument of expression.nodes("args")) valued(catalog, argument, compared);
      break;
    case "SCALARARRAYOPEXPR":
      if (expression.is("useOr") && isStrict(catalog, expression)) {
        for (const argument of expression.nodes("args")) valued(catalog, argument, compared);
      }
      break;
    default:
  }
}
