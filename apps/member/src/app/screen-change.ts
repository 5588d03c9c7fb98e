/** Which way a screen comes: from further on, from where one was before, or in the place of another. */
export type Way = "forward" | "back" | "beside";

/**
 * Draws the next screen by `draw`, which then comes in (`app.css`) the way that the page says. It is there at once and takes taps while it moves: the
 * browser's own view transitions hold the page still while they take its picture, and a tap in that moment is lost.
 */
export function changeScreen(way: Way, draw: () => void): void {
  document.documentElement.dataset["way"] = way;
  draw();
}
