/**
 * A proposal remains valid as long as nobody else has changed the values it changes. If another version came into force
 * since, the proposal's changes are applied to that newest version. Versions are compared in their stored form, as
 * JSON.
 */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Keys by which elements of a list are matched, instead of by position. The database does the same. */
const KEYS = ["symbol", "iso2", "seconds"] as const;

export interface Rebased {
  readonly merged: JsonObject;
  /** Paths of values that both the proposal and others have changed; empty if the proposal is still valid. */
  readonly overtaken: readonly string[];
}

/**
 * Applies to `newest` the changes from `base` to `proposed`. If a value was overtaken, the result has the proposed one.
 */
export function rebaseVersion(base: JsonObject, proposed: JsonObject, newest: JsonObject): Rebased {
  const overtaken: string[] = [];
  const merged = mergeObject(base, proposed, newest, "", overtaken);
  return { merged, overtaken };
}

type Maybe = Json | undefined;

function merge(base: Maybe, proposed: Maybe, newest: Maybe, path: string, overtaken: string[]): Maybe {
  if (isSame(base, proposed)) return newest;
  if (isSame(base, newest)) return proposed;
  if (isObject(base) && isObject(proposed) && isObject(newest)) {
    return mergeObject(base, proposed, newest, path, overtaken);
  }
  const lists = [base, proposed, newest].map(byKey);
  const [first, second, third] = lists;
  if (first && second && third) {
    const elements = Object.values(mergeObject(first, second, third, path, overtaken));
    return elements.every((each) => isObject(each) && typeof each["seconds"] === "number")
      ? elements.toSorted((one, other) => secondsOf(one) - secondsOf(other))
      : elements;
  }
  overtaken.push(path);
  return proposed;
}

function mergeObject(
  base: JsonObject,
  proposed: JsonObject,
  newest: JsonObject,
  path: string,
  overtaken: string[],
): JsonObject {
  const names = new Set([...Object.keys(newest), ...Object.keys(proposed)]);
  const merged: Record<string, Json> = {};
  for (const name of names) {
    const value = merge(base[name], proposed[name], newest[name], `${path}/${name}`, overtaken);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function byKey(list: Maybe): JsonObject | null {
  if (!Array.isArray(list)) return null;
  const elements = list as readonly Json[];
  const keyed = elements.map((each) => [keyOf(each), each] as const);
  // JavaScript objects list integer keys in ascending order and all other keys in insertion order.
  return keyed.every(([key]) => key !== null) ? Object.fromEntries(keyed as [string, Json][]) : null;
}

function keyOf(element: Json): string | null {
  if (!isObject(element)) return null;
  const name = KEYS.find((key) => Object.hasOwn(element, key));
  const key = name === undefined ? null : element[name];
  return typeof key === "string" || typeof key === "number" ? String(key) : null;
}

function secondsOf(element: Json): number {
  return isObject(element) ? Number(element["seconds"]) : 0;
}

function isObject(value: Maybe): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(one: Maybe, other: Maybe): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    const [ones, others] = [byKey(one), byKey(other)];
    if (ones && others) return isSame(ones, others);
    return one.length === other.length && one.every((each: Json, place) => isSame(each, other[place] as Json));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}
