/**
 * Marks a column that is never null although PostgreSQL's catalog can't tell: a constraint over two columns, a function's
 * own code or another row makes sure of it. The check of statements trusts the mark, so say beside it what makes sure.
 */
export type Present<Value> = Value;
