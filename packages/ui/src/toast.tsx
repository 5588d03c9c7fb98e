import { useSyncExternalStore } from "react";

interface Toast {
  readonly id: number;
  readonly text: string;
}

const TOAST_MS = 1500;

let shown: Toast | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;
const watchers = new Set<() => void>();

function set(toast: Toast | null) {
  shown = toast;
  for (const watcher of watchers) watcher();
}

/**
 * Says one sentence for `durationMs` (1500 unless told). It takes the place of the one before: two at once might
 * contradict each other, and the newest is true.
 */
export function showToast(text: string, durationMs: number = TOAST_MS): void {
  lastId += 1;
  set({ id: lastId, text });
  clearTimeout(timer);
  timer = setTimeout(() => {
    set(null);
  }, durationMs);
}

function watch(watcher: () => void) {
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
  };
}

/** Where toasts appear: once, in the phone's frame. Announced politely. */
export function Toasts() {
  const toast = useSyncExternalStore(watch, () => shown);
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
