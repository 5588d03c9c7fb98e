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
 * Says one sentence for `durationMs` (1500 unless told), counted from the first frame that shows it. It takes the place
 * of the one before: two at once might contradict each other, and the newest is true.
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

/** Where toasts appear: once, in the app's root. Announced politely. */
export function Toasts() {
  const toast = useSyncExternalStore(watch, () => shown);
  useEffect(() => {
    if (toast === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A slow device draws long after it was told to: until then nobody can read it.
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
