import type { Page } from "@playwright/test";

/** Everything that a page sends: addresses and bodies of requests, and frames of its sockets. Addresses of the app's own files are left out. */
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

/** Those of the texts that name a direction or a limit, but for the opening of earlier orders. */
export function tellingOf(texts: readonly string[]): string[] {
  return texts.filter(
    (text) => !text.includes("/client/order/reveal ") && /\b(?:up|down|long|short|direction|limitPrice)\b/i.test(text),
  );
}

/** The fields of a sent form, with what is new for each order replaced by its length. */
export function shapeOf(form: string): string {
  const fresh = new Set(["seal", "seenSlot", "seenHash", "signature", "clientOrderId"]);
  return [...new URLSearchParams(form)]
    .map(([name, value]) => `${name}=${fresh.has(name) ? `(${value.length})` : value}`)
    .join("&");
}
