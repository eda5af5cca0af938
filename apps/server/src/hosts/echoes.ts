import { requireCidr } from "@krug/wireguard/addresses";
import { type Machine, ProgramFailed } from "./machine.ts";

/** Two owners' each, so that no single one decides. They have answered echoes for years. */
const PLACES = {
  4: ["1.1.1.1", "8.8.8.8"],
  6: ["2606:4700:4700::1111", "2001:4860:4860::8888"],
} as const;
/** What `ping` exits with if it sent and heard nothing. */
const UNHEARD = 1;

/**
 * Whether any of them answers an echo that leaves with this address, and so by its link. Null if none could be sent: the machine has
 * no `ping`, may not send echoes, or the address is not there. It takes a second and a half at most.
 */
export async function echoes(machine: Machine, from: string): Promise<boolean | null> {
  const { family } = requireCidr(from);
  if ((await machine.findProgram("ping")) === null) return null;
  const heard = await Promise.all(
    PLACES[family].map((place) =>
      machine
        .run("ping", [..."-n -q -c 2 -i 0.2 -W 1 -I".split(" "), from, "-M", "do", "-s", "100", place], {
          timeoutMs: 5_000,
        })
        .then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof ProgramFailed)) throw error;
            return error.exitCode === UNHEARD ? false : null;
          },
        ),
    ),
  );
  return heard.includes(true) ? true : heard.includes(null) ? null : false;
}
