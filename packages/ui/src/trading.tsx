import { IconMinus, IconPlus } from "./icons/screens.ts";
import type { ComponentProps, ReactNode } from "react";
import { AmountInput, type AmountWriting } from "./amount.tsx";
import { Arrow } from "./figures.tsx";
import "./styles/trading.css";

/** One of the two large direction buttons. `filled` is used on the trade tab, where no direction has been chosen. */
export function TowardButton({
  direction,
  pressed,
  filled,
  children,
  ...rest
}: Omit<ComponentProps<"button">, "type"> & {
  readonly direction: "up" | "down";
  readonly pressed?: boolean;
  readonly filled?: boolean;
}) {
  return (
    <button
      {...rest}
      type="button"
      className={`toward ${direction}${filled ? " filled" : ""}`}
      aria-pressed={filled ? undefined : (pressed ?? false)}
    >
      <Arrow direction={direction} large />
      <span>{children}</span>
    </button>
  );
}

interface UsualAmount {
  readonly label: string;
  readonly value: string;
}

/** An amount input between minus and plus buttons, with the usual amounts under it. The caller calculates the steps. */
export function Stepper({
  label,
  writing,
  value,
  onInput,
  onStep,
  lessLabel,
  moreLabel,
  note,
  wrong,
  usual,
}: {
  readonly label: string;
  readonly writing: AmountWriting;
  /** The amount as typed. */
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onStep: (toward: 1 | -1) => void;
  readonly lessLabel: string;
  readonly moreLabel: string;
  /** The bounds and the available balance, shown under the amount. */
  readonly note?: ReactNode;
  readonly wrong?: string | undefined;
  readonly usual: readonly UsualAmount[];
}) {
  return (
    <div>
      <div className="stepper">
        <div className="stepper-line">
          <button type="button" aria-label={lessLabel} onClick={() => onStep(-1)}>
            <IconMinus size="small" />
          </button>
          <div className="stepper-amount">
            <AmountInput
              writing={writing}
              aria-label={label}
              aria-invalid={wrong === undefined ? undefined : true}
              aria-describedby="stepper-note"
              value={value}
              onInput={onInput}
            />
            <span className="note soft" id="stepper-note">
              {note}
            </span>
          </div>
          <button type="button" aria-label={moreLabel} onClick={() => onStep(1)}>
            <IconPlus size="small" />
          </button>
        </div>
        <UsualAmounts amounts={usual} value={value} onChoose={onInput} />
      </div>
      {wrong !== undefined && (
        <p className="hint alert" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

function UsualAmounts({
  amounts,
  value,
  onChoose,
}: {
  readonly amounts: readonly UsualAmount[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <div className="usual">
      {amounts.map((amount) => (
        <button
          key={amount.label}
          type="button"
          aria-pressed={amount.value === value}
          onClick={() => {
            onChoose(amount.value);
          }}
        >
          {amount.label}
        </button>
      ))}
    </div>
  );
}

const MARKS = 60;

/** Sixty marks around a figure that go out one by one. `left` goes from 1 to 0. */
export function Ring({
  left,
  size = 200,
  children,
}: {
  readonly left: number;
  readonly size?: number;
  readonly children: ReactNode;
}) {
  const lit = Math.ceil(Math.min(Math.max(left, 0), 1) * MARKS);
  const middle = size / 2;
  return (
    <div className="ring-box">
      <svg className="ring" width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        {Array.from({ length: MARKS }, (_, mark) => {
          // The first mark to go out is just after twelve o'clock, so the remaining marks always end at twelve.
          const look = lookOfMark(MARKS - mark, lit);
          return (
            <line
              key={mark}
              className={look}
              x1={middle}
              y1={3}
              x2={middle}
              y2={look === "now" ? 15 : 11}
              transform={`rotate(${mark * 6} ${middle} ${middle})`}
            />
          );
        })}
      </svg>
      <div>{children}</div>
    </div>
  );
}

function lookOfMark(order: number, lit: number): "now" | "left" | undefined {
  if (order === lit) return "now";
  return order < lit ? "left" : undefined;
}

export interface Station {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  readonly state: "done" | "here" | "later";
}

/** The stations of a process from left to right, with the current one highlighted. */
export function Stations({ stations }: { readonly stations: readonly Station[] }) {
  return (
    <ol className="stations">
      {stations.map((station, place) => (
        <li
          key={place}
          className={station.state === "later" ? undefined : station.state}
          aria-current={station.state === "here" ? "step" : undefined}
        >
          {station.label}
          {station.note !== undefined && <small>{station.note}</small>}
        </li>
      ))}
    </ol>
  );
}

export interface TimelineEvent {
  readonly label: ReactNode;
  readonly detail?: ReactNode;
  /** Clock time, to the millisecond. */
  readonly time?: ReactNode;
  /** Time since the previous event, in milliseconds. */
  readonly after?: ReactNode;
  /** Whether the event is still to come. */
  readonly later?: boolean;
}

/** Past and coming events from top to bottom. */
export function Timeline({ events }: { readonly events: readonly TimelineEvent[] }) {
  return (
    <ol className="timeline">
      {events.map((event, place) => (
        <li key={place} className={event.later ? "later" : undefined}>
          <span>
            {event.label}
            {event.detail !== undefined && <span className="note block">{event.detail}</span>}
          </span>
          <span className="end">
            {event.time !== undefined && <span className="figure">{event.time}</span>}
            {event.after !== undefined && <span className="note block">{event.after}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
