import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readMetrics } from "../../../../testing/read-metrics.ts";
import { type Club, startClub } from "../../../../testing/start-club.ts";
import { addWebhook } from "../../../../testing/webhook-double.ts";
import { productFolder } from "../../../installation.ts";

/* deploy/prometheus fits what the panel answers, and Prometheus itself accepts it. */
const FOLDER = join(productFolder(), "deploy", "prometheus");
const TOKEN = "token-of-the-monitoring";
const textOf = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const promtool = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: FOLDER, encoding: "utf8" });
  return { status, said: stdout + stderr };
};

const alerts = textOf("alerts.yml");
const expressionsOfAlerts = [...alerts.matchAll(/expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/g)].map(
  ([, block, line]) => block ?? line ?? "",
);
type Panel = { type: string; title: string; targets?: { expr: string }[] };
const panels = (JSON.parse(textOf("dashboard.json")) as { panels: Panel[] }).panels.filter(
  ({ type }) => type !== "row",
);
const expressionsOfPanels = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

let club: Club;
let metrics: ReturnType<typeof readMetrics>;
beforeAll(async () => {
  club = await startClub({
    environment: { METRICS_TOKEN: TOKEN, TELEGRAM_BOT_TOKEN: "1:x", TELEGRAM_API_ROOT: "http://127.0.0.1:9" },
    greet: async () => "answered",
  });
  await club.app.parts.probe.timed[0]?.run();
  await addWebhook(club);
  await club.guest.send("GET", "/health");
  const { body } = await club.guest.send("GET", "/metrics", undefined, { authorization: `Bearer ${TOKEN}` });
  metrics = readMetrics(String(body));
});
afterAll(() => club.stop());

test("every metric that an alert or the dashboard uses is one that /metrics answers", () => {
  const asked = [...expressionsOfAlerts, ...expressionsOfPanels].flatMap((text) =>
    [...text.matchAll(/\b(?:krug|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, "")),
  );
  expect(asked.length).toBeGreaterThan(40);
  expect([...new Set(asked)].filter((name) => !metrics.names.has(name))).toEqual([]);
});

test("the rules' tests make each alert fire, from lines as /metrics answers them", () => {
  const tests = textOf("alerts.test.yml");
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name ?? "");
  expect(names.length).toBe(expressionsOfAlerts.length);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests))).toEqual([]);
  const shape = (name: string, labels: readonly string[]) => `${name} ${[...labels].sort().join(" ")}`;
  // Prometheus adds these two itself.
  const answered = new Set(
    metrics.lines.map(({ name, labels }) => shape(name, [...Object.keys(labels), "job", "instance"])),
  );
  const planted = [...tests.matchAll(/series: '(\w+)\{(.*?)\}'/g)].map(([, name = "", labels = ""]) =>
    shape(
      name,
      [...labels.matchAll(/(\w+)=/g)].map(([, label]) => label ?? ""),
    ),
  );
  expect(planted.length).toBeGreaterThan(30);
  // This club makes no backups, and Prometheus itself reports `up`.
  const strange = planted.filter((line) => !answered.has(line) && !/^(krug_backup_\w+|up) /.test(line));
  expect([...new Set(strange)]).toEqual([]);
});

test.skipIf(!hasPromtool)("Prometheus accepts the rules, and their tests pass", () => {
  expect(promtool("check", "rules", "alerts.yml")).toMatchObject({ status: 0 });
  expect(promtool("test", "rules", "alerts.test.yml")).toMatchObject({ status: 0 });
});

test.skipIf(!hasPromtool)("Prometheus understands every query of the dashboard", () => {
  const folder = mkdtempSync(join(tmpdir(), "krug-dashboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Any rule name will do: only the query counts.
  const rules = expressionsOfPanels.map((expr, at) => ({
    record: `q${at}`,
    expr: expr.replaceAll("$__rate_interval", "5m"),
  }));
  writeFileSync(join(folder, "questions.yml"), JSON.stringify({ groups: [{ name: "questions", rules }] }));
  expect(promtool("check", "rules", join(folder, "questions.yml"))).toMatchObject({ status: 0 });
});

test.skipIf(!hasPromtool)("Prometheus's own check finds no fault in what /metrics answers", async () => {
  const { body } = await club.guest.send("GET", "/metrics", undefined, { authorization: `Bearer ${TOKEN}` });
  const { error, stderr } = spawnSync("promtool", ["check", "metrics"], { input: String(body), encoding: "utf8" });
  expect(error).toBeUndefined();
  // Some of the library's own names are older than the conventions.
  const told = stderr.split("\n").filter((line) => line !== "" && !/^(nodejs|process)_/.test(line));
  expect(told).toEqual([]);
});
