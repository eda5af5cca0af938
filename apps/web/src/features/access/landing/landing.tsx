import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Entrance } from "../../../ui/entrance.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { meQuery } from "../auth/index.ts";
import classes from "./landing.module.css";
import { ExclusiveMark, FreedomMark, PrivacyMark } from "./marks.tsx";

export function Landing() {
  const { landing } = useText();
  usePageTitle();
  // Known with the page, or from the page before. A guest's page makes no request.
  const isMember = Boolean(useQuery({ ...meQuery, enabled: false }).data);
  return (
    <Entrance page="landing" you="free" seatLabel={landing.seat}>
      <main className={classes.main}>
        <div className={classes.hero}>
          <h1 className={classes.title} tabIndex={-1}>
            {landing.title.map((line) => (
              <span key={line}>{line} </span>
            ))}
          </h1>
          <p className={classes.lead}>{landing.lead}</p>
          <div className={classes.doors}>
            {isMember ? (
              <Button component={Link} to="/dashboard" size="lg">
                {landing.toDevices}
              </Button>
            ) : (
              <>
                <Button component={Link} to="/register" size="lg">
                  {landing.register}
                </Button>
                <Button component={Link} to="/login" size="lg" variant="outline">
                  {landing.login}
                </Button>
              </>
            )}
          </div>
        </div>
        <ul className={classes.promises} aria-label={landing.promises}>
          <Promised mark={<PrivacyMark />} title={landing.privacy} more={landing.privacyMore} />
          <Promised mark={<FreedomMark />} title={landing.freedom} more={landing.freedomMore} />
          <Promised mark={<ExclusiveMark />} title={landing.exclusive} more={landing.exclusiveMore} />
        </ul>
      </main>
    </Entrance>
  );
}

function Promised({ mark, title, more }: { mark: React.ReactNode; title: string; more: string }) {
  return (
    <li className={classes.promise}>
      {mark}
      <div>
        <h2 className={classes.promiseTitle}>{title}</h2>
        <p className={classes.promiseMore}>{more}</p>
      </div>
    </li>
  );
}
