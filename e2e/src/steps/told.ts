import type { Page } from "@playwright/test";

/** Records what a page sends: addresses and bodies of requests, and socket frames. Skips the app's own files. */
export function listenToWhatIsTold(page: Page): string[] {
  const told: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script" || request.resourceType() === "stylesheet") return;
    told.push(`${request.method()} ${request.url().replace(/#.*/, "")} ${request.postData() ?? ""}`);
  });
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => told.push(`socket ${String(payload)}`));
  });
  return told;
}

/** Returns the texts that name a direction or a limit, except those that open earlier orders. */
export function tellingOf(texts: readonly string[]): string[] {
  return texts.filter(
    (text) => !text.includes("/client/order/reveal ") && /\b(?:up|down|long|short|direction|limitPrice)\b/i.test(text),
  );
}

/** Returns the fields of a sent form, with values that are new for each order replaced by their length. */
export function shapeOf(form: string): string {
  const fresh = new Set(["seal", "seenSlot", "seenHash", "signature", "clientOrderId"]);
  return [...new URLSearchParams(form)]
    .map(([name, value]) => `${name}=${fresh.has(name) ? `(${value.length})` : value}`)
    .join("&");
}
