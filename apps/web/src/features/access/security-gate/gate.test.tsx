import { act, screen, waitFor } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { gate } from "./gate.ts";
import { NEXT_AFTER_MS, readPlace } from "./place.ts";
import { addressOf } from "./support-contact.tsx";

screens();

const on = { enabled: true, services: [], blockedCountries: ["UA", "KZ", "NL"], supportContact: null };
const clean: Panel = {
  "GET /security/gate": on,
  "GET /security/geo": { country: "RU" },
  "GET /security/vpn": { proxy: false, vpn: false },
};
const SERVICES = ["https://one.example/", "https://two.example/", "https://three.example/"];

function arrive(says: Panel, address = "/login") {
  const club = panel({ ...clean, ...says });
  gate.start();
  return { ...club, ...openPage(address) };
}

type Says = Record<string, unknown> | "silence" | null;

/** Outside services' answers to the frame, by address. Without an answer: an error. */
function outside(answers: Record<string, Says | { afterMs: number; says: Says }>) {
  const asked: string[] = [];
  const watcher = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLIFrameElement) serve(node);
  });
  /** The frame as the panel serves it. */
  const serve = (frame: HTMLIFrameElement) => {
    expect([frame.getAttribute("sandbox"), frame.getAttribute("src")]).toEqual([
      "allow-scripts",
      "/api/security/frame",
    ]);
    const source = frame.contentWindow;
    if (source === null) throw new Error("a frame without a window");
    const tell = (data: unknown, from: Partial<MessageEventInit> = {}) =>
      window.dispatchEvent(new MessageEvent("message", { source, origin: "null", data, ...from }));
    source.addEventListener("message", ({ data: { id, address } }: MessageEvent<{ id: number; address: string }>) => {
      asked.push(address);
      const found = answers[address] ?? null;
      const { afterMs, says } = (
        found !== null && typeof found === "object" && "afterMs" in found ? found : { afterMs: 0, says: found }
      ) as { afterMs: number; says: Says };
      // Messages from others are ignored.
      tell({ id, answer: { country: "UA" } }, { source: window });
      tell({ id, answer: { country: "UA" } }, { origin: "https://evil.example" });
      for (const nonsense of [null, "UA", { answer: { country: "UA" } }, { id: "0", answer: { country: "UA" } }])
        tell(nonsense);
      if (says !== "silence") setTimeout(() => tell({ id, answer: says }), afterMs);
    });
    setTimeout(() => tell("ready"), 0);
  };
  watcher.observe(document.body, { childList: true });
  onTestFinished(() => watcher.disconnect());
  return { addresses: () => asked };
}

const signIn = () => screen.findByRole("heading", { name: "Вход" });
/** Short words are tied to the next one, so a blank may be a non-breaking space. */
const words = (text: string) => new RegExp(text.replaceAll(" ", "\\s"));
const denied = (text: string) => screen.findByRole("heading", { name: words(text) });
const REGION = "Доступ запрещён: сервис недоступен в вашем регионе";
const VPN = "Доступ запрещён: обнаружено использование VPN/Proxy";

test("three rows confirm one by one, and a second later the page appears, loaded meanwhile", async () => {
  const { asked } = arrive({});
  expect(await screen.findByRole("heading", { name: "Проверка безопасности" })).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Вход" })).toBeNull();
  await screen.findByText("Геолокация подтверждена");
  await screen.findByText("IP-адрес проверен");
  await screen.findByText("VPN/Proxy не обнаружен");
  const allowedAt = performance.now();
  expect(asked("GET /auth/me").length, "the page is loaded behind the gate").toBeGreaterThan(0);
  await signIn();
  expect(performance.now() - allowedAt).toBeGreaterThan(800);
  expect(screen.queryByText("VPN/Proxy не обнаружен")).toBeNull();
});

test("a visitor who has passed in this browser session sees no gate and is not checked", async () => {
  arrive({});
  await signIn();
  const { asked } = arrive({});
  expect(screen.queryByRole("heading", { name: "Проверка безопасности" })).toBeNull();
  expect(asked("GET /security/gate")).toHaveLength(0);
});

test("with the gate off the page opens without showing it", async () => {
  const { asked } = arrive({ "GET /security/gate": { ...on, enabled: false } });
  await signIn();
  expect(asked("GET /security/geo")).toHaveLength(0);
});

test.each([
  [{ "GET /security/geo": { country: "UA" } }, REGION],
  [{ "GET /security/vpn": { proxy: false, vpn: true } }, VPN],
  [{ "GET /security/vpn": { proxy: true, vpn: false } }, VPN],
])("a denied visitor reads why and whom to ask, and their address is /404 %#", async (says, title) => {
  const { address } = arrive(says, "/login");
  expect(await denied(title)).toBeTruthy();
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toMatch(words("Ваше соединение не отвечает требованиям безопасности"));
  expect(screen.getByText(/напишите администратору клуба или другу/)).toBeTruthy();
  await waitFor(() => expect(address()).toBe("/404"));
  expect(screen.queryByLabelText("Пароль")).toBeNull();
});

test.each([
  ["/register", "/404"],
  ["/dashboard", "/404"],
  ["/no-such-page", "/404"],
  ["/", "/"],
])("denied at %s leads to %s", async (from, to) => {
  const { address } = arrive({ "GET /security/geo": { country: "NL" } }, from);
  await denied(REGION);
  await waitFor(() => expect(address()).toBe(to));
});

test("an unknown path leads to the landing page if the check permits", async () => {
  const { address } = arrive({}, "/no-such-page");
  await screen.findByText("Геолокация подтверждена");
  expect(address(), "not before the verdict").toBe("/no-such-page");
  await waitFor(() => expect(address()).toBe("/"));
});

test("a denied visitor may check again, and is let in once nothing blocks them", async () => {
  const { say, user } = arrive({ "GET /security/vpn": { proxy: false, vpn: true } });
  await denied(VPN);
  say({ "GET /security/vpn": { proxy: false, vpn: false } });
  await user.click(screen.getByRole("button", { name: "Проверить ещё раз" }));
  expect(await screen.findByRole("heading", { name: /Такой страницы нет|Вход/ })).toBeTruthy();
});

test("services are asked in order, until one names a country", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside({
    "https://two.example/": {
      country_code: "DE",
      country_name: "Germany",
      city: "Hannover",
      timezone: "Europe/Berlin",
    },
    "https://three.example/": { country: "NL" },
  });
  gate.start();
  openPage("/login");
  expect(await screen.findByText("Германия, Hannover, Europe/Berlin")).toBeTruthy();
  expect(asked.addresses()).toEqual(SERVICES.slice(0, 2));
  await signIn();
  expect(document.querySelector("iframe"), "the frame is gone with the gate").toBeNull();
});

test("a service that names a blocked country is enough to deny", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  outside({ "https://one.example/": { country: "KZ" } });
  gate.start();
  openPage("/login");
  expect(await denied(REGION)).toBeTruthy();
});

test("the three default services' different answers are all read", async () => {
  const geojs = {
    country: "Germany",
    country_code: "DE",
    country_code3: "DEU",
    city: "Köln",
    timezone: "Europe/Berlin",
  };
  const countryIs = { ip: "130.75.1.1", country: "DE", city: "Köln", location: { time_zone: "Europe/Berlin" } };
  const ipapi = { country: "DE", country_code: "DE", country_name: "Germany", city: "Köln", timezone: "Europe/Berlin" };
  for (const answer of [geojs, countryIs, ipapi])
    expect(readPlace(answer)).toMatchObject({ country: "DE", city: "Köln", timeZone: "Europe/Berlin" });
});

test.each([
  ["an error, or a page", null],
  ["a limit with a friendly status", { error: true, country_code: null }],
  ["something else", { list: ["DE"] }],
])("after a service that answers %s the next is asked at once", async (_, answer) => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside({ "https://one.example/": answer, "https://two.example/": { country: "KZ" } });
  // A service's silence never ends, so only the answer leads to the next one.
  const after = setTimeout;
  vi.stubGlobal("setTimeout", (work: () => void, ms: number, ...more: []) =>
    ms === NEXT_AFTER_MS ? 0 : after(work, ms, ...more),
  );
  gate.start();
  openPage("/login");
  expect(await denied(REGION)).toBeTruthy();
  expect(asked.addresses()).toEqual(SERVICES.slice(0, 2));
});

test("half a second after a silent service the next one is asked, and all of them take no more than 2.5 s plus the panel's answer", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside(Object.fromEntries(SERVICES.map((address) => [address, "silence"])));
  const began = performance.now();
  gate.start();
  openPage("/login");
  await screen.findByText("Геолокация подтверждена", {}, { timeout: 10_000 });
  const took = performance.now() - began;
  expect(took).toBeGreaterThan(2400);
  expect(took).toBeLessThan(4400);
  expect(asked.addresses()).toEqual(SERVICES);
  await signIn();
}, 30_000);

test("the order stays the preference: the first service's answer counts if it comes before the gate is decided", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  outside({
    "https://one.example/": { afterMs: 600, says: { country: "KZ" } },
    "https://two.example/": { afterMs: 50, says: { country: "DE" } },
  });
  gate.start();
  openPage("/login");
  expect(await denied(REGION)).toBeTruthy();
});

test("a frame that never loads delays nobody for long", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  gate.start();
  openPage("/login");
  await screen.findByText("Геолокация подтверждена", {}, { timeout: 10_000 });
  await signIn();
}, 30_000);

test.each([
  ["https://club.example/help", "club.example/help", "https://club.example/help"],
  ["help@club.example", "help@club.example", "mailto:help@club.example"],
  ["@krug_help", "@krug_help", "https://t.me/krug_help"],
])("a denied visitor reads how to reach support: %s", async (supportContact, words, address) => {
  arrive({ "GET /security/gate": { ...on, supportContact }, "GET /security/geo": { country: "UA" } });
  await denied(REGION);
  const link = await screen.findByRole("link", { name: words });
  expect(link.getAttribute("href")).toBe(address);
});

test("a contact that is not an address is shown as text without a link", async () => {
  for (const contact of ["Звоните Ольге", "javascript:alert(1)", "http://club.example", "@no"])
    expect(addressOf(contact)).toBeNull();
  arrive({
    "GET /security/gate": { ...on, supportContact: "Звоните Ольге" },
    "GET /security/geo": { country: "UA" },
  });
  await denied(REGION);
  expect(await screen.findByText(/Звоните Ольге/)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

test("if no service answers, the panel's answer is enough", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside({});
  gate.start();
  openPage("/login");
  await signIn();
  expect(asked.addresses()).toEqual(SERVICES);
});

test("a silent panel is not a denial: the connection screen shows, and the check continues when it is back", async () => {
  const { say, user } = arrive({ "GET /security/gate": "silence", "GET /health": "silence" });
  expect(await screen.findByRole("heading", { name: "Панель клуба не отвечает" })).toBeTruthy();
  say({ ...clean, "GET /health": refused(503, "starting") });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await signIn();
});

test("an error of the panel is shown as such and can be retried", async () => {
  const { say, user } = arrive({ "GET /security/vpn": refused(500, "internal") });
  expect(await screen.findByRole("heading", { name: "Ошибка при проверке безопасности" })).toBeTruthy();
  say(clean);
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await act(async () => void (await signIn()));
});

test.each([
  [{ country_code: "de", country_name: "Germany", city: "Köln", timezone: "Europe/Berlin" }, "DE", "Germany"],
  [{ countryCode: "UA", countryName: "Ukraine", cityName: "Kyiv" }, "UA", "Ukraine"],
  [{ country: "RU" }, "RU", null],
  [{ country: "Germany", country_code: "DE" }, "DE", "Germany"],
])("a service's answer is read whatever its fields are called %#", (answer, country, countryName) => {
  expect(readPlace(answer)).toMatchObject({ country, countryName });
});

test.each([[null], ["DE"], [{}], [{ country: "Germany" }], [{ country_code: 49 }], [{ error: true, reason: "limit" }]])(
  "%j names no country",
  (answer) => {
    expect(readPlace(answer)).toBeNull();
  },
);
