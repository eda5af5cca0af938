import type { Contract } from "@krug/contract/api";
import type { GuideSteps } from "@krug/contract/operation/guide";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Invites } from "../../access/invites/index.ts";
import type { Members } from "../../members/members/index.ts";
import type { Telegram } from "../../messages/telegram/index.ts";
import type { Catalog } from "../../vpn/catalog/index.ts";
import type { Servers } from "../../vpn/servers/index.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  servers: Servers;
  catalog: Catalog;
  invites: Invites;
  members: Members;
  telegram: Telegram;
}

export function makeGuideRoutes(parts: Parts): Handlers<Contract["guide"]> {
  const { db, transact, clock, servers, catalog, invites, members, telegram } = parts;

  const stepsNow = async (): Promise<GuideSteps> => {
    const hasMember = await members.hasUsers(db);
    const known = (await servers.known(db)).filter(({ reconciled_at }) => reconciled_at !== null);
    return {
      // A server that does not answer now is reported elsewhere: the guide must not come back for it.
      server: known.length > 0,
      endpoint: known.length > 0 && known.every((server) => (server.endpoint ?? server.default_endpoint) !== null),
      catalog: (await catalog.services(db)).length > 0 && (await catalog.dns(db)).length > 0,
      code: hasMember || (await invites.hasStaffCodes(db)),
      member: hasMember,
      telegram: telegram.hasToken,
    };
  };

  return {
    async read({ actor }) {
      if (await repository.isDismissed(db, actor.memberId)) return { steps: null };
      const steps = await stepsNow();
      const isOver = steps.server && steps.endpoint && steps.catalog && steps.code && steps.member;
      return { steps: isOver ? null : steps };
    },

    dismiss: async ({ actor }) =>
      void (await transact((tx) => repository.dismiss(tx, actor.memberId, clock.now().getTime()))),
  };
}
