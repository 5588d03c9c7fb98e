declare module "virtual:fairtick-messages/*" {
  import type { Messages } from "@lingui/core";
  export const messages: Messages;
}
