import { useId, useRef, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";

export interface ButtonProps extends ComponentProps<"button"> {
  /** `main`: the one filled button of a screen. `tint`: a way in. `quiet`: a choice among equals. `edge`: refuse, decline. */
  readonly look?: "main" | "tint" | "quiet" | "edge";
  /** 44 px high with smaller corners, beside other things. */
  readonly lowkey?: boolean;
  /** Off, yet reachable by keyboard, so that its words can say why. */
  readonly off?: boolean;
  /** Pressed while it is off: says at length why. */
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

/** One of a few, on native radios: arrow keys, screen readers and forms work by themselves. */
export function Segments<Value extends string>({
  label,
  choices,
  value,
  onChange,
  look,
}: {
  /** Says what is being chosen; read, not drawn. */
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  /** `slim` 32 px with a 44 px touch area; `roomy` with body-size words. */
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

/** Tabs written as words. `panel` is the id that the shown TabPanel bears. */
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

/** What the chosen word shows. */
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

/** On or off, at once. */
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

/** A box to tick with a sentence that may hold links. */
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
