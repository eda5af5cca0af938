import type { imports as contract } from "@krug/contract/vpn/import";
import type { InterfaceAnswer } from "@krug/contract/vpn/interfaces";
import type { oldPrograms } from "@krug/contract/vpn/old-programs";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Importing } from "./importing.ts";
import type { FoundPrograms } from "./index.ts";

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

export function makeOldProgramRoutes({
  foundPrograms,
}: {
  foundPrograms: FoundPrograms;
}): Handlers<typeof oldPrograms> {
  return {
    find: ({ params }) => foundPrograms.find(params.id),
    state: ({ params }) => foundPrograms.state(params.id),
    look: ({ params, body: { program, owners, amneziawg } }) =>
      foundPrograms.preview(params.id, program, owners, amneziawg),
    take: ({ actor, params, body, origin }) => foundPrograms.take(actor, params.id, body, origin),
    links: ({ params }) => foundPrograms.links(params.id),
    back: ({ actor, params }) => foundPrograms.back(actor, params.id),
    keep: ({ actor, params }) => foundPrograms.keep(actor, params.id),
  };
}
