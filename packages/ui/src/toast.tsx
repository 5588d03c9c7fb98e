import { useEffect, useSyncExternalStore } from "react";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly durationMs: number;
  /** Whether nobody asked for it, so that the member must not miss it. */
  readonly isNews: boolean;
}

const TOAST_MS = 1500;

let shown: Toast | null = null;
/** News that nobody could read yet, oldest first. */
let waiting: readonly Toast[] = [];
let lastId = 0;
const watchers = new Set<() => void>();

function set(toast: Toast | null) {
  shown = toast;
  for (const watcher of watchers) watcher();
}

function toastOf(text: string, durationMs: number, isNews: boolean): Toast {
  lastId += 1;
  return { id: lastId, text, durationMs, isNews };
}

/**
 * Shows the answer to something the member did, for `durationMs` (1500 by default), counted from the first frame that
 * contains it. It replaces the previous answer, because two at once could contradict each other, and the newest is true.
 * News makes room for it and comes back afterwards.
 */
export function showToast(text: string, durationMs: number = TOAST_MS): void {
  if (shown?.isNews === true) waiting = [shown, ...waiting];
  set(toastOf(text, durationMs, false));
}

/**
 * Shows a sentence that isn't the answer to anything, for `durationMs`. It waits until what is shown has been shown for its
 * full time, so neither replaces the other.
 */
export function showNews(text: string, durationMs: number): void {
  const news = toastOf(text, durationMs, true);
  if (shown === null) set(news);
  else waiting = [...waiting, news];
}

/** Puts the next news in the place of a toast whose time is over. */
function end(toast: Toast): void {
  if (shown !== toast) return;
  const [next = null, ...later] = waiting;
  waiting = later;
  set(next);
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
      timer = setTimeout(() => end(toast), toast.durationMs);
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
