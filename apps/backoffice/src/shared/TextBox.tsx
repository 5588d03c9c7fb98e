import { type ComponentProps, useId } from "react";
import { lengthNote } from "./text-length.ts";

export interface TextBoxProps extends Omit<ComponentProps<"textarea">, "className" | "maxLength"> {
  readonly value: string;
  /** The greatest length that the server takes. A longer text is kept and said to be too long, never cut. */
  readonly max: number;
}

/** Several lines of text with a counter under them. */
export function TextBox({ max, ...area }: TextBoxProps) {
  const id = useId();
  const { wrong, hint } = lengthNote(area.value, max);
  const note = wrong ?? hint;
  return (
    <>
      <textarea
        {...area}
        className="box"
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <span className={wrong === undefined ? "hint" : "hint alert"} id={`${id}-note`}>
          {note}
        </span>
      )}
    </>
  );
}

/** The same with its label, as `Field` has it for one line. */
export function TextField({ label, ...box }: Omit<TextBoxProps, "id"> & { readonly label: string }) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <TextBox {...box} id={id} />
    </div>
  );
}
