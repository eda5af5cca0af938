import { expect, test } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

test.each(["123456", "password", "Password", "QWERTYUIOP", "1q2w3e4r5t", "йцукен", "Пароль", "gfhjkm", "iloveyou"])(
  "%s is among the first passwords that guessers try",
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(["correct horse battery", "кот-на-крыше-7", "Zx9!vQ", "xK4-пять"])(
  "%s is not well known",
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
