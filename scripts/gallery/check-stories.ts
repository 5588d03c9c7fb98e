import { join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { readSources, type SourceFile } from "../walls/import-graph.ts";

const FOLDERS = /^(packages\/ui\/src|apps\/member\/src\/components)\//;
const COMPONENT = /^[A-Z][a-z]/;

/** Lists the components of packages/ui and the member app's shared ones that have no story, with what to do. */
export function componentsWithoutStory(sources: readonly SourceFile[]): string[] {
  const inside = sources.filter(({ path }) => FOLDERS.test(path) && path.endsWith(".tsx"));
  const shown = new Set(
    inside
      .filter(({ path }) => path.endsWith(".stories.tsx"))
      .flatMap((file) => storiesOf(file).map((name) => `${partOf(file.path)} ${name}`)),
  );
  return inside
    .filter(({ path }) => !/\.(test|stories)\.tsx$|\/story-data\.tsx$/.test(path))
    .flatMap((file) =>
      componentsOf(file)
        .filter((name) => !shown.has(`${partOf(file.path)} ${name}`))
        .map((name) => {
          const beside = file.path.replace(/\.tsx$/, ".stories.tsx");
          return `${file.path} exports ${name}, which no story shows. Add ${name} to the stories in ${beside} (CONTRIBUTING.md).`;
        }),
    );
}

const partOf = (path: string): string => FOLDERS.exec(path)?.[1] ?? "";

/** Returns the names of exported functions and arrow functions that are written like components. */
function componentsOf({ path, text }: SourceFile): string[] {
  const names: string[] = [];
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type === "FunctionDeclaration" && declaration.id) names.push(declaration.id.name);
      if (declaration?.type !== "VariableDeclaration") return;
      for (const { id, init } of declaration.declarations)
        if (id.type === "Identifier" && init?.type === "ArrowFunctionExpression") names.push(id.name);
    },
  }).visit(parseSync(path, text).program);
  return names.filter((name) => COMPONENT.test(name));
}

/** Returns the keys of the object exported as `stories`. A component without any state doesn't count as shown. */
function storiesOf({ path, text }: SourceFile): string[] {
  const names: string[] = [];
  new Visitor({
    ExportNamedDeclaration({ declaration }) {
      if (declaration?.type !== "VariableDeclaration") return;
      for (const { id, init } of declaration.declarations) {
        const object = init?.type === "TSSatisfiesExpression" ? init.expression : init;
        if (id.type !== "Identifier" || id.name !== "stories" || object?.type !== "ObjectExpression") continue;
        for (const property of object.properties) {
          if (property.type !== "Property" || property.key.type !== "Identifier") continue;
          if (property.value.type === "ObjectExpression" && property.value.properties.length > 0)
            names.push(property.key.name);
        }
      }
    },
  }).visit(parseSync(path, text).program);
  return names;
}

if (import.meta.main) {
  const problems = componentsWithoutStory(readSources(join(import.meta.dirname, "../..")));
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
