import type { Catalog, CatalogFunction } from "./catalog.ts";
import type { TreeNode } from "./node-tree.ts";
import { columnKey, type Nullness, openScope, RANGE, type Scope } from "./scope.ts";

/** PostgreSQL functions that may return null for arguments that aren't null. */
const ANSWERS_NULL =
  /^(jsonb?_(array_element|object_field|extract_path|populate|path_query_first)|json_extract|array_(position|ndims|length|upper|lower|get)|substring|regexp_(match|substr)|nullif|to_reg|(obj|col|shobj)_description|pg_get_|textregexsubstr)/;
/** PostgreSQL functions that never return null, whatever their arguments. */
const ANSWERS_ALWAYS =
  /^(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|concat(_ws)?|nextval|random|gen_random_uuid|uuidv7|jsonb?_build_(object|array)|pg_backend_pid|current_(user|database|schema)|session_user|pg_current_.*|pg_postmaster_start_time|txid_current|generate_series|num_nulls|num_nonnulls|pg_is_in_recovery|version|count|row_number|rank|dense_rank|ntile|percent_rank|cume_dist)$/;

const SUBLINK = { exists: 0, any: 2, scalar: 4, array: 6 } as const;
const CMD = { update: 2, insert: 3 } as const;

/** Returns the nullness of a result that is null if any of its parts is. */
function all(parts: readonly Nullness[]): Nullness {
  if (parts.includes("maybe")) return "maybe";
  return parts.includes("unknown") ? "unknown" : "never";
}

/** Returns the nullness of a result that is null only if all of its parts are. */
function first(parts: readonly Nullness[]): Nullness {
  if (parts.includes("never")) return "never";
  return parts.includes("unknown") ? "unknown" : "maybe";
}

/** Determines which result columns of analyzed statements may be null. */
export class Nullability {
  private readonly catalog: Catalog;
  /** Queries being examined, so that a recursive one doesn't cause an endless loop. */
  private readonly underWay = new Set<TreeNode>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  /** Returns the result columns of a statement in order, each with its name and whether it may be null. */
  columnsOf(query: TreeNode): readonly { readonly name: string; readonly nullness: Nullness }[] {
    const scope = openScope(this.catalog, query);
    return resultsOf(query).map((entry, index) => ({
      name: entry.word("resname"),
      nullness: this.ofResult(scope, index),
    }));
  }

  private ofResult(scope: Scope, index: number): Nullness {
    const operations = scope.query.node("setOperations");
    if (operations) return this.ofSetOperation(scope, operations, index);
    const expression = resultsOf(scope.query)[index]?.node("expr");
    if (scope.query.list("groupingSets").length > 0) return "maybe";
    return expression ? this.of(scope, expression) : "unknown";
  }

  /** Judges a column of a UNION, which may be null if it may be null in any of the branches. */
  private ofSetOperation(scope: Scope, operation: TreeNode, index: number): Nullness {
    if (operation.kind !== "RANGETBLREF") {
      const sides = ["larg", "rarg"].flatMap((side) => operation.node(side) ?? []);
      return all(sides.map((side) => this.ofSetOperation(scope, side, index)));
    }
    const range = scope.query.nodes("rtable")[operation.number("rtindex") - 1];
    const query = range?.node("subquery");
    return query ? this.ofQuery(query, scope, index) : "unknown";
  }

  private ofQuery(
    query: TreeNode,
    outer: Scope | undefined,
    index: number,
    parameters?: readonly Nullness[],
  ): Nullness {
    // A recursive query refers to itself, so only its other branch decides.
    if (this.underWay.has(query)) return "never";
    this.underWay.add(query);
    try {
      return this.ofResult(openScope(this.catalog, query, outer, parameters), index);
    } finally {
      this.underWay.delete(query);
    }
  }

  // oxlint-disable-next-line complexity -- one case for each kind of node
  private of(scope: Scope, node: TreeNode): Nullness {
    const argument = (name = "arg") => {
      const inner = node.node(name);
      return inner ? this.of(scope, inner) : "maybe";
    };
    const allArguments = () => all(node.nodes("args").map((inner) => this.of(scope, inner)));
    switch (node.kind) {
      case "VAR":
        return this.ofColumn(scope, node);
      case "CONST":
        return node.is("constisnull") ? "maybe" : "never";
      case "PARAM":
        return scope.parameters?.[node.number("paramid") - 1] ?? "unknown";
      case "RELABELTYPE":
      case "COERCEVIAIO":
      case "ARRAYCOERCEEXPR":
      case "COERCETODOMAIN":
      case "COLLATEEXPR":
        return argument();
      case "COALESCEEXPR":
      case "MINMAXEXPR":
        return first(node.nodes("args").map((inner) => this.of(scope, inner)));
      case "NULLTEST":
      case "BOOLEANTEST":
      case "DISTINCTEXPR":
      case "ARRAYEXPR":
      case "ROWEXPR":
      case "SQLVALUEFUNCTION":
      case "JSONCONSTRUCTOREXPR":
      case "GROUPINGFUNC":
        return "never";
      case "BOOLEXPR":
        return allArguments();
      case "SCALARARRAYOPEXPR":
        return allArguments() === "maybe" ? "maybe" : "never";
      case "NULLIFEXPR":
        return "maybe";
      case "CASEEXPR":
        return all([
          ...node.nodes("args").map((when) => {
            const result = when.node("result");
            return result ? this.of(scope, result) : "maybe";
          }),
          argument("defresult"),
        ]);
      case "OPEXPR":
        return this.ofCall(scope, node, node.number("opfuncid"));
      case "FUNCEXPR":
        return this.ofCall(scope, node, node.number("funcid"));
      case "AGGREF":
        return this.ofAggregate(scope, node);
      case "WINDOWFUNC":
        return this.ofAggregate(scope, node, true);
      case "SUBLINK":
        return this.ofSublink(scope, node);
      default:
        return "unknown";
    }
  }

  private ofCall(scope: Scope, node: TreeNode, id: number): Nullness {
    const called = this.catalog.functions.get(id);
    if (called === undefined) return "unknown";
    const given = node.nodes("args").map((inner) => this.of(scope, inner));
    if (called.strict && given.includes("maybe")) return "maybe";
    if (called.body) return this.ofBody(called, given, 0);
    if (!called.builtIn) return "unknown";
    if (ANSWERS_ALWAYS.test(called.name)) return "never";
    // With two arguments it returns null for a setting that doesn't exist.
    if (ANSWERS_NULL.test(called.name) || (called.name === "current_setting" && given.length > 1)) return "maybe";
    return called.strict ? all(given) : "unknown";
  }

  /** Judges the result of an SQL function: a column of its statement, or null if that finds no row. */
  private ofBody({ body }: CatalogFunction, given: readonly Nullness[], index: number, isSet = false): Nullness {
    if (body === undefined) return "unknown";
    if (!isSet && !answersOneRow(body)) return "maybe";
    return this.ofQuery(body, undefined, index, given);
  }

  private ofAggregate(scope: Scope, node: TreeNode, isWindow = false): Nullness {
    const name = this.catalog.functions.get(node.number(isWindow ? "winfnoid" : "aggfnoid"))?.name ?? "";
    if (ANSWERS_ALWAYS.test(name)) return "never";
    if (/^(lag|lead|nth_value|stddev|var_|regr|corr|covar)/.test(name)) return "maybe";
    const hasRows = isWindow || scope.query.list("groupClause").length > 0;
    if (!hasRows || node.node("aggfilter")) return "maybe";
    if (/^(array|jsonb?|jsonb?_object)_agg/.test(name)) return "never";
    const given = node.nodes("args").map((entry) => (entry.kind === "TARGETENTRY" ? entry.node("expr") : entry));
    return all(given.map((inner) => (inner ? this.of(scope, inner) : "unknown")));
  }

  private ofSublink(scope: Scope, node: TreeNode): Nullness {
    const kind = node.number("subLinkType");
    if (kind === SUBLINK.exists || kind === SUBLINK.array) return "never";
    const query = node.node("subselect");
    if (query === undefined || kind !== SUBLINK.scalar) return "unknown";
    return answersOneRow(query) ? this.ofQuery(query, scope, 0) : "maybe";
  }

  private ofColumn(start: Scope, column: TreeNode): Nullness {
    let scope: Scope | undefined = start;
    for (let up = column.number("varlevelsup"); up > 0; up -= 1) scope = scope?.outer;
    if (scope === undefined) return "unknown";
    if (column.number("varreturningtype") > 0) return "maybe";
    if (scope.compared.has(columnKey(column)) && !isWritten(scope.query, column)) return "never";
    // A join that may find nothing on the column's side makes it null.
    if (column.list("varnullingrels").length > 1) return "maybe";
    const place = column.number("varattno");
    if (place <= 0) return "never";
    return this.ofRange(scope, column.number("varno"), place);
  }

  private ofRange(scope: Scope, table: number, place: number): Nullness {
    const range = scope.query.nodes("rtable")[table - 1];
    const inner = (name: string) => {
      const expression = range?.nodes(name)[place - 1];
      return expression ? this.of(scope, expression) : "unknown";
    };
    if (range === undefined) return "unknown";
    switch (range.number("rtekind")) {
      case RANGE.relation:
        return this.ofRelation(scope, table, range.number("relid"), place);
      case RANGE.subquery: {
        const query = range.node("subquery");
        return query ? this.ofQuery(query, scope, place - 1) : "unknown";
      }
      case RANGE.join:
        return inner("joinaliasvars");
      case RANGE.group:
        return inner("groupexprs");
      case RANGE.values: {
        const rows = range.list("values_lists") as readonly (readonly TreeNode[])[];
        return all(rows.map((row) => (row[place - 1] ? this.of(scope, row[place - 1] as TreeNode) : "unknown")));
      }
      case RANGE.function:
        return this.ofFunctionRange(scope, range, place);
      case RANGE.cte:
        return this.ofWith(scope, range, place);
      default:
        return "unknown";
    }
  }

  private ofRelation(scope: Scope, table: number, relation: number, place: number): Nullness {
    const view = this.catalog.views.get(relation);
    if (view) return this.ofQuery(view, undefined, place - 1);
    if (this.catalog.columns.get(relation)?.get(place)?.notNull === true) return "never";
    // The value that a statement has just written into a column of its own table decides.
    const command = scope.query.number("commandType");
    const isTarget = scope.query.number("resultRelation") === table && scope.query.node("onConflict") === undefined;
    if (isTarget && (command === CMD.insert || command === CMD.update)) {
      const written = writtenTo(scope.query, place)?.node("expr");
      if (written && this.of(scope, written) === "never") return "never";
    }
    return "maybe";
  }

  private ofFunctionRange(scope: Scope, range: TreeNode, place: number): Nullness {
    const functions = range.nodes("functions");
    const width = functions.reduce((sum, found) => sum + found.number("funccolcount"), 0);
    if (place > width) return "never";
    const call = functions[0]?.node("funcexpr");
    if (functions.length !== 1 || call?.kind !== "FUNCEXPR") return "unknown";
    const called = this.catalog.functions.get(call.number("funcid"));
    if (called?.body === undefined) return called && ANSWERS_ALWAYS.test(called.name) ? "never" : "unknown";
    const given = call.nodes("args").map((inner) => this.of(scope, inner));
    return this.ofBody(called, given, place - 1, true);
  }

  private ofWith(start: Scope, range: TreeNode, place: number): Nullness {
    let scope: Scope | undefined = start;
    for (let up = range.number("ctelevelsup"); up > 0; up -= 1) scope = scope?.outer;
    const found = scope?.query.nodes("cteList").find((cte) => cte.word("ctename") === range.word("ctename"));
    const query = found?.node("ctequery");
    return query ? this.ofQuery(query, scope, place - 1) : "unknown";
  }
}

/** Returns the result columns: those of RETURNING, or those of a SELECT without the ones used only for sorting. */
function resultsOf(query: TreeNode): readonly TreeNode[] {
  const isSelect = query.number("commandType") === 1;
  return query.nodes(isSelect ? "targetList" : "returningList").filter((entry) => !entry.is("resjunk"));
}

/**
 * Returns whether a query always returns one row. An aggregate without groups does, and so does a query that reads no
 * table.
 */
function answersOneRow(query: TreeNode): boolean {
  if (query.node("setOperations") ?? query.node("havingQual") ?? query.node("limitOffset")) return false;
  if (query.number("commandType") !== 1) return false;
  const jointree = query.node("jointree");
  const readsNothing = jointree?.list("fromlist").length === 0 && jointree.node("quals") === undefined;
  return readsNothing || (query.is("hasAggs") && query.list("groupClause").length === 0);
}

function writtenTo(query: TreeNode, place: number): TreeNode | undefined {
  return query.nodes("targetList").find((entry) => !entry.is("resjunk") && entry.number("resno") === place);
}

/**
 * Returns whether a statement changes the column that its condition compares, because RETURNING shows the new value.
 */
function isWritten(query: TreeNode, column: TreeNode): boolean {
  if (query.number("commandType") !== CMD.update) return false;
  if (query.number("resultRelation") !== column.number("varno")) return false;
  return writtenTo(query, column.number("varattno")) !== undefined;
}
