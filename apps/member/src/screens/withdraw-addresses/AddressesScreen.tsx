import { Button, EmptyState, Field, Notice, Segments, Sheet, showToast, Wait } from "@fairtick/ui";
import { useState } from "react";
import { FactorField } from "../../components/FactorField.tsx";
import { addressProblems, isAboutAddress } from "../../components/withdrawals/address-problems.ts";
import { MethodsFailed } from "../../components/MethodsFailed.tsx";
import { useAction } from "../../data/use-action.ts";
import {
  addAddress,
  removeAddress,
  useAddresses,
  useWithdrawalMethods,
  type WithdrawalAddress,
  type WithdrawalMethod,
} from "../../data/withdrawals.ts";
import { useFactor } from "../../data/use-factor.ts";
import { chainWords } from "../../shared/chain-words.ts";
import { formatDateTime } from "../../shared/format.ts";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { useForm } from "../../shared/use-form.ts";
import "../../components/withdrawals/withdrawals.css";

/** The address book: its addresses, when each becomes usable, and forms to add and remove. */
export function AddressesScreen() {
  const t = useText();
  const addresses = useAddresses();
  const methods = useWithdrawalMethods(true);
  const [adding, setAdding] = useState(false);
  const hours = methods.data?.[0]?.addressHours ?? 0;
  const close = () => {
    setAdding(false);
  };
  return (
    <Screen
      title={t("withdraw.book")}
      pushed
      noWallet
      backTo="/pages/qk/index"
      busy={addresses.isPending}
      foot={
        methods.data !== undefined &&
        methods.data.length > 0 && (
          <Button
            look="main"
            onClick={() => {
              setAdding(true);
            }}
          >
            {t("withdraw.addAddress")}
          </Button>
        )
      }
    >
      <div className="stack withdraw-page">
        {hours > 0 && <Notice>{t("withdraw.bookWhy", { hours })}</Notice>}
        <Book addresses={addresses} methods={methods.data ?? []} />
      </div>
      <Sheet open={adding} onClose={close} title={t("withdraw.addAddress")} closeLabel={t("shell.close")}>
        <AddForm methods={methods.data ?? []} onDone={close} />
      </Sheet>
    </Screen>
  );
}

function Book({
  addresses,
  methods,
}: {
  readonly addresses: ReturnType<typeof useAddresses>;
  readonly methods: readonly WithdrawalMethod[];
}) {
  const t = useText();
  if (addresses.isError && addresses.data === undefined) {
    return (
      <MethodsFailed
        error={addresses.error}
        failed={t("withdraw.bookFailed")}
        onRetry={() => {
          void addresses.refetch();
        }}
      />
    );
  }
  if (addresses.data === undefined) {
    return (
      <div className="group" aria-hidden="true">
        <div className="row">
          <Wait like="0x52908400098527886E0F7030069857D2E4169EE7" />
        </div>
      </div>
    );
  }
  if (addresses.data.length === 0) {
    return <EmptyState title={t("withdraw.noAddresses")}>{t("withdraw.noAddressesMore")}</EmptyState>;
  }
  return (
    <ul className="group">
      {addresses.data.map((one) => (
        <AddressRow
          key={one.addressId}
          saved={one}
          chain={chainWords(methods.find(({ chain }) => chain === one.chain) ?? { chain: one.chain, name: one.chain })}
        />
      ))}
    </ul>
  );
}

function AddressRow({ saved, chain }: { readonly saved: WithdrawalAddress; readonly chain: string }) {
  const t = useText();
  const action = useAction();
  const [asked, setAsked] = useState(false);
  const { addressId, address, label, usableAt } = saved;
  const close = () => {
    setAsked(false);
  };
  return (
    <li className="row">
      <span className="grow">
        {label !== null && <span className="block">{label}</span>}
        <span className="code withdraw-address block">{address}</span>
        <span className="note soft block">
          {[chain, usableAt === null ? "" : t("withdraw.usableFrom", { at: formatDateTime(usableAt) })]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <button
        type="button"
        className="link label"
        aria-label={`${t("withdraw.removeAddress")}: ${label ?? address}`}
        onClick={() => {
          setAsked(true);
        }}
      >
        {t("withdraw.removeAddress")}
      </button>
      <Sheet open={asked} onClose={close} title={t("withdraw.removeAddress")} closeLabel={t("shell.close")}>
        <div className="form">
          <p className="code withdraw-address">{address}</p>
          <p>{t("withdraw.removeSure")}</p>
          <Button
            look="main"
            disabled={action.busy}
            onClick={() => {
              void action
                .run(() => removeAddress(addressId))
                .then((done) => {
                  if (!done) return;
                  close();
                  showToast(t("common.operationSuccessful"));
                });
            }}
          >
            {t("withdraw.removeAddress")}
          </Button>
        </div>
      </Sheet>
    </li>
  );
}

function AddForm({ methods, onDone }: { readonly methods: readonly WithdrawalMethod[]; readonly onDone: () => void }) {
  const t = useText();
  const action = useAction();
  const { values, field, set, setWrong, passes } = useForm({ chain: "", address: "", label: "" });
  const chain = values.chain || (methods[0]?.chain ?? "");
  const factor = useFactor();
  function submit(passkey?: string) {
    const address = values.address.trim();
    const method = methods.find((one) => one.chain === chain);
    if (method !== undefined && !passes(addressProblems(values, method))) return;
    const label = values.label.trim();
    // Such a refusal names no field by itself.
    let ofAddress = {};
    const add = (secondFactor: string | undefined) =>
      addAddress({ chain, address, ...(label !== "" && { label }), secondFactor }).catch((error: unknown) => {
        if (isAboutAddress(error)) ofAddress = { address: error.message };
        throw error;
      });
    void action
      .run(
        () => factor.send(add, passkey),
        (fields) => setWrong({ ...ofAddress, ...fields }),
      )
      .then((done) => {
        if (!done) return;
        onDone();
        showToast(t("common.operationSuccessful"));
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
      {methods.length > 1 && (
        <Segments
          label={t("withdraw.methods")}
          choices={methods.map((method) => ({ value: method.chain, label: chainWords(method) }))}
          value={chain}
          onChange={(chosen) => {
            set("chain", chosen);
          }}
        />
      )}
      <Typed label={t("withdraw.address")} code {...field("address")} />
      <Typed label={t("withdraw.label")} {...field("label")} />
      <FactorField factor={factor} busy={action.busy} onPasskey={submit} />
      <Button look="main" type="submit" disabled={action.busy}>
        {t("withdraw.addAddress")}
      </Button>
    </form>
  );
}

function Typed({
  label,
  code = false,
  value,
  wrong,
  onChange,
}: {
  readonly label: string;
  readonly code?: boolean;
  readonly value: string;
  readonly wrong: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field
      label={label}
      className={code ? "code" : undefined}
      autoComplete="off"
      autoCapitalize={code ? "none" : undefined}
      spellCheck={false}
      maxLength={code ? undefined : 40}
      value={value}
      wrong={wrong}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
