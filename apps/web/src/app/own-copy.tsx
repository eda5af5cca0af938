import { sessionLifeFor } from "@krug/domain/session-rules";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Me, meQuery } from "../features/access/auth/queries.ts";
import { waysQuery } from "../features/access/security-gate/ways-query.ts";
import { telegramQuery } from "../features/messages/telegram/queries.ts";
import { configsQuery, interfacesQuery, monthQuery } from "../features/vpn/configs/queries.ts";
import { availability } from "../lib/availability.ts";
import { base } from "../lib/base.ts";
import { forgetOwnCopy, OWN_COPY, WAYS_COPY } from "../lib/browser-storage.ts";
import { deviceNow, inClub } from "../lib/club-clock.ts";
import { reloadOnce } from "../lib/code.ts";
import { firstAnswersAt, keptBuild } from "../lib/first-answers.ts";
import { sampleMode } from "../lib/sample-mode.ts";

const ME = "/auth/me";
/** All that is stored: what the member's own dashboard shows. No file, key or code, and nothing about anybody else. */
const SHOWN = {
  [ME]: meQuery.queryKey,
  "/vpn/configs": configsQuery.queryKey,
  "/vpn/available-interfaces": interfacesQuery.queryKey,
  "/vpn/traffic": monthQuery.queryKey,
  "/auth/telegram/status": telegramQuery.queryKey,
};
const SHOWN_HASHES = new Set([...Object.values(SHOWN), waysQuery.queryKey].map((key) => JSON.stringify(key)));

/** What build/worker.js puts into the page's head when the panel is silent. Stored under the page's address. */
interface Copy {
  atMs: number;
  /** How far the club's clock was ahead of this device's. */
  aheadMs: number;
  /** When the session ends if it is not used again. */
  untilMs: number;
  answers: Record<string, unknown>;
}
const PAGE = "/dashboard";
const FIRST_AFTER_MS = 3_000;
/** A connection that has just come back may fail once more. */
const LOOK_AGAIN_MS = 5_000;
/** The message for build/worker.js. Chromium may hold a new worker back behind the old one for minutes, until it is asked again. */
const TAKE_OVER = "take over";
/** A worker that is held back for longer is not awaited: the panel serves the new page anyway. */
const HELD_BACK_MS = 10_000;

/** Stores the dashboard for its next opening, online or offline (ADR 47). */
export function OwnCopy({ me: { id } }: { me: Me }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    // In Telegram several accounts may share one browser. Plain http and some browsers' private windows have no storage for it.
    const isPossible = import.meta.env.PROD && !base && "caches" in window && "serviceWorker" in navigator;
    return isPossible && !sampleMode.isOn() ? keep(id, queryClient) : undefined;
  }, [id, queryClient]);
  return null;
}

/** @returns how to stop; whoever ends the session wipes the copy (lib/browser-storage.ts) */
function keep(id: string, queryClient: QueryClient): () => void {
  const worker = navigator.serviceWorker;
  const isOurs = () => queryClient.getQueryData(meQuery.queryKey)?.id === id;
  let registered: Promise<ServiceWorkerRegistration> | undefined;

  async function write() {
    const kept = (await (await caches.match(PAGE, { cacheName: OWN_COPY }))?.json()) as Copy | undefined;
    if (kept && (kept.answers[ME] as Me).id !== id) await caches.delete(OWN_COPY);
    const list = queryClient.getQueryState(configsQuery.queryKey);
    if (!availability.isUp() || !list?.data || list.dataUpdatedAt === firstAnswersAt()) return;
    registered ??= worker.register("/worker.js").then(askOnceInstalled);
    (await registered).waiting?.postMessage(TAKE_OVER);
    const me = queryClient.getQueryData(meQuery.queryKey);
    if (me?.id !== id) return;
    const ways = queryClient.getQueryData(waysQuery.queryKey);
    if (ways) await (await caches.open(WAYS_COPY)).put(PAGE, Response.json(ways));
    const shown = Object.entries(SHOWN).map(([path, key]) => [path, queryClient.getQueryData(key)] as const);
    const copy: Copy = {
      atMs: list.dataUpdatedAt,
      aheadMs: inClub(0),
      untilMs: deviceNow() + sessionLifeFor(me.role).idleMs,
      answers: Object.fromEntries(shown.filter(([, answer]) => answer !== undefined)),
    };
    await (await caches.open(OWN_COPY)).put(PAGE, Response.json(copy));
    // The session may have ended during the write.
    if (!isOurs()) forgetOwnCopy();
  }

  let soon: ReturnType<typeof setTimeout> | undefined;
  const writeSoon = () => {
    soon ??= setTimeout(
      async () => {
        soon = undefined;
        // The disk may be full, or the browser may forbid storage: everything else works.
        if (isOurs()) await write().catch(() => {});
        // The person's first actions come before the worker's files.
      },
      registered ? 0 : FIRST_AFTER_MS,
    );
  };
  writeSoon();
  const leaveQueries = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === "updated" && query.state.fetchStatus === "idle" && SHOWN_HASHES.has(query.queryHash)) writeSoon();
  });
  const leaveAvailability = firstAnswersAt() === undefined ? () => {} : followTheBuild(worker);
  return () => {
    clearTimeout(soon);
    leaveQueries();
    leaveAvailability();
  };
}

/** On a slow connection a new worker is still installing when it is asked the first time. */
function askOnceInstalled(registration: ServiceWorkerRegistration): ServiceWorkerRegistration {
  const ask = () => registration.waiting?.postMessage(TAKE_OVER);
  const listen = () => registration.installing?.addEventListener("statechange", ask);
  registration.addEventListener("updatefound", listen);
  listen();
  return registration;
}

/** A page opened from the cache may be an older build. Once the panel is back, looks for its worker and reloads the page. */
function followTheBuild(worker: ServiceWorkerContainer): () => void {
  let isOver = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let comingSince: number | undefined;
  /** A newer worker that has not taken over yet, or null. Its installation may still fail. */
  const coming = async () => {
    const registration = await (await worker.getRegistration())?.update();
    return registration && (registration.installing ?? registration.waiting);
  };
  let isLeaving = false;
  const follow = () => {
    isLeaving ||= reloadOnce();
  };
  const followWorker = () => {
    // Chromium loses a page that it was requesting from the old worker, and would wait forever.
    if (isLeaving) window.location.reload();
    else follow();
  };
  const look = async () => {
    clearTimeout(again);
    if (!availability.isUp()) return;
    const found = await coming().catch(() => undefined);
    if (found === null || isOver) return;
    if (found) comingSince ??= performance.now();
    if (found?.state === "installed") found.postMessage(TAKE_OVER);
    if (comingSince !== undefined && performance.now() - comingSince >= HELD_BACK_MS) follow();
    clearTimeout(again);
    again = setTimeout(look, LOOK_AGAIN_MS);
  };
  const followEarlier = async () => {
    const shells = (await caches.keys()).filter((name) => name.startsWith("krug.shell."));
    if (shells.some((name) => name !== `krug.shell.${keptBuild()}`)) follow();
  };
  worker.addEventListener("controllerchange", followWorker);
  const leave = availability.subscribe(look);
  // The panel may have been back, and a newer worker active, before this started.
  look();
  followEarlier().catch(() => {});
  return () => {
    isOver = true;
    clearTimeout(again);
    worker.removeEventListener("controllerchange", followWorker);
    leave();
  };
}
