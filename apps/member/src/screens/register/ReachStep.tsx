import { Notice } from "@fairtick/ui";
import { ContactFields } from "../../components/ContactFields.tsx";
import type { Region } from "../../data/deployment.ts";
import { useText } from "../../shared/i18n.ts";
import type { FormState } from "../../shared/use-form.ts";
import { RegionButton } from "./RegionButton.tsx";
import type { RegisterForm } from "./register-form.ts";

/**
 * The first step: region, what is offered there, and a phone number or e-mail address. `dialCode` is the current one.
 */
export function ReachStep({
  state: { field, wrong },
  region,
  dialCode,
}: {
  readonly state: FormState<RegisterForm>;
  readonly region: Region | null;
  readonly dialCode: string;
}) {
  return (
    <>
      <RegionButton region={region} wrong={wrong.region} />
      {region && <PolicyNotice region={region} />}
      <ContactFields
        channel={field("channel")}
        phone={field("phone")}
        email={field("email")}
        dialCode={{ ...field("dialCode"), value: dialCode }}
      />
    </>
  );
}

/** What isn't offered in a region under its policy. */
function PolicyNotice({ region: { policy, policyReason } }: { readonly region: Region }) {
  const t = useText();
  if (policy === "practice") return <Notice>{policyReason ?? t("account.practiceOnly")}</Notice>;
  return policy === "blocked" ? <Notice wrong>{policyReason ?? t("account.blocked")}</Notice> : null;
}
