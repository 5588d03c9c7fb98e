/** The product's name with its sign: a watch. */
export function Mark({ large = false }: { readonly large?: boolean }) {
  const size = large ? 32 : 22;
  return (
    <h1 className={large ? "mark heading" : "bar-title mark"}>
      <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true">
        <circle cx="11" cy="11" r="9.25" />
        <path className="hand" d="M11 11V4.5" />
        <path d="m11 11 4.2 2.4" />
      </svg>
      Fairtick
    </h1>
  );
}
