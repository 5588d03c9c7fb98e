import type { Stories } from "@fairtick/ui/story.ts";
import { QrCode } from "./QrCode.tsx";

export const stories = {
  QrCode: {
    "an address": () => <QrCode text="0x5fbdb2315678afecb367f032d93f642f64180aa3" label="Deposit address" />,
  },
} satisfies Stories;
