import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "./call.ts";

const current = new AsyncLocalStorage<{ id: string; isOver: boolean; actor: Actor | null }>();

/** Runs the rest of a request: anything logged meanwhile carries its id. */
export function duringRequest({ id }: FastifyRequest, { raw }: FastifyReply, rest: () => void): void {
  const request = { id, isOver: false, actor: null };
  // What a request started may outlive it, e.g. a timer, and then no longer belongs to it.
  raw.once("close", () => {
    request.isOver = true;
  });
  current.run(request, rest);
}

/** Runs what somebody asked for by another way than a call. */
export const actingAs = <Result>(actor: Actor, id: string, work: () => Result): Result =>
  current.run({ id, isOver: false, actor }, work);

/** Runs work that serves many requests, whichever of them triggered it. */
export const outsideRequests = <Result>(work: () => Result): Result => current.exit(work);

/** Records who makes the current request. */
export function noteActor(actor: Actor | null): void {
  const request = current.getStore();
  if (request === undefined) throw new Error("there is no request under way");
  request.actor = actor;
}

/** Null for a guest, and outside any request: a job, the clock, the command line. */
export const currentActor = (): Actor | null => current.getStore()?.actor ?? null;

/** For a line of the log: the current request's id, if there is one. */
export function currentRequest(): { requestId?: string } {
  const request = current.getStore();
  return request === undefined || request.isOver ? {} : { requestId: request.id };
}

/** Whether somebody waits for this work. */
export const isDuringRequest = (): boolean => current.getStore()?.isOver === false;
