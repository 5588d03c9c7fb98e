import { Field, showToast } from "@fairtick/ui";
import { codeWait } from "../data/code-wait.ts";
import { sendCode, type CodePurpose } from "../data/codes.ts";
import { useAction } from "../data/use-action.ts";
import { sixDigits, type Channel } from "../shared/contact.ts";
import { formatCountdown } from "../shared/format.ts";
import { useText } from "../shared/i18n.ts";
import { useServerNow } from "../shared/server-clock.ts";

/** Six digits, and the button that sends them; it counts down on the server's clock until another may be asked for. */
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
  /** The address as it is typed: the wait is that address's, and a corrected one may be sent to at once. */
  readonly to: string;
  /** Where to; null (after saying why) where what was typed is no address. */
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
        // No maxLength: it would cut a pasted code before its spaces fall away.
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
