import type { Statement, Step, Value } from "./lane.ts";

/** A statement whose parameters have names: `$stakes` instead of `$11`. */
export type NamedStatement<Name extends string> = (values: Readonly<Record<Name, Value>>) => Step;

/**
 * Numbers the parameters of a statement by their names and answers what makes a step of it from their values. `text` writes a
 * parameter as `$name`, as often as it likes. Throws an Error where the text has a name that is not listed, or lacks one that is.
 */
export function namedStatement<const Name extends string>(
  statement: Statement,
  names: readonly Name[],
): NamedStatement<Name> {
  const missing = new Set<string>(names);
  const text = statement.text.replaceAll(/\$([a-z]\w*)/g, (_, name: string) => {
    const place = (names as readonly string[]).indexOf(name);
    if (place < 0) throw new Error(`${statement.name} has a parameter that is not listed: $${name}`);
    missing.delete(name);
    return `$${place + 1}`;
  });
  if (missing.size > 0) throw new Error(`${statement.name} has no $${[...missing].join(", $")}`);
  const numbered = { name: statement.name, text };
  return (values) => [numbered, names.map((name) => values[name])];
}
