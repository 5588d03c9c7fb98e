import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Call } from "../call.ts";
import { CALLS } from "../catalogue.ts";
import { failure } from "../envelope.ts";
import type { MemberCall } from "../member-call.ts";
import * as s from "../shapes.ts";
import { clientMessage, streamMessage } from "../stream.ts";

export type JsonObject = { readonly [key: string]: unknown };

export interface OpenApiOperation extends JsonObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
}
export interface OpenApiDocument extends JsonObject {
  readonly openapi: "3.1.0";
  readonly info: JsonObject & { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

/** Schemas that appear in the document under a name. */
const NAMED = {
  Order: s.order,
  PlacedOrder: s.placedOrder,
  Summary: s.summary,
  Instrument: s.instrument,
  UserInfo: s.userInfo,
  SignedIn: s.signedIn,
  Alert: s.alert,
  Deposit: s.deposit,
  Withdrawal: s.withdrawal,
  Identity: s.identity,
  Notice: s.notice,
  SupportMessage: s.supportMessage,
  Failure: failure,
  StreamClientMessage: clientMessage,
  StreamServerMessage: streamMessage,
};

const FAILURES: Readonly<Record<string, string>> = {
  "400": "Malformed: a field is missing, repeated, too long or wrong.",
  "401": "Not logged in, or no longer.",
  "403": "Not allowed.",
  "404": "No such thing, or not yours.",
  "409": "Conflict.",
  "413": "Too large.",
  "422": "Refused by a rule.",
  "429": "Too many; `Retry-After` says when to come back.",
  "500": "A fault of the server, with an id that stands in its log.",
  "503": "Not now.",
};

/**
 * Generates the OpenAPI 3.1 document of all member calls from their schemas. `serverUrl` is the address of the server.
 */
export function openApiDocument(serverUrl: string, version = "1.0.0"): OpenApiDocument {
  return {
    openapi: "3.1.0",
    info: {
      title: "Fairtick member calls",
      version,
      description:
        "Every call is a POST with a form-encoded body and answers `{code, msg, data}`; `msg` is in the language of " +
        "the `Lang` header. Amounts and prices are decimal strings, instants milliseconds since 1970 UTC. A login makes its " +
        "device known, so that nobody else's wrong passwords delay it: browsers keep that in a cookie. A client without " +
        "cookies sends `exchange2508device: new` with auth/login, auth/register, auth/sendCode or auth/resetPassword, keeps " +
        "the key that the answer has in the same header, and sends it with each of these calls.",
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: serverUrl }],
    tags: [...new Set(CALLS.map(areaOf))].map((name) => ({ name, description: `Calls of the area ${name}.` })),
    paths: {
      ...Object.fromEntries(CALLS.map((call) => [`/client/${call.path}`, { post: operationOf(call) }])),
      "/client/stream": { get: STREAM },
    },
    components: {
      securitySchemes: {
        token: {
          type: "apiKey",
          in: "header",
          name: "exchange2508Token",
          description: "The `access_token` of auth/login or auth/register.",
        },
      },
      parameters: {
        Lang: {
          name: "Lang",
          in: "header",
          description: "Language of `msg`; English where it is unknown.",
          schema: {
            type: "string",
            enum: ["en_US", "zh_TW", "zh_CN", "ja_JP", "ko_KR", "de_DE", "es_ES", "it_IT", "vi_VN", "fr_FR"],
          },
        },
      },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          `Failure${status}`,
          { description, content: { "application/json": { schema: envelopeOf(ref("Failure"), Number(status)) } } },
        ]),
      ),
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [
          name,
          convert(schema, schema === clientMessage ? "input" : "output"),
        ]),
      ),
    },
  };
}

const STREAM: OpenApiOperation = {
  operationId: "stream",
  summary: "Realtime messages over a WebSocket",
  description:
    "Upgrade to a WebSocket. The client sends `StreamClientMessage`, the server `StreamServerMessage`. " +
    "Close code 4401: the session is over.",
  tags: ["market"],
  security: [],
  responses: {
    "101": { description: "Switching to the WebSocket protocol." },
    "200": {
      description: "Never sent; shows the messages' shapes.",
      content: { "application/json": { schema: { oneOf: [ref("StreamClientMessage"), ref("StreamServerMessage")] } } },
    },
    "403": { $ref: "#/components/responses/Failure403" },
  },
};

function operationOf(call: MemberCall): OpenApiOperation {
  const statuses = [
    "400",
    ...(call.access === "member" ? ["401"] : []),
    "403",
    "404",
    "409",
    "413",
    "422",
    "429",
    "500",
  ];
  return {
    operationId: call.path.replaceAll("/", "_"),
    summary: call.summary.split(/[.;:] /, 1)[0]?.replace(/\.$/, "") ?? call.path,
    description: call.summary + (call.idempotent ? " May be sent again after a failure." : ""),
    tags: [areaOf(call)],
    security: call.access === "member" ? [{ token: [] }] : [{}, { token: [] }],
    parameters: [{ $ref: "#/components/parameters/Lang" }],
    ...(Object.keys(call.input.entries).length > 0 && { requestBody: bodyOf(call) }),
    responses: {
      "200": { description: "Done.", content: contentOf(call) },
      ...Object.fromEntries(
        [...statuses, "503"].map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
      ),
    },
  };
}

/** Returns the JSON Schema of a call's input: the text of each field. */
export function inputJsonSchema(call: Pick<Call, "input">): JsonObject {
  return convert(call.input, "input");
}

function areaOf(call: Call): string {
  return call.path.split("/", 1)[0] ?? call.path;
}

function bodyOf(call: Call): JsonObject {
  const input = inputJsonSchema(call);
  if (call.file !== "upload")
    return { required: true, content: { "application/x-www-form-urlencoded": { schema: input } } };
  const schema = {
    ...input,
    properties: { ...Object(input["properties"]), file: { type: "string", format: "binary" } },
    required: [...(Array.isArray(input["required"]) ? input["required"] : []), "file"],
  };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

function contentOf(call: Call): JsonObject {
  if (call.file !== "download")
    return { "application/json": { schema: envelopeOf(named(call.output) ?? convert(call.output, "output"), 200) } };
  const type = call.path.endsWith("/export") ? "text/csv" : "application/octet-stream";
  return { [type]: { schema: { type: "string" } } };
}

function envelopeOf(data: JsonObject, code: number): JsonObject {
  return {
    type: "object",
    properties: { code: { type: "integer", const: code }, msg: { type: "string" }, data },
    required: ["code", "msg", "data"],
  };
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function named(schema: unknown): JsonObject | undefined {
  const found = Object.entries(NAMED).find(([, known]) => known === schema);
  return found && ref(found[0]);
}

/** Converts a schema to JSON Schema 2020-12. Named schemas nested in it become references. */
function convert(schema: v.GenericSchema, typeMode: "input" | "output"): JsonObject {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    // JSON Schema can't express some checks (that a day exists, lower case). Only the server makes them.
    errorMode: "ignore",
    overrideSchema: ({ valibotSchema }) => {
      if (valibotSchema === schema) return null;
      return named(valibotSchema) ?? null;
    },
  });
  return json;
}
