import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, Time } from "../fields.ts";
import { Why } from "../reasons.ts";
import { ConnectionProblem, TunnelPlace, Unfit } from "./servers.ts";

/** The wizard's steps, in their order (specification, operator's side 2). */
export const SetupStep = z.enum(["docker", "wireguard", "configure"]);
export type SetupStep = z.output<typeof SetupStep>;

/** Why a step failed, in addition to connection problems and what the machine lacks. */
export const StepFailure = z.enum([
  "no_connection",
  "key_refused",
  "same_machine",
  "not_root",
  "no_space_docker",
  "no_overlay",
  "docker_silent",
  "image",
  "foreign_container",
  "container",
  "no_nftables",
  "no_network",
  "no_names",
  "broken_source",
  "package_lock",
  "packages",
  "interrupted",
  "cancelled",
  "no_tunnels",
  "no_room",
  "not_applied",
  "failed",
]);

export const SetupFailure = z.enum([...StepFailure.options, ...Unfit.options, ...ConnectionProblem.options]);
export type StepFailure = z.output<typeof StepFailure>;
export type SetupFailure = z.output<typeof SetupFailure>;

const StepState = z.object({
  step: SetupStep,
  state: z.enum(["pending", "running", "success", "error"]),
  failure: SetupFailure.nullable(),
  /** The machine's output; for the operator. */
  detail: z.string().nullable(),
  /** More detail than the failure code gives; null if there is none. */
  why: Why.nullable(),
  /** Of the latest try. */
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
});

/** One line of a step's output. Those that start with '#krug stage' or '#krug note' are the panel's own: a code, then details. */
const Line = z.object({ runId: Id, step: SetupStep, number: z.int().positive(), at: Time, text: z.string() });

/** Why the panel advises against Docker on a machine. */
export const WhySystem = z.enum(["foreign_docker", "little_memory", "little_room"]);
export type WhySystem = z.output<typeof WhySystem>;

const Setup = z.object({
  steps: z.array(StepState).length(3),
  isSetupComplete: z.boolean(),
  /** Where set-up places its tunnels. */
  tunnelsIn: TunnelPlace,
  whySystem: WhySystem.nullable(),
});

const Started = z.object({
  /** Still running after 25 s: the stream shows the progress. */
  running: z.boolean(),
  success: z.boolean(),
  failure: SetupFailure.nullable(),
  detail: z.string().nullable(),
  why: Why.nullable(),
  /** The latest lines. */
  logs: z.array(z.string()),
});
const refusals = ["server.not_found", "server.is_local", "setup.not_yet", "setup.busy"] as const;

/** What turns an empty machine into a VPN server (decisions, section 7). */
export const serverSetup = {
  installDocker: endpoint("POST /admin/servers/{id}/install-docker", {
    needs: "servers.change",
    summary:
      "Set-up, step 1: installs the panel's key and helper, checks the machine, and installs Docker if tunnels are to run in a container",
    answer: Started,
    refusals,
  }),
  installWireguard: endpoint("POST /admin/servers/{id}/install-wireguard", {
    needs: "servers.change",
    summary: "Set-up, step 2: installs WireGuard, in a container or in the system, and makes it start after a reboot",
    answer: Started,
    refusals,
  }),
  configureWireguard: endpoint("POST /admin/servers/{id}/configure-wireguard", {
    needs: "servers.change",
    summary: "Set-up, step 3: creates the first interface and sets up forwarding and the firewall",
    answer: Started,
    refusals,
  }),
  /** Beyond the specifications. */
  setup: endpoint("GET /admin/servers/{id}/setup", {
    needs: "servers.change",
    summary: "How far set-up is",
    answer: Setup,
    refusals: ["server.not_found", "server.is_local"],
  }),
  stream: endpoint("GET /admin/servers/{id}/setup/stream", {
    needs: "servers.change",
    summary: "The progress of set-up and the lines of each step's latest attempt, then new lines as they come",
    answer: { events: { setup: Setup, line: Line } },
    refusals: ["server.not_found", "server.is_local"],
  }),
  /** Beyond the specifications. */
  choosePlace: endpoint("PUT /admin/servers/{id}/setup", {
    needs: "servers.change",
    summary:
      "Choose where the steps put a server's tunnels; repeating the steps moves a server that was set up the other way",
    body: z.strictObject({ tunnelsIn: TunnelPlace }),
    answer: Setup,
    refusals: ["server.not_found", "server.is_local", "setup.busy"],
  }),
  /** Beyond the specifications. */
  cancel: endpoint("POST /admin/servers/{id}/setup/cancel", {
    needs: "servers.change",
    summary: "End the running step before its next command",
    answer: Setup,
    refusals: ["server.not_found", "server.is_local"],
  }),
};

export type SetupAnswer = z.output<typeof Setup>;
export type SetupLine = z.output<typeof Line>;
export type SetupStarted = z.output<typeof Started>;
export type SetupEvents = (typeof serverSetup.stream)["answer"];
