// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { I18nProvider } from "@lingui/react";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { activateAllWords, i18n } from "./i18n.ts";
import { Screen } from "./Screen.tsx";

beforeEach(() => activateAllWords("en"));
afterEach(cleanup);

it("draws no focus ring around the page when the screen focuses it, but does after a key press", async () => {
  const styles = readFileSync(join(import.meta.dirname, "../../../../packages/ui/src/styles/layout.css"), "utf8");
  const ringed = /(\.page\[tabindex="0"\]):focus-visible(\S*) \{/.exec(styles)!;
  const isRinged = () => document.activeElement!.matches(`${ringed[1]}${ringed[2]}`);
  render(
    <I18nProvider i18n={i18n}>
      <Screen title="Order" toRead>
        <p>Runs</p>
      </Screen>
    </I18nProvider>,
  );
  const main = screen.getByRole("main");
  await vi.waitFor(() => expect(document.activeElement).toBe(main));
  expect(isRinged()).toBe(false);
  fireEvent.keyDown(main, { key: "ArrowDown" });
  expect(isRinged()).toBe(true);
});
