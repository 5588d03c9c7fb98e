/** A statement that is composed at run time and so can't be read from the source. */
export interface Composed {
  readonly path: string;
  /** A part of the call that identifies it in its file. */
  readonly marked: string;
  readonly why: string;
  /** The test or benchmark that runs it against a real database. */
  readonly ranBy: string;
}

/** Statements that the check skips. An entry whose statement is gone, or can be read after all, fails the check. */
export const COMPOSED: readonly Composed[] = [
  {
    path: "apps/server/src/features/ledger/check-invariants.ts",
    marked: "SELECT about, wrong FROM (${sql}",
    why: "The invariants are in invariants.sql, where people read them as SQL.",
    ranBy: "apps/server/src/features/ledger/watch-invariants.test.ts",
  },
  {
    path: "apps/server/src/platform/database.ts",
    marked: "client.query({ text, values: [...values], ...(name && { name }) })",
    why: "The one place that hands statements to the driver.",
    ranBy: "apps/server/src/platform/database.test.ts",
  },
  {
    path: "apps/server/src/platform/lane.ts",
    marked: "client.query(new Flush(",
    why: "The one place that hands statements of the order path to the driver.",
    ranBy: "apps/server/src/platform/lane.test.ts",
  },
  {
    path: "apps/server/src/platform/named-statement.ts",
    marked: "{ name: statement.name, text }",
    why: "It numbers the parameters of statements that are read where they are written.",
    ranBy: "apps/server/src/platform/named-statement.test.ts",
  },
  {
    path: "bench/src/load-orders.ts",
    marked: "agreed",
    why: "It reads a temporary table that the statement before makes.",
    ranBy: "bench/src/settlement.ts",
  },
  {
    path: "bench/src/load-orders.ts",
    marked: "old_members",
    why: "It reads a temporary table that the statement before makes.",
    ranBy: "bench/src/settlement.ts",
  },
  {
    path: "bench/src/load-orders.ts",
    marked: "${numbered}",
    why: "It reads a temporary table that the statement before makes.",
    ranBy: "bench/src/settlement.ts",
  },
  {
    path: "packages/postgres/src/baseline.ts",
    marked: "commentsIn(",
    why: "The comments are in the migrations.",
    ranBy: "apps/server/src/platform/baseline.test.ts",
  },
  {
    path: "packages/postgres/src/cluster.ts",
    marked: "ROLE ${OWNER} LOGIN",
    why: "A new cluster's password is made when it is.",
    ranBy: "packages/postgres/src/start-postgres.test.ts",
  },
  {
    path: "packages/postgres/src/statements/catalog.ts",
    marked: "client.query(definition)",
    why: "The definitions are those of the schema's own functions.",
    ranBy: "scripts/statements/statements.test.ts",
  },
  {
    path: "packages/postgres/src/statements/describe-statement.ts",
    marked: "client.query(PREPARE + statement)",
    why: "It is what describes statements.",
    ranBy: "scripts/statements/nullability.test.ts",
  },
  {
    path: "packages/postgres/src/statements/describe-statement.ts",
    marked: "CREATE FUNCTION pg_temp.described",
    why: "It is what describes statements.",
    ranBy: "scripts/statements/nullability.test.ts",
  },
  {
    path: "scripts/own-product.ts",
    marked: "connection.client.query(",
    why: "Drills and attacks send statements of their own.",
    ranBy: "scripts/attack.test.ts",
  },
];
