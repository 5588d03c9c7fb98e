import { expect, it } from "vitest";
import { passkeyParty } from "../second-factor/passkey-party.ts";
import { ownOrigins } from "./console-origins.ts";

it.each([
  ["https://office.example", { rpId: "office.example", origin: "https://office.example" }],
  ["https://office.example:8443", { rpId: "office.example", origin: "https://office.example:8443" }],
  ["http://127.0.0.1:8081", { rpId: "localhost", origin: "http://localhost:8081" }],
  ["http://[::1]:8081", { rpId: "localhost", origin: "http://localhost:8081" }],
  ["http://localhost:8081", { rpId: "localhost", origin: "http://localhost:8081" }],
  ["http://office.example:8081", null],
  ["http://192.168.1.4:8081", null],
  ["https://192.168.1.4", null],
  ["https://[2001:db8::1]", null],
])("gives passkeys of %s to %o", (url, party) => {
  expect(passkeyParty(url)).toEqual(party);
});

it("accepts messages only from the console's own pages", () => {
  expect(ownOrigins("https://office.example")).toEqual(["https://office.example"]);
  expect(ownOrigins("http://127.0.0.1:8081")).toEqual(["http://127.0.0.1:8081", "http://localhost:8081"]);
});
