import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { cacheFolder } from "./scripts/cache-for-tests.mjs";

// Kinds of tests, each its own project: `npm test -- rules screens`, or `npx vitest --project rules`.
const SECOND = 1000;
const NOT_RULES = ["**/node_modules/**", "**/dist/**", "**/*.feature.test.ts", "**/*.build.test.ts"];
/** One more than the machine has cores, because each spends some time waiting for timers and its database. */
const WAITING = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };
const COMPUTING = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };
/** A process keeps its loaded modules from file to file: loading the product again for each would cost more than the tests. */
const SHARED = { isolate: false };
// After everything else. Journeys wait for pages more than they compute; the lab's files share the machine's network.
const journeysOrder = { isolate: false, maxWorkers: 2, sequence: { groupOrder: 2 } };
const labOrder = { maxWorkers: 1, sequence: { groupOrder: 3 } };

/** Generous on purpose: a limit ends what hangs and measures nothing. */
const patience = (seconds: number) => ({
  testTimeout: seconds * SECOND,
  hookTimeout: seconds * SECOND,
  // Otherwise a second, which a busy machine does not keep.
  expect: { poll: { timeout: Math.min(30, seconds / 2) * SECOND } },
});

const features = {
  include: ["apps/server/{src,testing}/**/*.feature.test.ts"],
  ...SHARED,
  ...WAITING,
  ...patience(180),
};
/** Takes as long as all other journeys together: its own kind, so that it can run next to them. */
const EVERY_SCREEN = "e2e/every-screen.journey.test.ts";
const SCRATCH = "scripts/scratch-for-tests.mjs";
const ON_POSTGRES = { env: { TEST_ENGINE: "postgres" }, globalSetup: [SCRATCH, "scripts/postgres-for-tests.mjs"] };
/** What only several panels or a dedicated database server can show. */
const POSTGRES_ALONE = ["**/node_modules/**", "**/*.postgres.feature.test.ts"];
/**
 * PostgreSQL gets the statements of these from other files, all but a few: measured, see docs/adr/0113. They run on it in soak.
 */
const STATEMENTS_OF_OTHERS = [
  "access",
  "api-examples",
  "check/check",
  "contract",
  "full-disk",
  "master-key",
  "features/vpn/access-rules/access-rules",
  "features/access/api-tokens/api-tokens",
  "features/access/auth/{links,login,sessions}",
  "features/vpn/catalog/catalog",
  "features/club/backup/scheduled",
  "features/vpn/configs/{addresses,create-config,diagnosis,file-links,hand-over,outdated-files}",
  "features/vpn/interfaces/{amneziawg,interfaces,path-mtu}",
  "features/access/invites/{codes,guessing,joining-limits}",
  "features/access/maintenance/maintenance",
  "features/access/passkeys/passkeys",
  "features/vpn/import/{amneziawg,import,old-programs}",
  "features/members/data-export/data-export",
  "features/members/members/{promotion,quota,staff-changes}",
  "features/members/notes/notes",
  "features/members/templates/templates",
  "features/vpn/drain/{drain,rotation}",
  "features/vpn/exits/exits",
  "features/vpn/probe/probe",
  "features/messages/answer-templates/answer-templates",
  "features/messages/inbox/{audience,inbox}",
  "features/messages/live/live",
  "features/messages/lost-devices/lost-devices",
  "features/messages/push/push",
  "features/money/payments/{ledger,several-months}",
  "features/money/referral/referral",
  "features/messages/support/support",
  "features/vpn/reconciler/{counters,reconciler,rounds,untrue-counters}",
  "features/access/security-gate/security-gate",
  "features/vpn/server-setup/{adding-a-server,server-in-use,signing-in,steps,tunnel-place}",
  "features/operation/{alarms/alarms,guide/guide,metrics/metrics,pulse/pulse,statistics/statistics}",
  "features/vpn/outage-detection/outage-detection",
  "features/vpn/server-history/server-history",
  "features/vpn/routing/routing",
  "features/vpn/servers/{forwarding,ipv6-only,servers}",
  "features/vpn/sources/sources",
  "features/club/settings/settings",
  "features/messages/telegram/{answers,device-files,late-presses,linking,mini-app,notices,outages,password,required-linking}",
  "features/messages/telegram/staff-{acts,commands,replies}",
  "features/vpn/traffic/own-traffic",
  "features/vpn/unknown-peers/after-restore",
  "features/access/two-factor/{new-token,two-factor}",
  "features/messages/webhooks/{addresses,deliveries,events,receivers}",
  "life-of-a-club",
  "nothing-stale",
  "nothing-stale-for-staff",
  "platform/http/server",
].map((name) => `apps/server/src/${name}.feature.test.ts`);
/** What happens before any database is asked. */
const ONE_ENGINE = ["**/node_modules/**", "**/*.sqlite.feature.test.ts"];

export default defineConfig({
  test: {
    // Two runs write to one terminal, so nothing may redraw itself.
    // 40 % of the processor time that loading a kind takes. All kinds need much the same modules, and so does the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: cacheFolder() },
    reporters: process.env.TEST_RESULTS ? [["default", { summary: false }], "./scripts/count-reporter.mjs"] : "default",
    projects: [
      {
        test: {
          name: "toolchain",
          include: ["scripts/**/*.test.ts"],
          exclude: NOT_RULES,
          ...COMPUTING,
          ...patience(300),
        },
      },
      {
        test: {
          name: "rules",
          include: ["packages/*/src/**/*.test.ts", "apps/server/{src,testing}/**/*.test.ts"],
          exclude: NOT_RULES,
          ...SHARED,
          ...COMPUTING,
          ...patience(60),
        },
      },
      {
        test: {
          name: "features-sqlite",
          env: { TEST_ENGINE: "sqlite" },
          globalSetup: SCRATCH,
          ...features,
          exclude: POSTGRES_ALONE,
        },
      },
      {
        test: {
          name: "features-postgres",
          ...ON_POSTGRES,
          ...features,
          exclude: [...ONE_ENGINE, ...STATEMENTS_OF_OTHERS],
        },
      },
      {
        test: {
          name: "screens",
          environment: "jsdom",
          setupFiles: "apps/web/src/testing/production-react.ts",
          include: ["apps/web/src/**/*.test.{ts,tsx}"],
          exclude: NOT_RULES,
          ...SHARED,
          ...COMPUTING,
          ...patience(60),
        },
      },
      {
        test: {
          name: "build",
          include: ["{apps,packages,scripts}/**/*.build.test.ts"],
          exclude: ["**/node_modules/**", "**/dist/**"],
          ...WAITING,
          ...patience(300),
        },
      },
      {
        test: {
          name: "journeys",
          include: ["e2e/**/*.journey.test.ts"],
          exclude: ["**/node_modules/**", EVERY_SCREEN],
          ...journeysOrder,
          ...patience(180),
        },
      },
      {
        test: { name: "every-screen", include: [EVERY_SCREEN], maxConcurrency: 4, ...journeysOrder, ...patience(180) },
      },
      { test: { name: "lab", include: ["lab/**/*.lab.test.ts"], ...labOrder, ...patience(300) } },
      {
        test: {
          name: "soak-postgres",
          ...ON_POSTGRES,
          ...features,
          include: STATEMENTS_OF_OTHERS,
          ...patience(600),
        },
      },
      { test: { name: "soak", include: ["{lab,e2e}/**/*.soak.test.ts"], ...labOrder, ...patience(1200) } },
    ],
  },
});
