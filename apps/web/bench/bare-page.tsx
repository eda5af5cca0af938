import "@mantine/core/styles.css";
import { Button, Card, MantineProvider, SimpleGrid, Text, Title } from "@mantine/core";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider, redirect } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";

/*
 * What the dashboard is measured against: the same libraries, the same two answers, three plain cards of the component
 * library, and nothing else. Built and served like the product.
 */
const queryClient = new QueryClient();
const get = async (path: string) => (await fetch(`/api${path}`)).json();
const meQuery = { queryKey: ["me"], queryFn: () => get("/auth/me") as Promise<{ displayName: string }> };
const configsQuery = {
  queryKey: ["configs"],
  queryFn: () => get("/vpn/configs") as Promise<{ id: string; name: string }[]>,
};

function Dashboard() {
  const me = useQuery(meQuery).data;
  const configs = useQuery(configsQuery).data;
  return (
    <main>
      <Title order={1}>{me?.displayName}</Title>
      <SimpleGrid cols={3}>
        {configs?.map(({ id, name }) => (
          <Card key={id} component="article">
            <Title order={3}>{name}</Title>
            <Text>{id}</Text>
            <Button variant="light">Скачать</Button>
          </Card>
        ))}
      </SimpleGrid>
    </main>
  );
}

const root = createRootRoute({ component: Outlet });
const dashboard = createRoute({
  getParentRoute: () => root,
  path: "/dashboard",
  beforeLoad: async () => {
    if (!(await queryClient.ensureQueryData(meQuery))) throw redirect({ to: "/dashboard" });
  },
  component: Dashboard,
});
const router = createRouter({ routeTree: root.addChildren([dashboard]) });

createRoot(document.getElementById("root") as HTMLElement).render(
  <MantineProvider>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
