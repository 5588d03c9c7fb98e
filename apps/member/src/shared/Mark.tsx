/** The product's name with its logo, as a screen's heading. */
export function Mark({ large = false }: { readonly large?: boolean }) {
  return (
    <h1 className={large ? "mark heading" : "bar-title mark"}>
      <Sign size={large ? 32 : 22} />
      Fairtick
    </h1>
  );
}

/** The product's logo, a watch. `size` is in CSS pixels. */
export function Sign({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true">
      <circle cx="11" cy="11" r="9.25" />
      <path className="hand" d="M11 11V4.5" />
      <path d="m11 11 4.2 2.4" />
    </svg>
  );
}
