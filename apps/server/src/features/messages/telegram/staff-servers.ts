import type { Act, StaffParts } from "./staff-parts.ts";

/** Two ids fit into a button's 64 bytes like this. */
const short = (id: string) => Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
const long = (text: string) =>
  Buffer.from(text, "base64url")
    .toString("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Telegram shows no more than 100. */
const MOST_TARGETS = 50;

/** What staff do from the notice of a server that is away. */
export function makeStaffServers({ db, servers, machines, drains, drainPlans }: StaffParts): Record<string, Act> {
  return {
    "server-check": {
      needs: "servers.see_secrets",
      async run({ say }, id) {
        const before = await servers.find(db, id);
        if (before === undefined) return { text: say.serverGone };
        await machines.refresh(before);
        const now = await servers.find(db, id);
        return { text: now?.unreachable_since == null ? say.answers(before.name) : say.notYet(before.name) };
      },
    },
    "server-move": {
      needs: "servers.change",
      async run({ say }, id) {
        const from = await servers.find(db, id);
        if (from === undefined) return { text: say.serverGone };
        const { devices, members, keysInBrowser, targets } = await drainPlans.ofServer(id);
        if (targets.length === 0) return { text: say.noTargets(from.name) };
        const buttons = targets
          .slice(0, MOST_TARGETS)
          .map((to) => [
            { text: say.target(to.name, to.free), callback_data: `server-to:${short(id)}:${short(to.id)}` },
          ]);
        return {
          text: say.whereTo(from.name, { devices, members, keysInBrowser }),
          keyboard: [...buttons, [{ text: say.cancel, callback_data: "staff-cancel" }]],
        };
      },
    },
    "server-to": {
      needs: "servers.change",
      async run({ actor, say }, argument) {
        const [from = "", to = ""] = argument.split(":").map(long);
        const { total } = await drains.begin(actor, from, to);
        const name = async (id: string) => (await servers.find(db, id))?.name ?? "";
        return { text: say.moving(await name(from), await name(to), total), inPlace: true };
      },
    },
  };
}
