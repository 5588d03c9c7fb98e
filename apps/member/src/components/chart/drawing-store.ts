import { readStoredJson, store } from "../../shared/storage.ts";
import { DRAWING_TOOLS, type DrawingTool } from "./drawing-list.ts";

/** A position in time and price, which stays in place when the chart moves and in every interval. */
export interface DrawingPoint {
  /** Ms since 1970. */
  readonly timestamp: number;
  readonly value: number;
}

/** A drawing as stored on this device. It is never sent. */
export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly points: readonly DrawingPoint[];
  /** Only for text drawings. */
  readonly text?: string;
}

const KEY = "fairtickDrawings";
/** Limit per product. A brush has many points, and a browser stores five megabytes for the whole site. */
const DRAWINGS_MAX = 100;
const POINTS_MAX = 1_000;
const TEXT_MAX = 200;

function readPoint(kept: unknown): readonly DrawingPoint[] {
  if (typeof kept !== "object" || kept === null) return [];
  const { timestamp, value } = kept as Record<string, unknown>;
  return Number.isFinite(timestamp) && Number.isFinite(value)
    ? [{ timestamp: timestamp as number, value: value as number }]
    : [];
}

function readDrawing(kept: unknown): readonly Drawing[] {
  if (typeof kept !== "object" || kept === null) return [];
  const { id, tool, points, text } = kept as Record<string, unknown>;
  const known = DRAWING_TOOLS.find((other) => other.tool === tool);
  if (known === undefined || typeof id !== "string" || !Array.isArray(points)) return [];
  const read = points.slice(0, POINTS_MAX).flatMap(readPoint);
  if (read.length === 0) return [];
  const words = typeof text === "string" ? { text: text.slice(0, TEXT_MAX) } : {};
  return [{ id, tool: known.tool, points: read, ...words }];
}

function readAll(): Readonly<Record<string, unknown>> {
  const kept = readStoredJson(KEY);
  return typeof kept === "object" && kept !== null ? (kept as Record<string, unknown>) : {};
}

/** Returns the stored drawings of a product, oldest first. Unreadable ones are left out. */
export function keptDrawings(symbol: string): readonly Drawing[] {
  const kept = readAll()[symbol];
  return Array.isArray(kept) ? kept.flatMap(readDrawing) : [];
}

/** Stores a product's drawings on this device. Beyond the limit, the oldest are dropped. */
export function keepDrawings(symbol: string, drawings: readonly Drawing[]): void {
  const { [symbol]: _, ...others } = readAll();
  const all = drawings.length === 0 ? others : { ...others, [symbol]: drawings.slice(-DRAWINGS_MAX) };
  store(KEY, JSON.stringify(all));
}

/** Calls back when another tab may have changed the stored drawings. Returns a function that ends it. */
export function onDrawingsStored(changed: () => void): () => void {
  const told = ({ key }: StorageEvent) => {
    // Without a key, everything was removed.
    if (key === KEY || key === null) changed();
  };
  addEventListener("storage", told);
  return () => removeEventListener("storage", told);
}
