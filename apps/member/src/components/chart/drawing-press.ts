/** Adds drawing by press, drag and release to the library's own way of one click per point. */
import type { Bounding, Chart, Overlay } from "klinecharts";

/** A press that moves less than this, in px along both axes together, is a click. The library uses the same bound. */
const DRAG_PX = 5;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Press {
  readonly pointer: number;
  readonly at: Place;
  /** The plot in which the press began. A drawing can't leave it. */
  readonly within: Bounding;
}

/**
 * The library's internal handlers of clicks and moves. It has no public way to pass it either. Journeys draw by dragging
 * with the mouse and with a finger, and fail if a new version renames these handlers.
 */
interface Handlers {
  readonly _chartEvent?: {
    readonly mouseClickEvent?: (at: object) => unknown;
    readonly mouseMoveEvent?: (at: object) => unknown;
    readonly mouseLeaveEvent?: () => unknown;
  };
}

/**
 * Handles presses on the chart while a drawing waits for points, so that they don't pan the chart. A click sets one point.
 * A drag sets one point where it begins, if more than one is missing, and the next where it ends: a line is drawn from press
 * to release, and a tool with three points needs one more click.
 *
 * @param waiting returns the drawing that waits for points; null if there is none, or for a brush, which follows the pointer
 * @returns a function that removes the listeners
 */
export function drawByPresses(chart: Chart, host: HTMLElement, waiting: () => Overlay | null): () => void {
  const gone = new AbortController();
  const hand = new DrawingHand(chart, host, waiting);
  const early = { capture: true, signal: gone.signal };
  host.addEventListener("pointerdown", (event) => hand.press(event), early);
  addEventListener("pointermove", (event) => hand.move(event), early);
  addEventListener("pointerup", (event) => hand.release(event), early);
  addEventListener("pointercancel", (event) => hand.cancel(event), early);
  // The library must not see these events: it would pan the chart and set a point of its own at the release.
  const keep = (event: Event) => {
    if (!hand.isPressing) return;
    event.stopPropagation();
    // Keeps the page from scrolling, and the browser from sending mouse events after the tap.
    if (event.type === "touchstart") event.preventDefault();
  };
  host.addEventListener("mousedown", keep, early);
  host.addEventListener("touchstart", keep, { ...early, passive: false });
  return () => gone.abort();
}

class DrawingHand {
  readonly #chart: Chart;
  readonly #host: HTMLElement;
  readonly #waiting: () => Overlay | null;
  #press: Press | null = null;
  #isDragging = false;

  constructor(chart: Chart, host: HTMLElement, waiting: () => Overlay | null) {
    this.#chart = chart;
    this.#host = host;
    this.#waiting = waiting;
  }

  get isPressing(): boolean {
    return this.#press !== null;
  }

  press(event: PointerEvent): void {
    if (this.#press !== null || !event.isPrimary || event.button !== 0 || this.#waiting() === null) return;
    const at = this.#placeOf(event);
    // A press on an axis scales it as usual.
    const within = this.#paneAt(at);
    if (within === null) return;
    this.#press = { pointer: event.pointerId, at, within };
    this.#isDragging = false;
  }

  move(event: PointerEvent): void {
    const press = this.#pressOf(event);
    if (press === null) return;
    const at = inside(this.#placeOf(event), press.within);
    if (!this.#isDragging) {
      if (Math.abs(at.x - press.at.x) + Math.abs(at.y - press.at.y) < DRAG_PX) return;
      this.#isDragging = true;
      const drawing = this.#waiting();
      if (drawing !== null && drawing.totalStep - drawing.currentStep > 1) this.#set(press.at);
    }
    this.#tell("mouseMoveEvent", at);
  }

  release(event: PointerEvent): void {
    const press = this.#pressOf(event);
    if (press === null) return;
    const at = this.#isDragging ? inside(this.#placeOf(event), press.within) : press.at;
    this.#press = null;
    this.#set(at);
    // Hides the crosshair that the touch would leave behind.
    if (event.pointerType === "touch") this.#handlers()?.mouseLeaveEvent?.();
    else this.#tell("mouseMoveEvent", at);
  }

  cancel(event: PointerEvent): void {
    if (this.#pressOf(event) !== null) this.#press = null;
  }

  #pressOf({ pointerId }: PointerEvent): Press | null {
    return this.#press?.pointer === pointerId ? this.#press : null;
  }

  /** Sets the drawing's next point, unless the drawing was canceled during the press. */
  #set(at: Place): void {
    if (this.#waiting() !== null) this.#tell("mouseClickEvent", at);
  }

  #tell(what: "mouseClickEvent" | "mouseMoveEvent", at: Place): void {
    this.#handlers()?.[what]?.({ ...at, pageX: at.x, pageY: at.y });
  }

  #handlers() {
    return (this.#chart as Chart & Handlers)._chartEvent;
  }

  #placeOf({ clientX, clientY }: PointerEvent): Place {
    const box = this.#host.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  /** Returns the plot at this place, of prices or of an indicator; null on an axis or between plots. */
  #paneAt({ x, y }: Place): Bounding | null {
    for (const pane of [this.#chart.getPaneOptions()].flat()) {
      const box = pane?.id === undefined ? null : this.#chart.getSize(pane.id, "main");
      if (box === null) continue;
      if (x >= box.left && x < box.left + box.width && y >= box.top && y < box.top + box.height) return box;
    }
    return null;
  }
}

/** Returns the nearest place inside a plot. */
function inside({ x, y }: Place, { left, top, width, height }: Bounding): Place {
  return {
    x: Math.min(Math.max(x, left), left + width - 1),
    y: Math.min(Math.max(y, top), top + height - 1),
  };
}
