import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openPage, screens } from "../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../testing/panel.ts";
import { gate } from "./gate.ts";
import { readPlace } from "./place.ts";
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

/** What the services outside answer, by address; the panel answers the rest. */
function outside(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const inside = globalThis.fetch;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (!address.startsWith("https:")) return inside(address, init);
    asked.push(address);
    if (!(address in answers)) throw new TypeError("Failed to fetch");
    const answer = answers[address];
    return typeof answer === "function"
      ? (answer as (signal: unknown) => Response)(init?.signal)
      : Response.json(answer);
  });
  return asked;
}

/** Answers only when the asker has lost his patience. */
const hang = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const signIn = () => screen.findByRole("heading", { name: "Вход" });
/** Short words are tied to the next one, so a blank may be one that does not break. */
const words = (text: string) => new RegExp(text.replaceAll(" ", "\\s"));
const denied = (text: string) => screen.findByRole("heading", { name: words(text) });
const REGION = "Доступ запрещён: сервис недоступен в вашем регионе";
const VPN = "Доступ запрещён: обнаружено использование VPN/Proxy";

test("three rows confirm one by one, and a second later the page stands there, loaded meanwhile", async () => {
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

test("who has passed in this browser session sees no gate and is not asked about", async () => {
  arrive({});
  await signIn();
  const { asked } = arrive({});
  expect(screen.queryByRole("heading", { name: "Проверка безопасности" })).toBeNull();
  expect(asked("GET /security/gate")).toHaveLength(0);
});

test("with the gate off the page opens without a word of it", async () => {
  const { asked } = arrive({ "GET /security/gate": { ...on, enabled: false } });
  await signIn();
  expect(asked("GET /security/geo")).toHaveLength(0);
});

test.each([
  [{ "GET /security/geo": { country: "UA" } }, REGION],
  [{ "GET /security/vpn": { proxy: false, vpn: true } }, VPN],
  [{ "GET /security/vpn": { proxy: true, vpn: false } }, VPN],
])("a denied visitor reads why and whom to ask, and his address is /404 %#", async (says, title) => {
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

test("an unknown path leads to the landing page when the check permits", async () => {
  const { address } = arrive({}, "/no-such-page");
  await screen.findByText("Геолокация подтверждена");
  expect(address(), "not before the verdict").toBe("/no-such-page");
  await waitFor(() => expect(address()).toBe("/"));
});

test("a denied visitor may check again, and is let in once nothing speaks against him", async () => {
  const { say, user } = arrive({ "GET /security/vpn": { proxy: false, vpn: true } });
  await denied(VPN);
  say({ "GET /security/vpn": { proxy: false, vpn: false } });
  await user.click(screen.getByRole("button", { name: "Проверить ещё раз" }));
  expect(await screen.findByRole("heading", { name: /Такой страницы нет|Вход/ })).toBeTruthy();
});

test("services are asked in order, and the first that names a country ends it", async () => {
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
  expect(asked).toEqual(SERVICES.slice(0, 2));
  await signIn();
});

test("a service that names a blocked country is enough to deny", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  outside({ "https://one.example/": { country: "KZ" } });
  gate.start();
  openPage("/login");
  expect(await denied(REGION)).toBeTruthy();
});

test("the three default services' answers are read, each in its own words", async () => {
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
  ["an error", () => new Response("{}", { status: 500 })],
  ["that it was asked too often", () => Response.json({ error: true, reason: "RateLimited" }, { status: 429 })],
  ["a limit with a friendly status", () => Response.json({ error: true, country_code: null })],
  ["a page", () => new Response("<!doctype html><title>Attention</title>")],
  ["something else", () => Response.json(["DE"])],
  ["nothing at all", () => new Response("")],
])("a service that answers %s is passed over for the next", async (_, answer) => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside({ "https://one.example/": answer, "https://two.example/": { country: "KZ" } });
  gate.start();
  openPage("/login");
  expect(await denied(REGION)).toBeTruthy();
  expect(asked).toEqual(SERVICES.slice(0, 2));
});

test("services that hang are given 1.5 s each, and then the panel's word is enough", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside(Object.fromEntries(SERVICES.map((address) => [address, hang])));
  const began = performance.now();
  gate.start();
  openPage("/login");
  await screen.findByText("Геолокация подтверждена", {}, { timeout: 10_000 });
  expect(performance.now() - began).toBeGreaterThan(4400);
  expect(asked).toEqual(SERVICES);
  await signIn();
}, 30_000);

test.each([
  ["https://club.example/help", "club.example/help", "https://club.example/help"],
  ["help@club.example", "help@club.example", "mailto:help@club.example"],
  ["@krug_help", "@krug_help", "https://t.me/krug_help"],
])("a denied visitor reads how support is reached: %s", async (supportContact, words, address) => {
  arrive({ "GET /security/gate": { ...on, supportContact }, "GET /security/geo": { country: "UA" } });
  await denied(REGION);
  const link = await screen.findByRole("link", { name: words });
  expect(link.getAttribute("href")).toBe(address);
});

test("a contact that is no address is told in words and leads nowhere", async () => {
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

test("when no service answers, the panel's word is enough", async () => {
  panel({ ...clean, "GET /security/gate": { ...on, services: SERVICES } });
  const asked = outside({});
  gate.start();
  openPage("/login");
  await signIn();
  expect(asked).toEqual(SERVICES);
});

test("a silent panel is no denial: the connection screen shows, and the check goes on when it is back", async () => {
  const { say, user } = arrive({ "GET /security/gate": "silence", "GET /health": "silence" });
  expect(await screen.findByRole("heading", { name: "Панель клуба не отвечает" })).toBeTruthy();
  say({ ...clean, "GET /health": refused(503, "starting") });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await signIn();
});

test("an error of the panel is told as such and may be tried again", async () => {
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
])("a service's answer is read whatever it calls things %#", (answer, country, countryName) => {
  expect(readPlace(answer)).toMatchObject({ country, countryName });
});

test.each([[null], ["DE"], [{}], [{ country: "Germany" }], [{ country_code: 49 }], [{ error: true, reason: "limit" }]])(
  "%j names no country",
  (answer) => {
    expect(readPlace(answer)).toBeNull();
  },
);
