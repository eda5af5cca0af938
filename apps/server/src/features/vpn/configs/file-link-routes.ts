import type { fileLinks as fileLinksContract } from "@krug/contract/vpn/file-links";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Configs } from "./index.ts";

/** Where Telegram's web version fetches files from, by the address that the page gave it. */
const TELEGRAM_WEB = "https://web.telegram.org";

export function makeFileLinkRoutes({
  configs: { fileLinks },
}: {
  configs: Pick<Configs, "fileLinks">;
}): Handlers<typeof fileLinksContract> {
  return {
    make: ({ actor, params, body }) => fileLinks.make(actor, params.id, body.opensIn === "browser"),
    async accept({ actor, params, body }) {
      await fileLinks.accept(actor, params.id, body.token);
    },
    async open({ params, reply }) {
      const file = await fileLinks.open(params.token);
      reply.header("access-control-allow-origin", TELEGRAM_WEB);
      return file;
    },
  };
}
