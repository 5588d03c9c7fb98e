import { Page } from "./pull.tsx";
import type { Stories } from "./story.ts";

export const stories = {
  Page: {
    "to read": () => (
      <div className="story-frame">
        <Page toRead>
          <p>A screen's scroll area.</p>
        </Page>
      </div>
    ),
    busy: () => (
      <div className="story-frame">
        <Page toRead busy onRefresh={async () => undefined} pullLabel="Pull" releaseLabel="Let go" busyLabel="Loading">
          <p>Figures are on their way.</p>
        </Page>
      </div>
    ),
  },
} satisfies Stories;
