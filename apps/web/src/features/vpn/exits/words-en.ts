import type { LinkState } from "@krug/domain/routing-rules";
import type { exits as ru } from "./words-ru.ts";

const states: Record<LinkState, string> = {
  up: "answers",
  down: "does not answer",
  stuck: "without internet",
  making: "still being connected",
  missing: "not created yet",
};

export const exits: typeof ru = {
  own: { direct: "Straight from the server", closed: "Closed" },
  by: (name) => `By the server “${name}”`,
  another: "By another server",
  now: (exit, state) => `exit “${exit}”, ${states[state]}`,
  down: {
    wait: "Wait for it",
    direct: "Let traffic out straight",
    other: (name) => `Let traffic out by “${name}”`,
  },
  link: { wireguard: "WireGuard", amneziawg: "AmneziaWG" },
  linkHints: {
    wireguard: "Faster, but some networks block it.",
    amneziawg: "Disguised, for networks that block WireGuard. Slower.",
  },
  downHints: {
    wait: "Until the exit is back, its services do not open. Nothing leaves any other way.",
    direct: "Until the exit is back, its traffic leaves from this server: sites see this server’s address.",
    other: "Until the exit is back, its traffic leaves by that server.",
  },
};
