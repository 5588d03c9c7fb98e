import { orderPlace } from "@fairtick/protocol";
import type { Browser } from "@playwright/test";
import { expect, logInByStorage, noteToasts, test } from "../steps/journey.ts";
import { STEADY } from "../steps/market.ts";
import { newMember } from "../steps/members.ts";
import { fillOrder, openOrderForm, orderNumber, place, review, type Typed } from "../steps/ordering.ts";
import { listenToWhatIsTold, shapeOf, tellingOf } from "../steps/told.ts";

// Until the house has accepted a sealed order, nothing that leaves the browser may depend on its direction or limit price.

const LIMIT = "151.537";
type Chosen = Pick<Typed, "direction" | "limit">;
const CHOSEN: readonly Chosen[] = [
  { direction: "Up" },
  { direction: "Down" },
  { direction: "Up", limit: LIMIT },
  { direction: "Down", limit: LIMIT },
];

/** Places an order in a new browser of a new member. Returns everything that was sent until its acceptance. */
async function whatIsTold(browser: Browser, chosen: Chosen, leak?: () => void): Promise<readonly string[]> {
  const context = await browser.newContext();
  await context.addInitScript(noteToasts);
  const told = await listenToWhatIsTold(context, orderPlace.path);
  if (leak !== undefined) await context.addInitScript(leak);
  const page = await context.newPage();
  await logInByStorage(page, await newMember());
  await openOrderForm(page, STEADY.symbol);
  // It loads a moment after the first screen, in one browser before and in another after the acceptance.
  await expect(page.locator(".island-place")).toBeAttached();
  // So do the other intervals of a workspace's chart.
  if ((await page.locator(".workspace").count()) > 0)
    await expect.poll(() => intervalsLoaded(told.texts)).toBe(INTERVAL_COUNT);
  await fillOrder(page, { ...chosen, amount: "10" });
  await review(page);
  await place(page);
  await orderNumber(page);
  const texts = told.untilAnswered();
  await context.close();
  // The app's own files and the page are among what is sent, and so are the socket's frames and the order.
  for (const part of [
    /^GET \S+\/assets\//,
    /^frame .*"subscribe"/,
    /^POST \S+\/client\/order\/quote /,
    /order\/place .*&seal=/,
  ])
    expect(texts.some((text) => part.test(text))).toBe(true);
  return texts;
}

/** Buttons of a chart. */
const INTERVAL_COUNT = 8;

/** Counts the intervals whose newest candles were requested. */
function intervalsLoaded(texts: readonly string[]): number {
  const asked = texts.flatMap((text) => /\/market\/candles .*interval=(\w+)&limit=500 /.exec(text)?.[1] ?? []);
  return new Set(asked).size;
}

/** Sent by the clock to keep the socket open, so only by a browser whose order takes long enough. */
const KEEP_ALIVE = 'frame {"op":"ping"}';

/** Returns each different shape once: how often the app repeats a call depends on the time that passes. */
function shapesOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map(shapeOf))].filter((shape) => shape !== KEEP_ALIVE).toSorted();
}

/**
 * A busy machine may hold an order up for so long that it is refused and sent again, or that the app begins its background
 * checks meanwhile. A leak is there in every round.
 */
const ROUNDS_MAX = 3;

function areSame(all: readonly string[][]): boolean {
  return all.length > 0 && all.every((shapes) => shapes.join("\n") === all[0]?.join("\n"));
}

/** Sends the direction in four ways once Up is pressed: named, encoded, in a frame, and by sending anything at all. */
function leakUp(): void {
  let isTold = false;
  document.addEventListener(
    "click",
    ({ target }) => {
      if (isTold || !(target instanceof Element) || !/^Up\b/.test(target.closest("button")?.textContent ?? "")) return;
      isTold = true;
      void fetch("/health/live?d=up");
      navigator.sendBeacon("/health/live?b", new Blob([btoa(JSON.stringify({ side: "up" }))]));
      void fetch("/health/live?chart=1m");
      const socket = new WebSocket(`${location.origin.replace("http", "ws")}/client/stream`);
      socket.addEventListener("open", () => socket.send(JSON.stringify({ op: "note", x: "7570" })));
    },
    true,
  );
}

test(
  "nothing that leaves the browser before the acceptance tells direction or limit price",
  { tag: "@desk" },
  async ({ browser }) => {
    test.slow();
    let shapes: string[][] = [];
    for (let round = 0; round < ROUNDS_MAX && !areSame(shapes); round += 1) {
      shapes = [];
      for (const chosen of CHOSEN) {
        const texts = await whatIsTold(browser, chosen);
        expect(tellingOf(texts, [LIMIT])).toEqual([]);
        shapes.push(shapesOf(texts));
      }
    }
    for (const [place, other] of shapes.entries())
      expect(other, `${JSON.stringify(CHOSEN[place])} and Up`).toEqual(shapes[0]);

    await test.step("the check notices an app that tells it", async () => {
      const texts = await whatIsTold(browser, { direction: "Up" }, leakUp);
      const planted = (text: string) => /\/health\/live\?|"note"/.test(text);
      const telling = tellingOf(texts);
      expect(telling.filter((text) => !planted(text))).toEqual([]);
      expect(telling.map((text) => text.slice(0, 6)).toSorted()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^GET /),
          expect.stringMatching(/^beacon/),
          expect.stringMatching(/^frame/),
        ]),
      );
      // What tells the direction without naming it.
      const more = shapesOf(texts).filter((shape) => shapes[0]?.includes(shape) === false);
      expect(more.some((shape) => shape.includes("/health/live?chart=1m"))).toBe(true);
    });
  },
);

test("a direction or a price is recognized in any form", () => {
  const frame = (inner: string) => `frame {"op":"note","x":"${inner}"}`;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const hex = (text: string) => Buffer.from(text).toString("hex");
  const telling = [
    "POST /client/order/place symbol=EURUSD&direction=",
    "GET /client/market/candles?d=up",
    "GET /assets/chevron-down.svg",
    `GET /health/live?x=${encodeURIComponent('{"side":"DOWN"}')}`,
    ...["up", "Down", `limit ${LIMIT}`, `{"p":${LIMIT}}`].flatMap((text) => [frame(base64(text)), frame(hex(text))]),
    frame(base64(base64("up"))),
    frame(Buffer.from(`{"p":"${LIMIT}"}`).toString("base64url")),
    frame(LIMIT),
    frame("151537"),
    "POST /client/order/place signature=6up2",
    `POST /client/order/place signature=${"A".repeat(86)}&note=6up2`,
  ];
  expect(tellingOf(telling, [LIMIT])).toEqual(telling);
  const signature = (part: string) => `POST /client/order/place seal=ab&signature=${part.padEnd(86, "A")}`;
  const silent = [
    "GET /client/market/candles?interval=1m",
    frame("c2VhbA=="),
    "GET /upgrade?update=1151537",
    signature("6aFjkeQlTr3nk8oclrXRoAlVp6up2_x2TvUU0fpAkNK"),
  ];
  expect(tellingOf(silent, [LIMIT])).toEqual([]);
  const sent = (seal: string, side: string) =>
    `POST /client/order/place seal=${seal}&seenSlot=${side.length}00&x=${side}`;
  expect(shapeOf(sent("ab".repeat(32), "a"))).toBe(shapeOf(sent("cd".repeat(32), "a")));
  expect(shapeOf(sent("ab".repeat(32), "a"))).not.toBe(shapeOf(sent("ab".repeat(32), "b")));
  expect(shapeOf(sent("ab".repeat(32), "a"))).not.toBe(shapeOf(sent("ab".repeat(31), "a")));
});
