import { useState } from "react";
import { ENGLISH } from "./story-writing.ts";
import type { Stories } from "./story.ts";
import { Ring, Stations, Stepper, Timeline, TowardButton } from "./trading.tsx";

function Amount({ first, wrong }: { readonly first: string; readonly wrong?: string }) {
  const [value, setValue] = useState(first);
  return (
    <Stepper
      label="Amount"
      writing={ENGLISH}
      value={value}
      onInput={setValue}
      onStep={(toward) => setValue(String(Number(value) + 10 * toward))}
      lessLabel="Less"
      moreLabel="More"
      note="5.00 to 5,000.00 · 9,000.00 available"
      wrong={wrong}
      usual={["50", "100", "500"].map((amount) => ({ label: amount, value: amount }))}
    />
  );
}

export const stories = {
  TowardButton: {
    up: () => <TowardButton direction="up">Buy up</TowardButton>,
    "up, pressed": () => (
      <TowardButton direction="up" pressed>
        Buy up
      </TowardButton>
    ),
    "down, pressed": () => (
      <TowardButton direction="down" pressed>
        Buy down
      </TowardButton>
    ),
    "up, filled": () => (
      <TowardButton direction="up" filled>
        Buy up
      </TowardButton>
    ),
    "down, filled": () => (
      <TowardButton direction="down" filled>
        Buy down
      </TowardButton>
    ),
    "up, filled, disabled": () => (
      <TowardButton direction="up" filled disabled>
        Buy up
      </TowardButton>
    ),
    "down, pressed, disabled": () => (
      <TowardButton direction="down" pressed disabled>
        Buy down
      </TowardButton>
    ),
  },
  Stepper: {
    usual: () => <Amount first="100" />,
    wrong: () => <Amount first="1" wrong="At least 5.00" />,
  },
  Ring: {
    "just begun": () => <Ring left={1}>01:00</Ring>,
    "a third left": () => (
      <Ring left={0.33}>
        <span className="big">00:20</span>
      </Ring>
    ),
    over: () => <Ring left={0}>00:00</Ring>,
  },
  Stations: {
    "under way": () => (
      <Stations
        stations={[
          { label: "Seen", note: "12:01", state: "done" },
          { label: "Confirming", note: "1 of 2", state: "here" },
          { label: "Deposited", state: "later" },
        ]}
      />
    ),
    done: () => (
      <Stations
        stations={[
          { label: "Seen", note: "12:01", state: "done" },
          { label: "Confirming", state: "done" },
          { label: "Deposited", note: "12:03", state: "done" },
        ]}
      />
    ),
  },
  Timeline: {
    "an order": () => (
      <Timeline
        events={[
          { label: "Accepted", detail: "Batch 812", time: "12:00:01.250" },
          { label: "Entry price", detail: "1.085012", time: "12:00:01.500", after: "+250 ms" },
          { label: "Expiry", time: "12:01:01.250", later: true },
        ]}
      />
    ),
  },
} satisfies Stories;
