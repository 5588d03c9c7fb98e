import { keepDrawings, keptDrawings, type Drawing } from "./drawing-store.ts";
import { UndoHistory } from "./undo-history.ts";

/** One chart's access to its product's drawings and their undo history. */
export interface DrawingBook {
  readonly state: () => Pick<UndoHistory<readonly Drawing[]>, "now" | "canUndo" | "canRedo">;
  /** Records the current drawings as a new step. */
  readonly step: (drawings: readonly Drawing[]) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly close: () => void;
}

interface Shared {
  readonly history: UndoHistory<readonly Drawing[]>;
  readonly watchers: Set<() => void>;
}

/** The shared drawings of each product while a chart shows it. */
const inUse = new Map<string, Shared>();

/**
 * Opens a product's drawings for one chart. All charts of the product share them: each change is stored on this
 * device, and `onOthers` is called when another chart changes them.
 */
export function openDrawingBook(symbol: string, onOthers: () => void): DrawingBook {
  const shared = inUse.get(symbol) ?? { history: new UndoHistory(keptDrawings(symbol)), watchers: new Set() };
  inUse.set(symbol, shared);
  const { history, watchers } = shared;
  // A new function for each chart, even if two pass the same one.
  const watcher = () => onOthers();
  watchers.add(watcher);
  const told = () => {
    keepDrawings(symbol, history.now);
    for (const other of watchers) if (other !== watcher) other();
  };
  return {
    state: () => history,
    step: (drawings) => {
      history.push(drawings);
      told();
    },
    undo: () => {
      history.undo();
      told();
    },
    redo: () => {
      history.redo();
      told();
    },
    close: () => {
      watchers.delete(watcher);
      if (watchers.size === 0) inUse.delete(symbol);
    },
  };
}
