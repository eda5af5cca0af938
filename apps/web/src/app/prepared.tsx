import { QueryClient } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { renderToStaticMarkup } from "react-dom/server";
import { Login } from "../features/access/auth/login.tsx";
import { Register } from "../features/access/invites/register.tsx";
import { Landing } from "../features/access/landing/landing.tsx";
import { ru } from "../lib/i18n/ru.ts";
import { Providers } from "./providers.tsx";

/**
 * The first picture of a page as HTML, in Russian and for both themes. Only the build runs this (build/prepare-pages.ts). The
 * application replaces it once it shows the same.
 */
export async function prepared(page: "landing" | "login" | "register"): Promise<string> {
  const root = createRootRoute({ component: Outlet });
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: "/", component: Landing }),
      createRoute({ getParentRoute: () => root, path: "/login", component: Login }),
      createRoute({ getParentRoute: () => root, path: "/register", component: Register }),
    ]),
    history: createMemoryHistory({ initialEntries: [page === "landing" ? "/" : `/${page}`] }),
  });
  await router.load();
  const html = renderToStaticMarkup(
    <Providers queryClient={new QueryClient()} spoken={{ language: "ru", text: ru }}>
      <RouterProvider router={router as never} />
    </Providers>,
  );
  // Links work by themselves. Anything that needs the application takes no click and no letter before it runs.
  return html.replace(/<(form|button|input)(?=[\s>])/g, "<$1 inert");
}
