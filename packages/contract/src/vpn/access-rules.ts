import { MOST_SELECTED, RULE_TYPES } from "@krug/domain/access-rules";
import { EXITS, LINK_STATES } from "@krug/domain/routing-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, NamedGroup, Page, Time, twins } from "../fields.ts";
import { Why } from "../reasons.ts";

const RuleType = z.enum(RULE_TYPES);

/** Set by an admin who views as a moderator: VIP members are left out of the answer. */
const as = z.literal("moderator").optional();

/** Room for as many member ids as a rule may have. */
const ROOM_FOR_MEMBERS = { bodyLimit: MOST_SELECTED * 48, bodyValues: MOST_SELECTED + 100 };

/** What a domain of a rule resolves to, as far as the panel knows. */
const NameState = z.object({
  addresses: z.array(z.string()),
  /** When they were last found; null: never. */
  foundAt: Time.nullable(),
  /** When look-ups started to fail; the last addresses found stay in force. Null: the last look-up worked. */
  failingSince: Time.nullable(),
  /** The name does not exist or has no address; or no resolver answered. */
  failure: z.enum(["not_found", "unavailable"]).nullable(),
});

/** A rule about what members reach through the tunnel (specification, operator's side 3). */
export const AccessRule = z.object({
  id: Id,
  type: RuleType,
  /** An address, a network, or a domain as people write it. */
  target: z.string(),
  /** 'all', or ids of the selected members: the first 100 of them. */
  appliesTo: z.union([z.literal("all"), z.array(Id)]),
  /** The group whose members it is for, now and later; null if each is selected by itself, or it is for everyone. */
  group: NamedGroup.nullable(),
  /** How many members are selected; null if the rule is for everyone. */
  memberCount: z.int().nonnegative().nullable(),
  createdAt: Time,
  /** Null unless the target is a domain. */
  domain: NameState.nullable(),
});

const Named = z.object({ id: Id, username: z.string(), displayName: z.string() });

const NewAccessRule = twins(
  z.strictObject({
    type: RuleType.default("blacklist"),
    target: line(300),
    appliesTo: z
      .union([z.literal("all"), z.array(Id).min(1).max(MOST_SELECTED), z.strictObject({ groupId: Id })])
      .default("all"),
  }),
  { applies_to: "appliesTo" },
);

/** Whether one place of the target can be reached, and what decides it. */
const PlaceCheck = z.object({
  address: z.string(),
  open: z.boolean(),
  /**
   * default: no rule covers it; closed: the network is closed to everybody (`closedBecause`); closed_port: so is the port;
   * no_ipv6: the member's tunnels have no IPv6; routing: none of their devices has an exit for it.
   */
  by: z.enum(["default", "whitelist", "blacklist", "closed", "closed_port", "no_ipv6", "routing", "exit_down"]),
  closedBecause: z.enum(["members", "private", "loopback", "link_local", "special"]).nullable(),
  rule: z
    .object({
      id: Id,
      type: RuleType,
      target: z.string(),
      appliesTo: z.enum(["all", "selected"]),
      group: NamedGroup.nullable(),
    })
    .nullable(),
});

export const accessRules = {
  list: endpoint("GET /admin/rules", {
    needs: "rules.see",
    scope: "rules:read",
    summary: "Access rules, newest first; a moderator does not see rules only for VIP members",
    query: z.object({ ...Page, type: RuleType.optional(), as }),
    answer: z.array(AccessRule),
  }),
  add: endpoint("POST /admin/rules", {
    needs: "rules.change",
    scope: "rules:write",
    summary: "Add an access rule; answers once it is in force, or after a few seconds if a server does not respond",
    body: NewAccessRule,
    answer: AccessRule,
    status: 201,
    creation: true,
    ...ROOM_FOR_MEMBERS,
    refusals: [
      "rule.target_invalid",
      "rule.target_closed",
      "rule.exists",
      "rule.member_unknown",
      "group.unknown",
      "rule.too_many",
      "rule.too_many_selected",
    ],
  }),
  remove: endpoint("DELETE /admin/rules/{id}", {
    needs: "rules.change",
    scope: "rules:write",
    summary: "Delete an access rule",
    refusals: ["rule.not_found"],
  }),
  /** Beyond the specifications. */
  members: endpoint("GET /admin/rules/{id}/members", {
    needs: "rules.see",
    scope: "rules:read",
    summary: "The members a rule is for, by name; empty if it is for everyone",
    query: z.object({ ...Page, as }),
    answer: z.array(Named),
    refusals: ["rule.not_found"],
  }),
  /** Beyond the specifications. */
  servers: endpoint("GET /admin/rules/servers", {
    needs: "rules.see",
    scope: "rules:read",
    summary:
      "Whether each server has the current rules; a moderator's answer leaves out rules that are only for VIP members",
    query: z.object({ as }),
    answer: z.array(
      z.object({
        id: Id,
        name: z.string(),
        state: z.enum(["in_force", "pending"]),
        /** When the server last applied the rules it has; null: never. */
        appliedAt: Time.nullable(),
        /**
         * Why it is waiting: what the server or its machine reported; null if nothing waits or the server is about to apply them.
         */
        reason: z.string().nullable(),
        why: Why.nullable(),
      }),
    ),
  }),
  /** Beyond the specifications. */
  check: endpoint("GET /admin/rules/check", {
    needs: "rules.see",
    scope: "rules:read",
    summary: "Whether this member can reach this address through the tunnel, and what decides it",
    query: z.object({
      /** A member's id or username. */
      userId: z.string().min(1).max(64),
      /** An address or a domain; ':port' asks about that TCP port. */
      target: line(300),
      as,
    }),
    answer: z.object({
      member: Named,
      target: z.string(),
      /** One entry for each address or network of the target. */
      verdict: z.enum(["reaches", "partly", "closed"]),
      /** Why the tunnel reaches nothing at all: the member is not entitled, or no device of theirs is on the wire. */
      obstacle: z.enum(["blocked", "quota", "expired", "none", "no_devices", "devices_off", "not_applied"]).nullable(),
      /** Set for a domain that cannot be resolved right now; the answer uses the addresses found last, if any. */
      failure: z.enum(["not_found", "unavailable"]).nullable(),
      places: z.array(PlaceCheck),
      /** Devices whose services do not include the target: they reach it outside the tunnel, where no rule applies. */
      beside: z.array(z.string()),
      /** By which exit it leaves, for devices whose server routes; `service`: the one that decides, null for the rest. */
      exits: z.array(
        z.object({
          device: z.string(),
          address: z.string(),
          /** `server`: by another server of the club. */
          exit: z.enum([...EXITS, "server"]),
          /** That server, how the link to it stands, and since when not well. */
          server: z.string().nullable(),
          link: z.enum(LINK_STATES).nullable(),
          downSince: Time.nullable(),
          /** What becomes of it meanwhile, and by which third server it leaves. */
          instead: z.enum(["wait", "direct", "other"]).nullable(),
          other: z.string().nullable(),
          service: z.string().nullable(),
        }),
      ),
    }),
    refusals: ["member.not_found", "rule.target_invalid", "rule.check_network"],
  }),
};

export type AccessRuleAnswer = z.output<typeof AccessRule>;
export type NewAccessRuleInput = z.output<typeof NewAccessRule>;
export type AccessCheckAnswer = z.output<(typeof accessRules.check)["answer"]>;
export type PlaceCheckAnswer = z.output<typeof PlaceCheck>;
