import { type ComponentProps, useId } from "react";
import { lengthNote } from "./text-length.ts";

export interface TextBoxProps extends Omit<ComponentProps<"textarea">, "className" | "maxLength"> {
  readonly value: string;
  /** Maximum length the server accepts. A longer text is marked as too long, never cut. */
  readonly max: number;
}

/** A multi-line text field with a character counter. */
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

/** A `TextBox` with a label, as `Field` is for one line. */
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
