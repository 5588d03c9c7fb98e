import type { BrowserContext, Request } from "@playwright/test";

/** Everything that a browser sends, in its order: requests of any kind, beacons and socket frames. */
export interface Told {
  readonly texts: readonly string[];
  /** Returns what was sent from `from` on, up to the newest answer to an order. */
  untilAnswered(from?: number): readonly string[];
}

/** Records what all pages of a context send from now on: addresses, headers and bodies. */
export async function listenToWhatIsTold(context: BrowserContext, placing: string): Promise<Told> {
  const texts: string[] = [];
  let answeredAt = 0;
  context.on("request", (request) => texts.push(textOf(request)));
  context.on("response", (response) => {
    if (response.url().endsWith(placing)) answeredAt = texts.length;
  });
  context.on("page", (page) => {
    page.on("websocket", (socket) => {
      texts.push(`socket ${socket.url()}`);
      socket.on("framesent", ({ payload }) => texts.push(`frame ${readable(Buffer.from(payload))}`));
    });
  });
  // The browser's own report of a beacon leaves out a body that isn't text.
  await context.exposeFunction("tellJourney", (text: string) => texts.push(text));
  await context.addInitScript(tellBeacons);
  return { texts, untilAnswered: (from = 0) => texts.slice(from, answeredAt) };
}

/** Headers that differ between two browsers whatever they do: the session, and the journey's own address. */
const OWN_HEADERS = new Set(["exchange2508token", "x-forwarded-for", "cookie", "user-agent"]);

function textOf(request: Request): string {
  const headers = Object.entries(request.headers())
    .filter(([name]) => !OWN_HEADERS.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}: ${value}`);
  const body = readable(request.postDataBuffer() ?? Buffer.alloc(0));
  return `${request.method()} ${request.url().replace(/#.*/, "")} ${body} [${headers.join("; ")}]`;
}

/** Returns bytes as text, or in hexadecimal if they aren't text. */
function readable(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return isPrintable(text) ? text : `hex ${bytes.toString("hex")}`;
}

function tellBeacons(): void {
  const send = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, data) => {
    void new Response(data).text().then((body) => window.tellJourney?.(`beacon ${String(url)} ${body}`));
    return send(url, data);
  };
}

declare global {
  interface Window {
    tellJourney?: (text: string) => void;
  }
}

/** What names a direction, as a whole word in any case. */
const SIDES = ["up", "down", "long", "short", "rise", "fall", "call", "put", "buy", "sell", "higher", "lower"];
const NAMES = ["direction", "limitPrice", "limit_price"];

/**
 * Returns the texts that name a direction or one of these prices: plain, percent-encoded, in base64 or in hexadecimal, also
 * within text that is encoded as a whole.
 */
export function tellingOf(texts: readonly string[], prices: readonly string[] = []): string[] {
  return texts.filter((text) => isTelling(decoded(text).replaceAll(RANDOM, "$1"), prices, 3));
}

/**
 * Long random values. One in a hundred has "up" between two digits. They can't be words that someone put there: the house
 * checks signatures, and has made the tokens itself.
 */
const RANDOM = /\b((?:signature|publicKey|token)"?[=:]"?)[A-Za-z0-9_-]{40,}/g;

function isTelling(text: string, prices: readonly string[], depth: number): boolean {
  const words = new RegExp(`(?<![A-Za-z])(?:${[...SIDES, ...NAMES].join("|")})(?![A-Za-z])`, "i");
  if (words.test(text) || prices.some((price) => namesPrice(text, price))) return true;
  if (depth === 0) return false;
  return [...text.matchAll(/[A-Za-z0-9+/_-]+={0,2}/g)].some(([token]) =>
    encodedTexts(token).some((inner) => isTelling(inner, prices, depth - 1)),
  );
}

/** Whether a text has a price, with or without its point and the zeros at its end. */
function namesPrice(text: string, price: string): boolean {
  return [price, price.replace(".", ""), price.replace(/0+$/, "")].some((form) =>
    new RegExp(`(?<![0-9])${form.replace(".", "\\.")}(?![0-9])`).test(text),
  );
}

/** Returns what a token says if it is base64 or hexadecimal of something readable. */
function encodedTexts(token: string): string[] {
  const found: string[] = [];
  if (/^(?:[0-9a-f]{2}){2,}$/i.test(token)) found.push(Buffer.from(token, "hex").toString("utf8"));
  if (token.length > 2) found.push(Buffer.from(token, "base64").toString("utf8"));
  return found.filter((text) => text !== token && isPrintable(text));
}

function isPrintable(text: string): boolean {
  return /^[\t\n\r\u0020-\u007e\u00a0-\uffef]*$/.test(text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** Values that are random, or follow from the time, the member or the device, by the name under which they are sent. */
const FRESH = [
  "seal",
  "seenSlot",
  "seenHash",
  "signature",
  "clientOrderId",
  "deviceId",
  "publicKey",
  "token",
  "userId",
];

/** Returns a text with every value that is new in each browser replaced by its kind and length. */
export function shapeOf(text: string): string {
  const named = new RegExp(`\\b(${FRESH.join("|")})("?[=:]"?)([^&"\\s]+)`, "g");
  return text
    .replaceAll(named, (_, name: string, mark: string, value: string) =>
      /^[0-9]+$/.test(value) ? `${name}${mark}(number)` : `${name}${mark}(${value.length})`,
    )
    .replaceAll(/\b(?:usr|dev|ord)_[A-Za-z0-9]+/g, "(id)")
    .replaceAll(/\b1[0-9]{12}\b/g, "(ms)");
}
