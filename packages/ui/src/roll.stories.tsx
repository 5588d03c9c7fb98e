import { Roll } from "./roll.tsx";
import type { Stories } from "./story.ts";

export const stories = {
  Roll: {
    gained: () => <Roll figure="+84.00" />,
    "a moment later": () => <Roll figure="+84.00" after={400} />,
    "at once": () => <Roll figure="+84.00" still />,
    lost: () => <Roll figure="−1,010.00" />,
  },
} satisfies Stories;
