import { IconEye, IconEyeOff } from "./icons/screens.ts";
import { useId, useState, type ComponentProps, type ReactNode } from "react";

export interface FieldProps extends Omit<ComponentProps<"input">, "children"> {
  readonly label: string;
  /** Quiet text under the box. */
  readonly hint?: ReactNode;
  /** Text that says what is wrong with the value; replaces the hint. */
  readonly wrong?: string | undefined;
  /** Content inside the box before and after the value: an icon, a unit or a button. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
  /** Renders the input, if a plain one isn't enough. */
  readonly renderInput?: ((props: ComponentProps<"input">) => ReactNode) | undefined;
}

/** A labelled input box, with a line under it for a hint or an error. */
export function Field({ label, hint, wrong, before, after, renderInput = plainInput, ...rest }: FieldProps) {
  const id = useId();
  const note = wrong ?? hint;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <div className="box">
        {before}
        {renderInput({
          ...rest,
          id,
          "aria-invalid": wrong === undefined ? undefined : true,
          "aria-describedby": note === undefined ? undefined : `${id}-note`,
        })}
        {after}
      </div>
      {note !== undefined && (
        <p className={wrong === undefined ? "hint" : "hint alert"} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

function plainInput(props: ComponentProps<"input">): ReactNode {
  return <input {...props} />;
}

/** A field whose value is hidden until the member chooses to show it. */
export function SecretField({
  showLabel,
  hideLabel,
  ...field
}: Omit<FieldProps, "after" | "type"> & { readonly showLabel: string; readonly hideLabel: string }) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...field}
      type={shown ? "text" : "password"}
      after={
        <button
          type="button"
          className="bar-button soft"
          aria-label={shown ? hideLabel : showLabel}
          aria-pressed={shown}
          onClick={() => {
            setShown(!shown);
          }}
        >
          {shown ? <IconEyeOff size="small" /> : <IconEye size="small" />}
        </button>
      }
    />
  );
}
