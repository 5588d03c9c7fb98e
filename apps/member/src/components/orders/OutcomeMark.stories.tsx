import type { Stories } from "@fairtick/ui/story.ts";
import { OutcomeMark } from "./OutcomeMark.tsx";

export const stories = {
  OutcomeMark: {
    won: () => <OutcomeMark outcome="won" />,
    lost: () => <OutcomeMark outcome="lost" />,
    tied: () => <OutcomeMark outcome="tied" />,
    voided: () => <OutcomeMark outcome="voided" />,
    "never revealed": () => <OutcomeMark outcome="unrevealed" />,
  },
} satisfies Stories;
