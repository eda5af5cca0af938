import { openBrowser, visit } from "../e2e/browser.ts";
import { PATIENCE, sendSignIn } from "../e2e/enter.ts";
import { setUpSecondFactor } from "../e2e/enter-staff.ts";
import * as lab from "./network.ts";
import { startPanel, type Visitor } from "./panel.ts";
import { startVps } from "./vps.ts";

export const PASSWORD = "root's own password";
const ADMIN = { ADMIN_USERNAME: "irina", ADMIN_PASSWORD: "correct horse battery" };
const STEP_PATIENCE_MS = 180_000;

/** A rented machine, a panel elsewhere that does not know it yet, and the browser of its first admin. */
export async function openRented(clients = 1) {
  const [vps, browser] = await Promise.all([startVps({ password: PASSWORD, clients }), openBrowser()]);
  const close = async () => {
    await browser.close();
    await vps.stop();
  };
  try {
    const [panel] = await Promise.all([
      startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off", ...ADMIN } }),
      lab.startServices(vps.network.target, { tcp: [80] }),
    ]);
    return { vps, panel, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}
export type Rented = Awaited<ReturnType<typeof openRented>>;

/** Adds a rented machine by its address and password on the page, and sets it up by three presses. Returns the admin who did. */
export async function pressThreeSteps(
  { browser, panel, vps }: Rented,
  place: "В контейнере (Docker)" | "Без Docker",
): Promise<{ admin: Visitor; id: string }> {
  const { page, context } = await visit(browser, { screen: "phone", baseURL: panel.url });
  await page.goto("/login");
  await sendSignIn(page, ADMIN.ADMIN_USERNAME, ADMIN.ADMIN_PASSWORD);
  await page.waitForURL((url) => url.pathname !== "/login", PATIENCE);
  await page.goto("/admin/servers");
  await setUpSecondFactor(page);
  const session = (await context.cookies()).find(({ name }) => name === "krug_session");
  const admin = panel.as(session?.value ?? "");
  await page.getByRole("button", { name: "Добавить сервер" }).first().click(PATIENCE);
  const form = page.getByRole("dialog", { name: "Новый сервер" });
  await form.getByLabel("Название").fill("Хельсинки", PATIENCE);
  await form.getByLabel("Хост").fill(lab.HOST_ADDRESS);
  await form.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  // Preselected.
  if (place === "Без Docker") await form.getByText(place, { exact: true }).click();
  await form.getByLabel("Отпечаток ключа, если провайдер его показывает").fill(vps.fingerprint);
  await form.getByRole("button", { name: "Добавить" }).click();
  const wizard = page.getByRole("dialog", { name: "Настройка: Хельсинки" });
  await wizard.getByRole("radio", { name: place, checked: true }).waitFor({ state: "attached", timeout: 30_000 });
  for (const step of [1, 2, 3])
    await wizard.getByRole("button", { name: `Начать шаг ${step}` }).click({ timeout: STEP_PATIENCE_MS });
  await wizard.getByText("Сервер готов: на нём можно создавать конфиги.").waitFor({ timeout: STEP_PATIENCE_MS });
  await wizard.waitFor({ state: "detached", timeout: 10_000 });
  await page.close();
  return { admin, id: (await admin.ask("GET /admin/servers"))[0]!.id };
}
