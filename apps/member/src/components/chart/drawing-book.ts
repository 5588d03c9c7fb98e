import { keepDrawings, keptDrawings, onDrawingsStored, type Drawing } from "./drawing-store.ts";
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
  history: UndoHistory<readonly Drawing[]>;
  readonly watchers: Set<() => void>;
  /** Ends the following of other tabs. */
  readonly stop: () => void;
}

/** The shared drawings of each product while a chart shows it. */
const inUse = new Map<string, Shared>();

function share(symbol: string): Shared {
  const watchers = new Set<() => void>();
  const stop = onDrawingsStored(() => {
    const kept = keptDrawings(symbol);
    // Another product's have changed.
    if (JSON.stringify(kept) === JSON.stringify(shared.history.now)) return;
    // The steps so far don't hold the other tab's drawings: undoing one would delete them.
    shared.history = new UndoHistory(kept);
    for (const watcher of watchers) watcher();
  });
  const shared: Shared = { history: new UndoHistory(keptDrawings(symbol)), watchers, stop };
  return shared;
}

/**
 * Opens a product's drawings for one chart. All charts of the product share them: each change is stored on this
 * device, and `onOthers` is called when another chart or another tab changes them. A change of another tab ends the undo
 * history.
 */
export function openDrawingBook(symbol: string, onOthers: () => void): DrawingBook {
  const shared = inUse.get(symbol) ?? share(symbol);
  inUse.set(symbol, shared);
  const { watchers } = shared;
  // A new function for each chart, even if two pass the same one.
  const watcher = () => onOthers();
  watchers.add(watcher);
  const told = () => {
    keepDrawings(symbol, shared.history.now);
    for (const other of watchers) if (other !== watcher) other();
  };
  return {
    state: () => shared.history,
    step: (drawings) => {
      shared.history.push(drawings);
      told();
    },
    undo: () => {
      shared.history.undo();
      told();
    },
    redo: () => {
      shared.history.redo();
      told();
    },
    close: () => {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      shared.stop();
      inUse.delete(symbol);
    },
  };
}
