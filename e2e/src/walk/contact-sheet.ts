import type { Finding, Shot } from "./notes.ts";
import { escape, inScript, page } from "./page.ts";

/** Returns a page with all screenshots and findings, to be filtered by language, size, theme and screen. */
export function contactSheet(shots: readonly Shot[], findings: readonly Finding[]): string {
  const rows = findings.map(
    ({ part, language, screen, says, where }) =>
      `<tr><td>${language}<td><a href="#" data-part="${part}" data-language="${language}" data-screen="${screen}">` +
      `${part} ${screen}</a><td>${escape(where.join(", "))}<td><code>${escape(says)}</code>`,
  );
  return page(
    "Walk",
    `<header><h1>${shots.length} pictures, ${findings.length} findings</h1><span id="filters"></span>
<a href="messages.html">All messages</a></header>
<details ${findings.length > 0 ? "open" : ""}><summary>Findings</summary><table>${rows.join("\n")}</table></details>
<div class="shots" id="shots"></div>
<script type="module">
const shots = ${inScript(shots)};
const findings = new Set(${inScript(findings.map(({ part, language, screen }) => `${part} ${language} ${screen}`))});
const chosen = {};
const fields = ["part", "language", "screen", "width", "theme", "text"];
const selects = Object.fromEntries(fields.map((field) => {
  const select = document.createElement("select");
  const values = [...new Set(shots.map((shot) => String(shot[field])))];
  for (const value of ["", ...values]) select.add(new Option(value === "" ? field : value, value));
  select.setAttribute("aria-label", field);
  select.onchange = () => { chosen[field] = select.value; draw(); };
  document.querySelector("#filters").append(select);
  return [field, select];
}));
function choose(field, value) { chosen[field] = value; selects[field].value = value; }
function draw() {
  const wanted = shots.filter((shot) => fields.every((field) => !chosen[field] || String(shot[field]) === chosen[field]));
  document.querySelector("#shots").replaceChildren(...wanted.map((shot) => {
    const figure = document.createElement("figure");
    const link = document.createElement("a");
    link.href = shot.file;
    const image = new Image();
    image.loading = "lazy";
    image.src = shot.file;
    const words = fields.map((field) => shot[field]).join(" ");
    image.alt = words;
    link.append(image);
    figure.append(link, words);
    figure.classList.toggle("marked", findings.has([shot.part, shot.language, shot.screen].join(" ")));
    return figure;
  }));
}
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-screen]");
  if (!link) return;
  event.preventDefault();
  for (const field of ["part", "language", "screen"]) choose(field, link.dataset[field]);
  draw();
  document.querySelector("#shots").scrollIntoView();
});
if (shots.length > 0) choose("language", shots[0].language);
draw();
</script>`,
  );
}
