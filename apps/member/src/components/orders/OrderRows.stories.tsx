import type { Stories } from "@fairtick/ui/story.ts";
import { ORDER } from "../story-data.tsx";
import { PositionRow, SettledRow } from "./OrderRows.tsx";

const open = {
  ...ORDER,
  state: "open",
  outcome: null,
  exitAt: null,
  exitPrice: null,
  settledAt: null,
  profit: null,
} as const;

export const stories = {
  PositionRow: {
    "waiting for its entry price": () => (
      <PositionRow order={{ ...open, state: "accepted", entryAt: null, entryPrice: null, expiresAt: null }} />
    ),
    running: () => <PositionRow order={{ ...open, direction: "down" }} />,
  },
  SettledRow: {
    won: () => <SettledRow order={ORDER} />,
    lost: () => <SettledRow order={{ ...ORDER, outcome: "lost", profit: "-101.00" }} />,
    tied: () => <SettledRow order={{ ...ORDER, outcome: "tied", profit: "0.00" }} />,
    voided: () => <SettledRow order={{ ...ORDER, outcome: "voided", profit: "0.00", voidReason: "NO_ENTRY_TICK" }} />,
  },
} satisfies Stories;
