import { sealedInConfigs, sealedInUnknownPeers } from "./features/configs/index.ts";
import { sealedInInterfaces } from "./features/interfaces/index.ts";
import { sealedInInvites } from "./features/invites/index.ts";
import { sealedInMembers } from "./features/members/index.ts";
import { sealedInPush } from "./features/push/index.ts";
import { sealedInServers } from "./features/servers/index.ts";
import { sealedInTelegram } from "./features/telegram/index.ts";
import { sealedInTwoFactor } from "./features/two-factor/index.ts";
import { sealedInWebhooks } from "./features/webhooks/index.ts";

/** Wherever the database holds a text that is sealed under the master key. */
export const sealedColumns = [
  ...sealedInInterfaces,
  ...sealedInConfigs,
  sealedInUnknownPeers,
  ...sealedInTwoFactor,
  ...sealedInInvites,
  ...sealedInMembers,
  ...sealedInServers,
  ...sealedInTelegram,
  ...sealedInPush,
  ...sealedInWebhooks,
];
