import type { MessageId } from "@fairtick/i18n";
import { Sheet } from "@fairtick/ui";
import { useText, type Text } from "../../../shared/i18n.ts";

/** Keyboard shortcuts by topic. Each row has the keys and what they do. */
const GROUPS: readonly { readonly title: MessageId; readonly rows: readonly (readonly [string, MessageId])[] }[] = [
  {
    title: "desk.keys.products",
    rows: [
      ["/", "desk.keys.search"],
      ["Ctrl K", "desk.keys.jump"],
      ["↑ ↓ Enter", "desk.keys.list"],
      ["F", "desk.keys.favourite"],
    ],
  },
  {
    title: "desk.keys.order",
    rows: [
      ["1 – 7", "desk.keys.duration"],
      ["S", "desk.keys.stake"],
      ["+ −", "desk.keys.step"],
      ["U D", "desk.keys.choose"],
      ["Enter", "desk.keys.place"],
      ["Esc", "desk.keys.leave"],
      ["Shift U D", "desk.keys.atOnce"],
    ],
  },
  {
    title: "desk.keys.chart",
    rows: [
      ["I", "trade.indicators"],
      ["T", "chart.tool.trend"],
      ["H", "chart.tool.horizontal"],
      ["V", "chart.tool.vertical"],
      ["R", "chart.tool.rectangle"],
      ["G", "chart.tool.fibonacci"],
      ["M", "chart.tool.measure"],
      ["Ctrl Z", "chart.undo"],
      ["Ctrl Shift Z", "chart.redo"],
      ["Del", "chart.removeDrawing"],
    ],
  },
  {
    title: "desk.keys.panels",
    rows: [
      ["Alt 1 – 4", "desk.keys.tabs"],
      ["F6", "desk.keys.panel"],
      ["Tab", "desk.keys.control"],
      ["?", "desk.keys.all"],
    ],
  },
];

/** The list of all keyboard shortcuts of the workspace. */
export function Shortcuts({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Sheet open={open} onClose={onClose} title={t("desk.shortcuts")} closeLabel={t("shell.close")}>
      <div className="key-map">
        {GROUPS.map(({ title, rows }) => (
          <section key={title}>
            <h3 className="label">{t(title)}</h3>
            <dl>
              {rows.map(([keys, words]) => (
                <div key={keys}>
                  <dt>{keysDrawn(t, keys)}</dt>
                  <dd>{t(words)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="note soft">{t("desk.keys.note")}</p>
    </Sheet>
  );
}

/** Renders each key as a key; a dash between two stays a dash. */
function keysDrawn(t: Text, keys: string) {
  return keys
    .split(" ")
    .map((key) => (key === "–" ? <span key={key}> {t("desk.keys.to")} </span> : <kbd key={key}>{key}</kbd>));
}
