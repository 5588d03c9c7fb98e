const LOOK_EVERY_MS = 100;

/**
 * Resolves to the app's frame (`.app > .screen`) once the first view is drawn. On a slow device, that may be long after the
 * companions have loaded.
 */
export async function drawnFrame(): Promise<HTMLElement> {
  for (;;) {
    const frame = document.querySelector<HTMLElement>(".app > .screen");
    if (frame !== null) return frame;
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_EVERY_MS);
    });
  }
}
