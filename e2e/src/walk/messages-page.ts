import { LANGUAGES } from "@fairtick/i18n";
import { readMessagesOf } from "@fairtick/i18n/catalogues";
import type { SeenPicture } from "../steps/marks.ts";
import { escape, page } from "./page.ts";

/** Most screenshots shown per message. */
const PICTURES_MAX = 3;
/** Px around a message on its cut-out. */
const MARGIN = 16;
const CUT_WIDTH_MAX = 340;
const CUT_HEIGHT_MAX = 200;

/** Returns a page with every message in every language, and cut-outs of the screens that show it. */
export function messagesPage(pictures: readonly SeenPicture[]): string {
  const places = placesOf(pictures);
  const english = readMessagesOf("en");
  const catalogues = LANGUAGES.map(({ code, name, tag }) => ({ name, tag, messages: readMessagesOf(code) }));
  const ids = Object.keys(english).toSorted();
  const unseen = ids.filter((id) => !places.has(id));
  const rows = ids.map((id) => {
    const words = catalogues.map(({ messages, tag }) => `<td lang="${tag}">${escape(messages[id] ?? "–")}`);
    const found = places.get(id) ?? [];
    const shown = found.slice(0, PICTURES_MAX).join(" ");
    return `<tr id="${id}"><th scope="row"><code>${id}</code><td>${shown || "not seen on any screen"}${words.join("")}`;
  });
  return page(
    "Messages",
    `<style>tbody tr { content-visibility: auto; contain-intrinsic-size: auto 120px } td { min-width: 180px }
tbody th { text-align: start; font-weight: 400; min-width: 160px } thead th { position: sticky; top: 0; background: Canvas }
.cut { display: inline-block; border: 1px solid GrayText; position: relative; overflow: hidden; vertical-align: top }
.cut i { position: absolute; outline: 2px solid #d33; outline-offset: 2px }</style>
<h1>${ids.length} messages in ${catalogues.length} languages</h1>
<p>${ids.length - unseen.length} were met on ${pictures.length} pictures. <a href="index.html">All screens</a></p>
<p><label>Search <input type="search" id="search"></label></p>
<details><summary>${unseen.length} messages that no screen of this walk says: mails, pushed messages, and refusals and states
that it does not bring about</summary><p>${unseen.map((id) => `<a href="#${id}"><code>${id}</code></a>`).join(", ")}</p></details>
<table><thead><tr><th>Id<th>Where${catalogues.map(({ name }) => `<th>${name}`).join("")}<tbody>
${rows.join("\n")}</table>
<script type="module">
const rows = [...document.querySelectorAll("tbody tr")].map((row) => [row, row.textContent.toLowerCase()]);
document.querySelector("#search").oninput = (event) => {
  const wanted = event.target.value.toLowerCase();
  for (const [row, text] of rows) row.hidden = !text.includes(wanted);
};
</script>`,
  );
}

/** Returns the best cut-outs for each id: visible text before text for screen readers only. */
function placesOf(pictures: readonly SeenPicture[]): ReadonlyMap<string, readonly string[]> {
  const shown = new Map<string, string[]>();
  const spoken = new Map<string, string[]>();
  for (const { file, seen } of pictures) {
    const once = new Set<string>();
    for (const { id, box } of seen.toSorted((one, other) => Number(one.box === null) - Number(other.box === null))) {
      if (once.has(id)) continue;
      once.add(id);
      const name = file.replace(/^.*\//, "").replace(".jpg", "");
      const into = box === null ? spoken : shown;
      const html =
        box === null
          ? `<a href="${file}">${escape(name)}</a> (title, or for screen readers)`
          : `<a href="${file}" title="${escape(name)}">${cutOut(file, box)}</a>`;
      into.set(id, [...(into.get(id) ?? []), html]);
    }
  }
  for (const [id, places] of spoken) if (!shown.has(id)) shown.set(id, places);
  return shown;
}

function cutOut(file: string, box: { x: number; y: number; width: number; height: number }): string {
  const left = Math.max(0, Math.round(box.x) - MARGIN);
  const top = Math.max(0, Math.round(box.y) - MARGIN);
  const width = Math.min(CUT_WIDTH_MAX, Math.round(box.width) + 2 * MARGIN);
  const height = Math.min(CUT_HEIGHT_MAX, Math.round(box.height) + 2 * MARGIN);
  const mark = `left:${Math.round(box.x) - left}px;top:${Math.round(box.y) - top}px;width:${Math.round(box.width)}px;height:${Math.round(box.height)}px`;
  return `<span class="cut" style="width:${width}px;height:${height}px;background:url('${file}') -${left}px -${top}px no-repeat"><i style="${mark}"></i></span>`;
}
