/*
 * For each control that a test looks for by its name jsdom walks the whole page, and again for each label on it. The labels of the
 * document are few, and what they point to is known by its id.
 */

/** The labels of a control in the document, as `control.labels` gives them; null: it cannot have any. */
export function labelsOf(control: Element): HTMLLabelElement[] | null {
  if (control.matches("input[type=hidden i]")) return null;
  const page = control.ownerDocument;
  const isFor = (label: HTMLLabelElement) => {
    const id = label.getAttribute("for");
    return id === null ? label.control === control : id !== "" && page.getElementById(id) === control;
  };
  return [...page.getElementsByTagName("label")].filter(isFor);
}

const LABELABLE = ["Button", "Input", "Meter", "Output", "Progress", "Select", "TextArea"];

/** For this page's controls, until the end of the process. */
export function findLabelsQuickly(window: Window): void {
  for (const name of LABELABLE) {
    const { prototype } = Reflect.get(window, `HTML${name}Element`);
    Object.defineProperty(prototype, "labels", {
      configurable: true,
      get(this: Element) {
        return labelsOf(this);
      },
    });
  }
}
