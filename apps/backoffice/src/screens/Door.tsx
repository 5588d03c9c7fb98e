import type { ReactNode } from "react";

/** The frame of screens that are shown without a session. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className="door">
      <h1 className="heading">{title}</h1>
      {children}
    </main>
  );
}
