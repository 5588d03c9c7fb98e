import { Button, IconCopy, Notice } from "@fairtick/ui";
import { makeRecoveryCodes } from "../../data/second-factor.ts";
import { copyText } from "../../shared/copy-text.ts";
import { useText } from "../../shared/i18n.ts";
import { useProof } from "./use-proof.tsx";

/** Recovery codes, which are shown only once. */
export function RecoveryCodes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useText();
  return (
    <div className="form">
      <p className="title">{t("factor.codes")}</p>
      <Notice>{t("factor.codesNote")}</Notice>
      <ul className="card factor-codes" aria-label={t("factor.codes")}>
        {codes.map((code) => (
          <li key={code} className="code">
            {code}
          </li>
        ))}
      </ul>
      <Button look="tint" onClick={() => void copyText(codes.join("\n"))}>
        <IconCopy size="small" />
        {t("factor.copyCodes")}
      </Button>
      <Button look="main" onClick={onDone}>
        {t("factor.saved")}
      </Button>
    </div>
  );
}

/** Replaces the recovery codes with new ones, which `onDone` gets. */
export function NewCodes({ onDone }: { readonly onDone: (codes: readonly string[]) => void }) {
  const t = useText();
  const proof = useProof(async (given) => {
    onDone(await makeRecoveryCodes(given));
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
      <p className="label">{t("factor.codesReplace")}</p>
      {proof.fields}
      <Button look="main" type="submit" disabled={proof.busy}>
        {t("factor.newCodes")}
      </Button>
    </form>
  );
}
