// @vitest-environment jsdom
import { I18nProvider } from "@lingui/react";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { activateAllWords, i18n } from "../../shared/i18n.ts";
import { changeChart, chartSettings } from "./chart-settings.ts";
import { IndicatorList } from "./IndicatorList.tsx";

beforeEach(async () => {
  await activateAllWords("en");
  render(
    <I18nProvider i18n={i18n}>
      <IndicatorList />
    </I18nProvider>,
  );
  fireEvent.click(screen.getByRole("button", { name: /MACD/ }));
});
afterEach(() => {
  cleanup();
  changeChart({ indicators: [] });
  localStorage.clear();
});

const fields = () => screen.getAllByRole<HTMLInputElement>("textbox");
const valuesOf = (name: string) => chartSettings().indicators.find((shown) => shown.name === name)?.params;

it("stores a value when its field is left, and the next field keeps the focus", () => {
  const [first, second] = fields();
  act(() => {
    first?.focus();
  });
  fireEvent.change(first!, { target: { value: "10" } });
  act(() => {
    second?.focus();
  });
  expect(valuesOf("MACD")?.[0]).toBe(10);
  expect(document.activeElement).toBe(fields()[1]);
});

it("leaves the button for the first values in place while a press leaves a field", () => {
  const reset = screen.getByRole("button", { name: /Reset/ });
  const [first] = fields();
  act(() => {
    first?.focus();
  });
  fireEvent.change(first!, { target: { value: "10" } });
  act(() => {
    first?.blur();
  });
  expect(reset.isConnected).toBe(true);
  fireEvent.click(reset);
  expect(fields()[0]?.value).toBe("12");
});
