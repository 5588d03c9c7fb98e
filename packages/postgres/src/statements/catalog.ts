import type pg from "pg";
import { parseTree, TreeNode } from "./node-tree.ts";
import type { Present } from "./present.ts";

/** A relation's column, as stored in `pg_attribute`. */
export interface CatalogColumn {
  readonly name: string;
  readonly notNull: boolean;
}

/** A function's properties that decide whether its result may be null. */
export interface CatalogFunction {
  readonly name: string;
  /** Whether it belongs to PostgreSQL instead of the product's schema. */
  readonly builtIn: boolean;
  /** Whether any null argument makes its result null without the function being called. */
  readonly strict: boolean;
  /** The only statement of a function written in SQL; undefined for any other function. */
  readonly body?: TreeNode;
}

export interface CatalogType {
  /** Name as written by `format_type`: `bigint`, `text[]`, `trade_direction`. */
  readonly name: string;
  /** Type of an array's elements; 0 if it isn't an array. */
  readonly element: number;
  /** For a domain, its base type; otherwise the type itself. This is the type that the driver is told. */
  readonly base: number;
  /** The values of an enum. */
  readonly words: readonly string[];
}

/** The parts of PostgreSQL's catalog, by oid, against which statements are checked. */
export interface Catalog {
  readonly columns: ReadonlyMap<number, ReadonlyMap<number, CatalogColumn>>;
  readonly relations: ReadonlyMap<number, string>;
  readonly views: ReadonlyMap<number, TreeNode>;
  readonly functions: ReadonlyMap<number, CatalogFunction>;
  readonly types: ReadonlyMap<number, CatalogType>;
  /**
   * SQL functions whose statement PostgreSQL now refuses because something that it refers to was changed later; and the
   * reason.
   */
  readonly broken: readonly { readonly name: string; readonly why: string }[];
}

/** Reads the catalog of a migrated database once. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const { rows: attributes } = await client.query<{
    relation: number;
    table: string;
    place: number;
    name: string;
    not_null: boolean;
  }>(
    `SELECT attrelid AS relation, relname AS "table", attnum AS place, attname AS name, attnotnull AS not_null
     FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT attisdropped`,
  );
  const { rows: rules } = await client.query<{ relation: number; action: string }>(
    `SELECT ev_class AS relation, ev_action::text AS action FROM pg_rewrite JOIN pg_class c ON c.oid = ev_class
     WHERE rulename = '_RETURN' AND relnamespace = 'public'::regnamespace`,
  );
  const { rows: procedures } = await client.query<{ id: number; name: string; built_in: boolean; strict: boolean }>(
    `SELECT oid AS id, proname AS name, pronamespace = 'pg_catalog'::regnamespace AS built_in, proisstrict AS strict
     FROM pg_proc`,
  );
  const { rows: kinds } = await client.query<{
    id: number;
    name: string;
    element: number;
    base: number;
    words: string[];
  }>(
    `SELECT oid AS id, format_type(oid, NULL) AS name, CASE WHEN typcategory = 'A' THEN typelem ELSE 0 END AS element,
       CASE WHEN typtype = 'd' THEN typbasetype ELSE oid END AS base,
       ARRAY(SELECT enumlabel::text FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder) AS words
     FROM pg_type t`,
  );
  const columns = new Map<number, Map<number, CatalogColumn>>();
  for (const { relation, place, name, not_null: notNull } of attributes) {
    const known = columns.get(relation) ?? new Map<number, CatalogColumn>();
    columns.set(relation, known.set(place, { name, notNull }));
  }
  const { bodies, broken } = await readBodies(client);
  return {
    columns,
    relations: new Map(attributes.map(({ relation, table }) => [relation, table])),
    views: new Map(rules.map(({ relation, action }) => [relation, queryIn(action)])),
    functions: new Map(
      procedures.map(({ id, name, built_in: builtIn, strict }) => {
        const body = bodies.get(id);
        return [id, { name, builtIn, strict, ...(body && { body }) }];
      }),
    ),
    types: new Map(kinds.map(({ id, ...kind }) => [id, kind])),
    broken,
  };
}

/**
 * Reads the statements of the product's SQL functions. PostgreSQL stores their bodies as text, which says nothing about
 * columns, so each function is created again under another name with its body parsed.
 */
async function readBodies(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT proname AS name, format(E'CREATE FUNCTION pg_temp.body_%s(%s) RETURNS %s LANGUAGE sql BEGIN ATOMIC %s\\n; END', p.oid,
       pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), rtrim(prosrc, E' \\n;')) AS definition
     FROM pg_proc p JOIN pg_language l ON l.oid = prolang
     WHERE pronamespace = 'public'::regnamespace AND lanname = 'sql' AND prokind = 'f' AND prosqlbody IS NULL`,
  );
  const broken: { readonly name: string; readonly why: string }[] = [];
  for (const { name, definition } of rows) {
    await client.query(definition).catch((error: unknown) => {
      broken.push({ name, why: error instanceof Error ? error.message : String(error) });
    });
  }
  const { rows: made } = await client.query<{ id: number; body: Present<string> }>(
    `SELECT substr(proname, 6)::oid AS id, prosqlbody::text AS body FROM pg_proc
     WHERE pronamespace = pg_my_temp_schema() AND proname LIKE 'body\\_%'`,
  );
  return { bodies: new Map(made.map(({ id, body }) => [id, queryIn(body)])), broken };
}

/** Returns the only query of a rule's action or of a function's body. Throws if there is none. */
export function queryIn(text: string): TreeNode {
  let tree = parseTree(text);
  while (Array.isArray(tree) && tree.length > 0) tree = (tree as readonly (typeof tree)[]).at(-1) ?? null;
  if (tree instanceof TreeNode && tree.kind === "QUERY") return tree;
  throw new Error("PostgreSQL stores a statement in an unknown form");
}
