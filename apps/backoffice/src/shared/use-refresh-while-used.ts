import { useEffect, useRef } from "react";

/** After this long without any input the page stops reading, so that the session can end. */
const IDLE_MS = 300_000;

/** Calls `refresh` every `everyMs` milliseconds while the page is visible and in use. */
export function useRefreshWhileUsed(refresh: () => void, everyMs: number): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    let usedAt = performance.now();
    const use = () => {
      usedAt = performance.now();
    };
    const timer = setInterval(() => {
      if (document.visibilityState === "visible" && performance.now() - usedAt < IDLE_MS) latest.current();
    }, everyMs);
    for (const event of ["pointermove", "keydown", "pointerdown"] as const) addEventListener(event, use);
    return () => {
      clearInterval(timer);
      for (const event of ["pointermove", "keydown", "pointerdown"] as const) removeEventListener(event, use);
    };
  }, [everyMs]);
}
