import { isStaff } from "@krug/domain/roles";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouterHistory,
  redirect,
} from "@tanstack/react-router";
import type { ComponentType } from "react";
import { meQuery } from "../features/access/auth/queries.ts";
import { gate } from "../features/access/security-gate/gate.ts";
import { readAdminSearch } from "../lib/admin-search.ts";
import { NoAnswer } from "../lib/api.ts";
import { base } from "../lib/base.ts";
import { makeCode } from "../lib/code.ts";
import { screenStands } from "../lib/use-settled.ts";
import { wayBack } from "../lib/way-back.ts";
import { lazyPart } from "../ui/lazy.tsx";
import { Crash } from "./crash.tsx";
import { PageComing } from "./page-coming.tsx";

/** The router fetches a page's code before it goes there. If that fails, the page itself says so and appears when it can. */
const page = (load: () => Promise<ComponentType>) => {
  const Page = lazyPart(load, PageComing, { ahead: false });
  return Object.assign(Page, { preload: async () => void (await Page.load()) });
};

const Landing = page(() => import("../features/access/landing/landing.tsx").then(({ Landing }) => Landing));
const Login = page(() => import("../features/access/auth/login.tsx").then(({ Login }) => Login));
const Register = page(() => import("../features/access/invites/register.tsx").then(({ Register }) => Register));
const Setup = page(() => import("../features/access/auth/setup.tsx").then(({ Setup }) => Setup));
const SetPassword = page(() => import("./one-time-links.tsx").then(({ SetPassword }) => SetPassword));
const HandedConfig = page(() => import("./one-time-links.tsx").then(({ HandedConfig }) => HandedConfig));
const Dashboard = page(() => import("./dashboard.tsx").then(({ Dashboard }) => Dashboard));
const AdminArea = page(() => import("./admin/admin-area.tsx").then(({ AdminArea }) => AdminArea));
const Missing = page(() => import("./missing.tsx").then(({ Missing }) => Missing));

/** Members do not load the table of staff screens. */
const staffScreens = makeCode(() => import("./admin/screens.ts"), { ahead: false });

interface Context {
  queryClient: QueryClient;
}
type Guarded = { context: Context; search: { to?: string } };

/** If the security check fails, guarded pages redirect to /404 (specification, member's side 2). */
function refuseStrangers() {
  if (gate.isDenied()) throw redirect({ to: "/404", replace: true });
}

/** Members are redirected. Silence counts as a guest: the form itself says what is wrong. */
async function guestsOnly({ context, search }: Guarded, screen: typeof Login) {
  refuseStrangers();
  // The screen's code loads while we find out who is asking.
  void screen.preload();
  const me = await context.queryClient.ensureQueryData(meQuery).catch(() => null);
  if (me) throw redirect({ href: wayBack(search.to), replace: true });
}

/** Reads one parameter of the search and drops the rest. */
const reading =
  <Name extends string>(name: Name) =>
  (search: Record<string, unknown>) =>
    (typeof search[name] === "string" ? { [name]: search[name] } : {}) as { [name in Name]?: string };
const returnTo = reading("to");
const withToken = reading("token");
/** Older one-time links have their key in the query, which a reload would send. */
function hideToken({ search: { token } }: { search: { token?: string } }) {
  if (token) throw redirect({ to: ".", search: {}, hash: `token=${encodeURIComponent(token)}`, replace: true });
}
/** Guests sign in first, members are redirected to their own side (specification, operator's side 2). */
async function staffOnly({
  context,
  location,
  place,
}: {
  context: Context;
  location: { href: string };
  place: string;
}) {
  refuseStrangers();
  void AdminArea.preload();
  const me = await context.queryClient.ensureQueryData(meQuery);
  if (!me) throw redirect({ to: "/login", search: { to: location.href }, replace: true });
  if (!isStaff(me.role)) throw redirect({ to: "/dashboard", replace: true });
  const screens = await staffScreens.load();
  if (!screens) throw new NoAnswer("unreachable");
  if (!screens.screenAt(place, me.role)) throw redirect({ to: "/admin/$", params: { _splat: "users" }, replace: true });
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, errorComponent: Crash });

const routes = [
  createRoute({ getParentRoute: () => root, path: "/", component: Landing }),
  createRoute({
    getParentRoute: () => root,
    path: "/login",
    validateSearch: returnTo,
    beforeLoad: (guarded) => guestsOnly(guarded, Login),
    component: Login,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/register",
    validateSearch: returnTo,
    beforeLoad: (guarded) => guestsOnly(guarded, Register),
    component: Register,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/setup",
    validateSearch: withToken,
    beforeLoad: hideToken,
    component: Setup,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/password",
    validateSearch: withToken,
    beforeLoad: hideToken,
    component: SetPassword,
  }),
  createRoute({ getParentRoute: () => root, path: "/config", component: HandedConfig }),
  createRoute({
    getParentRoute: () => root,
    path: "/dashboard",
    beforeLoad: async ({ context, location }) => {
      refuseStrangers();
      void Dashboard.preload();
      const me = await context.queryClient.ensureQueryData(meQuery);
      if (!me) throw redirect({ to: "/login", search: { to: location.href }, replace: true });
    },
    component: Dashboard,
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/admin",
    beforeLoad: (guarded) => staffOnly({ ...guarded, place: "" }),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/admin/$",
    validateSearch: readAdminSearch,
    beforeLoad: (guarded) => staffOnly({ ...guarded, place: guarded.params._splat ?? "" }),
    component: AdminArea,
  }),
  createRoute({ getParentRoute: () => root, path: "/404", component: Missing }),
  // User-side, section 2: any other path leads to the landing page if the security check permits it, otherwise to /404.
  createRoute({
    getParentRoute: () => root,
    path: "$",
    beforeLoad: async () => {
      throw redirect({ to: (await gate.permits()) ? "/" : "/404", replace: true });
    },
  }),
] as const;

function stringifySearch(search: Record<string, unknown>): string {
  const said = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** `history` is the browser's unless a test brings its own. */
export function makeRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    ...(history ? { history } : {}),
    basepath: base,
    routeTree: root.addChildren(routes),
    context: { queryClient },
    // Texts unchanged: the library's own parser would put one that looks like a number in quotes.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch,
    defaultPreload: "intent",
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  });
  // Focuses the new page's heading, where the reader looks.
  let first = true;
  router.subscribe("onRendered", ({ pathChanged }) => {
    document.getElementById("prepared")?.remove();
    screenStands();
    if (pathChanged && !first) document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    first = false;
  });
  return router;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
