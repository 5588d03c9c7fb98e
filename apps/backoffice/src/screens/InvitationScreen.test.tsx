// @vitest-environment jsdom
import { sessionInvitation } from "@fairtick/protocol/operator";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { answer, renderFor } from "../testing.tsx";
import { InvitationScreen } from "./InvitationScreen.tsx";

afterEach(cleanup);

function renderInvitation(openedBefore: number[]) {
  const invitation = { login: "alice", name: "Alice", secret: "ABCD", uri: "otpauth://totp/alice", openedBefore };
  renderFor([], [answer(sessionInvitation, { token: "t" }, invitation)], <InvitationScreen token="t" />);
}

it("shows when the link was opened before, and lets the newcomer decline it", () => {
  renderInvitation([Date.UTC(2026, 10, 29, 12, 30)]);
  expect(screen.getByText(/opened before: 2026-11-29 12:30:00 UTC\./)).toBeDefined();
  expect(screen.getByRole("button", { name: "Decline invitation" })).toBeDefined();
});

it("shows no warning when a link is opened for the first time", () => {
  renderInvitation([]);
  expect(screen.queryByText(/opened before/)).toBeNull();
  expect(screen.getByRole("button", { name: "Accept invitation" })).toBeDefined();
});
