import { AmountField, Button, Field, Notice, Segments, showToast, Wait } from "@fairtick/ui";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { useId, type FormEvent } from "react";
import { UploadField } from "../../components/upload/UploadField.tsx";
import { WalletLine } from "../../components/wallet/WalletLine.tsx";
import { claimTransfer, useDepositMethods } from "../../data/deposits.ts";
import { createFormShelf, useKeptForm } from "../../data/kept-form.ts";
import { useAction } from "../../data/use-action.ts";
import { quantityWriting } from "../../shared/amount-writing.ts";
import { decimalSign } from "../../shared/format.ts";
import { chainWords } from "../../shared/chain-words.ts";
import { useText } from "../../shared/i18n.ts";
import { navigate, useIsHere, useSearch } from "../../shared/navigation.tsx";
import { Screen } from "../../shared/Screen.tsx";
import { useWish } from "../../data/use-wish.ts";
import type { FormState } from "../../shared/use-form.ts";
import { claimProblems, claimSent, type ClaimForm } from "./claim-form.ts";
import "../../components/account.css";

const NO_PROOF = { fileId: "", isOnItsWay: false };
const typed = createFormShelf<ClaimForm>((values) => ({ ...values, ...NO_PROOF }));

/** Reports a late transfer with its amount and proof. */
export function ClaimScreen() {
  const t = useText();
  const search = useSearch();
  const methods = useDepositMethods(true);
  const chains = methods.data?.crypto;
  const chain = chains?.find((one) => one.chain === search["chain"])?.chain ?? chains?.[0]?.chain;
  const isUnloaded = methods.isError && chains === undefined;
  const action = useAction();
  const isHere = useIsHere();
  const formId = useId();
  const wish = useWish("claim");
  const form = useKeptForm(typed, { quantity: "", txHash: "", ...NO_PROOF });
  const { values, setWrong, passes } = form;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (chain === undefined || !passes(claimProblems(values, decimalSign()))) return;
    const asked = { chain, ...claimSent(values, decimalSign()) };
    void action.run(async () => {
      const { depositNo } = await claimTransfer({ ...asked, clientId: wish.idOf(asked) });
      wish.granted();
      showToast(t("common.operationSuccessful"));
      if (isHere()) navigate({ to: "/pages/rk/szhz", search: { depositNo }, replace: true });
    }, setWrong);
  }

  return (
    <Screen
      title={t("bank.claimTitle")}
      pushed
      noWallet
      money="real"
      backTo="/pages/rk/szrk"
      busy={methods.isPending}
      foot={
        isUnloaded ? undefined : (
          <Button look="main" type="submit" form={formId} disabled={action.busy || chain === undefined}>
            {t("bank.handInProof")}
          </Button>
        )
      }
    >
      {isUnloaded ? (
        <MethodsFailed
          error={methods.error}
          failed={t("deposit.methodsFailed")}
          onRetry={() => void methods.refetch()}
        />
      ) : (
        <form className="form" id={formId} noValidate onSubmit={submit}>
          <WalletLine way="to" />
          <Notice>{t("bank.truthful")}</Notice>
          {chains === undefined && <Wait like="Test chain" />}
          {chains !== undefined && chains.length > 1 && chain !== undefined && (
            <Segments
              label={t("deposit.chain")}
              look="roomy"
              choices={chains.map((one) => ({ value: one.chain, label: chainWords(one) }))}
              value={chain}
              onChange={(value) => {
                navigate({ to: "/pages/rk/szrk1", search: { chain: value }, replace: true });
              }}
            />
          )}
          <Fields form={form} />
        </form>
      )}
    </Screen>
  );
}

/** Fields for the amount, the transaction and a picture of the transfer. */
function Fields({ form }: { readonly form: FormState<ClaimForm> }) {
  const t = useText();
  const { values, set, wrong } = form;
  return (
    <>
      <AmountField
        label={t("deposit.quantity")}
        unit="USDT"
        writing={quantityWriting()}
        value={values.quantity}
        wrong={wrong.quantity}
        hint={t("bank.chainDecides")}
        onInput={(quantity) => {
          set("quantity", quantity);
        }}
      />
      <Field
        label={t("bank.hash")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={values.txHash}
        wrong={wrong.txHash}
        onChange={(event) => {
          set("txHash", event.currentTarget.value);
        }}
      />
      <UploadField
        label={t("bank.proof")}
        purpose="receipt"
        wrong={wrong.fileId}
        onFile={(fileId, isOnItsWay) => {
          set("fileId", fileId ?? "");
          set("isOnItsWay", isOnItsWay);
        }}
      />
    </>
  );
}
