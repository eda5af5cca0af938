// The service worker (ADR 47). The build inserts what it caches: `build` names this set, `files` are addresses of the panel.
const { build, page, files } = KEPT;

const SHELL = `krug.shell.${build}`;
/** The member's own data, written and deleted by the page: src/app/own-copy.tsx. */
const OWN = "krug.own.2";
/** The club's other addresses, written by the same file. */
const WAYS = "krug.ways.1";
/** If the page does not answer within this time, it opens from the cache. */
const PAGE_WAIT_MS = 4_000;
const HOME = "/dashboard";
/** Where the installed app opens: the panel says which screen is the member's first. */
const START = "/start";
/** Addresses at which a member arrives to see the dashboard. */
const WAYS_IN = ["/", "/login"];
/** A gateway's answers for a panel that is down (src/lib/api.ts). */
const SILENCE = [502, 504];

addEventListener("install", (event) => {
  const begin = async () => {
    const shell = await caches.open(SHELL);
    await shell.addAll([new Request(page, { cache: "no-cache" }), ...files]);
    const named = (await (await shell.match(page)).text()).match(/\/assets\/[^"]+/g) ?? [];
    // The panel was upgraded between the worker and the page. The next worker caches a set that fits together.
    if (named.some((file) => !files.includes(file))) {
      await caches.delete(SHELL);
      throw new Error("the page is another build's");
    }
    await skipWaiting();
  };
  event.waitUntil(begin());
});

addEventListener("activate", (event) => {
  const begin = async () => {
    const old = (await caches.keys()).filter((name) => /^krug\.(shell|own)/.test(name) && ![SHELL, OWN].includes(name));
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(begin());
});

/** Sent by a page that waits for this worker (src/app/own-copy.tsx). */
addEventListener("message", ({ data }) => data === "take over" && skipWaiting());

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") {
    if (pathname === HOME) event.respondWith(home(request));
    else if (pathname === START) event.respondWith(start(request));
    else if (WAYS_IN.includes(pathname)) event.respondWith(wayIn(request));
  } else if (files.includes(pathname)) event.respondWith(file(request));
});

addEventListener("push", (event) => event.waitUntil(show(event.data)));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.path));
});

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(moveSubscription(event)));

/** A notice (apps/server/src/features/messages/push/message.ts). A repeated one replaces itself. */
async function show(data) {
  let told = {};
  try {
    told = data.json();
  } catch {
    // Browsers end subscriptions that show nothing.
  }
  const { id, title = "Круг", body, path, language } = told;
  const icon = "/icons/icon-192.png";
  await registration.showNotification(title, { body, tag: id, lang: language, icon, badge: icon, data: { path } });
}

/** Opens a page already at this path, or a new one. Other pages keep their drafts. */
async function openPage(path) {
  const { origin, pathname } = new URL(path ?? HOME, location.origin);
  const wanted = origin === location.origin ? pathname : HOME;
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find(({ url }) => new URL(url).pathname === wanted);
  return there ? there.focus() : clients.openWindow(wanted);
}

/** The browser has replaced or ended its subscription. If nobody is signed in, the next sign-in reports it (features/messages/push). */
async function moveSubscription({ oldSubscription, newSubscription }) {
  const options = oldSubscription?.options ?? { userVisibleOnly: true };
  const fresh = newSubscription ?? (await registration.pushManager.subscribe(options));
  const { endpoint, keys } = fresh.toJSON();
  const { p256dh, auth } = keys;
  await fetch("/api/push/current", {
    method: "PUT",
    headers: { "content-type": "application/json", "x-background": "1" },
    body: JSON.stringify({ endpoint, keys: { p256dh, auth } }),
  });
}

const late = () => new Promise((resolve) => setTimeout(resolve, PAGE_WAIT_MS, null));

/** Where the panel leads to. If it does not say in time, the dashboard, which opens without it. */
async function start(request) {
  const answer = await Promise.race([fetch(request), late()]).catch(() => null);
  return answer && !SILENCE.includes(answer.status) ? answer : Response.redirect(HOME);
}

/** The panel's page. If there is none, the cached page with the last known data. */
async function home(request) {
  const asked = fetch(request);
  try {
    const answer = await Promise.race([asked, late()]);
    if (answer && !SILENCE.includes(answer.status)) return answer;
    const own = await ownCopy();
    return own ? await keptPage(own) : await asked;
  } catch (error) {
    const kept = await keptPage(await ownCopy());
    if (kept) return kept;
    throw error;
  } finally {
    asked.catch(() => {});
  }
}

async function wayIn(request) {
  try {
    return await fetch(request);
  } catch (error) {
    if (await caches.match(page, { cacheName: SHELL })) return Response.redirect(HOME);
    throw error;
  }
}

/** File names contain content hashes, so a cached file is never stale. */
const file = async (request) => (await caches.match(request, { cacheName: SHELL })) ?? fetch(request);

/** Null if nothing is cached, or if its session has expired. */
async function ownCopy() {
  const own = await (await caches.match(HOME, { cacheName: OWN }))?.json();
  if (own && Date.now() < own.untilMs) return own;
  await caches.delete(OWN);
  return null;
}

/** With the answers in its head, as the panel itself sends the page (static-web.ts). */
async function keptPage(own) {
  const kept = await caches.match(page, { cacheName: SHELL });
  if (!kept) return null;
  const ways = await (await caches.match(HOME, { cacheName: WAYS }))?.json();
  // Anyone with cached data has passed the gate.
  const gate = { enabled: false, services: [], blockedCountries: [] };
  const answers = {
    "/security/ways": ways,
    ...(own && {
      ...own.answers,
      "/security/gate": gate,
      "kept-at": own.atMs,
      "kept-ahead": own.aheadMs,
      "kept-build": build,
    }),
  };
  const json = JSON.stringify(answers).replaceAll("<", "\\u003c");
  const data = `<script type="application/json" id="first-answers">${json}</script>`;
  const headers = new Headers(kept.headers);
  for (const name of ["content-encoding", "content-length", "etag"]) headers.delete(name);
  return new Response(
    (await kept.text()).replace("<script", () => `${data}<script`),
    { headers },
  );
}
