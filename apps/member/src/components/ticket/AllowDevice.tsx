import "./ticket.css";
import { Button } from "@fairtick/ui";
import { useEffect, useRef, useState } from "react";
import { PasswordInput } from "../PasswordInput.tsx";
import { useText } from "../../shared/i18n.ts";

const DIGITS = 6;

/** Asks for the transaction password that authorizes this device to sign orders, then continues with the order. */
export function AllowDevice({
  wrong,
  label,
  direction,
  onAllow,
}: {
  /** What was wrong with the last password, if anything. */
  readonly wrong: string | null;
  readonly label: string;
  readonly direction: "up" | "down";
  readonly onAllow: (tradePassword: string) => void;
}) {
  const t = useText();
  const [password, setPassword] = useState("");
  const [said, setSaid] = useState(wrong);
  const form = useRef<HTMLFormElement>(null);
  // The form replaces the pressed button, so the keyboard focus would be lost.
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  return (
    <form
      className="allow-device"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (password.length === DIGITS) onAllow(password);
        else setSaid(t(password === "" ? "fields.enter.tradePassword" : "account.wrongSixDigits"));
      }}
    >
      <PasswordInput
        digits
        label={t("fields.tradePassword")}
        value={password}
        wrong={said ?? undefined}
        onChange={(typed) => {
          setPassword(typed);
          setSaid(null);
        }}
      />
      <Button look="main" type="submit" className={`ticket-place ${direction}`}>
        {label}
      </Button>
    </form>
  );
}
