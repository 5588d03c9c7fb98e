import { Button, Notice, showToast } from "@fairtick/ui";
import { removeFactor } from "../../data/second-factor.ts";
import { useText } from "../../shared/i18n.ts";
import { useProof } from "./use-proof.tsx";

/** Removes a factor with the password and a factor. Explains what removing the last one means. */
export function RemoveFactor({
  factor,
  isLast,
  onDone,
}: {
  /** `totp`, or a passkey's id. */
  readonly factor: string;
  readonly isLast: boolean;
  readonly onDone: () => void;
}) {
  const t = useText();
  const proof = useProof(async (given) => {
    await removeFactor(factor, given);
    showToast(t("common.operationSuccessful"));
    onDone();
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void proof.submit();
      }}
    >
      {isLast && <Notice wrong>{t("factor.removeLast")}</Notice>}
      {proof.fields}
      <Button look="edge" type="submit" disabled={proof.busy}>
        {t("factor.remove")}
      </Button>
    </form>
  );
}
