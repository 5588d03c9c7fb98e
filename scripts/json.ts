export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}

/** Returns the number at `key`, or 0. */
export function numberAt(value: unknown, key: string): number {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" ? found : 0;
}

/** Returns the list at `key`, or an empty one. */
export function listAt(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** Returns the text at `key`, or an empty one. */
export function textAt(value: unknown, key: string): string {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : "";
}
