import { type Heard, listen } from "../apps/server/testing/listen.ts";
import { until } from "./network.ts";
import type { LabPanel, Visitor } from "./panel.ts";

export const STEPS = ["install-docker", "install-wireguard", "configure-wireguard"] as const;
export type StepCall = (typeof STEPS)[number];

/** A machine with an emulated processor takes minutes for its packages. */
const STEP_PATIENCE_MS = 600_000;

/** Runs a step as the page does: requests it, and if it outlasts the answer waits for its end. */
export async function doStep(admin: Visitor, id: string, name: StepCall) {
  const begun = await admin.ask(`POST /admin/servers/{id}/${name}`, { params: { id } });
  if (!begun.running) return begun;
  return until(
    `${name} ends`,
    async () => {
      const now = await admin.ask("GET /admin/servers/{id}/setup", { params: { id } });
      const step = now.steps[STEPS.indexOf(name)];
      if (step === undefined || step.state === "running") return null;
      return { success: step.state === "success", failure: step.failure, detail: step.detail, why: step.why, logs: [] };
    },
    STEP_PATIENCE_MS,
  );
}

/** What the page shows of the latest attempts, line by line, up to one that contains `last`. */
export async function linesOf(panel: LabPanel, token: string, id: string, last: string): Promise<string[]> {
  const stream = await listen(`${panel.url}/api/admin/servers/${id}/setup/stream`, { token });
  const lines: string[] = [];
  try {
    for (let heard: Heard | undefined; !lines.at(-1)?.includes(last); ) {
      heard = await stream.next();
      if (heard?.event === "line") lines.push((heard.data as { text: string }).text);
      if (heard === undefined) throw new Error(`the stream ended before ${last}`);
    }
    return lines;
  } catch (error) {
    throw new Error(`${last} did not arrive, but ${lines.slice(-20).join(" | ")}`, { cause: error });
  } finally {
    stream.leave();
  }
}
