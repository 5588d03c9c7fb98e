import { useId, useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";

export interface ButtonProps extends ComponentProps<"button"> {
  /**
   * `main`: a screen's one filled button. `tint`: opens something. `quiet`: one of several equal choices. `edge`:
   * refuse or decline.
   */
  readonly look?: "main" | "tint" | "quiet" | "edge";
  /** Smaller variant for use beside other content: 44 px high with smaller corners. */
  readonly lowkey?: boolean;
  /** Disabled but still reachable by keyboard, so that its text can say why. */
  readonly off?: boolean;
  /** Called when it is pressed while it is off, to explain why. */
  readonly onOffPress?: (() => void) | undefined;
}

export function Button({
  look = "quiet",
  lowkey,
  off,
  onOffPress,
  className,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const names = ["button", look !== "quiet" && look, lowkey && "lowkey", className].filter(Boolean).join(" ");
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the type is always one of the three, `button` by default
      type={type}
      className={names}
      aria-disabled={off || undefined}
      onClick={
        off
          ? (event) => {
              event.preventDefault();
              onOffPress?.();
            }
          : onClick
      }
    />
  );
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly off?: boolean;
}

/**
 * A choice of one among a few, made of native radio buttons, so that arrow keys, screen readers and forms work without
 * code.
 */
export function Segments<Value extends string>({
  label,
  choices,
  value,
  onChange,
  look,
}: {
  /** Accessible label that says what is being chosen; not drawn. */
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** `slim`: 32 px high with a 44 px touch area. `roomy`: text in body size. */
  readonly look?: "slim" | "roomy";
}) {
  const name = useId();
  return (
    <div className={look ? `segments ${look}` : "segments"} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            className="unseen"
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.off}
            onChange={() => {
              onChange(choice.value);
            }}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}

/** Tabs drawn as words. `panel` is the id of the TabPanel that is shown. */
export function Words<Value extends string>({
  label,
  choices,
  value,
  onChange,
  panel,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly panel: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const turn = getComputedStyle(event.currentTarget).direction === "rtl" ? -step : step;
    const here = choices.findIndex((choice) => choice.value === value);
    const next = Math.min(Math.max(here + turn, 0), choices.length - 1);
    const chosen = choices[next];
    if (!chosen) return;
    onChange(chosen.value);
    const tab = list.current?.children[next];
    if (tab instanceof HTMLElement) tab.focus();
  }
  return (
    <div className="words" role="tablist" aria-label={label} ref={list} onKeyDown={move} tabIndex={-1}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="tab"
          id={`${panel}-${choice.value}`}
          aria-selected={choice.value === value}
          aria-controls={choice.value === value ? panel : undefined}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => {
            onChange(choice.value);
          }}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

/** The panel of the chosen tab. */
export function TabPanel({
  id,
  chosen,
  children,
}: {
  readonly id: string;
  readonly chosen: string;
  readonly children: ReactNode;
}) {
  return (
    <div role="tabpanel" id={id} aria-labelledby={`${id}-${chosen}`}>
      {children}
    </div>
  );
}

/** A switch that takes effect at once. */
export function Switch({
  label,
  on,
  onChange,
  off,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly off?: boolean;
}) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-label={label}
      aria-checked={on}
      disabled={off}
      onClick={() => {
        onChange(!on);
      }}
    >
      <i />
    </button>
  );
}

/** A checkbox with a sentence that may contain links. */
export function Tick({
  on,
  onChange,
  children,
  wrong,
}: {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: ReactNode;
  readonly wrong?: boolean;
}) {
  const id = useId();
  return (
    <div className="tick">
      <input
        type="checkbox"
        id={id}
        checked={on}
        aria-invalid={wrong || undefined}
        onChange={(event) => {
          onChange(event.currentTarget.checked);
        }}
      />
      <label htmlFor={id}>{children}</label>
    </div>
  );
}
