import { Button } from "./controls.tsx";
import { EmptyState, FailedState, Notice, PracticeStrip } from "./states.tsx";
import type { Stories } from "./story.ts";

export const stories = {
  Notice: {
    "to know": () => <Notice>Open orders still settle on time.</Notice>,
    wrong: () => <Notice wrong>We couldn&apos;t load your balance. It hasn&apos;t changed.</Notice>,
  },
  EmptyState: {
    "a title alone": () => <EmptyState title="You have no open orders" />,
    "with words and a way on": () => (
      <EmptyState title="You have no open orders" action={<Button look="tint">Trade</Button>}>
        Orders appear here while they run.
      </EmptyState>
    ),
  },
  FailedState: {
    failed: () => (
      <FailedState
        title="We couldn't load the deposit methods. Your balance is unaffected."
        retryLabel="Tap to retry"
        onRetry={() => undefined}
      />
    ),
  },
  PracticeStrip: {
    "play money": () => <PracticeStrip wallet="Practice wallet, play money." prices="Prices are simulated." />,
    "real prices": () => <PracticeStrip wallet="Practice wallet, play money." />,
  },
} satisfies Stories;
