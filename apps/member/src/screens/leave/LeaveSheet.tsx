import { Button, Notice, Sheet, showToast, Tick } from "@fairtick/ui";
import { useState, type FormEvent } from "react";
import { PasswordInput } from "../../components/PasswordInput.tsx";
import { useMember, useSummary } from "../../data/account.ts";
import { closeAccount, withdrawConsent } from "../../data/leave.ts";
import { useAction } from "../../data/use-action.ts";
import { formatMoney, toneOf } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate } from "../../shared/navigation.tsx";
import "../../components/account.css";

export type Leaving = "consent" | "close";

/** Explains what leaving means and what remains, and asks for the password. */
export function LeaveSheet({ kind, onClose }: { readonly kind: Leaving | null; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Sheet
      open={kind !== null}
      onClose={onClose}
      title={kind === null ? "" : t(`leave.${kind}`)}
      closeLabel={t("shell.close")}
    >
      {kind !== null && <LeaveForm kind={kind} onDone={onClose} />}
    </Sheet>
  );
}

function LeaveForm({ kind, onDone }: { readonly kind: Leaving; readonly onDone: () => void }) {
  const t = useText();
  const action = useAction();
  const account = useMember().data?.account;
  const real = useSummary("real").data;
  const practice = useSummary("practice").data;
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [understood, setUnderstood] = useState(false);
  const [isTickMissing, setTickMissing] = useState(false);
  const known = real !== undefined && practice !== undefined && account !== undefined;
  const running = (real?.openPositions ?? 0) + (practice?.openPositions ?? 0);

  function submit(event: FormEvent) {
    event.preventDefault();
    setTickMissing(!understood);
    if (password === "") {
      setWrong(t("fields.enter.loginPassword"));
      showToast(t("fields.enter.loginPassword"));
      return;
    }
    if (!understood) {
      showToast(t("leave.understandFirst"));
      return;
    }
    void action
      .run(
        () => (kind === "consent" ? withdrawConsent(password) : closeAccount(password, running > 0)),
        (fields) => {
          setWrong(fields["loginPassword"]);
        },
        "leave.timedOut",
      )
      .then((done) => {
        if (!done) return;
        showToast(t("common.operationSuccessful"));
        onDone();
        const waits = kind === "close" && running > 0;
        navigate({ to: waits ? "/pages/user/index" : "/pages/home/index", replace: true });
      });
  }

  return (
    <form className="form" noValidate onSubmit={submit}>
      <p>{t(`leave.${kind}Note`)}</p>
      {known && toneOf(real.totalAssets) !== "flat" ? (
        <Notice wrong>{t("leave.moneyLeft", { amount: formatMoney(real.totalAssets), account })}</Notice>
      ) : (
        known && <Notice>{t("leave.noMoneyLeft")}</Notice>
      )}
      {running > 0 && <Notice>{t("leave.running", { count: running })}</Notice>}
      <PasswordInput
        label={t("account.loginPassword")}
        value={password}
        wrong={wrong}
        onChange={(value) => {
          setPassword(value);
          setWrong(undefined);
        }}
      />
      <Tick
        on={understood}
        onChange={(on) => {
          setUnderstood(on);
          setTickMissing(false);
        }}
        wrong={isTickMissing}
      >
        {t("leave.understood")}
      </Tick>
      <Button type="submit" look="edge" disabled={action.busy || !known}>
        {t(`leave.${kind}`)}
      </Button>
    </form>
  );
}
