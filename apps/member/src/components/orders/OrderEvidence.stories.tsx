import type { Stories } from "@fairtick/ui/story.ts";
import { ORDER } from "../story-data.tsx";
import { EvidenceNotice, OrderEvidence } from "./OrderEvidence.tsx";

const nothing = { fault: null, evidence: null, isOpen: false, device: null } as const;

export const stories = {
  OrderEvidence: {
    "placed in the open": () => <OrderEvidence order={{ ...ORDER, sealed: false }} />,
  },
  EvidenceNotice: {
    "answered without proof": () => <EvidenceNotice {...nothing} fault="unproven" />,
    "signed by no device": () => <EvidenceNotice {...nothing} fault="noDevice" />,
    "placed in the open": () => <EvidenceNotice {...nothing} isOpen />,
    "signed on another device": () => <EvidenceNotice {...nothing} device="Chrome on Windows" />,
  },
} satisfies Stories;
