import { Button, IconCopy, Notice } from "@fairtick/ui";
import { useState } from "react";
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

/** Replaces the recovery codes with new ones. */
export function NewCodes({ onDone }: { readonly onDone: () => void }) {
  const t = useText();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const proof = useProof(async (given) => {
    setCodes(await makeRecoveryCodes(given));
  });
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={onDone} />;
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
