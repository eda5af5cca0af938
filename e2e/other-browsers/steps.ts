import { SAMPLE_PASSWORD } from "../../apps/server/testing/sample-club.ts";
import { codeNow } from "../../lab/time-code.ts";
import type { OtherVisitor } from "./visitor.ts";

/** What people do in every browser, step by step as in Chromium's journeys. */

/** Types an invitation's six characters, makes an account and accepts the charter. */
export async function join(visitor: OtherVisitor, code: string, username: string, password: string): Promise<void> {
  await visitor.goTo("/");
  await visitor.press({ role: "link", name: "Регистрация по приглашению" });
  await visitor.press({ label: "Знак 1 из 6" });
  await visitor.type(code.toLowerCase());
  await visitor.see({ text: "Код приглашения принят!" });
  await visitor.fill("Имя пользователя", username);
  await visitor.fill("Пароль", password);
  await visitor.fill("Повторите пароль", password);
  await visitor.press({ role: "button", name: "Создать аккаунт" });
  await acceptCharter(visitor);
  await visitor.see({ role: "heading", name: `Здравствуйте, ${username}` });
}

export async function acceptCharter(visitor: OtherVisitor): Promise<void> {
  await visitor.press({ role: "button", name: "Миссия" });
  await visitor.press({ role: "button", name: "Я принимаю правила клуба" });
  await visitor.lose({ role: "dialog", name: "Устав клуба" });
}

/** Signs in as one of the sample club's people. */
export async function signIn(visitor: OtherVisitor, username: string, name: string): Promise<void> {
  await visitor.goTo("/login");
  await visitor.fill("Имя пользователя", username);
  await visitor.fill("Пароль", SAMPLE_PASSWORD);
  await visitor.press({ role: "button", name: "Войти" });
  await visitor.see({ role: "heading", name: `Здравствуйте, ${name}` });
}

/** Sets up the second factor in the dialog in front of the administration area, and goes in. */
export async function setUpSecondFactor(visitor: OtherVisitor): Promise<void> {
  const dialog = { role: "dialog", name: "Двухфакторная аутентификация" };
  const secret = await visitor.see({ role: "code", within: dialog });
  await visitor.press({ label: "Цифра 1 из 6" });
  await visitor.type(codeNow(secret.replace(/\s/g, "")));
  await visitor.press({ role: "button", name: "Коды сохранены, продолжить" });
}
