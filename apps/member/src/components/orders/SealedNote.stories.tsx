import type { Stories } from "@fairtick/ui/story.ts";
import { knowChoice } from "../../data/sealed/known-choices.ts";
import { ORDER } from "../story-data.tsx";
import { SealedNote } from "./SealedNote.tsx";

const RUNNING = { ...ORDER, state: "open", outcome: null, profit: null, settledAt: null } as const;
const OWN = { ...RUNNING, clientOrderId: "story-until-end", direction: "up" } as const;

knowChoice({
  ...OWN,
  member: "usr_1",
  nonce: "00",
  sentAt: 0,
  untilEnd: { durationSeconds: 30, expiresAt: null },
});

export const stories = {
  SealedNote: {
    "sealed here until its end": () => <SealedNote order={OWN} />,
    "sealed by another device": () => <SealedNote order={{ ...RUNNING, direction: null, expiresAt: null }} />,
    "over, and still sealed": () => (
      <SealedNote order={{ ...RUNNING, direction: null, expiresAt: 1_000_000_000_000 }} />
    ),
  },
} satisfies Stories;
