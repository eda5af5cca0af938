import { readdirSync, readFileSync } from "node:fs";

/** How long each living thread of a process has been on a processor, ns: `stat` has only hundredths of a second. */
function threadsOf(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  const spent = (id: string) => Number(readFileSync(`${folder}/${id}/schedstat`, "utf8").split(" ")[0]);
  return new Map(readdirSync(folder).map((id) => [id, spent(id)]));
}

/** Starts counting a process's time on processors. The function it returns tells how much it was since, ms, without children. */
export function countCpu(pid: number): () => number {
  const before = threadsOf(pid);
  return () => {
    let ns = 0;
    for (const [id, spent] of threadsOf(pid)) ns += spent - (before.get(id) ?? 0);
    return ns / 1e6;
  };
}
