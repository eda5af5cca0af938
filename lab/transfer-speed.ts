import { expect } from "vitest";
import type { Namespace } from "./namespace.ts";
import { until } from "./network.ts";

/** Mbit/s, to or from a device, of `bytes` over HTTP. `place`: an address as a URL has it. */
export async function transferSpeed(at: Namespace, place: string, way: "down" | "up", bytes: number): Promise<number> {
  const url = `http://${place}/?bytes=${way === "down" ? bytes : 0}`;
  const up = way === "up" ? ["--data-binary", "@-"] : [];
  const said = await at.exec(
    "curl",
    ["-sS", "--noproxy", "*", "-o", "/dev/null", "-w", "%{speed_download} %{speed_upload}", ...up, url],
    way === "up" ? { stdin: "x".repeat(bytes) } : {},
  );
  const [down = 0, sent = 0] = said.split(" ").map(Number);
  return ((way === "down" ? down : sent) * 8) / 1e6;
}

/** A busy machine makes a transfer slower than its limit, so that it is tried again; none is ever faster. */
export async function isNear(mbit: number, measure: () => Promise<number>): Promise<void> {
  await until(
    `near ${mbit} Mbit/s`,
    async () => {
      const measured = await measure();
      expect(measured).toBeLessThan(mbit * 1.1);
      return measured > mbit * 0.9;
    },
    60_000,
  );
}
