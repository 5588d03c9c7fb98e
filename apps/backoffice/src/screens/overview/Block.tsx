import type { ReactNode } from "react";

/** A block of the overview. Its heading links to the screen that shows the whole. */
export function Block({
  title,
  about,
  link,
  span = 1,
  children,
}: {
  readonly title: string;
  /** Shown beside the heading: a total, or how fresh it is. */
  readonly about?: ReactNode;
  readonly link?: { readonly to: string; readonly words: string } | undefined;
  readonly span?: 1 | 2;
  readonly children: ReactNode;
}) {
  return (
    <section className={span === 2 ? "block wide" : "block"} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {about !== undefined && <span className="note soft">{about}</span>}
        {link && (
          <a className="link" href={link.to}>
            {link.words}
          </a>
        )}
      </header>
      {children}
    </section>
  );
}
