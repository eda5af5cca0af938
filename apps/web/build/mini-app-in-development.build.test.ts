import { expect, test } from "vitest";
import { miniAppInDevelopment } from "./mini-app-in-development.ts";

type Answer = { headers: Record<string, string>; body?: string; next: boolean };

async function asked(url: string): Promise<Answer> {
  const answer: Answer = { headers: {}, next: false };
  const response = {
    setHeader: (name: string, value: string) => (answer.headers[name] = value),
    end: (body: string) => (answer.body = body),
  };
  let handle: (...parts: unknown[]) => Promise<void> = async () => {};
  const { configureServer } = miniAppInDevelopment() as { configureServer: (server: unknown) => void };
  configureServer({
    middlewares: { use: (its: typeof handle) => (handle = its) },
    transformIndexHtml: async (_path: string, html: string) => html.replace("<head>", "<head><script>vite</script>"),
  });
  await handle({ url }, response, () => (answer.next = true));
  return answer;
}

test.each(["/tg", "/tg/", "/tg/dashboard?a=b", "/tg/admin/users"])("%s is the Mini App's page", async (url) => {
  const { headers, body = "", next } = await asked(url);
  expect(next).toBe(false);
  expect(headers["content-security-policy"]).toBe("frame-ancestors https://web.telegram.org");
  // What Telegram signed leaves the address before any other script runs.
  const scripts = [...body.matchAll(/<script[^>]*>([^<]*)/g)].map(([whole]) => whole);
  expect(scripts[0]).toContain("tgWebAppData");
  expect(scripts.at(-1)).toContain("/src/main.tsx");
});

test.each(["/", "/dashboard", "/tgx", "/tg/api/auth/me", "/api/auth/me"])(
  "%s goes on to Vite, and may not be framed",
  async (url) => {
    expect(await asked(url)).toEqual({
      headers: { "content-security-policy": "frame-ancestors 'none'" },
      next: true,
    });
  },
);
