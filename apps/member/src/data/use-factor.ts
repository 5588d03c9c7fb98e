import { useState } from "react";
import { CallError } from "./transport.ts";
import { factorAskOf, type FactorAsk } from "./second-factor.ts";

/** The second factor of a form that may have to ask for one. */
export interface Factor {
  /** Null until the server asks. */
  readonly ask: FactorAsk | null;
  readonly code: string;
  readonly wrong: string | undefined;
  readonly setCode: (code: string) => void;
  /**
   * Makes a call with the typed code or a passkey's answer. If the server asks for a factor, the call still fails and
   * `ask` is set; the same form is then sent again with the factor.
   */
  readonly send: <Value>(
    call: (secondFactor: string | undefined) => Promise<Value>,
    passkey?: string,
  ) => Promise<Value>;
}

export function useFactor(): Factor {
  const [asked, setAsked] = useState<FactorAsk | null>(null);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string>();
  return {
    ask: asked,
    code,
    wrong,
    setCode: (typed) => {
      setCode(typed);
      setWrong(undefined);
    },
    send: async (call, passkey) => {
      try {
        const given = passkey ?? code.trim();
        return await call(asked === null || given === "" ? undefined : given);
      } catch (error) {
        const again = factorAskOf(error);
        if (again !== null) setAsked(again);
        if (error instanceof CallError && error.failure?.error === "SECOND_FACTOR_WRONG") setWrong(error.message);
        throw error;
      }
    },
  };
}
