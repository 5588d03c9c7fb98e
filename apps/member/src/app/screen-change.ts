/** The direction a screen comes from: forward, back, or replacing another one. */
export type Way = "forward" | "back" | "beside";

/**
 * Renders the next screen with `draw` and animates it (`app.css`) in the given direction. The screen takes taps while
 * it moves. The browser's own view transitions freeze the page while they capture it, and a tap in that moment is
 * lost.
 */
export function changeScreen(way: Way, draw: () => void): void {
  document.documentElement.dataset["way"] = way;
  draw();
}
