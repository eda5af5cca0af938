/**
 * The result of a handshake with an interface. `answers`: devices get through. `closed`: the tunnel runs but no handshake gets
 * through. `not_running`: nothing listens on its port. `unresolved`: its name has no address. `untried`: the panel itself had no
 * route. `away`: neither the tunnel nor the server answers.
 */
export const PROBE_STATES = ["answers", "closed", "not_running", "unresolved", "untried", "away"] as const;
export type ProbeState = (typeof PROBE_STATES)[number];

/** What came back: an answer, nothing, an ICMP refusal; or nothing was sent, for lack of an address or a route. */
export type ProbeReply = "answered" | "silent" | "refused" | "unresolved" | "unsent";

/** What the server itself reported at the last check. */
export interface ProbedServer {
  answers: boolean;
  /** It could not bring the interface up. */
  hasConflict: boolean;
}

export function probeState(reply: ProbeReply, server: ProbedServer): ProbeState {
  switch (reply) {
    case "answered":
      return "answers";
    case "refused":
      return "not_running";
    case "unresolved":
      return "unresolved";
    case "unsent":
      return "untried";
    case "silent":
      if (!server.answers) return "away";
      return server.hasConflict ? "not_running" : "closed";
  }
}

/** Does it keep devices off? If the panel could not try, nobody knows. */
export const keepsDevicesOff = (state: ProbeState): boolean =>
  state === "closed" || state === "not_running" || state === "unresolved";
