import type { Page } from "@playwright/test";

/** What the server says where a journey lets it refuse. */
export const REFUSAL = "The server says no today";

/** Lets a call be refused with `msg`, or without a word. The status is not checked: the envelope's code decides. */
export async function refuse(page: Page, call: string, msg = REFUSAL): Promise<void> {
  await page.route(`**/client/${call}`, (route) =>
    route.fulfill({ json: { code: 422, msg, data: { error: "CONFLICT" } } }),
  );
}

/** Lets a call find no server. */
export async function cut(page: Page, call: string): Promise<void> {
  await page.route(`**/client/${call}`, (route) => route.abort("connectionreset"));
}

export interface Network {
  lose(): void;
  comeBack(): void;
}

/** Takes the server away from the calls and the stream of a page, and gives it back. The app itself still loads. */
export async function controlNetwork(page: Page): Promise<Network> {
  let isLost = false;
  const sockets = new Set<{ close(): Promise<void> }>();
  await page.route("**/client/**", (route) => (isLost ? route.abort("internetdisconnected") : route.fallback()));
  await page.routeWebSocket("**/client/stream", (socket) => {
    if (isLost) return void socket.close();
    sockets.add(socket);
    socket.connectToServer();
  });
  return {
    lose() {
      isLost = true;
      for (const socket of sockets) void socket.close();
      sockets.clear();
    },
    comeBack() {
      isLost = false;
    },
  };
}

/** The toasts that the page has said so far, and have not been asked for by `expectToast`. */
export async function toasts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => window.toldToasts ?? []);
}
