/** Code that the chart benchmark runs in its pages. It is text, because a page's types aren't this process's. */

export interface Dragged {
  /** Time between consecutive frames, in ms with one decimal. */
  readonly frameMs: readonly number[];
  /** Time from the start of each frame's work until the page is idle again, ms. */
  readonly workMs: readonly number[];
}

/** Moves the pressed pointer once per frame, back and forth over 300 px, and measures the frames. */
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
  // Leave out the first tenth, in which code is still being compiled.
  const warm = (all) => all.slice(Math.ceil(all.length / 10));
  return { frameMs: warm(frameMs), workMs: warm(workMs) };
}`;

/** Draws the library's own chart with candles [time, open, high, low, close] and a tick every `everyMs`. */
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

/** Presses each interval's button and returns the time until its candles were drawn, in ms. */
export const INTERVAL_SWITCH = `async (intervals) => {
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  const tookMs = [];
  for (const interval of intervals) {
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === interval);
    const begun = performance.now();
    button.click();
    while (document.querySelector("[data-testid=chart]").dataset.drawn !== interval) await nextFrame();
    // Wait for the frame that shows it.
    await nextFrame();
    tookMs.push(performance.now() - begun);
    for (let frame = 0; frame < 30; frame += 1) await nextFrame();
  }
  return tookMs;
}`;

/** Presses each interval's button and returns the number of frames in which all of the chart's canvases were blank. */
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
