import { Button, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import cells from "../../../ui/cells.module.css";
import { DoorLink } from "../../../ui/door-link.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Ring } from "../../../ui/ring.tsx";
import classes from "./guide.module.css";
import { useGuideWords } from "./words.ts";

const KEY = ["guide"] as const;
/** A step may be completed elsewhere while it is shown: a server answers, a friend joins. */
const LOOK_EVERY_MS = 15_000;

const PLACES = {
  server: { path: "servers", search: {} },
  endpoint: { path: "servers", search: {} },
  catalog: { path: "wireguard", search: {} },
  code: { path: "invites", search: { add: "code" } },
  member: { path: "invites", search: {} },
  telegram: { path: "system", search: { set: "telegramRequired" } },
} as const satisfies Record<string, { path: string; search: AdminSearch }>;
const STEPS = Object.keys(PLACES) as (keyof typeof PLACES)[];

/** The first steps for an admin of an empty club. The panel reports which are done, and when nothing is left. */
export function Guide() {
  const words = useGuideWords();
  const queryClient = useQueryClient();
  const steps = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api("GET /admin/guide", { signal, background: true }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.steps ? LOOK_EVERY_MS : false),
  }).data?.steps;
  const dismissing = useCommand({
    mutationFn: () => api("POST /admin/guide/dismiss"),
    onSuccess: () => queryClient.setQueryData(KEY, { steps: null }),
  });
  if (!steps) return null;
  const next = STEPS.find((step) => !steps[step]);
  return (
    <Panel
      title={words.title}
      className={classes.guide}
      beside={
        <Button variant="subtle" onClick={() => dismissing.mutate()}>
          {words.dismiss}
        </Button>
      }
    >
      <p className={cells.quiet}>{words.lead}</p>
      <ol className={classes.steps}>
        {STEPS.map((step) => (
          <li key={step} data-done={steps[step] || undefined}>
            <Ring state={steps[step] ? "done" : step === next ? "warn" : "never"} size={22} />
            <span className={classes.what}>
              {words.steps[step]}
              {steps[step] && <VisuallyHidden component="span">: {words.done}</VisuallyHidden>}
            </span>
            {!steps[step] && (
              <DoorLink to="/admin/$" params={{ _splat: PLACES[step].path }} search={PLACES[step].search}>
                {words.to[step]}
              </DoorLink>
            )}
          </li>
        ))}
      </ol>
      {steps.server && !steps.member && (
        <p className={cells.quiet}>
          {words.elsewhere}{" "}
          <DoorLink to="/admin/$" params={{ _splat: "interfaces" }} search={{ add: "interface" }}>
            {words.bring}
          </DoorLink>
        </p>
      )}
      <FormMessage error={dismissing.error} failed={words.dismissFailed} />
    </Panel>
  );
}
