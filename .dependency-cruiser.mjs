// Who may import whom (docs/architecture.md). scripts/import-rules.test.ts plants a breach of each rule and sees it caught.
const TESTS = "[.]test[.]tsx?$";
const SERVER = "^apps/server/src";
const WEB = "^apps/web/src";
/** The house's rooms, from the bottom up (docs/architecture.md). */
const AREAS = ["club", "members", "access", "vpn", "money", "messages", "operation"];

/**
 * What reaches the running program: an import of only types is gone by then. (`import { type X }`, which would leave
 * an empty import behind, is refused by the linter's useImportType.)
 * @type {{ dependencyTypesNot: ["type-only"] }}
 */
const atRunTime = { dependencyTypesNot: ["type-only"] };

export default /** @satisfies {import("dependency-cruiser").IConfiguration} */ ({
  forbidden: [
    {
      name: "domain-is-pure",
      comment: "The club's rules know nothing but each other: no clock, no I/O, no package",
      severity: "error",
      from: { path: "^packages/domain/src", pathNot: TESTS },
      to: { pathNot: "^packages/domain/src" },
    },
    {
      name: "wireguard-stands-alone",
      comment: "The protocol's craft imports nothing of ours",
      severity: "error",
      from: { path: "^packages/wireguard" },
      to: { path: "^(packages|apps)/", pathNot: "^packages/wireguard" },
    },
    {
      name: "client-stands-alone",
      comment: "Other projects copy its files: they need nothing but fetch",
      severity: "error",
      from: { path: "^packages/client" },
      to: { pathNot: "^packages/client/src" },
    },
    {
      name: "contract-knows-only-the-domain",
      comment: "The contract may use the domain's limits and nothing else of ours",
      severity: "error",
      from: { path: "^packages/contract" },
      to: { path: "^(packages|apps)/", pathNot: "^packages/(contract|domain)" },
    },
    {
      name: "platform-knows-no-feature",
      comment: "The platform knows nothing of members or VPNs",
      severity: "error",
      from: { path: `${SERVER}/platform/`, pathNot: TESTS },
      to: { path: SERVER, pathNot: `${SERVER}/platform/` },
    },
    {
      name: "hosts-know-only-the-platform",
      comment:
        "A machine with WireGuard knows the platform, the protocol and what reasons are called, not the features",
      severity: "error",
      from: { path: `${SERVER}/hosts/`, pathNot: TESTS },
      to: {
        path: [SERVER, "^packages/(contract|domain)"],
        pathNot: `${SERVER}/(hosts|platform)/|^packages/domain/src/reasons[.]ts$`,
      },
    },
    {
      name: "one-file-touches-the-machine",
      comment:
        "The driver reaches programs, files and sockets through machine.ts, so that it drives any machine; ssh/ is the way to others",
      severity: "error",
      from: { path: `${SERVER}/hosts/`, pathNot: [TESTS, `${SERVER}/hosts/(local-(machine|memory)[.]ts$|ssh/)`] },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|timers/promises|util)$" },
    },
    {
      name: "features-meet-at-their-face",
      comment: "Another feature is reached only through its index.ts",
      severity: "error",
      from: { path: `${SERVER}/features/([^/]+/[^/]+)/` },
      to: {
        path: `${SERVER}/features/`,
        pathNot: [`${SERVER}/features/$1/`, `${SERVER}/features/[^/]+/[^/]+/index[.]ts$`],
      },
    },
    ...AREAS.slice(0, -1).map((area, floor) => ({
      name: `${area}-looks-down`,
      comment:
        "An area's features know only their own area and those below; what they need from above is a part they name",
      severity: /** @type {const} */ ("error"),
      from: { path: `${SERVER}/features/${area}/`, pathNot: TESTS },
      to: { path: `${SERVER}/features/(${AREAS.slice(floor + 1).join("|")})/` },
    })),
    {
      name: "routes-are-a-second-face",
      comment: "A feature's calls stand above every feature: only the server's routes.ts composes them",
      severity: "error",
      from: { path: SERVER, pathNot: `${SERVER}/routes[.]ts$` },
      to: { path: `${SERVER}/features/[^/]+/[^/]+/routes[.]ts$` },
    },
    {
      name: "features-know-only-the-port",
      comment:
        "A feature drives a machine through hosts/host.ts and sets one up through hosts/remote.ts, whatever is behind them",
      severity: "error",
      from: { path: `${SERVER}/features/`, pathNot: TESTS },
      to: { path: `${SERVER}/hosts/`, pathNot: `${SERVER}/hosts/(host|remote)[.]ts$` },
    },
    {
      name: "features-look-sideways-not-up",
      comment: "app.ts, features.ts, routes.ts, main.ts and config.ts compose features and are not imported by them",
      severity: "error",
      from: { path: `${SERVER}/(features|platform|hosts)/`, pathNot: TESTS },
      to: { path: `${SERVER}/[^/]+$` },
    },
    {
      name: "no-fakes-in-the-product",
      comment: "testing/ holds fakes and samples: the product runs without them",
      severity: "error",
      from: { path: `${SERVER}/`, pathNot: TESTS },
      to: { path: "^apps/server/testing/" },
    },
    {
      name: "server-and-web-meet-in-the-contract",
      comment: "Neither side imports the other",
      severity: "error",
      from: { path: "^apps/([^/]+)/" },
      to: { path: "^apps/", pathNot: "^apps/$1/" },
    },
    {
      name: "contract-stays-out-of-the-browser",
      comment: "The browser takes the contract's types only: its schemas and zod would weigh more than the page",
      severity: "error",
      from: { path: WEB, pathNot: TESTS },
      to: { path: ["^packages/contract", "(^|/)node_modules/zod/"], ...atRunTime },
    },
    {
      name: "web-lib-knows-the-contract",
      comment: "lib is below all else of the web client",
      severity: "error",
      from: { path: `${WEB}/lib/`, pathNot: TESTS },
      to: { path: WEB, pathNot: `${WEB}/lib/` },
    },
    {
      name: "web-ui-knows-lib",
      comment: "The look of things knows no feature",
      severity: "error",
      from: { path: `${WEB}/ui/`, pathNot: TESTS },
      to: { path: WEB, pathNot: `${WEB}/(ui|lib)/` },
    },
    {
      name: "web-features-meet-at-their-face",
      comment: "Another feature is reached only through its index.ts",
      severity: "error",
      from: { path: `${WEB}/features/([^/]+/[^/]+)/` },
      to: {
        path: `${WEB}/features/`,
        pathNot: [`${WEB}/features/$1/`, `${WEB}/features/[^/]+/[^/]+/index[.]tsx?$`],
      },
    },
    {
      name: "web-app-is-on-top",
      comment: "app composes the features and is not imported by them",
      severity: "error",
      from: { path: `${WEB}/features/`, pathNot: TESTS },
      to: { path: WEB, pathNot: `${WEB}/(features|ui|lib)/` },
    },
    {
      name: "no-tests-in-the-product",
      comment: "Only tests import tests",
      severity: "error",
      from: { pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: "no-cycles",
      comment: "Two modules that need each other, be it for a type, are one module or miss a third",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "imports-exist",
      comment: "What cannot be found cannot be judged either",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist(/|[.])" },
    // An import of types is judged too, and told by its `type` keyword.
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".cjs", ".json", ".d.ts"],
    },
  },
});
