import { describe, expect, test } from "vitest";
import {
  keepsDevicesOff,
  PROBE_STATES,
  type ProbedServer,
  type ProbeReply,
  type ProbeState,
  probeState,
} from "./probe.ts";

const well: ProbedServer = { answers: true, hasConflict: false };

describe("what a handshake with an interface reveals", () => {
  test.each<[string, ProbeReply, Partial<ProbedServer>, ProbeState]>([
    ["it answers", "answered", {}, "answers"],
    [
      "it answers, whatever the server was like a minute ago",
      "answered",
      { answers: false, hasConflict: true },
      "answers",
    ],
    ["silence where the server says that the tunnel runs: the port is closed", "silent", {}, "closed"],
    ["silence where the server could not bring it up", "silent", { hasConflict: true }, "not_running"],
    ["silence of a server that is away says nothing about the port", "silent", { answers: false }, "away"],
    ["the machine refuses: nothing listens", "refused", {}, "not_running"],
    ["the name has no address", "unresolved", {}, "unresolved"],
    ["the panel has no way there", "unsent", {}, "untried"],
  ])("%s", (_, reply, about, state) => {
    expect(probeState(reply, { ...well, ...about })).toBe(state);
  });

  test("only a known fault keeps devices off", () => {
    expect(PROBE_STATES.filter(keepsDevicesOff)).toEqual(["closed", "not_running", "unresolved"]);
  });
});
