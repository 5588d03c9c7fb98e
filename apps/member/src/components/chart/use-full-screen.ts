import { openEntry } from "@fairtick/ui/sheet-history.ts";
import { useCallback, useEffect, useState } from "react";

/**
 * Whether a part of the page lies over everything, and the way there and back. The browser's own bars go too where it
 * lets them; its way back, or Escape, leaves full screen and not the screen under it.
 */
export function useFullScreen(): { readonly isFull: boolean; readonly setFull: (full: boolean) => void } {
  const [isFull, setShown] = useState(false);
  const setFull = useCallback((full: boolean) => {
    setShown(full);
    const root = document.documentElement;
    // Refused where the browser has none for pages, as on a phone of Apple's: the part still covers the page.
    if (full) void root.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
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
