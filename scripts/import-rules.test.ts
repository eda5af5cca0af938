import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ICruiseResult } from "dependency-cruiser";
import { afterAll, beforeAll, expect, test } from "vitest";
import rules from "../.dependency-cruiser.mjs";
import { ROOT, run, tool } from "./command.mjs";
import { circlesOfFeatures } from "./feature-circles.mjs";
import { SOURCES } from "./source-folders.mjs";

const HARMLESS = "export const nothing = 0;\nexport type Nothing = typeof nothing;\n";

/** A tree in the project's shape with only allowed imports. */
const ALLOWED: Record<string, string> = {
  "packages/domain/src/limits.ts": HARMLESS,
  "packages/wireguard/src/keys.ts": `import { isIP } from "node:net";\nexport const version = isIP("");\n`,
  "packages/contract/src/vpn/configs.ts": `export { nothing } from "@krug/domain/limits";\nexport type Config = 0;\n`,
  "apps/server/src/platform/db.ts": `import { nothing } from "@krug/domain/limits";\nexport const db = nothing;\n`,
  "apps/server/src/hosts/host.ts": `import type { version } from "@krug/wireguard/keys";\nexport type Host = typeof version;\n`,
  "apps/server/src/hosts/driver.ts": `import "node:crypto";\nimport "../platform/db.ts";\nimport type { Host } from "./host.ts";\nexport const host: Host = 0;\n`,
  "apps/server/src/hosts/local-machine.ts": `import "node:fs";\nimport "node:net";\nexport const machine = 0;\n`,
  "apps/server/src/features/members/members/index.ts": `import "./repository.ts";\nimport "../../../platform/db.ts";\n`,
  "apps/server/src/features/members/members/repository.ts": HARMLESS,
  "apps/server/src/features/vpn/configs/index.ts": `import "../../members/members/index.ts";\nimport type { Host } from "../../../hosts/host.ts";\nexport type It = Host;\n`,
  "apps/server/src/features/operation/statistics/index.ts": HARMLESS,
  "apps/server/src/features/vpn/configs/configs.feature.test.ts": `import "../../../../testing/start-club.ts";\n`,
  "apps/server/testing/start-club.ts": `import "../src/app.ts";\n`,
  "apps/server/src/features/members/members/routes.ts": `import "./index.ts";\n`,
  "apps/server/src/features.ts": `import "./features/members/members/index.ts";\nimport "./features/vpn/configs/index.ts";\n`,
  "apps/server/src/routes.ts": `import "./features/members/members/routes.ts";\n`,
  "apps/server/src/app.ts": `import "./features.ts";\nimport "./routes.ts";\nimport "./hosts/driver.ts";\n`,
  "apps/web/src/lib/call.ts": `import type { Config } from "@krug/contract/vpn/configs";\nimport { nothing } from "@krug/domain/limits";\nexport const call: Config = nothing;\n`,
  "apps/web/src/ui/ring.tsx": `import "../lib/call.ts";\nexport const Ring = () => <b />;\n`,
  "apps/web/src/features/members/members/index.ts": `import "./member-page.tsx";\n`,
  "apps/web/src/features/members/members/member-page.tsx": `import "../../../ui/ring.tsx";\n`,
  "apps/web/src/features/vpn/configs/config-card.tsx": `import "../../members/members/index.ts";\nimport "../../../lib/call.ts";\n`,
  "apps/web/src/app/router.tsx": `import "../features/vpn/configs/config-card.tsx";\n`,
};

/** File that breaks a rule → its content and the rule that must catch it. Covers both extensions and every kind of import. */
const BREACHES: Record<string, [source: string, rule: string]> = {
  "packages/domain/src/clock.ts": [`import "node:fs";`, "domain-is-pure"],
  "packages/wireguard/src/club.ts": [`export * from "@krug/domain/limits";`, "wireguard-stands-alone"],
  "packages/client/src/limits.ts": [`import "@krug/domain/limits";`, "client-stands-alone"],
  "packages/contract/src/peers.ts": [`import "@krug/wireguard/keys";`, "contract-knows-only-the-domain"],
  "apps/server/src/platform/who.ts": [`import "../features/members/members/index.ts";`, "platform-knows-no-feature"],
  "apps/server/src/hosts/who.ts": [`import "../features/members/members/index.ts";`, "hosts-know-only-the-platform"],
  "apps/server/src/hosts/links.ts": [`import "node:child_process";`, "one-file-touches-the-machine"],
  "apps/server/src/features/vpn/configs/sql.ts": [
    `import "../../members/members/repository.ts";`,
    "features-meet-at-their-face",
  ],
  "apps/server/src/features/vpn/configs/type.ts": [
    `import type { Nothing } from "../../members/members/repository.ts";\nexport type It = Nothing;`,
    "features-meet-at-their-face",
  ],
  "apps/server/src/features/vpn/configs/shell.ts": [
    `import "../../../hosts/driver.ts";`,
    "features-know-only-the-port",
  ],
  "apps/server/src/features/vpn/configs/root.ts": [`await import("../../../app.ts");`, "features-look-sideways-not-up"],
  "apps/server/src/features/vpn/configs/fake.ts": [
    `import "../../../../testing/start-club.ts";`,
    "no-fakes-in-the-product",
  ],
  "apps/server/src/features/vpn/configs/tested.ts": [`import "./configs.feature.test.ts";`, "no-tests-in-the-product"],
  "apps/server/src/features/vpn/configs/page.ts": [
    `import "../../../../../web/src/lib/call.ts";`,
    "server-and-web-meet-in-the-contract",
  ],
  "apps/server/src/features/vpn/configs/gone.ts": [`import "./nowhere.ts";`, "imports-exist"],
  "apps/server/src/features/vpn/configs/around.ts": [
    `import type { Around } from "./around.ts";\nexport type Next = Around;\nexport type Around = 0;`,
    "no-cycles",
  ],
  ...Object.fromEntries(
    ["club", "members", "access", "vpn", "money", "messages"].map((area) => [
      `apps/server/src/features/${area}/low/up.ts`,
      [
        `import type { Nothing } from "../../operation/statistics/index.ts";\nexport type It = Nothing;`,
        `${area}-looks-down`,
      ],
    ]),
  ),
  "apps/server/src/features/members/members/early.ts": [`import "./routes.ts";`, "routes-are-a-second-face"],
  "apps/server/src/features/vpn/configs/round.ts": [`import "./round.ts";\nexport const round = 0;`, "no-cycles"],
  "apps/web/src/lib/schema.ts": [
    `import { nothing } from "@krug/contract/vpn/configs";\nexport const it = nothing;`,
    "contract-stays-out-of-the-browser",
  ],
  "apps/web/src/features/vpn/configs/zod.tsx": [
    `import { z } from "zod";\nexport const Form = () => <b>{typeof z}</b>;`,
    "contract-stays-out-of-the-browser",
  ],
  "apps/web/src/lib/look.ts": [`import "../ui/ring.tsx";`, "web-lib-knows-the-contract"],
  "apps/web/src/ui/member.tsx": [`import "../features/members/members/index.ts";`, "web-ui-knows-lib"],
  "apps/web/src/features/vpn/configs/deep.tsx": [
    `import "../../members/members/member-page.tsx";`,
    "web-features-meet-at-their-face",
  ],
  "apps/web/src/features/vpn/configs/up.tsx": [`import("../../../app/router.tsx");`, "web-app-is-on-top"],
};

let tree: string;
let allowed: ICruiseResult;
let broken: ICruiseResult;

async function cruise(folder: string): Promise<ICruiseResult> {
  const config = `${ROOT}.dependency-cruiser.mjs`;
  const { output } = await run(tool("depcruise"), [...SOURCES, "--config", config, "--output-type", "json"], {
    cwd: folder,
  });
  return JSON.parse(output);
}

function plant(file: string, source: string) {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), source);
}

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), "krug-import-rules-"));
  mkdirSync(join(tree, "node_modules/@krug"), { recursive: true });
  symlinkSync(`${ROOT}node_modules/zod`, join(tree, "node_modules/zod"));
  for (const name of ["domain", "wireguard", "contract"]) {
    symlinkSync(`../../packages/${name}`, join(tree, "node_modules/@krug", name));
    plant(`packages/${name}/package.json`, `{ "name": "@krug/${name}", "exports": { "./*": "./src/*.ts" } }`);
  }
  for (const [file, source] of Object.entries(ALLOWED)) plant(file, source);
  allowed = await cruise(tree);
  for (const [file, [source]] of Object.entries(BREACHES)) plant(file, source);
  broken = await cruise(tree);
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

test("allowed imports pass", () => {
  expect(allowed.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
  expect(allowed.modules.map(({ source }) => source)).toEqual(expect.arrayContaining(Object.keys(ALLOWED)));
});

test.each(Object.entries(BREACHES))("%s is caught", (file, [, rule]) => {
  const caught = broken.summary.violations.filter(({ from }) => from === file).map((violation) => violation.rule.name);
  expect(caught).toContain(rule);
});

test("features that depend on each other are caught, on either side, for a type and through a third; tests may import anything", () => {
  const needs = (source: string, ...resolved: string[]) => ({
    source: `apps/server/src/features/${source}`,
    dependencies: resolved.map((name) => ({ resolved: `apps/server/src/features/${name}` }) as never),
  });
  const straight = [
    needs("members/members/index.ts", "members/members/list.ts"),
    needs("vpn/configs/index.ts", "members/members/index.ts"),
    needs("members/members/members.feature.test.ts", "vpn/configs/index.ts"),
  ];
  expect(circlesOfFeatures(straight)).toEqual([]);
  const round = [
    needs("members/members/index.ts", "vpn/traffic/index.ts"),
    needs("vpn/traffic/index.ts", "vpn/configs/index.ts"),
    needs("vpn/configs/list.ts", "members/members/index.ts"),
  ];
  expect(circlesOfFeatures(round)).toHaveLength(1);
});

test("only the planted files are reported", () => {
  const blamed = broken.summary.violations.map(({ from }) => from);
  expect([...new Set(blamed)].sort()).toEqual(Object.keys(BREACHES).sort());
});

test("every rule was triggered", () => {
  const seen = new Set(Object.values(BREACHES).map(([, rule]) => rule));
  expect(rules.forbidden.map(({ name }) => name).sort()).toEqual([...seen].sort());
});
