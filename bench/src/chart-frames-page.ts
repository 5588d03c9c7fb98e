/** What the benchmark of the chart runs in its pages: as text, since a page's types are not this process's. */

export interface Dragged {
  /** From each frame to the next, ms, cut to tenths. */
  readonly frameMs: readonly number[];
  /** From the beginning of each frame's work until the page is free again, ms. */
  readonly workMs: readonly number[];
}

/** Moves the pressed pointer once a frame, to and fro over 300 px, and times the frames. */
export const DRAG = `async (host, forMs) => {
  const box = document.querySelector(host).getBoundingClientRect();
  const [middle, y] = [box.x + box.width / 2, box.y + box.height * 0.4];
  const target = document.elementFromPoint(middle, y);
  const send = (on, type, x) =>
    on.dispatchEvent(new (type.startsWith("pointer") ? PointerEvent : MouseEvent)(type, { clientX: x, clientY: y, button: 0, buttons: 1, bubbles: true, cancelable: true, view: window }));
  const frameMs = [];
  const workMs = [];
  const { port1, port2 } = new MessageChannel();
  let begun = 0;
  port1.onmessage = () => workMs.push(performance.now() - begun);
  send(target, "mouseenter", middle);
  send(target, "pointerdown", middle);
  send(target, "mousedown", middle);
  const first = performance.now();
  await new Promise((done) => {
    let before = 0;
    const frame = (at) => {
      begun = performance.now();
      if (before > 0) frameMs.push(Math.floor((at - before) * 10) / 10);
      before = at;
      send(target, "pointermove", middle + 150 * Math.sin((at - first) / 400));
      send(document.documentElement, "mousemove", middle + 150 * Math.sin((at - first) / 400));
      port2.postMessage(null);
      if (at - first >= forMs) done();
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  send(target, "pointerup", middle);
  send(document.documentElement, "mouseup", middle);
  port1.close();
  // What is drawn for the first time is compiled first.
  const warm = (all) => all.slice(Math.ceil(all.length / 10));
  return { frameMs: warm(frameMs), workMs: warm(workMs) };
}`;

/** The library as it comes, with candles [time, open, high, low, close] and a tick every so many ms. */
export const BARE_CHART = `(candles, everyMs) => {
  const bars = candles.map(([timestamp, open, high, low, close]) => ({ timestamp, open, high, low, close }));
  const chart = klinecharts.init("place");
  chart.setSymbol({ ticker: "EURUSD", pricePrecision: 5, volumePrecision: 0 });
  chart.setBarSpace(7);
  chart.setPeriod({ type: "minute", span: 1 });
  chart.setDataLoader({
    getBars: ({ callback }) => callback(bars, { forward: false, backward: false }),
    subscribeBar: ({ callback }) => {
      let [bar, count] = [bars.at(-1), 0];
      setInterval(() => {
        count += 1;
        const close = bar.open * (1 + (count % 97) / 100000);
        bar = { ...bar, close, high: Math.max(bar.high, close), low: Math.min(bar.low, close) };
        callback(bar);
      }, everyMs);
    },
  });
}`;

/** Presses each interval's button and answers how long it took until its candles were drawn, ms each. */
export const INTERVAL_SWITCH = `async (intervals) => {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  const tookMs = [];
  for (const interval of intervals) {
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === interval);
    const begun = performance.now();
    button.click();
    while (document.querySelector("[data-testid=chart]").dataset.drawn !== interval) await nextFrame();
    // The frame that shows it.
    await nextFrame();
    tookMs.push(performance.now() - begun);
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();
  }
  return tookMs;
}`;

/** Presses each interval's button and answers in how many frames nothing was on any of the chart's canvases. */
export const BLANK_FRAMES = `async (intervals) => {
  const context = new OffscreenCanvas(60, 60).getContext("2d", { willReadFrequently: true });
  let blank = 0;
  for (const interval of intervals) {
    [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === interval).click();
    for (let frame = 0; frame < 60; frame += 1) {
      await new Promise((done) => requestAnimationFrame(done));
      context.clearRect(0, 0, 60, 60);
      for (const canvas of document.querySelectorAll(".price-chart-host canvas")) context.drawImage(canvas, 0, 0, 60, 60);
      if (!context.getImageData(0, 0, 60, 60).data.some((value) => value > 0)) blank += 1;
    }
  }
  return blank;
}`;
