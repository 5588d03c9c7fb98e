/**
 * Marks a column that is never null although PostgreSQL's catalog can't tell, because a constraint over two columns, a
 * function's own code or another row ensures it. The check of statements trusts the mark, so add a comment that says
 * what ensures it.
 */
export type Present<Value> = Value;
