import { Button, showToast } from "@fairtick/ui";
import { useState } from "react";
import { putReceipt } from "../../data/deposits.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../shared/i18n.ts";
import { UploadField } from "../upload/UploadField.tsx";

/** The picture of a remittance, and the button that hands it in. */
export function ReceiptForm({
  depositNo,
  submit,
  again = false,
  onDone,
}: {
  readonly depositNo: string;
  readonly submit: string;
  /** One was handed in before: nothing has to be done any more. */
  readonly again?: boolean;
  readonly onDone?: () => void;
}) {
  const t = useText();
  const action = useAction();
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
        // An empty field again: the picture is shown above now.
        setRound(round + 1);
        setFileId(null);
        onDone?.();
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
