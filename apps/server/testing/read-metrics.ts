/** One line of Prometheus's text format. */
export interface MetricLine {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED: Readonly<Record<string, string>> = { n: "\n" };

/** Parses the answer of `/metrics`. @throws Error at a line that is not in the format */
export function readMetrics(text: string) {
  const lines = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line): MetricLine => {
      const [, name, labels = "", value] = LINE.exec(line) ?? [];
      if (name === undefined) throw new Error(`no metric: ${line}`);
      const read = [...labels.matchAll(LABEL)].map(([, label = "", said = ""]) => [
        label,
        said.replace(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter),
      ]);
      return { name, labels: Object.fromEntries(read), value: Number(value) };
    });
  return {
    lines,
    names: new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name ?? "")),
    /** The value of the line with exactly these labels. */
    of: (name: string, labels: Record<string, string> = {}): number | undefined =>
      lines.find(
        (line) =>
          line.name === name &&
          Object.keys(line.labels).length === Object.keys(labels).length &&
          Object.entries(labels).every(([label, value]) => line.labels[label] === value),
      )?.value,
  };
}
