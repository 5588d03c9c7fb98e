import type { Stories } from "@fairtick/ui/story.ts";

/** Broken on purpose: the journey `gallery` opens this page to prove that it refuses what it finds here. */
export const stories = {
  Broken: {
    "too pale to read": () => <p style={{ background: "#ffffff", color: "#c9c9c9" }}>Nobody can read this.</p>,
    "a button without a name": () => (
      // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the journey has to find it
      <button type="button" style={{ minHeight: 44, minWidth: 44 }} />
    ),
    "wider than a phone": () => <div style={{ height: 8, width: 600 }} />,
  },
} satisfies Stories;
