import { openEntry } from "@fairtick/ui/sheet-history.ts";
import { useCallback, useEffect, useState } from "react";

/**
 * Whether a part of the page covers everything, and a function to change that. The browser's own bars are hidden too
 * if it allows it. Its back button and Escape leave full screen instead of the screen below.
 */
export function useFullScreen(): { readonly isFull: boolean; readonly setFull: (full: boolean) => void } {
  const [isFull, setShown] = useState(false);
  const setFull = useCallback((full: boolean) => {
    setShown(full);
    const root = document.documentElement;
    // Refused if the browser has no full screen for pages, as on iPhones. The part still covers the page.
    if (full) void root.requestFullscreen?.().catch(() => undefined);
    // Missing there, and not only null.
    else if (document.fullscreenElement instanceof Element) void document.exitFullscreen().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (!isFull) return undefined;
    const leave = () => {
      setFull(false);
    };
    const onChange = () => {
      if (document.fullscreenElement === null) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) leave();
    };
    document.addEventListener("fullscreenchange", onChange);
    addEventListener("keydown", onKey);
    const closeEntry = openEntry(leave);
    return () => {
      closeEntry();
      document.removeEventListener("fullscreenchange", onChange);
      removeEventListener("keydown", onKey);
    };
  }, [isFull, setFull]);
  return { isFull, setFull };
}
