export {
  inputJsonSchema,
  openApiDocument,
  type OpenApiDocument,
  type OpenApiOperation,
  type JsonObject,
} from "./document.ts";
