import { expect, test } from "vitest";
import type { EntitlementReason } from "./entitlement.ts";
import { type DashboardFacts, nextStep } from "./next-step.ts";

const ENTITLEMENTS: { allowed: boolean; reason: EntitlementReason }[] = [
  { allowed: true, reason: "unlimited" },
  { allowed: true, reason: "subscription" },
  { allowed: true, reason: "referral" },
  { allowed: false, reason: "quota" },
  { allowed: false, reason: "expired" },
  { allowed: false, reason: "none" },
];

/** Every combination of everything that decides. */
const ALL: DashboardFacts[] = ENTITLEMENTS.flatMap((entitlement) =>
  [0, 1, 2, 3].flatMap((devices) =>
    [-1, 0, 1, 3].flatMap((limit) =>
      [true, false, null].flatMap((mustLink) =>
        [true, false, null].flatMap((hasInterface) =>
          [true, false].flatMap((maintenance) =>
            (["user", "moderator", "admin"] as const).map((role) => ({
              role,
              maintenance,
              entitlement,
              hadSubscription: entitlement.reason === "expired",
              devices,
              limit,
              mustLink,
              hasInterface,
            })),
          ),
        ),
      ),
    ),
  ),
);

test("every combination leads somewhere: to a new device, or to an obstacle with a way out", () => {
  expect(ALL).toHaveLength(6 * 4 * 4 * 3 * 3 * 2 * 3);
  for (const facts of ALL) {
    const { isStopped, mayCreate, obstacle, door } = nextStep(facts);
    const ways = [isStopped, mayCreate, obstacle !== null && door !== null].filter(Boolean);
    expect(ways, JSON.stringify(facts)).toHaveLength(1);
  }
});

test("the page explains how to make a device only where the button is shown", () => {
  for (const facts of ALL) {
    const { empty, mayCreate, isStopped } = nextStep(facts);
    const isTold = empty === "create" || empty === "createAndLink";
    expect(isTold, JSON.stringify(facts)).toBe(mayCreate && facts.devices === 0);
    expect(empty === null, JSON.stringify(facts)).toBe(isStopped || facts.devices > 0);
  }
});

test("an account is requested only if it makes a device possible, and required only from the second device on", () => {
  for (const facts of ALL) {
    const { obstacle, empty } = nextStep(facts);
    if (obstacle !== "telegram" && empty !== "createAndLink") continue;
    expect(facts.mustLink, JSON.stringify(facts)).toBe(true);
    const linked = nextStep({ ...facts, mustLink: false });
    expect(linked.mayCreate, JSON.stringify(facts)).toBe(true);
    expect(obstacle === "telegram", JSON.stringify(facts)).toBe(facts.devices > 0);
  }
});

test("nothing the panel would refuse is offered, and nothing else is withheld", () => {
  for (const facts of ALL) {
    const refused =
      !facts.entitlement.allowed ||
      (facts.limit !== -1 && facts.devices >= facts.limit) ||
      facts.hasInterface === false ||
      (facts.mustLink === true && facts.devices > 0) ||
      (facts.maintenance && facts.role === "user");
    expect(nextStep(facts).mayCreate, JSON.stringify(facts)).toBe(!refused);
  }
});

test("only those who may repair the servers are sent there; members write to support", () => {
  for (const facts of ALL) {
    const { obstacle, door } = nextStep(facts);
    if (obstacle === "noInterfaces") expect(door).toBe(facts.role === "admin" ? "repair" : "support");
    if (obstacle === "expired" || obstacle === "none") expect(door).toBe("pay");
    if (obstacle === "limit" || obstacle === "quota") expect(door).toBe("support");
  }
});

test("during maintenance members see only its notice, staff their devices", () => {
  for (const facts of ALL) expect(nextStep(facts).isStopped).toBe(facts.maintenance && facts.role === "user");
});
