import { useSyncExternalStore } from "react";

interface Toast {
  readonly id: number;
  readonly text: string;
}

const TOAST_MS = 1500;

let toasts: readonly Toast[] = [];
let lastId = 0;
const watchers = new Set<() => void>();

function set(next: readonly Toast[]) {
  toasts = next;
  for (const watcher of watchers) watcher();
}

/** Says one sentence for `durationMs` (1500 unless told). The same words again start their time anew. */
export function showToast(text: string, durationMs: number = TOAST_MS): void {
  lastId += 1;
  const id = lastId;
  set([...toasts.filter((toast) => toast.text !== text).slice(-1), { id, text }]);
  setTimeout(() => {
    set(toasts.filter((toast) => toast.id !== id));
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
  const shown = useSyncExternalStore(watch, () => toasts);
  return (
    <output className="toasts" aria-live="polite">
      {shown.map((toast) => (
        <span key={toast.id} className="toast">
          {toast.text}
        </span>
      ))}
    </output>
  );
}
