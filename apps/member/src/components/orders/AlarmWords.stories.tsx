import type { Stories } from "@fairtick/ui/story.ts";
import type { OrderFault } from "../../data/proof/alarms.ts";
import type { KeptEvidence } from "../../data/sealed/evidence-shelf.ts";
import { ORDER } from "../story-data.tsx";
import { AlarmWords } from "./AlarmWords.tsx";

const EVIDENCE: KeptEvidence = {
  member: "usr_story",
  clientOrderId: ORDER.clientOrderId,
  sentAt: ORDER.acceptedAt,
  wishes: [],
  answer: null,
  bound: null,
  reveal: null,
  answered: "missing",
  logged: null,
  told: false,
};

function OrderAlarm({ fault, evidence }: { readonly fault: OrderFault; readonly evidence: KeptEvidence | null }) {
  const orderNo = fault === "refusalMissing" || fault === "refusalReason" ? null : ORDER.orderNo;
  const alarm = { kind: "order", key: "story", fault, orderNo, at: ORDER.acceptedAt, evidence } as const;
  return <AlarmWords alarm={alarm} onClose={() => undefined} />;
}

const DEVICE = {
  deviceId: "dev_story",
  label: "Chrome on Windows",
  publicKey: "",
  hash: "",
  nonce: "",
  addedAt: ORDER.acceptedAt,
  removedAt: null,
};

export const stories = {
  AlarmWords: {
    "answered without proof": () => <OrderAlarm fault="unproven" evidence={EVIDENCE} />,
    "a refusal that the log lacks": () => <OrderAlarm fault="refusalMissing" evidence={EVIDENCE} />,
    "a refusal that the log counts otherwise": () => <OrderAlarm fault="refusalReason" evidence={EVIDENCE} />,
    "signed by no device": () => <OrderAlarm fault="noDevice" evidence={null} />,
    "a device that was removed since": () => (
      <AlarmWords
        alarm={{ kind: "device", key: "story", device: { ...DEVICE, removedAt: ORDER.acceptedAt + 1 } }}
        onClose={() => undefined}
      />
    ),
    "a new device": () => (
      <AlarmWords alarm={{ kind: "device", key: "story", device: DEVICE }} onClose={() => undefined} />
    ),
  },
} satisfies Stories;
