import { Field, showToast } from "@fairtick/ui";
import { codeWait } from "../data/code-wait.ts";
import { sendCode, type CodePurpose } from "../data/codes.ts";
import { useAction } from "../data/use-action.ts";
import { sixDigits, type Channel } from "../shared/contact.ts";
import { formatCountdown } from "../shared/format.ts";
import { useText } from "../shared/i18n.ts";
import { useServerNow } from "../shared/server-clock.ts";

/**
 * A field for a six-digit code with a button to send it, which counts down by the server's clock until the next one.
 */
export function CodeField({
  purpose,
  channel,
  region,
  to,
  recipient,
  value,
  onChange,
  wrong,
}: {
  readonly purpose: CodePurpose;
  readonly channel: Channel;
  readonly region?: string | undefined;
  /** The address as typed. The wait belongs to this address, so a corrected one can be sent to at once. */
  readonly to: string;
  /** Returns the address to send to; null (after showing why) if what was typed isn't valid. */
  readonly recipient: () => string | null;
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly wrong: string | undefined;
}) {
  const t = useText();
  const action = useAction();
  const left = codeWait(to) - useServerNow(1000);
  function send() {
    const address = recipient();
    if (address === null) return;
    void action.run(
      async () => {
        await sendCode({ channel, to: address, region, purpose });
        showToast(t("account.codeSent", { to: address }));
      },
      undefined,
      "account.timedOutCode",
    );
  }
  return (
    <Field
      label={t("account.code")}
      className="code-digits"
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      wrong={wrong}
      onChange={(event) => {
        // No maxLength: it would truncate a pasted code before its spaces are removed.
        onChange(sixDigits(event.currentTarget.value));
      }}
      after={
        left > 0 ? (
          <span className="label figure-note">{t("account.newCodeIn", { left: formatCountdown(left) })}</span>
        ) : (
          <button type="button" className="link label" disabled={action.busy} onClick={send}>
            {t("account.sendCode")}
          </button>
        )
      }
    />
  );
}
