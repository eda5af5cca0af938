import type { Api } from "@krug/contract/api";
import { hearClubTime, setAhead } from "./club-clock.ts";
import { ofPerson } from "./person.ts";

/** Read once: reading takes them out of the page. */
const head = ofPerson(() => undefined as Record<string, unknown> | undefined);
const answers = () => {
  head.now ??= read();
  return head.now;
};

/**
 * The panel's answer to one of the page's first calls, sent in the page's head before it was asked. It can be read once, since
 * later it is stale and may be another person's.
 */
export function firstAnswer<K extends keyof Api & `GET ${string}`>(key: K): Api[K]["answer"] | undefined {
  const path = key.slice("GET ".length);
  const answer = answers()[path];
  delete answers()[path];
  return answer as Api[K]["answer"] | undefined;
}

/**
 * When the panel gave them, ms since 1970; undefined: just now. Those of a page that opened without a connection are older, as its
 * worker reports (build/worker.js).
 */
export function firstAnswersAt(): number | undefined {
  return answers()["kept-at"] as number | undefined;
}

/** The build of the page that the worker opened, if the worker opened it. */
export function keptBuild(): string | undefined {
  return answers()["kept-build"] as string | undefined;
}

function read(): Record<string, unknown> {
  // Prerendering at build time has no document.
  if (typeof document === "undefined") return {};
  const element = document.getElementById("first-answers");
  // Already read, for somebody who has left.
  if (!element) return {};
  element.remove();
  const answers = JSON.parse(element.textContent || "{}") as Record<string, unknown>;
  // The page was requested after its navigation began (static-web.ts). A page that opened without a connection uses the difference
  // that an earlier page learned.
  setAhead((answers["kept-ahead"] as number | undefined) ?? 0);
  hearClubTime(answers["club-time"] as number, performance.timeOrigin);
  return answers;
}
