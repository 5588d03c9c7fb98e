/**
 * Turns off pinch zoom as specified. `touch-action` on the document does it in most browsers. Safari fires its own
 * gesture events, and a trackpad's pinch comes as a wheel event with ctrl. Browser zoom still works from the menu, and
 * the text-size setting replaces the gesture.
 */
export function blockPinchZoom(): void {
  const refuse = (event: Event) => {
    event.preventDefault();
  };
  document.addEventListener("gesturestart", refuse, { passive: false });
  document.addEventListener("gesturechange", refuse, { passive: false });
  document.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length > 1) event.preventDefault();
    },
    { passive: false },
  );
  document.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey) event.preventDefault();
    },
    { passive: false },
  );
}
