import { useState } from "react";
import { Button, Segments, Switch, TabPanel, Tick, Words } from "./controls.tsx";
import { IconKey } from "./icons/screens.ts";
import type { Stories } from "./story.ts";

const SIDES = [
  { value: "up", label: "Higher" },
  { value: "down", label: "Lower" },
  { value: "flat", label: "The same", off: true },
] as const;
type Side = (typeof SIDES)[number]["value"];

function Chosen({ look }: { readonly look?: "slim" | "roomy" }) {
  const [side, setSide] = useState<Side>("up");
  return <Segments label="Direction" choices={SIDES} value={side} onChange={setSide} {...(look && { look })} />;
}

function Tabs({ id }: { readonly id: string }) {
  const [side, setSide] = useState<Side>("up");
  return (
    <>
      <Words label="Lists" choices={SIDES} value={side} onChange={setSide} panel={id} />
      <TabPanel id={id} chosen={side}>
        {side}
      </TabPanel>
    </>
  );
}

function Toggled({ first, off = false }: { readonly first: boolean; readonly off?: boolean }) {
  const [on, setOn] = useState(first);
  return <Switch label="Sounds" on={on} onChange={setOn} off={off} />;
}

function Ticked({ first, wrong = false }: { readonly first: boolean; readonly wrong?: boolean }) {
  const [on, setOn] = useState(first);
  return (
    <Tick on={on} onChange={setOn} wrong={wrong}>
      I have read the <a href="#terms">terms</a> and agree to them
    </Tick>
  );
}

export const stories = {
  Button: {
    main: () => <Button look="main">Place order</Button>,
    tint: () => <Button look="tint">Log in</Button>,
    quiet: () => <Button>Choose</Button>,
    edge: () => <Button look="edge">Decline</Button>,
    "low-key with an icon": () => (
      <Button look="tint" lowkey>
        <IconKey size="small" />
        Use a passkey
      </Button>
    ),
    "pressed choice": () => (
      <Button lowkey aria-pressed>
        5 min
      </Button>
    ),
    "off, yet reachable": () => (
      <Button look="main" off>
        Place order
      </Button>
    ),
    disabled: () => (
      <Button look="main" disabled>
        Sending
      </Button>
    ),
    "long words": () => <Button look="main">Submit the identity documents for verification now</Button>,
  },
  Segments: {
    usual: () => <Chosen />,
    slim: () => <Chosen look="slim" />,
    roomy: () => <Chosen look="roomy" />,
    "none chosen": () => <Segments label="Direction" choices={SIDES} value={null} onChange={() => undefined} />,
  },
  Words: { tabs: () => <Tabs id="words-tabs" /> },
  TabPanel: { shown: () => <Tabs id="panel-tabs" /> },
  Switch: {
    on: () => <Toggled first />,
    off: () => <Toggled first={false} />,
    "on, disabled": () => <Toggled first off />,
    "off, disabled": () => <Toggled first={false} off />,
  },
  Tick: {
    empty: () => <Ticked first={false} />,
    ticked: () => <Ticked first />,
    wrong: () => <Ticked first={false} wrong />,
  },
} satisfies Stories;
