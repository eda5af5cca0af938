import type { imports as contract } from "@krug/contract/vpn/import";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Importing } from "./importing.ts";

export function makeImportRoutes({ importing }: { importing: Importing }): Handlers<typeof contract> {
  return {
    look: ({ params, body: { owners, ...read } }) => importing.preview(params.id, read, owners),
    takeIn: ({ actor, params, body, origin }) => importing.takeIn(actor, params.id, body, origin),
  };
}
