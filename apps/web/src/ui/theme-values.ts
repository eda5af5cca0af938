import type { CSSVariablesResolver, MantineColorsTuple, MantineThemeOverride } from "@mantine/core";

const shades = (list: string) => list.split(" ").map((hex) => `#${hex}`) as unknown as MantineColorsTuple;

/** What theme-variables.css is written from (theme-variables.test.ts): no page computes it. */
export const values: MantineThemeOverride = {
  colors: {
    brass: shades("FBF5E6 F4E7C6 EEDAA5 E8CB8B E2BC74 CFA252 B98732 A0731C 8A6420 76520C"),
    ink: shades("EEF4F0 DCEBE0 B9D3C4 8FB8A3 639A80 3F7D62 2A6049 1F4B3A 17392E 0F2A21"),
    dark: shades("ECEFE7 CBD6CE A7B8AE 8CA195 25392F 1D332B 12231D 0C1915 0A1511 08130F"),
    gray: shades("F8FAF6 E6EDE5 E0E8DF D0DAD1 B9C7BC 8A9C91 64766B 48594F 2B3B33 12211C"),
  },
  white: "#FFFFFF",
  black: "#12211C",
  fontFamily: "'Onest Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: "550" },
  fontSizes: {
    xs: "var(--k-fs-axis)",
    sm: "var(--k-fs-second)",
    md: "var(--k-fs-body)",
    lg: "var(--k-fs-title)",
    xl: "var(--k-fs-section)",
  },
  lineHeights: { md: "1.45" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "40px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "999px" },
  defaultRadius: "sm",
  cursorType: "pointer",
};

/** Maps the library's variables to the club's tokens (tokens.css), so that both use the same colours. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    "--mantine-color-body": "var(--k-ground)",
    "--mantine-color-text": "var(--k-text)",
    "--mantine-color-bright": "var(--k-text)",
    "--mantine-color-dimmed": "var(--k-text-2)",
    "--mantine-color-error": "var(--k-bad)",
    "--mantine-color-success": "var(--k-good)",
    "--mantine-color-placeholder": "var(--k-placeholder)",
    "--mantine-color-default-border": "var(--k-edge)",
    "--mantine-color-disabled": "var(--k-quiet)",
    "--mantine-color-disabled-color": "var(--k-text-2)",
    "--mantine-color-disabled-border": "var(--k-line)",
  };
  return { variables: {}, light: shared, dark: shared };
};
