import type { Order } from "@fairtick/protocol";
import { parseReceipt, type ProofPlaces, proofPlacesOf } from "@fairtick/transparency";
import { Button, Sheet } from "@fairtick/ui";
import { useEffect, useState } from "react";
import { useInstrument } from "../../data/instruments.ts";
import type { Verification } from "../../data/proof/verification.ts";
import { proofLink } from "../../data/proof-link.ts";
import { isProven, useCheckedProof } from "../../data/public-proof.ts";
import { copyText } from "../../shared/copy-text.ts";
import { formatDuration, formatPrice, formatUtcDate, formatUtcTime, toneOf } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import type { ProofCard } from "./draw-proof-card.ts";

interface Props {
  readonly order: Order;
  /** What this device found out about the order, with its receipt. */
  readonly found: Verification;
}

/** Shares a settled order as a picture and a link, without amounts or names, once all of it is in the public log. */
export function ShareProof({ order, found }: Props) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const places = placesOf(found.file);
  if (places === null) return <p className="note soft">{t("proof.shareSoon")}</p>;
  return (
    <>
      <Button lowkey look="tint" onClick={() => setOpen(true)}>
        {t("proof.share")}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t("proof.share")} closeLabel={t("shell.close")}>
        {open && <Sharing order={order} places={places} holds={found.verdict.state === "ok"} />}
      </Sheet>
    </>
  );
}

function placesOf(receipt: string): ProofPlaces | null {
  const parsed = parseReceipt(JSON.parse(receipt));
  return parsed.ok ? proofPlacesOf(parsed.receipt) : null;
}

interface SharingProps {
  readonly order: Order;
  readonly places: ProofPlaces;
  /** Whether every check of the receipt holds on this device. */
  readonly holds: boolean;
}

function Sharing({ order, places, holds }: SharingProps) {
  const t = useText();
  const link = proofLink(location.origin, places);
  const picture = usePicture(order, link, useProven(places, holds));
  const name = `fairtick-${order.symbol}-${order.acceptedAt}.png`;
  const file = picture && new File([picture.bytes], name, { type: "image/png" });
  const canShare = file !== null && "canShare" in navigator && navigator.canShare({ files: [file] });
  return (
    <div className="stack" data-testid="share-proof">
      <p className="note soft">{t("proof.shareNote")}</p>
      {picture === null ? (
        <div className="proof-picture" />
      ) : (
        <img className="proof-picture" src={picture.address} alt={t("proof.pictureLabel")} width={1080} height={1350} />
      )}
      <p className="code verify-values" data-testid="proof-link">
        {link}
      </p>
      <div className="pair">
        <Button onClick={() => void copyText(link)}>{t("proof.copyLink")}</Button>
        <Button
          look="main"
          off={file === null}
          onClick={() => {
            if (file === null) return;
            // Closing the system's share sheet isn't an error.
            if (canShare) void navigator.share({ files: [file], text: link }).catch(() => undefined);
            else saveFile(file, name);
          }}
        >
          {t(canShare ? "proof.sharePicture" : "proof.savePicture")}
        </Button>
      </div>
    </div>
  );
}

/**
 * Whether the picture may say that the order was verified: all of it holds on this device, and the public page that the
 * link opens will say so too. Null until that is known.
 */
function useProven(places: ProofPlaces, holds: boolean): boolean | null {
  const { data, isLoading } = useCheckedProof(holds ? places : null);
  if (isLoading) return null;
  return holds && data !== undefined && isProven(data);
}

interface Picture {
  readonly bytes: Blob;
  readonly address: string;
  /** The card that it shows, as JSON. */
  readonly card: string;
}

/** The card as drawn on this device; null until it is. */
function usePicture(order: Order, link: string, isVerified: boolean | null): Picture | null {
  const t = useText();
  const instrument = useInstrument(order.symbol);
  const [picture, setPicture] = useState<Picture | null>(null);
  const name = instrument?.name ?? order.symbol;
  const card =
    isVerified === null
      ? null
      : JSON.stringify(cardOf(t, order, { name, decimals: instrument?.decimals, link, isVerified }));
  useEffect(() => {
    if (card === null) return undefined;
    let address: string | null = null;
    let isOver = false;
    const draw = async () => {
      const { drawProofCard } = await import("./draw-proof-card.ts");
      const bytes = await drawProofCard(JSON.parse(card) as ProofCard, document.querySelector(".app") ?? document.body);
      if (isOver) return;
      address = URL.createObjectURL(bytes);
      setPicture({ bytes, address, card });
    };
    // A browser that can't draw it can still copy the link.
    draw().catch(() => undefined);
    return () => {
      isOver = true;
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [card]);
  // The picture of another card may say more than is known now.
  return picture?.card === card ? picture : null;
}

interface CardParts {
  /** The instrument's name. */
  readonly name: string;
  readonly decimals: number | undefined;
  readonly link: string;
  readonly isVerified: boolean;
}

/** Returns everything that leaves the device: no amount, order number or name. */
function cardOf(t: Text, order: Order, { name, decimals, link, isVerified }: CardParts): ProofCard {
  const price = (value: string | null) => (value === null ? "–" : formatPrice(value, decimals));
  // Whoever gets the picture may live in another time zone.
  const time = (at: number | null) => (at === null ? "–" : `${formatUtcTime(at, true)} UTC`);
  const side = order.direction === null ? t("shell.sealed") : t(`shell.${order.direction}`);
  return {
    name,
    terms: `${side} · ${formatDuration(order.duration)} · ${formatUtcDate(order.acceptedAt)}`,
    outcome: t(`orders.outcome.${order.outcome ?? "voided"}`),
    facts: [
      [t("order.entry"), `${price(order.entryPrice)} · ${time(order.entryAt)}`],
      [t("order.exit"), `${price(order.exitPrice)} · ${time(order.exitAt)}`],
    ],
    verified: isVerified ? t("proof.cardVerified") : null,
    scan: t("proof.cardScan"),
    link,
    tone: toneOf(order.profit ?? "0"),
  };
}
