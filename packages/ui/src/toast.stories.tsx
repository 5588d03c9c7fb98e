import { Button } from "./controls.tsx";
import type { Stories } from "./story.ts";
import { showToast, Toasts } from "./toast.tsx";

const LASTING_MS = 60_000;

export const stories = {
  Toasts: {
    "behind its button": () => (
      <div className="story-frame">
        <Button look="tint" onClick={() => showToast("Copied to the clipboard", LASTING_MS)}>
          Show a toast
        </Button>
        <Toasts />
      </div>
    ),
  },
} satisfies Stories;
