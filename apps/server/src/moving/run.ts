import { spawn } from "node:child_process";
import type { RunScript } from "../features/vpn/import/old-programs.ts";
import { withoutKeys } from "../hosts/machine.ts";

const WITHIN_MS = 90_000;
const MOST_COMPLAINT = 300;

/** Runs old-programs.sh on this machine, as whoever runs this process. */
export const runHere =
  (script: string): RunScript =>
  (...args) =>
    new Promise((resolve, reject) => {
      // A group of its own: what a person presses on the keyboard does not end it in the middle.
      const child = spawn("bash", ["-c", 'set -eu; eval "$(cat)"; moving "$@"', "krug-moving", ...args], {
        detached: true,
        timeout: WITHIN_MS,
      });
      const pieces: Buffer[] = [];
      let complaint = "";
      child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
      child.stderr.on("data", (piece: Buffer) => {
        complaint = (complaint + piece.toString()).slice(-MOST_COMPLAINT);
      });
      child.on("error", reject);
      child.on("close", (code) => {
        if (code === 0) return resolve(Buffer.concat(pieces).toString("utf8"));
        reject(new Error(withoutKeys(complaint.trim()) || `${args[0]}: ${code ?? "timeout"}`));
      });
      child.stdin.on("error", () => {});
      child.stdin.end(script);
    });
