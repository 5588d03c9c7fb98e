import { Notice } from "@fairtick/ui";
import { ContactFields } from "../../components/ContactFields.tsx";
import type { Region } from "../../data/deployment.ts";
import { useText } from "../../shared/i18n.ts";
import type { FormState } from "../../shared/use-form.ts";
import { RegionButton } from "./RegionButton.tsx";
import type { RegisterForm } from "./register-form.ts";

/** Where one lives, what is offered there, and a phone number or an address. `dialCode` is the one in force. */
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

/** What a region's policy keeps its members from. */
function PolicyNotice({ region: { policy, policyReason } }: { readonly region: Region }) {
  const t = useText();
  if (policy === "practice") return <Notice>{policyReason ?? t("account.practiceOnly")}</Notice>;
  return policy === "blocked" ? <Notice wrong>{policyReason ?? t("account.blocked")}</Notice> : null;
}
