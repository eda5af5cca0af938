/* What a club's day would cost with another number of panels, computed from what each thing cost here. */

/** Processor time, ms: of all panels together, and of PostgreSQL. */
export interface Cost {
  panels: number;
  postgres: number;
}
/** Something that happens `perSecond` times at the day's peak. */
export interface Happening {
  what: string;
  perSecond: number;
  cost: Cost;
}
export interface Model {
  happenings: readonly Happening[];
  /** What every further panel costs each second: its own polls and leases, and the messages that it hears. */
  eachPanel: Cost;
  /** Processors that PostgreSQL may use. */
  postgresCores: number;
}
export interface Estimate {
  panels: number;
  /** Shares of one processor for one panel, and of all of PostgreSQL's. */
  panelLoad: number;
  postgresLoad: number;
  /** Of PostgreSQL's. */
  connections: number;
  /** How many times the peak fits before something gives. */
  peaks: number;
  first: string;
}

export const CONNECTIONS_OF_A_PANEL = 11;

export function estimate({ happenings, eachPanel, postgresCores }: Model, panels: number): Estimate {
  const sum = (of: keyof Cost) =>
    happenings.reduce((all, { perSecond, cost }) => all + perSecond * cost[of], 0) / 1_000;
  const own = { panel: eachPanel.panels / 1_000, postgres: (panels * eachPanel.postgres) / 1_000 };
  const shared = { panel: sum("panels") / panels, postgres: sum("postgres") };
  const ways = [
    { what: "a panel's processor", peaks: Math.max(0, 1 - own.panel) / shared.panel },
    { what: "PostgreSQL's processors", peaks: Math.max(0, postgresCores - own.postgres) / shared.postgres },
  ];
  const [first] = ways.toSorted((a, b) => a.peaks - b.peaks);
  return {
    panels,
    panelLoad: shared.panel + own.panel,
    postgresLoad: (shared.postgres + own.postgres) / postgresCores,
    connections: panels * CONNECTIONS_OF_A_PANEL,
    peaks: first?.peaks ?? 0,
    first: first?.what ?? "",
  };
}
