import type { imports as contract } from "@krug/contract/vpn/import";
import type { InterfaceAnswer } from "@krug/contract/vpn/interfaces";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Importing } from "./importing.ts";

interface Parts {
  importing: Importing;
  /** An interface as staff see it, once its machine has answered, or after a moment. */
  shownInterface(id: string, jobIds: readonly string[]): Promise<InterfaceAnswer>;
}

export function makeImportRoutes({ importing, shownInterface }: Parts): Handlers<typeof contract> {
  return {
    look: ({ params, body: { owners, ...read } }) => importing.preview(params.id, read, owners),
    async takeIn({ actor, params, body, origin }) {
      const { id, jobIds, ...taken } = await importing.takeIn(actor, params.id, body, origin);
      return { interface: await shownInterface(id, jobIds), ...taken };
    },
  };
}
