// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Boundary } from "./Boundary.tsx";

function Part({ breaks }: { readonly breaks: boolean }) {
  if (breaks) throw new Error("it broke while drawing");
  return <p>drawn</p>;
}

const at = (place: string, breaks: boolean) => (
  <Boundary resetBy={place} broken={<p>it did not load</p>}>
    <Part breaks={breaks} />
  </Boundary>
);

beforeEach(() => {
  // React logs errors that a boundary has caught.
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

it("replaces what breaks until another place gives it another try", () => {
  const { rerender } = render(at("/one", true));
  expect(screen.getByText("it did not load")).toBeTruthy();
  rerender(at("/one", false));
  expect(screen.getByText("it did not load")).toBeTruthy();
  rerender(at("/two", false));
  expect(screen.getByText("drawn")).toBeTruthy();
  rerender(at("/two", true));
  expect(screen.getByText("it did not load")).toBeTruthy();
});
