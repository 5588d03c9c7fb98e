import { useRef, useState, type ReactNode, type RefObject, type TouchEvent } from "react";

const PULL_PX = 64;
const REST_PX = 40;

/** The page's scroll area. Pulling it down from its top refreshes it, if `onRefresh` is given. */
export function Page({
  className,
  children,
  onRefresh,
  pullLabel,
  releaseLabel,
  busyLabel,
  busy,
  toRead,
}: {
  readonly className?: string | undefined;
  readonly children: ReactNode;
  readonly onRefresh?: (() => Promise<unknown>) | undefined;
  readonly pullLabel?: string | undefined;
  readonly releaseLabel?: string | undefined;
  readonly busyLabel?: string | undefined;
  /** Whether its figures are still being fetched. */
  readonly busy?: boolean | undefined;
  /**
   * Whether nothing in it can take the focus. It then takes the focus itself, so that it can be scrolled by keyboard.
   */
  readonly toRead?: boolean | undefined;
}) {
  const page = useRef<HTMLElement>(null);
  const { pulled, refreshing, gestures } = usePull(page, onRefresh);
  const askedWords = pulled >= PULL_PX / 2 ? releaseLabel : pullLabel;
  return (
    <main
      ref={page}
      className={className ? `page ${className}` : "page"}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls and holds nothing to focus must take it (WCAG 2.1.1)
      tabIndex={toRead ? 0 : -1}
      aria-busy={busy || refreshing || undefined}
      {...gestures}
    >
      {onRefresh && (
        <output className="pull" style={{ height: refreshing ? REST_PX : pulled }}>
          {refreshing ? busyLabel : pulled > 0 && askedWords}
        </output>
      )}
      {children}
    </main>
  );
}

/** Tracks a finger that pulls the page down from its top, and refreshes if it was pulled far enough. */
function usePull(page: RefObject<HTMLElement | null>, onRefresh: (() => Promise<unknown>) | undefined) {
  const from = useRef<number | null>(null);
  const [pulled, setPulled] = useState(0);
  const [refreshing, setRefreshing] = useState(false);

  function start(event: TouchEvent) {
    const touch = event.touches[0];
    const atTop = (page.current?.scrollTop ?? 1) <= 0;
    from.current = onRefresh && touch && atTop && !refreshing && event.touches.length === 1 ? touch.clientY : null;
  }
  function move(event: TouchEvent) {
    const touch = event.touches[0];
    if (from.current === null || !touch) return;
    setPulled(Math.max(0, Math.min((touch.clientY - from.current) / 2, PULL_PX * 1.5)));
  }
  /**
   * Handles a touch that the system took over, for a call or a gesture of its own, so that it doesn't count as a
   * release.
   */
  function cancel() {
    from.current = null;
    setPulled(0);
  }
  function end() {
    if (from.current === null || !onRefresh) return;
    const far = pulled >= PULL_PX / 2;
    cancel();
    if (!far) return;
    setRefreshing(true);
    void onRefresh().finally(() => {
      setRefreshing(false);
    });
  }

  return {
    /** Distance pulled, in CSS pixels. */
    pulled,
    refreshing,
    gestures: { onTouchStart: start, onTouchMove: move, onTouchEnd: end, onTouchCancel: cancel },
  };
}
