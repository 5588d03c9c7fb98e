import { SecretField } from "@fairtick/ui";
import { sixDigits } from "../shared/contact.ts";
import { useText } from "../shared/i18n.ts";

/** A password that one can look at; `digits` for the six of the payment password. */
export function PasswordInput({
  label,
  value,
  onChange,
  wrong,
  fresh = false,
  digits = false,
  again = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly wrong: string | undefined;
  /** A new one: browsers then offer to make one, not to fill in the old. */
  readonly fresh?: boolean;
  readonly digits?: boolean;
  /** The repetition of a new one: its rule was said above. */
  readonly again?: boolean;
}) {
  const t = useText();
  const secretKind = fresh ? "new-password" : "current-password";
  return (
    <SecretField
      label={label}
      showLabel={t("account.showPassword")}
      hideLabel={t("account.hidePassword")}
      placeholder={fresh && !again ? t(digits ? "account.sixDigits" : "account.passwordRule") : undefined}
      autoComplete={digits ? "off" : secretKind}
      inputMode={digits ? "numeric" : undefined}
      value={value}
      wrong={wrong}
      onChange={(event) => {
        onChange(digits ? sixDigits(event.currentTarget.value) : event.currentTarget.value);
      }}
    />
  );
}
