import { isMirrorAddress } from "@krug/domain/mirror-address";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { line, Time } from "../fields.ts";

/** ISO 3166-1 alpha-2, upper case. */
export const Country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/);

const Rules = {
  /** Countries the club does not serve. */
  blockedCountries: z.array(Country).max(250),
  /** Addresses and networks that always pass, e.g. the staff's office. */
  exceptions: z.array(z.string().trim().min(2).max(64)).max(500),
  /** How people who are kept out can reach support: an https address, a mail address, an @name or a sentence. */
  supportContact: line(200).nullable(),
  /** Another https address of the panel, shown to members only. */
  mirrorUrl: z.string().trim().refine(isMirrorAddress).nullable(),
};

const AdminSecurity = z.object({
  enabled: z.boolean(),
  ...Rules,
  /** When the country database in use was built; null before it is first used, or without one. */
  countriesBuiltAt: Time.nullable(),
  /** The day of the list of hosting networks. */
  hostingListOf: z.iso.date().nullable(),
  /** When an untrusted peer first sent a forwarded address since this start; null: never. */
  untrustedForwardingSince: Time.nullable(),
  /** When a trusted proxy first sent one that cannot be parsed since this start; null: never. */
  unreadableForwardingSince: Time.nullable(),
});

/** The check before the application is shown (decisions, section 9). */
export const security = {
  gate: endpoint("GET /security/gate", {
    access: "public",
    summary:
      "Whether the check is on, which services the browser asks first, which countries are blocked, and how to reach support",
    answer: z.object({
      enabled: z.boolean(),
      services: z.array(z.url()),
      blockedCountries: z.array(Country),
      supportContact: Rules.supportContact,
    }),
    duringMaintenance: true,
  }),
  geo: endpoint("GET /security/geo", {
    access: "public",
    summary: "The caller's country by local data; null if unknown or exempt",
    answer: z.object({ country: Country.nullable() }),
    refusals: ["security.unmet"],
    duringMaintenance: true,
  }),
  vpn: endpoint("GET /security/vpn", {
    access: "public",
    summary: "Whether the caller comes through a proxy or from a hosting network, by local data",
    answer: z.object({ proxy: z.boolean(), vpn: z.boolean() }),
    refusals: ["security.unmet"],
    duringMaintenance: true,
  }),
  /** Beyond the specifications: the page stores it for when the panel cannot be reached. */
  ways: endpoint("GET /security/ways", {
    access: "member",
    summary: "Whom to contact when the panel cannot be reached: its mirror, and how to reach support",
    answer: z.object({ mirrorUrl: z.string().nullable(), supportContact: Rules.supportContact }),
  }),
  settings: endpoint("GET /admin/security", {
    needs: "settings.change",
    scope: "system:read",
    summary: "The check's settings and how old its data is",
    answer: AdminSecurity,
  }),
  change: endpoint("PUT /admin/security", {
    needs: "settings.change",
    // Members who cannot reach the panel are sent there.
    trust: { mirrorUrl: true },
    summary:
      "Change the blocked countries, the addresses that always pass, how to reach support, or the panel's mirror",
    body: z.strictObject({
      blockedCountries: Rules.blockedCountries.optional(),
      exceptions: Rules.exceptions.optional(),
      supportContact: Rules.supportContact.optional(),
      mirrorUrl: Rules.mirrorUrl.optional(),
      /** The values the editor saw: if one differs now, the change is refused. */
      expected: z.strictObject(Rules).partial().optional(),
    }),
    answer: AdminSecurity,
    refusals: ["security.exception_invalid", "settings.changed_meanwhile"],
  }),
};

export type AdminSecurityAnswer = z.output<typeof AdminSecurity>;
