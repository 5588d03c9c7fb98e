// @vitest-environment jsdom
import { Toasts } from "@fairtick/ui";
import { I18nProvider } from "@lingui/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { changeSettings, currentSettings } from "../../data/settings.ts";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { NotificationsSwitch } from "./NotificationsSwitch.tsx";

const browser = { permission: "default", answer: "granted", asked: 0 };
const isOn = () => screen.getByRole("switch").getAttribute("aria-checked");
const tap = () => {
  fireEvent.click(screen.getByRole("switch"));
};

beforeEach(async () => {
  await activateAllWords("en");
  changeSettings({ notifications: false });
  Object.assign(browser, { permission: "default", answer: "granted", asked: 0 });
  vi.stubGlobal("Notification", {
    get permission() {
      return browser.permission;
    },
    requestPermission: () => {
      browser.asked += 1;
      browser.permission = browser.answer;
      return Promise.resolve(browser.answer);
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open() {
  render(
    <I18nProvider i18n={i18n}>
      <NotificationsSwitch />
      <Toasts />
    </I18nProvider>,
  );
}

it("is off on a device that may not show notifications yet, and asks there when it is turned on", async () => {
  changeSettings({ notifications: true });
  open();
  expect(isOn()).toBe("false");
  tap();
  await vi.waitFor(() => expect(isOn()).toBe("true"));
  expect(browser.asked).toBe(1);
  expect(currentSettings().notifications).toBe(true);
});

it("follows a permission that is taken back in the browser's settings", () => {
  changeSettings({ notifications: true });
  browser.permission = "granted";
  open();
  expect(isOn()).toBe("true");
  browser.permission = "denied";
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  expect(isOn()).toBe("false");
});

it.each([
  ["denied", "Notifications are blocked in the browser’s settings for this site"],
  ["default", "You haven’t allowed notifications yet. Try again and choose “Allow”"],
])("says what is missing if the answer is %s", async (answer, words) => {
  browser.answer = answer;
  open();
  tap();
  expect(await screen.findByText(words)).not.toBeNull();
  expect(isOn()).toBe("false");
  expect(currentSettings().notifications).toBe(false);
});

it("says to install the app where a page can't show notifications, as on an iPhone", async () => {
  vi.unstubAllGlobals();
  expect("Notification" in globalThis).toBe(false);
  changeSettings({ notifications: true });
  open();
  expect(isOn()).toBe("false");
  tap();
  expect(await screen.findByText("This browser can’t show notifications. Install the app first")).not.toBeNull();
});
