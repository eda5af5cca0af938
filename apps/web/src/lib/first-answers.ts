import type { Api } from "@krug/contract/api";

let answers: Record<string, unknown> | undefined;

/**
 * What the panel answered to a call of the page's start before it was asked, in the head of the page; once, since later it is
 * old, and may be another person's.
 */
export function firstAnswer<K extends keyof Api & `GET ${string}`>(key: K): Api[K]["answer"] | undefined {
  answers ??= read();
  const path = key.slice("GET ".length);
  const answer = answers[path];
  delete answers[path];
  return answer as Api[K]["answer"] | undefined;
}

function read(): Record<string, unknown> {
  const element = document.getElementById("first-answers");
  element?.remove();
  return JSON.parse(element?.textContent || "{}") as Record<string, unknown>;
}
