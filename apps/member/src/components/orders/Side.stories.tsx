import type { Stories } from "@fairtick/ui/story.ts";
import { Side } from "./Side.tsx";

export const stories = {
  Side: {
    up: () => <Side direction="up" />,
    down: () => <Side direction="down" />,
    sealed: () => <Side direction={null} />,
  },
} satisfies Stories;
