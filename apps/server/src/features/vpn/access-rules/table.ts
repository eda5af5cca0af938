import type { RuleType } from "@krug/domain/access-rules";
import type { Reason } from "@krug/domain/reasons";

export type AccessRuleTables = {
  access_rules: {
    id: string;
    type: RuleType;
    kind: "network" | "name";
    /** Canonical: an address, a network, or a name in ASCII. */
    target: string;
    applies_to: "all" | "selected";
    /** The group whose members are selected; null: each by itself. */
    group_id: string | null;
    created_at: number;
  };
  access_rule_members: { rule_id: string; member_id: string };
  access_rule_names: {
    name: string;
    /** JSON list, from the last successful look-up. */
    addresses: string;
    found_at: number | null;
    asked_at: number;
    failing_since: number | null;
    failure: NameFailure | null;
  };
  access_rule_revision: {
    id: number;
    revision: number;
    /** The newest revision that concerns anybody but VIP members. */
    open_revision: number;
  };
  access_rules_on_servers: {
    server_id: string;
    /** The revision of the server's tables. */
    revision: number;
    applied_at: number | null;
    /** Why its machine could not load them; null if it could. */
    failure: Reason | null;
    /** The same without changes that concern VIP members only. */
    open_applied_at: number | null;
    open_failure: Reason | null;
  };
};

/** not_found: the name does not exist or has no address; unavailable: no resolver answered. */
export type NameFailure = "not_found" | "unavailable";

export type RuleRow = AccessRuleTables["access_rules"];
export type NameRow = AccessRuleTables["access_rule_names"];
export type OnServerRow = AccessRuleTables["access_rules_on_servers"];
