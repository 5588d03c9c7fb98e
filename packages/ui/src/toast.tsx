import { useEffect, useSyncExternalStore } from "react";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly durationMs: number;
}

const TOAST_MS = 1500;

let shown: Toast | null = null;
let lastId = 0;
const watchers = new Set<() => void>();

function set(toast: Toast | null) {
  shown = toast;
  for (const watcher of watchers) watcher();
}

/**
 * Shows a sentence for `durationMs` (1500 by default), counted from the first frame that contains it. It replaces the
 * previous one, because two at once could contradict each other, and the newest is true.
 */
export function showToast(text: string, durationMs: number = TOAST_MS): void {
  lastId += 1;
  set({ id: lastId, text, durationMs });
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** The place where toasts appear, rendered once in the app's root. Screen readers announce them politely. */
export function Toasts() {
  const toast = useSyncExternalStore(watch, () => shown);
  useEffect(() => {
    if (toast === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A slow device renders long after the state changed, and nobody can read the toast until then.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        if (shown === toast) set(null);
      }, toast.durationMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [toast]);
  return (
    <output className="toasts" aria-live="polite">
      {toast && (
        <span key={toast.id} className="toast">
          {toast.text}
        </span>
      )}
    </output>
  );
}
