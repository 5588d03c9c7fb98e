import type { Statement, Step, Value } from "./lane.ts";

/** A statement whose parameters have names: `$stakes` instead of `$11`. */
export type NamedStatement<Name extends string> = (values: Readonly<Record<Name, Value>>) => Step;

/**
 * Numbers a statement's parameters by their names, and returns a function that makes a step from their values. `text` contains
 * parameters as `$name`, each as often as needed. Throws if the text uses a name that isn't listed, or lacks a listed one.
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
