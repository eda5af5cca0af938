import { act, dialog } from "./act.ts";
import { inside } from "./admin-entry.ts";
import { AT } from "./admin-servers.ts";
import { read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const catalog = async (stage: Stage) => {
  await inside(stage, "wireguard");
  await stage.page.getByText("Cloudflare").waitFor(PATIENCE);
};

export const adminCatalogScreens: Screen[] = [
  { name: "admin-catalog", who: "admin", open: catalog },
  { name: "admin-catalog-moderator", isVariant: true, who: "moderator", open: catalog },
  {
    name: "admin-catalog-nothing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "wireguard?q=zzz");
      await stage.page.getByText(stage.text.catalog.nothing).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-catalog-exits",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const list = await read(stage.page, "GET /services");
      await say(
        stage.page,
        "GET /services",
        list.map((one, at) => (at === 0 ? { ...one, exit: "closed" as const } : one)),
      );
      await catalog(stage);
    },
  },
  {
    name: "admin-service-edit",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await say(stage.page, "POST /services/{id}/effect", { toDownload: 9, phonesOver: 0 });
      await catalog(stage);
      await act(stage, "Весь трафик", words.actions.edit);
      await stage.page.getByLabel(words.edit.ips).fill("0.0.0.0/1, 128.0.0.0/1, ::/0");
      await stage.page.getByText(words.edit.effectMore).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-services-known",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await stage.page.getByRole("button", { name: words.known.open }).click(PATIENCE);
      await stage.page.getByRole("checkbox", { name: /Telegram/ }).check(PATIENCE);
    },
  },
  {
    name: "admin-service-wrong",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await stage.page.getByRole("button", { name: words.addService }).click(PATIENCE);
      await stage.page.getByLabel(words.edit.ips).fill("142.250.0.0/15, 999.1.1.1, example.com");
      await stage.page.getByRole("button", { name: stage.text.edit.save }).click(PATIENCE);
      await stage.page.getByText(words.edit.wrong.service.other("999.1.1.1")).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-fits",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await stage.page.getByRole("button", { name: words.addService }).click(PATIENCE);
      const list = Array.from({ length: 160 }, (_, n) => `142.250.${n}.${n % 2 === 0 ? "0/25" : "64/26"}`);
      await stage.page.getByLabel(words.edit.ips).fill(list.join("\n"));
      const [beforeCount = ""] = words.edit.fit(120).split("120");
      await stage.page.getByRole("button", { name: beforeCount }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-sources",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      const source = {
        id: "00000000-0000-4000-8000-000000000950",
        source: "https://lists.example.org/messengers/networks-of-all-kinds.txt",
        networks: 203,
        unread: 0,
        goodAt: AT,
        failingSince: null,
        why: null,
        held: false,
        waiting: null,
      };
      const late = {
        ...source,
        id: "00000000-0000-4000-8000-000000000951",
        source: "https://video.example/ranges.json",
      };
      const why = { code: "web.status", ru: "ответ 503", en: "answer 503", said: null };
      const [lost, gained] = [["142.250.0.0/16", "172.217.0.0/16", "2a00:1450::/29"], ["216.58.192.0/19"]];
      const waiting = { since: AT, networks: 201, mark: "", gained, lost };
      const standing = [
        { ...source, waiting },
        { ...late, networks: 1_204, unread: 3, failingSince: AT, why },
      ];
      await say(stage.page, "GET /services/{id}/sources", standing);
      const sources = standing.map((one) => one.source);
      await say(stage.page, "GET /services/{id}/typed", { text: "", allBut: false, sources, mark: "" });
      await catalog(stage);
      await act(stage, "Весь трафик", words.actions.edit);
      await stage.page.getByRole("button", { name: words.sources.now }).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-service-delete",
    who: "admin",
    async open(stage) {
      await catalog(stage);
      await act(stage, "Весь трафик", stage.text.catalog.actions.remove);
      await dialog(stage);
    },
  },
];
