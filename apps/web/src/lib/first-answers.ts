import type { Api } from "@krug/contract/api";
import { hearClubTime, setAhead } from "./club-clock.ts";
import { ofPerson } from "./person.ts";

/** Who comes next finds none: reading takes them out of the page. */
const head = ofPerson(() => undefined as Record<string, unknown> | undefined);
const answers = () => {
  head.now ??= read();
  return head.now;
};

/**
 * What the panel answered to a call of the page's start before it was asked, in the head of the page; once, since later it is
 * old, and may be another person's.
 */
export function firstAnswer<K extends keyof Api & `GET ${string}`>(key: K): Api[K]["answer"] | undefined {
  const path = key.slice("GET ".length);
  const answer = answers()[path];
  delete answers()[path];
  return answer as Api[K]["answer"] | undefined;
}

/**
 * When the panel gave them, ms since 1970; undefined: just now. Those of a page that opened without a connection are older, and
 * its worker says so (build/worker.js).
 */
export function firstAnswersAt(): number | undefined {
  return answers()["kept-at"] as number | undefined;
}

/** Which build of the page the worker opened, if it opened it. */
export function keptBuild(): string | undefined {
  return answers()["kept-build"] as string | undefined;
}

function read(): Record<string, unknown> {
  // The build draws pages ahead, without one.
  if (typeof document === "undefined") return {};
  const element = document.getElementById("first-answers");
  // Read before, for somebody who has left.
  if (!element) return {};
  element.remove();
  const answers = JSON.parse(element.textContent || "{}") as Record<string, unknown>;
  // The page was asked for after its navigation began (static-web.ts). One that opened without a connection goes by what an earlier
  // one heard.
  setAhead((answers["kept-ahead"] as number | undefined) ?? 0);
  hearClubTime(answers["club-time"] as number, performance.timeOrigin);
  return answers;
}
