import { Field, Segments } from "@fairtick/ui";
import { useRegions } from "../data/deployment.ts";
import { useLikelyRegion } from "../data/regions.ts";
import type { Channel } from "../shared/contact.ts";
import { useText } from "../shared/i18n.ts";
import type { FieldState } from "../shared/use-form.ts";

/** Fields for a phone number (with its country code) or an e-mail address. */
export function ContactFields({
  channel,
  phone,
  email,
  dialCode,
  forLogin = false,
}: {
  readonly channel: FieldState<Channel>;
  readonly phone: FieldState<string>;
  readonly email: FieldState<string>;
  /** Empty until chosen, which means the likely region's code. */
  readonly dialCode: FieldState<string>;
  readonly forLogin?: boolean;
}) {
  const t = useText();
  const regions = useRegions().data ?? [];
  const likely = useLikelyRegion();
  const codes = [...new Set(regions.map((region) => region.dialCode))];
  const shown = dialCode.value || likely?.dialCode || "";
  return (
    <>
      <Segments
        label={t("account.channel")}
        look="roomy"
        value={channel.value}
        onChange={channel.onChange}
        choices={[
          { value: "phone", label: t("account.phone") },
          { value: "email", label: t("account.email") },
        ]}
      />
      {channel.value === "email" ? (
        <Field
          key="email"
          label={t("account.email")}
          type="email"
          inputMode="email"
          autoComplete={forLogin ? "username" : "email"}
          autoCapitalize="none"
          spellCheck={false}
          value={email.value}
          wrong={email.wrong}
          onChange={(event) => {
            email.onChange(event.currentTarget.value);
          }}
        />
      ) : (
        <Field
          key="phone"
          label={t("account.phoneNumber")}
          type="tel"
          inputMode="tel"
          autoComplete={forLogin ? "username" : "tel-national"}
          value={phone.value}
          wrong={phone.wrong}
          onChange={(event) => {
            phone.onChange(event.currentTarget.value);
          }}
          before={
            <select
              className="dial-code"
              aria-label={t("account.dialCode")}
              value={shown}
              onChange={(event) => {
                dialCode.onChange(event.currentTarget.value);
              }}
            >
              {codes.map((code) => (
                <option key={code} value={code}>
                  +{code.replace("+", "")}
                </option>
              ))}
            </select>
          }
        />
      )}
    </>
  );
}

/** The current dial code: the chosen one, or else the likely region's. */
export function useDialCode(chosen: string): string {
  const likely = useLikelyRegion();
  return chosen || likely?.dialCode || "";
}
