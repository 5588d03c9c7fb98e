import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { CALLS } from "../index.ts";
import { openApiDocument } from "./index.ts";

const document = openApiDocument("http://127.0.0.1:8080");

it("is a valid OpenAPI 3.1 document according to a public linter, without warnings", async () => {
  const config = await createConfig({ extends: ["recommended"], rules: { "no-server-example.com": "off" } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

it("describes every call under its path", () => {
  for (const call of CALLS) {
    const operation = document.paths[`/client/${call.path}`]?.["post"];
    expect([call.path, operation?.["security"]]).toEqual([
      call.path,
      call.access === "member" ? [{ token: [] }] : [{}, { token: [] }],
    ]);
  }
});
