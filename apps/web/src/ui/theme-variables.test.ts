import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  defaultVariantColorsResolver,
  mergeMantineTheme,
} from "@mantine/core";
import { expect, test } from "vitest";
import { styleProperty } from "../../build/slim-mantine.ts";
import { theme, variantColors } from "./theme.ts";
import { cssVariables, values } from "./theme-values.ts";

const SOURCE = `${import.meta.dirname}/../`;
const complete = mergeMantineTheme(DEFAULT_THEME, deepMerge(theme, values));

/** Names that the library puts together while it runs: sizes, and the shades of colours that our screens name. */
const PUT_TOGETHER =
  /^--mantine-(?:(?:font-size|spacing|radius|line-height)-|color-(?:club|red)-(?:filled|light|outline|contrast))/;

/** All our own source text, and the library's style sheets that it imports. */
function texts(): string[] {
  const own = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:css|tsx?)$/.test(file) && !/\.test\.|theme-v/.test(file))
    .map((file) => readFileSync(SOURCE + file, "utf8"));
  const imported = new Set(own.flatMap((text) => text.match(/@mantine\/[\w/-]+\/?[\w.-]+\.layer\.css/g) ?? []));
  const { resolve } = createRequire(import.meta.url);
  return [...own, ...[...imported].map((file) => readFileSync(resolve(file), "utf8"))];
}
const named = (text: string) => text.match(/--mantine-[\w-]+/g) ?? [];

/** The library's variables with the theme's values: those that a style sheet names or that are put together, and what these refer to. */
function variablesSheet(): string {
  const all: Record<"variables" | "dark" | "light", Record<string, string>> = deepMerge(
    defaultCssVariablesResolver(complete),
    cssVariables(complete),
  );
  const byName = (name: string) => [all.variables[name], all.dark[name], all.light[name]];
  const used = new Set([
    ...texts().flatMap(named),
    ...Object.keys({ ...all.variables, ...all.dark }).filter((name) => PUT_TOGETHER.test(name)),
  ]);
  for (const name of used) for (const value of byName(name)) for (const other of named(value ?? "")) used.add(other);
  const inBoth = Object.entries(all.dark).filter(([name, value]) => all.light[name] === value);
  const both = Object.fromEntries(inBoth);
  const shared = { ...all.variables, ...both };
  const rule = (selector: string, variables: Record<string, string>) => {
    const lines = Object.entries(variables).filter(
      ([name]) => used.has(name) && (variables === shared || !(name in both)),
    );
    return `${selector} {\n${lines.map(([name, value]) => `  ${name}: ${value};\n`).join("")}}\n`;
  };
  return [
    "/* Written by `npx vitest run -u --project screens theme-variables` from theme-values.ts. */\n",
    rule(":root", shared),
    rule(':root[data-mantine-color-scheme="dark"]', all.dark),
    rule(':root[data-mantine-color-scheme="light"]', all.light),
  ].join("");
}

test("the style sheet has the theme's values for all that is used of the library's variables", async () => {
  await expect(variablesSheet()).toMatchFileSnapshot(`${SOURCE}ui/theme-variables.css`);
});

test.each(["filled", "outline", "subtle", "light", "default"])("a %s button has the library's colours", (variant) => {
  for (const color of ["club", "red"])
    expect(variantColors({ color, variant, theme: complete })).toEqual(
      defaultVariantColorsResolver({ color, variant, theme: complete }),
    );
});

test("no component takes a style property of the library, which the build leaves out", () => {
  const components = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  expect(components.length).toBeGreaterThan(300);
  for (const file of components)
    expect([file, styleProperty(readFileSync(SOURCE + file, "utf8"))]).toEqual([file, undefined]);
  expect(styleProperty('<Button title="a > b" onClick={() => go("mb")} mt={8}>')).toBe("Button mt");
});
