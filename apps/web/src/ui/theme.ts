import { createTheme, Loader, rem, type VariantColorsResolver, virtualColor } from "@mantine/core";
import { WaitingRing } from "./ring.tsx";
import classes from "./theme.module.css";

/** The library's own resolver also works out shades, gradients and contrasts, at each button. */
export const variantColors: VariantColorsResolver = ({ color, variant }) => {
  const shade = (name: string) => `var(--mantine-color-${color}-${name})`;
  if (variant === "default")
    return {
      background: "var(--mantine-color-default)",
      hover: "var(--mantine-color-default-hover)",
      color: "var(--mantine-color-default-color)",
      border: `${rem(1)} solid var(--mantine-color-default-border)`,
    };
  if (variant === "filled")
    return {
      background: shade("filled"),
      hover: shade("filled-hover"),
      color: color === "club" ? shade("contrast") : "var(--mantine-color-white)",
      border: `${rem(1)} solid transparent`,
    };
  if (variant === "outline")
    return {
      background: "transparent",
      hover: shade("outline-hover"),
      color: shade("outline"),
      border: `${rem(1)} solid ${shade("outline")}`,
    };
  return {
    background: variant === "light" ? shade("light") : "transparent",
    hover: shade("light-hover"),
    color: shade("light-color"),
    border: `${rem(1)} solid transparent`,
  };
};

/** What components ask for while they run. The values themselves (theme-values.ts) are in theme-variables.css. */
export const theme = createTheme({
  colors: { club: virtualColor({ name: "club", dark: "brass", light: "ink" }) },
  primaryColor: "club",
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  variantColorResolver: variantColors,
  respectReducedMotion: true,
  focusRing: "auto",
  focusClassName: "k-focus",
  // Plain objects: a component referred to by its own `extend` would be loaded with every page.
  components: {
    Button: {
      defaultProps: { variant: "filled", loaderProps: { type: "ring" } },
      classNames: { root: classes.button, inner: classes.buttonInner, label: classes.buttonLabel },
    },
    ActionIcon: {
      defaultProps: { variant: "subtle", size: 44 },
      classNames: { root: classes.icon },
    },
    Input: { classNames: { wrapper: classes.inputWrapper, input: classes.input } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"], withAsterisk: false },
      classNames: { label: classes.label, description: classes.hint, error: classes.error },
    },
    TextInput: {
      classNames: { label: classes.label, description: classes.hint, error: classes.error },
    },
    PasswordInput: {
      classNames: {
        label: classes.label,
        description: classes.hint,
        error: classes.error,
        innerInput: classes.passwordInner,
        visibilityToggle: classes.eye,
      },
    },
    PinInput: { defaultProps: { placeholder: "" } },
    Checkbox: {
      defaultProps: { radius: "xs" },
      classNames: {
        root: classes.check,
        input: classes.checkBox,
        icon: classes.checkMark,
        labelWrapper: classes.checkWords,
        label: classes.checkLabel,
      },
    },
    Loader: Loader.extend({ defaultProps: { loaders: { ring: WaitingRing }, type: "ring" } }),
  },
});
