import type { Order } from "@fairtick/protocol";
import { Button, Notice } from "@fairtick/ui";
import { useEffect, useState } from "react";
import { storedMemberId } from "../../data/member-id.ts";
import { faultOf, type OrderFault } from "../../data/proof/alarms.ts";
import { useOrigin } from "../../data/proof/origin-store.ts";
import { findEvidence, type KeptEvidence } from "../../data/sealed/evidence-shelf.ts";
import { watchEvidence } from "../../data/sealed/evidence.ts";
import { useText } from "../../shared/i18n.ts";
import { saveFile } from "../../shared/save-file.ts";

/** What this device found out about an order: a fault and what to do, or that the order came from elsewhere. */
export function OrderEvidence({ order }: { readonly order: Order }) {
  const evidence = useEvidence(order.orderNo);
  const origin = useOrigin(order.orderNo);
  const fault = evidence === null ? null : faultOf(evidence);
  return (
    <EvidenceNotice
      fault={fault ?? (origin?.origin === "noDevice" ? "noDevice" : null)}
      evidence={evidence}
      isOpen={!order.sealed}
      device={origin?.device ?? null}
    />
  );
}

interface Found {
  readonly fault: OrderFault | null;
  readonly evidence: KeptEvidence | null;
  /** Whether its direction wasn't sealed when it was placed. */
  readonly isOpen: boolean;
  /** The label of another device of the member that signed it. */
  readonly device: string | null;
}

/** The text of the finding, without loading anything. Renders nothing if there is nothing to say. */
export function EvidenceNotice({ fault, evidence, isOpen, device }: Found) {
  const t = useText();
  if (fault !== null)
    return (
      <Notice wrong>
        <div className="stack" data-testid="order-fault" data-fault={fault}>
          <p>{t(`evidence.fault.${fault}`)}</p>
          <p>{t(fault === "noDevice" ? "evidence.noDeviceDo" : "evidence.kept")}</p>
          {evidence !== null && (
            <Button lowkey look="tint" onClick={() => saveEvidence(evidence)}>
              {t("evidence.save")}
            </Button>
          )}
        </div>
      </Notice>
    );
  if (isOpen)
    return (
      <p className="note soft" data-testid="order-open">
        {t("evidence.openOrder")}
      </p>
    );
  return device === null ? null : (
    <p className="note soft" data-testid="order-device">
      {t("evidence.otherDevice", { device })}
    </p>
  );
}

/** Saves everything that the device holds about the order as a file. */
export function saveEvidence(evidence: KeptEvidence): void {
  const bytes = new Blob([`${JSON.stringify(evidence, null, 2)}\n`], { type: "application/json" });
  saveFile(bytes, `evidence-${evidence.clientOrderId}.json`);
}

function useEvidence(orderNo: string): KeptEvidence | null {
  const [found, setFound] = useState<KeptEvidence | null>(null);
  useEffect(() => {
    let isOver = false;
    const look = () => {
      findEvidence(storedMemberId(), orderNo)
        .then((evidence) => {
          if (!isOver) setFound(evidence);
        })
        // A browser without storage holds no evidence.
        .catch(() => undefined);
    };
    look();
    const stop = watchEvidence(look);
    return () => {
      isOver = true;
      stop();
    };
  }, [orderNo]);
  return found;
}
