import { Button, IconLock, Notice, Sheet, showToast } from "@fairtick/ui";
import { useState } from "react";
import { FactorField } from "../../components/FactorField.tsx";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { freezeWithdrawals, liftFreeze } from "../../data/security.ts";
import { useAction } from "../../data/use-action.ts";
import { useFactor } from "../../data/use-factor.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { useForm } from "../../shared/use-form.ts";

/** Freezes the member's withdrawals, or lifts the freeze with the login password. */
export function FreezeRow({ frozenSince }: { readonly frozenSince: number | null }) {
  const t = useText();
  const [asked, setAsked] = useState(false);
  const label = t(frozenSince === null ? "account.freeze" : "account.liftFreeze");
  const close = () => {
    setAsked(false);
  };
  return (
    <>
      {frozenSince !== null && (
        <div className="safe-frozen">
          <Notice>{t("account.frozen", { at: formatDateTime(frozenSince) })}</Notice>
        </div>
      )}
      <Button
        look="edge"
        className="safe-end"
        onClick={() => {
          setAsked(true);
        }}
      >
        <IconLock size="small" />
        {label}
      </Button>
      <Sheet open={asked} onClose={close} title={label} closeLabel={t("shell.close")}>
        {frozenSince === null ? <Freeze onDone={close} /> : <Lift onDone={close} />}
      </Sheet>
    </>
  );
}

function Freeze({ onDone }: { readonly onDone: () => void }) {
  const t = useText();
  const action = useAction();
  return (
    <div className="form">
      <p>{t("account.freezeSure")}</p>
      <Button
        look="main"
        disabled={action.busy}
        onClick={() => {
          void action.run(freezeWithdrawals).then((done) => {
            if (!done) return;
            showToast(t("common.operationSuccessful"));
            onDone();
          });
        }}
      >
        {t("account.freeze")}
      </Button>
    </div>
  );
}

function Lift({ onDone }: { readonly onDone: () => void }) {
  const t = useText();
  const action = useAction();
  const factor = useFactor();
  const { values, field, setWrong, passes } = useForm({ loginPassword: "" });
  function submit(passkey?: string) {
    const missing = values.loginPassword === "";
    if (!passes(missing ? [{ field: "loginPassword", message: "fields.enter.password" }] : [])) return;
    void action
      .run(
        () => factor.send((secondFactor) => liftFreeze({ loginPassword: values.loginPassword, secondFactor }), passkey),
        setWrong,
      )
      .then((done) => {
        if (!done) return;
        showToast(t("common.operationSuccessful"));
        onDone();
      });
  }
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <PasswordInput label={t("account.loginPassword")} {...field("loginPassword")} />
      <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
      <Button look="main" type="submit" disabled={action.busy}>
        {t("account.liftFreeze")}
      </Button>
    </form>
  );
}
