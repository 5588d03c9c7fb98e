import type { Order } from "@fairtick/protocol";
import { parseReceipt, proofPlacesOf } from "@fairtick/transparency";
import { Button, Sheet } from "@fairtick/ui";
import { useEffect, useState } from "react";
import { useInstrument } from "../../data/instruments.ts";
import { proofLink } from "../../data/proof-link.ts";
import { copyText } from "../../shared/copy-text.ts";
import { formatDuration, formatPrice, formatUtcDate, formatUtcTime, toneOf } from "../../shared/format.ts";
import { useText, type Text } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";
import type { ProofCard } from "./draw-proof-card.ts";

interface Props {
  readonly order: Order;
  /** The receipt's JSON text. */
  readonly receipt: string;
}

/** Shares a settled order as a picture and a link, without amounts or names, once all of it is in the public log. */
export function ShareProof({ order, receipt }: Props) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const link = linkOf(receipt);
  if (link === null) return <p className="note soft">{t("proof.shareSoon")}</p>;
  return (
    <>
      <Button lowkey look="tint" onClick={() => setOpen(true)}>
        {t("proof.share")}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t("proof.share")} closeLabel={t("shell.close")}>
        {open && <Sharing order={order} link={link} />}
      </Sheet>
    </>
  );
}

function linkOf(receipt: string): string | null {
  const parsed = parseReceipt(JSON.parse(receipt));
  const places = parsed.ok ? proofPlacesOf(parsed.receipt) : null;
  return places && proofLink(location.origin, places);
}

function Sharing({ order, link }: { readonly order: Order; readonly link: string }) {
  const t = useText();
  const picture = usePicture(order, link);
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

/** The card as drawn on this device; null until it is. */
function usePicture(order: Order, link: string): { readonly bytes: Blob; readonly address: string } | null {
  const t = useText();
  const instrument = useInstrument(order.symbol);
  const [picture, setPicture] = useState<{ bytes: Blob; address: string } | null>(null);
  const card = JSON.stringify(cardOf(t, order, instrument?.name ?? order.symbol, instrument?.decimals, link));
  useEffect(() => {
    let address: string | null = null;
    let isOver = false;
    const draw = async () => {
      const { drawProofCard } = await import("./draw-proof-card.ts");
      const bytes = await drawProofCard(JSON.parse(card) as ProofCard, document.querySelector(".app") ?? document.body);
      if (isOver) return;
      address = URL.createObjectURL(bytes);
      setPicture({ bytes, address });
    };
    // A browser that can't draw it can still copy the link.
    draw().catch(() => undefined);
    return () => {
      isOver = true;
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [card]);
  return picture;
}

/** Returns everything that leaves the device: no amount, order number or name. */
function cardOf(t: Text, order: Order, name: string, decimals: number | undefined, link: string): ProofCard {
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
    verified: t("proof.cardVerified"),
    scan: t("proof.cardScan"),
    link,
    tone: toneOf(order.profit ?? "0"),
  };
}
