export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object";
}

/** The number at `key`, or 0. */
export function numberAt(value: unknown, key: string): number {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "number" ? found : 0;
}
