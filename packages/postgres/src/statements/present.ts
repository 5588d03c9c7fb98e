/**
 * A column that a statement promises although the database cannot: a constraint over two columns, a function's own code or
 * another row sees to it. The check of statements takes it as never null; say beside it what does.
 */
export type Present<Value> = Value;
