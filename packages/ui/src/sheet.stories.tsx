import { useState } from "react";
import { Button } from "./controls.tsx";
import { SheetDialog } from "./sheet-dialog.tsx";
import { Sheet, SheetFrame } from "./sheet.tsx";
import type { Stories } from "./story.ts";

function Opened() {
  const [open, setOpen] = useState(false);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  return (
    <div className="story-frame" ref={setFrame}>
      <SheetFrame value={frame}>
        <Button look="tint" onClick={() => setOpen(true)}>
          Open the sheet
        </Button>
        <Sheet open={open} onClose={() => setOpen(false)} title="Products" closeLabel="Close">
          <p>What the sheet holds.</p>
        </Sheet>
      </SheetFrame>
    </div>
  );
}

export const stories = {
  Sheet: { "behind its button": () => <Opened /> },
  SheetDialog: {
    // Shown closed, because an open sheet would cover the other stories. The journey opens the one above.
    closed: () => (
      <SheetDialog open={false} onClose={() => undefined} title="Products" closeLabel="Close" frame={null}>
        <p>What the sheet holds.</p>
      </SheetDialog>
    ),
  },
} satisfies Stories;
