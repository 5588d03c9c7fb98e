import { SecretField } from "@fairtick/ui";
import { sixDigits } from "../shared/contact.ts";
import { useText } from "../shared/i18n.ts";

/** A password input that can show what was typed; `digits` is for the six-digit transaction password. */
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
  /** A new password: browsers then suggest one instead of filling in the old one. */
  readonly fresh?: boolean;
  readonly digits?: boolean;
  /** The repetition of a new password. Its rule is shown at the first field. */
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
