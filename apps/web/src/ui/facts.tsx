import classes from "./facts.module.css";

/** Facts about a thing: a name and a value per row. */
export type Fact = [name: string, value: React.ReactNode];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
