import react from "@vitejs/plugin-react";
import { type BuildOptions, defineConfig, type Plugin, type ProxyOptions, type UserConfig } from "vite";
import { planChunks } from "./build/chunk-plan.ts";
import { miniAppInDevelopment } from "./build/mini-app-in-development.ts";
import { pagePreloads } from "./build/page-preloads.ts";
import { precompress } from "./build/precompress.ts";
import { preloadFonts } from "./build/preload-fonts.ts";
import { shellWorker } from "./build/shell-worker.ts";
import { slimMantine } from "./build/slim-mantine.ts";

/** Where `npm run dev` has the panel; the same variable and default as the panel's own. */
const panelPort = process.env.PORT ?? "3001";

const toPanel: ProxyOptions = {
  target: `http://127.0.0.1:${panelPort}`,
  // A panel that is down is silent to the page, as it is behind any gateway.
  configure: (proxy) => {
    proxy.on("error", (_error, _request, response) => {
      if ("writeHead" in response && !response.headersSent) response.writeHead(502).end();
    });
  },
};

/** Where people arrive from outside: a link, a bookmark, the home screen. */
const FIRST_SCREENS = {
  landing: "src/features/access/landing/landing.tsx",
  login: "src/features/access/auth/login.tsx",
  register: "src/features/access/invites/register.tsx",
  dashboard: "src/app/dashboard.tsx",
};

/** And what a browser loads once such a screen shows, at the first press, or only for staff. */
const SCREENS = {
  landing: [FIRST_SCREENS.landing],
  login: [FIRST_SCREENS.login],
  register: [FIRST_SCREENS.register],
  dashboard: [FIRST_SCREENS.dashboard],
  anyStands: ["src/app/api-status.tsx", "src/app/abroad.tsx"],
  dashboardStands: [
    "src/ui/toast-host.tsx",
    "src/features/messages/inbox/inbox-bell.tsx",
    "src/features/vpn/configs/guide.tsx",
    "src/features/vpn/configs/remove-dialog.tsx",
    "src/features/vpn/configs/live-cards.tsx",
    "src/features/vpn/configs/bars.tsx",
    "src/app/own-copy.tsx",
  ],
  create: ["src/features/vpn/configs/create-dialog.tsx"],
  otherDialogs: [
    "src/features/vpn/configs/edit-dialog.tsx",
    "src/features/access/invites/invite-dialog.tsx",
    "src/features/members/members/settings-dialog.tsx",
    "src/features/money/payments/payment-dialog.tsx",
  ],
  palette: ["src/app/admin/palette.tsx"],
  staff: [
    "src/app/admin/admin-area.tsx",
    "src/app/admin/screens.ts",
    "src/features/access/two-factor/two-factor-dialog.tsx",
    "src/features/members/users/users-screen.tsx",
    "src/ui/toast-host.tsx",
  ],
};

/** Earlier files first: a module's imports are needed by at least the same screens, so they are never in a later one. */
function fileOf(neededBy: ReadonlySet<keyof typeof SCREENS>): string | undefined {
  const by = (...names: (keyof typeof SCREENS)[]) => names.some((name) => neededBy.has(name));
  const byStaff = by("staff", "palette");
  if (by("anyStands") && neededBy.size === 1) return "stands";
  if (by("anyStands") || (by("landing", "login") && by("dashboard", "dashboardStands"))) return "base";
  if (by("landing")) return "entrance";
  if (by("login")) return "forms";
  if (by("dashboard")) return by("register") || byStaff ? "inside" : "dashboard";
  if (by("register")) return by("dashboardStands") ? "hints" : by("create") || byStaff ? "codes" : "register";
  if (by("dashboardStands")) return by("create") || byStaff ? "inside-stands" : "dashboard-stands";
  // Not in staff's file, which is as large as all that a member loads after the first screen.
  if (by("create", "otherDialogs") && byStaff) return "fields";
  if (by("create")) return "create";
  if (by("otherDialogs")) return undefined;
  return by("staff") ? "staff" : "palette";
}

export const howBuilt: BuildOptions = {
  // Every asset is a file of its own: the content policy allows no data: addresses.
  assetsInlineLimit: 0,
  target: "es2022",
  // The oldest browsers that pages work in (ADR 120). They read es2022 as it is, but for what older-browsers.build.test.ts names.
  cssTarget: ["safari15.6", "chrome109", "firefox115"],
  // A browser without `modulepreload` loads the same files a little later.
  modulePreload: { polyfill: false },
};

/** In development the page may show samples while the panel is silent, as the panel's own pages do with SAMPLE_DATA=on. */
const sampleData = (): Plugin => ({
  name: "sample-data",
  apply: "serve",
  transformIndexHtml: () =>
    process.env.SAMPLE_DATA === "off"
      ? []
      : [{ tag: "meta", attrs: { name: "sample-data", content: "on" }, injectTo: "head" }],
});

/** Vite would put an empty module in its place, which fails only in the browser. */
const nothingOfNode = (): Plugin => ({
  name: "nothing-of-node",
  apply: "build",
  enforce: "pre",
  resolveId(source, importer) {
    if (source.startsWith("node:")) this.error(`${importer} imports ${source}, which no browser has`);
  },
});

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  const plan = command === "build" ? await planChunks(SCREENS, fileOf) : new Map<string, string>();
  return {
    // Every screen has digits, which are in the Latin one: without it the page would be laid out twice.
    plugins: [
      nothingOfNode(),
      react(),
      slimMantine(),
      preloadFonts("onest-cyrillic-wght-normal", "onest-latin-wght-normal"),
      pagePreloads(FIRST_SCREENS),
      shellWorker({
        page: { file: "/dashboard.html", module: FIRST_SCREENS.dashboard },
        later: [...SCREENS.anyStands, ...SCREENS.dashboardStands, "src/lib/i18n/en.ts"],
      }),
      precompress(),
      sampleData(),
      miniAppInDevelopment(),
    ],
    // React has this hook itself; the package serves older versions.
    resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: "react" }] },
    server: {
      host: "127.0.0.1",
      // A tunnel's name, by which Telegram opens the Mini App.
      allowedHosts: process.env.PUBLIC_URL ? [new URL(process.env.PUBLIC_URL).hostname] : [],
      proxy: { "/api": toPanel, "/tg/api": toPanel },
    },
    build: {
      ...howBuilt,
      outDir: "dist",
      assetsDir: "assets",
      manifest: true,
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              {
                debugName: "first screens",
                name: (module: string) => plan.get(module) ?? null,
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  };
});
