import { Field, Segments } from "@fairtick/ui";
import { useRegions } from "../data/deployment.ts";
import { useLikelyRegion } from "../data/regions.ts";
import type { Channel } from "../shared/contact.ts";
import { useText } from "../shared/i18n.ts";

/** Phone or e-mail, then the number (with its country code) or the address. */
export function ContactFields({
  channel,
  phone,
  email,
  dialCode,
  wrong,
  onChannel,
  onPhone,
  onEmail,
  onDialCode,
  forLogin = false,
}: {
  readonly channel: Channel;
  readonly phone: string;
  readonly email: string;
  /** Empty until chosen: then the likely region's stands. */
  readonly dialCode: string;
  readonly wrong: { readonly phone?: string | undefined; readonly email?: string | undefined };
  readonly onChannel: (channel: Channel) => void;
  readonly onPhone: (phone: string) => void;
  readonly onEmail: (email: string) => void;
  readonly onDialCode: (dialCode: string) => void;
  readonly forLogin?: boolean;
}) {
  const t = useText();
  const regions = useRegions().data ?? [];
  const likely = useLikelyRegion();
  const codes = [...new Set(regions.map((region) => region.dialCode))];
  const shown = dialCode || likely?.dialCode || "";
  return (
    <>
      <Segments
        label={t("account.channel")}
        look="roomy"
        value={channel}
        onChange={onChannel}
        choices={[
          { value: "phone", label: t("account.phone") },
          { value: "email", label: t("account.email") },
        ]}
      />
      {channel === "email" ? (
        <Field
          key="email"
          label={t("account.email")}
          type="email"
          inputMode="email"
          autoComplete={forLogin ? "username" : "email"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={email}
          wrong={wrong.email}
          onChange={(event) => {
            onEmail(event.currentTarget.value);
          }}
        />
      ) : (
        <Field
          key="phone"
          label={t("account.phoneNumber")}
          type="tel"
          inputMode="tel"
          autoComplete={forLogin ? "username" : "tel-national"}
          maxLength={24}
          value={phone}
          wrong={wrong.phone}
          onChange={(event) => {
            onPhone(event.currentTarget.value);
          }}
          before={
            <select
              className="dial-code"
              aria-label={t("account.dialCode")}
              value={shown}
              onChange={(event) => {
                onDialCode(event.currentTarget.value);
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

/** The dial code in force: the chosen one, else the likely region's. */
export function useDialCode(chosen: string): string {
  const likely = useLikelyRegion();
  return chosen || likely?.dialCode || "";
}
