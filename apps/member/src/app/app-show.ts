/** App show is the start and each return to visible. */
export function onAppShow(shown: () => void): void {
  shown();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") shown();
  });
}
