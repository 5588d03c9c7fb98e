import type { Page } from "@playwright/test";
import { expect, onScreen } from "./journey.ts";

/** Pulls the page down by `px` with one finger, in realistic steps, and then lifts the finger or cancels the touch. */
export async function pullDown(page: Page, px = 180, end: "touchEnd" | "touchCancel" = "touchEnd"): Promise<void> {
  const box = await onScreen(page).locator("main").boundingBox();
  expect(box).not.toBeNull();
  const x = (box?.x ?? 0) + 90;
  const top = (box?.y ?? 0) + 6;
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd" | "touchCancel", y?: number) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: y === undefined ? [] : [{ x, y }] });
  await touch("touchStart", top);
  for (let way = 12; way <= px; way += 12) {
    await touch("touchMove", top + way);
    await page.waitForTimeout(16);
  }
  await touch(end);
  await finger.detach();
}

/** Drags from one place to another in small steps, with a finger or with the mouse. */
export async function drag(
  page: Page,
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  isTouch: boolean,
): Promise<void> {
  const places = Array.from({ length: 12 }, (_, nth) => [
    x + ((toX - x) * (nth + 1)) / 12,
    y + ((toY - y) * (nth + 1)) / 12,
  ]) as [number, number][];
  if (!isTouch) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (const place of places) await page.mouse.move(...place);
    await page.mouse.up();
    return;
  }
  const finger = await page.context().newCDPSession(page);
  await finger.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
  for (const [atX, atY] of places) {
    await finger.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: atX, y: atY }] });
    await page.waitForTimeout(16);
  }
  await finger.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await finger.detach();
}
