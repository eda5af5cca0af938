import { inside } from "./admin-entry.ts";
import { fail, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const pulse = async (stage: Stage) => {
  await inside(stage, "pulse");
  await stage.page.getByRole("region", { name: stage.text.pulse.club.title }).waitFor(PATIENCE);
};

/** Where staff begin. */
export const adminPulseScreens: Screen[] = [
  { name: "pulse", who: "admin", open: pulse },
  {
    name: "pulse-trouble",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const [server] = await read(stage.page, "GET /admin/servers");
      const since = new Date(Date.now() - 2 * 3_600_000).toISOString();
      await say(stage.page, "GET /admin/alarms", {
        servers: [{ id: server?.id ?? "", name: server?.name ?? "", since }],
        exits: [],
        ...{ backupLateSince: since, maintenanceSince: since, claims: 12, conversations: 3 },
      });
      await pulse(stage);
      await stage.page.getByRole("list", { name: stage.text.pulse.waiting.title }).waitFor(PATIENCE);
    },
  },
  {
    name: "pulse-calm",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await say(stage.page, "GET /admin/alarms", {
        ...{ servers: [], exits: [], backupLateSince: null, maintenanceSince: null, claims: 0, conversations: 0 },
      });
      await pulse(stage);
      await stage.page.getByText(stage.text.pulse.waiting.calm, { exact: true }).waitFor(PATIENCE);
    },
  },
  {
    name: "pulse-empty",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { traffic, revenue } = await read(stage.page, "GET /admin/pulse");
      await say(stage.page, "GET /admin/pulse", {
        ending: { count: 0, members: [] },
        members: { all: 1, active: 1, joined: 1 },
        devices: { all: 0, online: 0 },
        traffic: {
          ...traffic,
          received: 0,
          sent: 0,
          steps: traffic.steps.map(({ at }) => ({ at, received: 0, sent: 0 })),
        },
        revenue: revenue.map(({ period }) => ({ period, cameIn: [] })),
      });
      await pulse(stage);
    },
  },
  {
    name: "pulse-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/pulse");
      await inside(stage, "pulse");
      await stage.page.getByText(stage.text.pulse.failed).waitFor(PATIENCE);
    },
  },
];
