import type { JsonObject, OpenApiDocument, OpenApiOperation } from "@fairtick/protocol/openapi";

/** Makes the reference of all calls as one page, without scripts or other origins. */
export function referencePage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const areas = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ""))];
  const sections = areas.map(
    (area) =>
      `<section id="${escape(area)}"><h2>${escape(area)}</h2>${operations
        .filter(({ operation }) => operation.tags[0] === area)
        .map(({ path, method, operation }) => renderOperation(path, method, operation))
        .join("")}</section>`,
  );
  const shapes = Object.entries(objectAt(document, "components", "schemas")).map(
    ([name, schema]) => `<article id="shape-${escape(name)}"><h3>${escape(name)}</h3>${renderJson(schema)}</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fairtick calls</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Fairtick calls</h1><p>${escape(document.info.description)}</p>
<p>The same as a document: <a href="/openapi.json">openapi.json</a></p></header>
<nav aria-label="Areas">${areas.map((area) => `<a href="#${escape(area)}">${escape(area)}</a>`).join(" ")} <a href="#shapes">shapes</a></nav>
<main>${sections.join("")}<section id="shapes"><h2>Shapes</h2>${shapes.join("")}</section></main>
</body>
</html>
`;
}

function renderOperation(path: string, method: string, operation: OpenApiOperation): string {
  const body = Object.values(objectAt(operation, "requestBody", "content"))[0];
  const answer = Object.values(objectAt(operation, "responses", "200", "content"))[0];
  const data = objectAt(answer, "schema", "properties")["data"];
  const login = JSON.stringify(operation["security"]) === '[{"token":[]}]' ? "login" : "public";
  return `<article id="${escape(operation.operationId)}">
<h3><code>${method} ${escape(path)}</code> <small>${login}</small></h3>
<p>${escape(operation.description)}</p>
${body ? renderFields(objectAt(body, "schema")) : "<p>No fields.</p>"}
<details><summary>Answers</summary>${renderJson(data ?? objectAt(answer, "schema"))}</details>
</article>`;
}

function renderFields(schema: JsonObject): string {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const rows = Object.entries(objectAt(schema, "properties")).map(([name, field]) => {
    const rules = Object.entries(objectAt(field))
      .filter(([rule]) => rule !== "type")
      .map(([rule, value]) => `${rule} ${JSON.stringify(value)}`);
    return `<tr><th scope="row"><code>${escape(name)}</code></th><td>${required.has(name) ? "required" : "optional"}</td><td><code>${escape(rules.join(" · "))}</code></td></tr>`;
  });
  return `<table><thead><tr><th scope="col">Field</th><th scope="col"></th><th scope="col">Form</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function renderJson(value: unknown): string {
  const text = escape(JSON.stringify(value, null, 2));
  const linked = text.replace(
    /&quot;#\/components\/schemas\/(\w+)&quot;/g,
    (_, name: string) => `<a href="#shape-${name}">${name}</a>`,
  );
  return `<pre tabindex="0">${linked}</pre>`;
}

/** Finds the object at a path; an empty one if there is none. */
function objectAt(value: unknown, ...path: string[]): JsonObject {
  let found: unknown = value;
  for (const key of path) found = isObject(found) ? found[key] : undefined;
  return isObject(found) ? found : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 16px; }
nav { display: flex; flex-wrap: wrap; gap: 8px 16px; padding-block: 12px; }
article { border-block-start: 1px solid color-mix(in srgb, currentColor 20%, transparent); padding-block: 8px; }
h3 { margin-block: 8px; font-size: 15px; } h3 small { font-weight: normal; opacity: .75; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: 4px 16px 4px 0; text-align: start; vertical-align: top; font-weight: normal; }
pre { overflow-x: auto; font-size: 13px; }
`;
