import { Button, showToast } from "@fairtick/ui";
import { useState } from "react";
import { putReceipt } from "../../data/deposits.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { useIsHere } from "../../shared/navigation.tsx";
import { UploadField } from "../upload/UploadField.tsx";

/** A field for the picture of a bank transfer, and the button that submits it. */
export function ReceiptForm({
  depositNo,
  submit,
  again = false,
  onDone,
}: {
  readonly depositNo: string;
  readonly submit: string;
  /** Whether one was submitted before, so that this one is optional. */
  readonly again?: boolean;
  /** Leads on. Called only if the member is still on the screen. */
  readonly onDone?: () => void;
}) {
  const t = useText();
  const action = useAction();
  const isHere = useIsHere();
  const [fileId, setFileId] = useState<string | null>(null);
  const [isOnItsWay, setIsOnItsWay] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const [round, setRound] = useState(0);

  function handIn() {
    if (fileId === null) {
      const why = t(isOnItsWay ? "upload.onItsWay" : "bank.uploadReceipt");
      setWrong(why);
      showToast(why);
      return;
    }
    void action
      .run(() => putReceipt(depositNo, fileId))
      .then((done) => {
        if (!done) return;
        showToast(t("common.operationSuccessful"));
        // Empty the field, because the picture is shown above now.
        setRound(round + 1);
        setFileId(null);
        if (isHere()) onDone?.();
      });
  }

  return (
    <section className="stack">
      <UploadField
        key={round}
        label={t("bank.receipt")}
        purpose="receipt"
        hint={t("bank.receiptHint")}
        wrong={wrong}
        onFile={(id, isSending) => {
          setFileId(id);
          setIsOnItsWay(isSending);
          setWrong(undefined);
        }}
      />
      <Button {...(!again && { look: "main" })} disabled={action.busy} onClick={handIn}>
        {submit}
      </Button>
    </section>
  );
}
