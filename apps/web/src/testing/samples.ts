import { firstValues, twinsOf } from "@krug/domain/fields/field";
import { MEMBER_FIELDS } from "@krug/domain/fields/member";
import { expect } from "vitest";
import type { Me } from "../features/access/auth/queries.ts";
import type { Config } from "../features/vpn/configs/queries.ts";
import type { Lists } from "../features/vpn/configs/use-new-config.ts";

const DAY_MS = 86_400_000;
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
/** What a page names a press by, so that it can be undone. */
export const ACT = expect.stringMatching(/^[0-9a-f]{32}$/);
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** A member with a subscription; only what a test is about needs saying. */
export function member(about: Partial<Me> = {}): Me {
  const until = inDays(21.5);
  const fields = {
    ...firstValues(MEMBER_FIELDS),
    username: "marina_l",
    displayName: "Марина",
    subscriptionEnd: until,
    createdAt: inDays(-90),
  };
  return {
    id: uuid(1),
    ...fields,
    ...twinsOf(MEMBER_FIELDS, fields),
    isTrial: false,
    graceUntil: null,
    isByReferral: false,
    entitlement: { allowed: true, reason: "subscription", until },
    hasAcceptedRules: true,
    telegramConnected: false,
    inviteCode: null,
    invite_code: null,
    ...about,
  };
}

export function config(about: Partial<Config> = {}): Config {
  return {
    id: uuid(20),
    userId: uuid(1),
    name: "iphone-marina",
    deviceType: "phone",
    device_type: "phone",
    createdAt: inDays(-48),
    created_at: inDays(-48),
    services: [uuid(30)],
    dns: uuid(50),
    interfaceId: uuid(60),
    serverId: uuid(70),
    serverName: "Хельсинки",
    tunnel: { type: "wireguard", version: null },
    keyOrigin: "panel",
    isBlocked: false,
    dormant: null,
    dormantFrom: null,
    ends: null,
    madeByStaff: false,
    state: "applied",
    pendingSince: null,
    serverAwaySince: null,
    needsDownload: false,
    moving: null,
    routing: "device",
    exitsDown: [],
    overPhoneLimit: false,
    stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 },
    wireguardClient: { last_handshake: null, data_received: 0, data_sent: 0 },
    ...about,
  };
}

type Interface = Lists["interfaces"][number];

export function wgInterface(about: Partial<Interface> = {}): Interface {
  return {
    id: uuid(60),
    name: "Interface 1",
    isActive: true,
    is_active: true,
    reason: null,
    serverId: uuid(70),
    server_id: uuid(70),
    serverName: "Хельсинки",
    routing: "device",
    tunnel: { type: "wireguard", version: null },
    serverState: "answers",
    serverCountry: null,
    isPreferred: true,
    ...about,
  };
}

export const PLAIN_LOOK = { picture: "", description: "", group: "other" as const, exit: "direct" as const };

export function service(n: number, name: string, addresses: number): Lists["services"][number] {
  const ips = Array.from({ length: addresses }, (_, index) => `10.${n}.${index}.0/24`);
  return { id: uuid(30 + n), name, ips, deviceTypes: ["all"], allBut: false, ...PLAIN_LOOK };
}

export const cloudflare = { id: uuid(50), name: "Cloudflare", ips: ["1.1.1.1"] };
