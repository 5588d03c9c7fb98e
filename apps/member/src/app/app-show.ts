/** Calls `shown` at the start and each time the app becomes visible again. */
export function onAppShow(shown: () => void): void {
  shown();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") shown();
  });
}
