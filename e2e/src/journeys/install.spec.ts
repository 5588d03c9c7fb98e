import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base } from "@playwright/test";
import { expect, onScreen, open, test } from "../steps/journey.ts";
import { expectAccessible, expectNoSidewaysScroll, picture } from "../steps/look.ts";
import { STEADY } from "../steps/market.ts";
import { productUrl } from "../steps/members.ts";

test("the download screen explains how to install and shows the version", async ({ page }, info) => {
  const screen = onScreen(page);
  await open(page, "/pages/download/index");
  await expect(page).toHaveTitle("Download the app");
  await expect(screen.getByText("On iPhone and iPad")).toBeVisible();
  await expect(screen.getByText("Version 1.0, build 10")).toBeVisible();
  await expect(screen.getByText("You have the latest version.")).toBeVisible();
  await expectAccessible(page, "download");
  await expectNoSidewaysScroll(page);
  await picture(page, info, "install-01-download");

  await test.step("if the browser offers to install, there is one button", async () => {
    await page.evaluate(() => {
      const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
        prompt: () => {
          document.title = "asked";
          return Promise.resolve({ outcome: "accepted" });
        },
      });
      dispatchEvent(offer);
    });
    await screen.getByRole("button", { name: "Install" }).click();
    await expect(page).toHaveTitle("asked");
    await expect(screen.getByRole("button", { name: "Install" })).toHaveCount(0);
  });
});

test("a device keeps the messages of English, and those of another language only once they are asked for", async ({
  page,
}) => {
  const worker = await (await page.request.get("/service-worker.js")).text();
  const kept = worker.match(/assets\/[a-z]+_[a-z]+-[^."]+\.js/g) ?? [];
  expect(kept.map((name) => name.replace(/-.*/, "")).toSorted()).toEqual([
    "assets/en_all",
    "assets/en_first",
    "assets/en_trade",
  ]);
  const whole = await (await page.request.get("/")).text();
  // The page names the files of all languages, of which the worker keeps one.
  const others = whole.match(/assets\/de_all-[^."]+\.js/g) ?? [];
  expect(others).toHaveLength(1);
  expect(worker).not.toContain(others[0]);
});

test("the manifest names existing icons with their right sizes", async ({ page }) => {
  const answer = await page.request.get("/manifest.webmanifest");
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = (await answer.json()) as { icons: { src: string; sizes: string; type: string }[] };
  for (const { src, sizes, type } of icons) {
    const icon = await page.request.get(src);
    expect(icon.headers()["content-type"]).toBe(type);
    if (type !== "image/png") continue;
    const bytes = await icon.body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
});

test("a newer version that the server announces is offered and can be postponed", async ({ page }, info) => {
  await page.route("**/client/app/config", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: Record<string, unknown> };
    await route.fulfill({ json: { ...body, data: { ...body.data, version: "1.1", versionCode: 11 } } });
  });
  await open(page, "/pages/market/index");
  const prompt = onScreen(page).getByTestId("update-prompt");
  await expect(prompt).toBeVisible();
  await expectAccessible(page, "update-prompt");
  await picture(page, info, "install-02-update");
  await prompt.getByRole("button", { name: "Later" }).click();
  await expect(prompt).toHaveCount(0);
  await page.reload();
  // Wait from before the click: the page may have loaded again before the click resolves.
  const loaded = page.waitForEvent("load");
  await prompt.getByRole("button", { name: "Update now" }).click();
  await loaded;
});

base.describe("the installed app", () => {
  base.use({ serviceWorkers: "allow" });

  base("is reopened while the phone has no network and fills when it has one", async ({ page, context }) => {
    const screen = onScreen(page);
    await page.goto("/#/pages/market/index");
    await expect(screen.getByRole("link", { name: new RegExp(STEADY.name) })).toBeVisible();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await page.reload();
    await expect(screen.getByRole("heading", { name: "Market" })).toBeVisible();
    await expect(screen.getByText("Tap to retry").first()).toBeVisible();
    await context.setOffline(false);
    await expect(screen.getByText("Tap to retry")).toHaveCount(0);
    await expect(screen.getByRole("link", { name: new RegExp(STEADY.name) })).toContainText(/[0-9]\.[0-9]/);
  });

  base(
    "opens without a network, caches no response, and updates when a newer version is out",
    async ({ page, context }) => {
      const edge = await startEdge();
      const screen = onScreen(page);
      await page.goto(`${edge.url}/#/pages/market/index`);
      await expect(screen.getByRole("heading", { name: "Market" })).toBeVisible();
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);

      await base.step("offline, the screen still opens and says what is missing", async () => {
        edge.state.cut = true;
        await page.goto(`${edge.url}/#/pages/notice/xieyi`);
        await page.reload();
        await expect(screen.getByRole("heading", { name: "Privacy policy" })).toBeVisible();
        await expect(screen.getByText("Tap to retry").first()).toBeVisible();
        const kept = await page.evaluate(async () => {
          const addresses: string[] = [];
          for (const name of await caches.keys())
            for (const { url } of await (await caches.open(name)).keys()) addresses.push(new URL(url).pathname);
          return addresses;
        });
        expect(kept.length).toBeGreaterThan(20);
        expect(kept.filter((path) => path.startsWith("/client"))).toEqual([]);
        edge.state.cut = false;
      });

      await base.step("back online, it fills automatically", async () => {
        await expect(screen.getByRole("article")).toBeVisible();
        await expect(screen.getByText("Tap to retry")).toHaveCount(0);
      });

      await base.step("a newer service worker waits until the member accepts it", async () => {
        await page.goto(`${edge.url}/#/pages/market/index`);
        await page.reload();
        await expect(screen.getByRole("heading", { name: "Market" })).toBeVisible();
        edge.state.newer = true;
        await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
        const prompt = screen.getByTestId("update-prompt");
        await expect(prompt).toBeVisible();
        const loaded = page.waitForEvent("load");
        await prompt.getByRole("button", { name: "Update now" }).click();
        await loaded;
        await expect(screen.getByRole("heading", { name: "Market" })).toBeVisible();
        await expect(prompt).toHaveCount(0);
        const waiting = await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting);
        expect(waiting).toBeNull();
      });
      await context.close();
      await edge.close();
    },
  );
});

/** Starts a proxy in front of the product that can disconnect and serve a newer service worker. */
async function startEdge() {
  const state = { cut: false, newer: false };
  const target = new URL(productUrl());
  const server: Server = createServer((incoming, outgoing) => {
    if (state.cut) return void incoming.socket.destroy();
    const { method, url: path = "/", headers } = incoming;
    const isWorker = path === "/service-worker.js";
    const sent = request(
      {
        host: target.hostname,
        port: target.port,
        path,
        method,
        headers: { ...headers, ...(isWorker && { "accept-encoding": "identity", "if-none-match": "" }) },
      },
      (answer) => {
        const { "content-length": _length, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 502, isWorker ? rest : answer.headers);
        answer.pipe(outgoing, { end: !isWorker });
        if (isWorker) answer.on("end", () => outgoing.end(state.newer ? "\n// newer\n" : ""));
      },
    );
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}

test("header and tab bar keep clear of a phone's notch and home indicator", async ({ memberPage: page }, info) => {
  const devtools = await page.context().newCDPSession(page);
  await open(page, "/pages/home/index");
  const bar = onScreen(page).locator(".bar").first();
  const tabs = onScreen(page).getByRole("navigation", { name: "Main" });
  await expect(tabs).toBeVisible();
  const before = { bar: (await bar.boundingBox())?.y ?? 0, tabs: (await tabs.boundingBox())?.height };
  await devtools.send("Emulation.setSafeAreaInsetsOverride", { insets: { top: 44, bottom: 34, left: 0, right: 0 } });
  await expect.poll(async () => (await bar.boundingBox())?.y).toBe(before.bar + 44);
  expect((await tabs.boundingBox())?.height).toBe((before.tabs ?? 0) + 34);
  await expectNoSidewaysScroll(page);
  await picture(page, info, "install-03-notch");
});
