import { Button, Field, IconKey, Notice, showToast } from "@fairtick/ui";
import { signWithPasskey } from "../data/passkey.ts";
import type { Factor } from "../data/use-factor.ts";
import { useText } from "../shared/i18n.ts";
import { Link } from "../shared/navigation.tsx";
import "./account.css";

/**
 * Asks for a second factor once the server requires one: a passkey, the app's code or a recovery code. Renders nothing
 * before. A passkey's answer goes to `onPasskey`, which sends the form with it; codes are sent by the form's own
 * button.
 */
export function FactorField({
  factor,
  busy,
  onPasskey,
}: {
  readonly factor: Factor;
  readonly busy: boolean;
  readonly onPasskey: (answer: string) => void;
}) {
  const t = useText();
  if (factor.ask === null) return null;
  const { question, hasApp, hasRecovery } = factor.ask;

  function sign() {
    if (question === null) return;
    signWithPasskey(question).then(onPasskey, (error: unknown) => {
      showToast(error instanceof Error ? error.message : String(error));
    });
  }

  return (
    <section className="stack" aria-label={t("factor.title")}>
      {question !== null &&
        (isHere(question.rpId) ? (
          <Button look="tint" disabled={busy} onClick={sign}>
            <IconKey size="small" />
            {t("factor.usePasskey")}
          </Button>
        ) : (
          <Notice>{t("factor.elsewhere", { origin: question.rpId })}</Notice>
        ))}
      {(hasApp || hasRecovery) && (
        <Field
          label={t(hasApp ? "factor.codeOrRecovery" : "factor.recovery")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={24}
          value={factor.code}
          wrong={factor.wrong}
          onChange={(event) => {
            factor.setCode(event.currentTarget.value);
          }}
        />
      )}
      <p className="note soft">
        <Link className="link" to="/pages/kf/index">
          {t("factor.lost")}
        </Link>
      </p>
    </section>
  );
}

/** Returns whether this page's address is within the passkeys' domain, because browsers offer passkeys only there. */
function isHere(rpId: string): boolean {
  return location.hostname === rpId || location.hostname.endsWith(`.${rpId}`);
}
