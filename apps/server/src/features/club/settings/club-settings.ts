import { DEFAULT_CONFIG_LIMIT } from "@krug/domain/config-rules";
import { OWN_CODES_PER_MONTH } from "@krug/domain/invite-rules";
import { JOINS_PER_ADDRESS, JOINS_PER_CODE } from "@krug/domain/joining-limits";
import type { QuotaEnd } from "@krug/domain/quota-rules";
import { forEachSwitch, type ModeratorSwitch } from "@krug/domain/staff-actions";
import { DEFAULT_TIME_ZONE } from "@krug/domain/time-zone";
import { makeCached } from "../../../platform/cached.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { prepared } from "../../../platform/database/prepared.ts";
import type { Signals } from "../../../platform/signals.ts";

type SettingTables = {
  settings: { name: string; value: string; changed_at: number };
};

/** An admin's settings, and moderators' extra rights (decisions, section 2). */
export interface ClubSettings extends Record<ModeratorSwitch, boolean> {
  /** Hours for which a subscription still counts after its end (decisions, section 1). */
  graceHours: number;
  /** Invite codes that a member may make in a month (decisions, section 4). */
  ownCodesPerMonth: number;
  /** Members that may join from one address, and by one invite code, within a day. */
  joinsPerAddressPerDay: number;
  joinsPerCodePerDay: number;
  /** ms since 1970 at which maintenance began; null if there is none (decisions, section 11). */
  maintenanceSince: number | null;
  /** Countries that the security gate blocks, ISO 3166-1 alpha-2 (specification, member's side 9). */
  blockedCountries: string[];
  /** Addresses and networks that the security gate always lets pass (decisions, section 9). */
  gateExceptions: string[];
  /** Whether new configs need a linked Telegram account, once the club has a bot (decisions, section 8). */
  telegramRequired: boolean;
  /** Hours of the club's day in which no notice that can wait is sent; equal values: none. */
  quietFrom: number;
  quietUntil: number;
  /** A month's price in hundredths of the currency; null if none is set (decisions, section 5). */
  paymentPrice: number | null;
  /** ISO 4217. */
  paymentCurrency: string;
  /** How members are to pay; empty if not written. */
  paymentDetails: string;
  /** How to reach support without signing in; null until an admin sets it (decisions, section 9). */
  supportContact: string | null;
  /** Another https address of the panel, for members who cannot reach this one (ADR 123). */
  mirrorUrl: string | null;
  /** How many configs new members may have; -1: unlimited. */
  newMemberConfigLimit: number;
  /** Bytes that new members may use in a month, null: any number; and what happens at the limit. */
  newMemberQuotaBytes: number | null;
  newMemberQuotaAtEnd: QuotaEnd;
  /** IANA name; the environment's overrides it. */
  clubTimeZone: string;
}

const defaults: ClubSettings = {
  graceHours: 0,
  ownCodesPerMonth: OWN_CODES_PER_MONTH,
  joinsPerAddressPerDay: JOINS_PER_ADDRESS,
  joinsPerCodePerDay: JOINS_PER_CODE,
  maintenanceSince: null,
  blockedCountries: ["UA", "KZ", "NL"],
  gateExceptions: [],
  telegramRequired: true,
  quietFrom: 23,
  quietUntil: 8,
  paymentPrice: null,
  paymentCurrency: "RUB",
  paymentDetails: "",
  supportContact: null,
  mirrorUrl: null,
  newMemberConfigLimit: DEFAULT_CONFIG_LIMIT,
  newMemberQuotaBytes: null,
  newMemberQuotaAtEnd: "cut",
  clubTimeZone: DEFAULT_TIME_ZONE,
  ...forEachSwitch(() => false),
};

const allRows = prepared((db) => db.withTables<SettingTables>().selectFrom("settings").select(["name", "value"]));

export interface Settings {
  /** The values until an admin changes them. */
  readonly defaults: Readonly<ClubSettings>;
  read(db: Db): Promise<Readonly<ClubSettings>>;
  write(tx: Tx, change: Partial<ClubSettings>): Promise<void>;
}

export function makeSettings(clock: Clock, signals: Signals): Settings {
  const kept = makeCached(signals, "settings.written", async (db): Promise<Readonly<ClubSettings>> => {
    const rows = await allRows(db, {});
    const set = Object.fromEntries(rows.map((row) => [row.name, JSON.parse(row.value) as unknown]));
    return Object.freeze({ ...defaults, ...set });
  });
  return {
    defaults,
    read: kept.read,
    async write(tx, change) {
      kept.changed(tx);
      const now = clock.now().getTime();
      for (const [name, value] of Object.entries(change)) {
        const row = { value: JSON.stringify(value), changed_at: now };
        await tx
          .withTables<SettingTables>()
          .insertInto("settings")
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
          .execute();
      }
    },
  };
}
