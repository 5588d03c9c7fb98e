import { WORDS } from "./words.ts";

export type Code = keyof typeof WORDS.languages;
export const CODES = Object.keys(WORDS.languages) as Code[];

/** Chooses one of the ten languages. `stateOf` adds a note to each. */
export function LanguageChoice({
  code,
  onChange,
  stateOf,
}: {
  readonly code: Code;
  readonly onChange: (code: Code) => void;
  readonly stateOf?: (code: Code) => string;
}) {
  return (
    <label className="field">
      <span className="label">Language</span>
      <select className="box" value={code} onChange={(event) => onChange(event.currentTarget.value as Code)}>
        {CODES.map((one) => (
          <option key={one} value={one}>
            {WORDS.languages[one]}
            {stateOf !== undefined && ` · ${stateOf(one)}`}
          </option>
        ))}
      </select>
    </label>
  );
}
