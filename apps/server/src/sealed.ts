import { sealedInInvites } from "./features/access/invites/index.ts";
import { sealedInTwoFactor } from "./features/access/two-factor/index.ts";
import { sealedInMembers } from "./features/members/members/index.ts";
import { sealedInPush } from "./features/messages/push/index.ts";
import { sealedInTelegram } from "./features/messages/telegram/index.ts";
import { sealedInWebhooks } from "./features/messages/webhooks/index.ts";
import { sealedInConfigs, sealedInUnknownPeers } from "./features/vpn/configs/index.ts";
import { sealedInExits } from "./features/vpn/exits/index.ts";
import { sealedInImport } from "./features/vpn/import/index.ts";
import { sealedInInterfaces } from "./features/vpn/interfaces/index.ts";
import { sealedInServers } from "./features/vpn/servers/index.ts";

/** Every place in the database with a text sealed under the master key. */
export const sealedColumns = [
  ...sealedInInterfaces,
  ...sealedInExits,
  ...sealedInConfigs,
  sealedInUnknownPeers,
  ...sealedInTwoFactor,
  ...sealedInInvites,
  ...sealedInMembers,
  ...sealedInServers,
  ...sealedInTelegram,
  ...sealedInPush,
  ...sealedInWebhooks,
  sealedInImport,
];
