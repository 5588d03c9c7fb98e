import { Button, Field, showToast } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { QrCode } from "../../components/qr/QrCode.tsx";
import { registerTotp, startTotp } from "../../data/second-factor.ts";
import { useAction } from "../../data/use-action.ts";
import { codeProblems, sixDigits } from "../../shared/contact.ts";
import { copyText } from "../../shared/copy-text.ts";
import { useText } from "../../shared/i18n.ts";
import { useForm } from "../../shared/use-form.ts";
import { useProof } from "./use-proof.tsx";

/**
 * Adds an authenticator app: the password, a secret to scan and the first code. `onDone` gets recovery codes if there
 * were none.
 */
export function AddApp({ onDone }: { readonly onDone: (codes: readonly string[]) => void }) {
  const t = useText();
  const [begun, setBegun] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const proof = useProof(async (given) => {
    setBegun(await startTotp(given));
  });
  if (begun !== null) return <FirstCode {...begun} onAdded={onDone} />;
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void proof.submit();
      }}
    >
      {proof.fields}
      <Button look="main" type="submit" disabled={proof.busy}>
        {t("factor.next")}
      </Button>
    </form>
  );
}

function FirstCode({
  secret,
  uri,
  onAdded,
}: {
  readonly secret: string;
  readonly uri: string;
  readonly onAdded: (recoveryCodes: readonly string[]) => void;
}) {
  const t = useText();
  const action = useAction();
  const { values, set, wrong, setWrong, passes } = useForm({ code: "" });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!passes(codeProblems(values.code))) return;
    void action.run(async () => {
      const codes = await registerTotp(values.code);
      showToast(t("common.successfullySet"));
      onAdded(codes);
    }, setWrong);
  }

  return (
    <form className="form" noValidate onSubmit={submit}>
      <p className="label">{t("factor.scan")}</p>
      <div className="factor-qr">
        <QrCode text={uri} label={t("factor.qr")} />
      </div>
      <div className="factor-secret">
        <span className="note soft">{t("factor.key")}</span>
        <button type="button" className="link label" onClick={() => void copyText(secret)}>
          {t("factor.copyKey")}
        </button>
        <span className="code factor-key" data-testid="totp-secret">
          {secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
        </span>
      </div>
      <Field
        label={t("factor.appCode")}
        className="code-digits"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={values.code}
        wrong={wrong.code}
        onChange={(event) => {
          set("code", sixDigits(event.currentTarget.value));
        }}
      />
      <Button look="main" type="submit" disabled={action.busy}>
        {t("factor.turnOn")}
      </Button>
    </form>
  );
}
