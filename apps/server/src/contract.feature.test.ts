import { gzipSync } from "node:zlib";
import { contract } from "@krug/contract/api";
import { type EndpointSpec, usualBodyLimit } from "@krug/contract/endpoint";
import { type SentEvent, WEBHOOK_DATA } from "@krug/contract/messages/webhook-events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Answer, type Club, type Person, startClub } from "../testing/start-club.ts";
import { groupBy } from "./platform/group-by.ts";
import { parseInput } from "./platform/http/input.ts";
import { alsoReadAs, describeApi } from "./platform/http/openapi.ts";
import { Refusal } from "./platform/refusal.ts";

/** From the contract: these laws apply to a new call from its first day; access.feature.test.ts covers who may call it. */
const endpoints: [string, EndpointSpec][] = Object.entries(contract).flatMap(([feature, calls]) =>
  Object.entries(calls).map(([name, spec]): [string, EndpointSpec] => [`${feature}.${name}`, spec]),
);
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

/** Input that the schema refuses never reaches a database, so one engine is enough. */
const isOneOfTwo = process.env.TEST_ENGINE === "postgres";

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

/** Uses a month if the path needs one; otherwise `id`, or wherever a test says so. */
const pathOf = (spec: EndpointSpec, id: string) =>
  `/api${spec.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(name === "period" && id === UNKNOWN_ID ? "2026-11" : id))}`;
const paramsOf = (spec: EndpointSpec, id: string) =>
  Object.fromEntries([...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, id]));
const send = (who: Person | null, spec: EndpointSpec, body?: unknown, id = UNKNOWN_ID) =>
  (who === null ? club.guest : club.as(who)).send(
    spec.method,
    pathOf(spec, id),
    spec.method === "GET" ? undefined : body,
  );

/** Values that are invalid for every field. */
const hostile: unknown[] = [
  null,
  "",
  " ",
  0,
  -2,
  1.5,
  1e308,
  true,
  [],
  {},
  [[]],
  "a\u0000b",
  "line\nbreak",
  "'; drop table members; --",
  "$(reboot) `id` | & ; > <",
  '"><script>alert(1)</script>',
  "../../etc/passwd",
  "\u202eevil",
  "\ud800",
  "х".repeat(5_000),
  "999.1.1.1",
  "2026-13-45T25:61",
  "00000000-0000-0000-0000-00000000000g",
];

const propertiesOf = (schema: z.ZodType): string[] => {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as {
    properties?: object;
    anyOf?: { properties?: object }[];
  };
  return Object.keys(json.properties ?? json.anyOf?.[0]?.properties ?? {});
};

const areSentences = ({ ru, en }: Record<"ru" | "en", string>) => {
  // The caller's input is quoted.
  const [russian, english] = [ru.replace(/«.*»/su, ""), en.replace(/“.*”/su, "")];
  return /[а-яё]/i.test(russian) && !/[a-z]+ [a-z]+ [a-z]+/i.test(russian) && !/[а-яё]/i.test(english);
};

const isRefusedWell = (answer: Answer) => {
  const error = (answer.body as { error?: { message?: string; messages?: Record<"ru" | "en", string> } } | undefined)
    ?.error;
  if (!areSentences(error?.messages ?? { ru: "", en: "" })) return false;
  return answer.status >= 400 && answer.status < 500 && typeof error?.message === "string" && error.message.length > 3;
};

/** What the server answers if the schema refuses this input; null: it reaches the call. */
const refusalBy = (schema: z.ZodType, input: unknown): Refusal | null => {
  try {
    parseInput(schema, JSON.parse(JSON.stringify(input)), "en");
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

/** What a refused call must not change, as far as the API shows it. */
const state = async (admin: Person) => {
  const as = club.as(admin);
  const lists = [
    "GET /users",
    "GET /services",
    "GET /dns",
    "GET /admin/invite-codes",
    "GET /admin/servers/interfaces",
  ] as const;
  const answers = await Promise.all(lists.map(async (key) => (await as.call(key)).body as unknown));
  // Whether a server was checked recently depends on the clock.
  const servers = (await as.call("GET /admin/servers")).body.map(({ status: _, ...server }) => server);
  return JSON.stringify([...answers, servers, (await as.call("GET /vpn/configs", { query: { scope: "all" } })).body]);
};

const limitOf = (spec: EndpointSpec) => spec.bodyLimit ?? usualBodyLimit(spec);

describe("bad input", () => {
  const withBody = endpoints.filter(([, spec]) => spec.body !== undefined);

  test.each(withBody)(
    "%s answers every hostile body with 4xx and a sentence, never 500, and changes nothing",
    async (_, spec) => {
      const admin = await club.admin();
      const before = await state(admin);
      const caller = spec.access === "public" ? null : admin;
      const schema = spec.body as z.ZodType;
      // What the schema refuses is refused the same way over HTTP, which a field has to show only once, and a call for whole bodies.
      const sentOf = (values: readonly unknown[], named: (value: unknown) => unknown, shown: number) =>
        values
          .filter((value, turn) => {
            const refusal = refusalBy(schema, named(value));
            if (refusal === null) return true;
            const said = { ru: refusal.sentence("ru"), en: refusal.sentence("en") };
            expect([named(value), refusal.code, said, areSentences(said)]).toEqual([
              ...[named(value), "request.invalid", said, true],
            ]);
            return turn === shown % values.length;
          })
          .map(named);
      const inFields = propertiesOf(schema).flatMap((field, at) =>
        sentOf(hostile, (value) => ({ [field]: value }), at),
      );
      const bodies: unknown[] = [
        ...sentOf(hostile, (value) => value, spec.path.length),
        ...inFields,
        ...[{ surprise: 1 }, { constructor: 1 }, JSON.parse('{"toString":"x","__defineGetter__":1}')],
      ];
      for (const body of isOneOfTwo ? bodies.filter((each) => refusalBy(schema, each) === null) : bodies) {
        // Slowly enough that the limit of 60 creations a minute is not the reason.
        club.clock.advance(1_100);
        const answer = await send(caller, spec, body);
        if (answer.status < 400)
          expect([JSON.stringify(body), schema.safeParse(body).success]).toEqual([JSON.stringify(body), true]);
        else
          expect([JSON.stringify(body).slice(0, 80), answer.status, isRefusedWell(answer)]).toEqual([
            JSON.stringify(body).slice(0, 80),
            answer.status,
            true,
          ]);
      }
      expect(await state(admin)).toBe(before);
    },
  );

  test.each(endpoints.filter(([, spec]) => spec.params !== undefined))(
    "%s answers every hostile path with 4xx",
    async (_, spec) => {
      const admin = await club.admin();
      const reachesSql = (id: string) => spec.params?.safeParse(paramsOf(spec, id)).success;
      const ids = ["%00", "a\nb", "'; --", "../..", "x".repeat(65), "🙂", "null", "-1", " "];
      for (const id of isOneOfTwo ? ids.filter(reachesSql) : ids) {
        const answer = await send(admin, spec, {}, id);
        expect([id, answer.status, isRefusedWell(answer)]).toEqual([id, answer.status, true]);
      }
    },
  );

  test.each(endpoints.filter(([, spec]) => spec.query !== undefined))(
    "%s answers hostile queries with 4xx, or ignores them",
    async (_, spec) => {
      const admin = await club.admin();
      const fields = propertiesOf(spec.query as z.ZodType);
      for (const field of fields)
        for (const value of ["", "-1", "0", "1e9", "NaN", "a\u0000b", "'; --", "%", "x".repeat(3_000)]) {
          if (isOneOfTwo && spec.query?.safeParse({ [field]: value }).success === false) continue;
          const answer = await club
            .as(admin)
            .send(spec.method, `${pathOf(spec, UNKNOWN_ID)}?${field}=${encodeURIComponent(value)}`);
          expect([field, value.slice(0, 20), answer.status < 500]).toEqual([field, value.slice(0, 20), true]);
        }
      const { status } = await club.as(admin).send(spec.method, `${pathOf(spec, UNKNOWN_ID)}?unknown=1`);
      const isEnough = spec.query?.safeParse({}).success;
      expect(status).toBe(/{(id|userId|interfaceId)}/.test(spec.path) ? 404 : isEnough ? 200 : 400);
    },
  );

  // What decides is in front of all calls, so one call of each limit, before and after the sign-in, is enough.
  const limited = new Map(withBody.map((each) => [`${each[1].access} ${limitOf(each[1])}`, each]));

  test.each(isOneOfTwo ? [] : [...limited.values()])(
    "%s refuses a body that is too deep, too large or not text, before it is parsed",
    async (_, spec) => {
      const caller = spec.access === "public" ? null : await club.admin();
      const limit = limitOf(spec);
      const field = propertiesOf(spec.body as z.ZodType)[0] ?? "x";
      const about = (value: string) => `{"${field}":${value}}`;
      const deep = Math.floor(limit / 2) - 64;
      const many = Math.min(Math.floor(limit / 3) - 64, 400_000);
      const shapes: [string, string | Buffer][] = [
        ["lists in lists", "[".repeat(deep) + "]".repeat(deep)],
        ["objects in objects", '{"a":'.repeat(deep / 4)],
        ["a field that goes deep", about(`${"[".repeat(1_000)}${"]".repeat(1_000)}`)],
        ["many lists", about(`[${"[],".repeat(many)}0]`)],
        ["many numbers", `[${"1,".repeat(many)}1]`],
        ["many fields", `{${'"a":1,'.repeat(Math.floor(many / 3))}"b":1}`],
        ["an escaped zero byte", about('"a\\u0000b"')],
        ["an escaped zero byte in a name", '{"a\\u0000b":1}'],
        ["a raw zero byte", about('"a\u0000b"')],
        ["a zero byte after it", `${about('"a"')}\u0000`],
        ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
        ["an object that wants to be every object's", '{"__proto__":{"username":"x"}}'],
        ["a compressed body", gzipSync(about('"a"'))],
      ];
      for (const [name, body] of shapes) {
        club.clock.advance(1_100);
        const answer = await send(caller, spec, body);
        expect([name, answer.status, isRefusedWell(answer)]).toEqual([name, 400, true]);
      }
    },
  );

  test("the answer to a refused body says what is wrong with it", async () => {
    const admin = club.as(await club.admin());
    const service = (text: string | Buffer) => admin.send("POST", "/api/services", text, { "accept-language": "ru" });
    expect((await service(`[${"1,".repeat(30_000)}1]`)).message).toBe("Поле «тело запроса»: значений больше 25100");
    expect((await service(`${"[".repeat(17)}${"]".repeat(17)}`)).message).toBe(
      "Поле «тело запроса»: вложено глубже 16 уровней",
    );
    expect((await service('{"name":')).code).toBe("request.malformed");
    expect((await service('{"__proto__":{"name":"x"}}')).code).toBe("request.malformed");
    expect(await service("x".repeat(8_000_000))).toMatchObject({
      status: 413,
      code: "request.too_large",
      message: "Запрос слишком большой: здесь можно не больше 7617 КБ.",
    });
    const text = await admin.send("POST", "/api/services", "a=b", { "content-type": "text/plain" });
    expect(text).toMatchObject({ status: 415, code: "request.media_type" });
    expect(text.message).toContain("application/json");
    expect((await admin.send("GET", "/api/nowhere")).code).toBe("request.not_found");
    expect((await admin.send("POST", "/api/nowhere", "[".repeat(100_000))).code).toBe("request.not_found");
  });

  test("before sign-in a body may have at most 8 kB, and what people type fits in", async () => {
    const password = "п".repeat(1_024);
    const escaped = [...password].map((letter) => `\\u0${letter.charCodeAt(0).toString(16)}`).join("");
    expect((await club.guest.send("POST", "/api/auth/login", { username: "nobody", password })).status).toBe(401);
    const typed = `{"username":"nobody","password":"${escaped}"}`;
    expect((await club.guest.send("POST", "/api/auth/login", typed)).code).toMatch(/^auth\./);
    expect((await club.guest.send("POST", "/api/auth/login", `"${"x".repeat(500_000)}"`)).code).toBe(
      "request.too_large",
    );
  });

  test("a refusal names the field, in the reader's language", async () => {
    const admin = club.as(await club.admin());
    const wrong = { name: "x", ips: ["1.1.1.1"], colour: "red" };
    const said = { ru: "Поле «colour»: такого поля нет", en: "Field “colour”: unknown field" };
    for (const language of ["ru", "en"] as const) {
      const answer = await admin.send("POST", "/api/services", wrong, { "accept-language": language });
      // Both, for a page that is switched to the other language while it shows this.
      expect(answer.body).toMatchObject({ error: { message: said[language], messages: said } });
    }
  });
});

test("the API describes itself: every call is in OpenAPI 3.1 and on the page, and no schema shows a secret column", async () => {
  const description = (await club.guest.send("GET", "/api/openapi.json")).body as {
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
    webhooks: Record<
      string,
      {
        post: {
          requestBody: { content: Record<string, { schema: { properties: Record<string, { properties?: object }> } }> };
        };
      }
    >;
  };
  expect(description.openapi).toBe("3.1.0");
  const page = String((await club.guest.send("GET", "/api/docs")).body);
  for (const [, spec] of endpoints) {
    expect(description.paths[spec.path]).toHaveProperty(spec.method.toLowerCase());
    expect(page).toContain(`/api${spec.path}`);
    const { scope } = spec;
    if (scope !== undefined)
      expect(description.paths[spec.path]?.[spec.method.toLowerCase()]).toHaveProperty("security.1", {
        apiToken: [scope],
      });
  }
  // Without these a program without our client would take the first page for the whole list.
  expect(description.paths["/users"]?.get).toHaveProperty(["responses", "200", "headers", "x-next-cursor"]);
  expect(description.paths["/auth/me"]?.get).not.toHaveProperty(["responses", "200", "headers"]);
  expect(Object.keys(description.webhooks)).toEqual(Object.keys(WEBHOOK_DATA));
  for (const [event, { post }] of Object.entries(description.webhooks)) {
    expect(page).toContain(`<code>${event}</code>`);
    const schema = post.requestBody.content["application/json"]?.schema;
    expect(schema?.properties.type).toEqual({ type: "string", const: event });
    expect(schema?.properties.data?.properties).toEqual(
      JSON.parse(JSON.stringify(z.toJSONSchema(WEBHOOK_DATA[event as SentEvent].data).properties)),
    );
  }
  expect(JSON.stringify(description)).not.toMatch(/password_?hash|sealed/i);
});

test("no address of the API is ambiguous", () => {
  const names = endpoints.map(([, spec]) => spec.path);
  const shape = (path: string) => path.replace(/\{\w+\}/g, "{}");
  const byShape = groupBy([...new Set(names)], shape);
  expect([...byShape.values()].filter((same) => same.length > 1)).toEqual([]);

  const described = describeApi(contract, "test", {}).paths as Record<string, Record<string, { description: string }>>;
  const specs = new Map(endpoints.map(([, spec]) => [spec.path, spec]));
  /** Whether a fixed word of one is where the other does not accept it. */
  const differs = (one: string, other: string) =>
    other.split("/").some((segment, at) => {
      const [name, word = ""] = [/^\{(\w+)\}$/.exec(segment)?.[1], one.split("/")[at]];
      if (name === undefined || word.startsWith("{")) return false;
      return specs.get(other)?.params?.shape[name]?.safeParse(word).success === false;
    });
  let found = 0;
  for (const [, spec] of endpoints)
    for (const other of alsoReadAs(spec.path, names)) {
      found += 1;
      expect([spec.path, other, differs(spec.path, other) || differs(other, spec.path)]).toEqual([
        spec.path,
        other,
        true,
      ]);
      expect(described[spec.path]?.[spec.method.toLowerCase()]?.description).toContain(`\`${other}\``);
    }
  expect(found).toBeGreaterThan(0);
});
