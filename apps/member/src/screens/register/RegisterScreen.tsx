import { Button } from "@fairtick/ui";
import { useId, type FormEvent } from "react";
import { LanguageLink } from "../../components/LanguageLink.tsx";
import { StepBar } from "../../components/StepBar.tsx";
import { useText } from "../../shared/i18n.ts";
import { Screen } from "../../shared/Screen.tsx";
import { goBack } from "../../shared/navigation.tsx";
import { ReachStep } from "./ReachStep.tsx";
import { SecretStep } from "./SecretStep.tsx";
import { useRegistration } from "./use-registration.ts";
import "../../components/account.css";

/**
 * The registration in two steps: region and contact, then code, password and consent. The second step is in the
 * address, so that the browser's back leads to the first and a reload stays on it.
 */
export function RegisterScreen() {
  const t = useText();
  const formId = useId();
  const { state, form, region, blocked, isSecond, busy, submit } = useRegistration();
  return (
    <Screen
      title={t("account.create")}
      pushed
      backTo="/pages/index/index"
      noWallet
      actions={<LanguageLink />}
      foot={
        <Button look="main" type="submit" form={formId} disabled={busy} off={blocked}>
          {blocked ? t("account.blocked") : t(isSecond ? "account.create" : "account.continue")}
        </Button>
      }
    >
      <form
        className="form"
        id={formId}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit();
        }}
      >
        <StepBar step={isSecond ? 2 : 1} count={2} />
        {isSecond ? (
          <SecretStep
            state={state}
            form={form}
            legalAge={region?.legalAge ?? 0}
            onChange={() => goBack("/pages/index/Register")}
          />
        ) : (
          <ReachStep state={state} region={region} dialCode={form.dialCode} />
        )}
      </form>
    </Screen>
  );
}
