import type { Names } from "../src/platform/names.ts";
import { systemNames } from "../src/platform/names.ts";
import { makeFakeNames } from "./fake-names.ts";

const documented = makeFakeNames({
  "tracker.example": ["203.0.113.40", "203.0.113.41", "2001:db8:40::41"],
  "bank.example": ["198.51.100.80"],
  "mirror.example": ["192.0.2.30", "203.0.113.5"],
});

/** Resolves the sample's own domains here, one of them as missing; all others through the real resolvers. */
export const sampleNames: Names = {
  find: (name) => (name.endsWith(".example") ? documented.find(name) : systemNames.find(name)),
};

const rules = [
  { type: "blacklist", target: "198.51.100.0/24" },
  { type: "blacklist", target: "tracker.example" },
  { type: "blacklist", target: "old-mirror.example" },
  { type: "blacklist", target: "203.0.113.0/24", for: ["vera", "anton", "gleb"] },
  { type: "blacklist", target: "192.0.2.15", for: ["svetlana_p", "nina"] },
  { type: "whitelist", target: "203.0.113.77", for: ["vera"] },
  { type: "whitelist", target: "bank.example" },
] as const;

/** Access rules as a real club has them: for everyone and for some, including one domain that no longer exists. */
export async function addSampleRules(
  post: (url: string, payload: object) => Promise<unknown>,
  idOf: (username: string) => string | undefined,
): Promise<void> {
  for (const { type, target, ...rule } of rules)
    await post("/api/admin/rules", {
      type,
      target,
      appliesTo: "for" in rule ? rule.for.flatMap((username) => idOf(username) ?? []) : "all",
    });
}
