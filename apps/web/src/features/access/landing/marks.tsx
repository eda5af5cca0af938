import classes from "./landing.module.css";

function Drawn({ children }: { children: React.ReactNode }) {
  return (
    <svg className={classes.mark} width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">
      {children}
    </svg>
  );
}

/** One person, alone inside a ring. */
export const PrivacyMark = () => (
  <Drawn>
    <circle cx="15" cy="15" r="12.5" />
    <circle cx="15" cy="15" r="3.6" fill="currentColor" stroke="none" />
  </Drawn>
);

/** A line that leaves the ring. */
export const FreedomMark = () => (
  <Drawn>
    <path d="M27.3 17.2A12.5 12.5 0 1 1 19.3 3.3" />
    <path d="M15 15L26.5 6.2" />
  </Drawn>
);

/** Five people and one free place. */
export const ExclusiveMark = () => (
  <Drawn>
    {[0, 1, 2, 3, 5].map((seat) => {
      const angle = ((seat * 60 - 90) * Math.PI) / 180;
      return (
        <circle
          key={seat}
          cx={15 + 11 * Math.cos(angle)}
          cy={15 + 11 * Math.sin(angle)}
          r="2.7"
          fill="currentColor"
          stroke="none"
        />
      );
    })}
    <circle cx={15 - 11 * Math.cos(Math.PI / 6)} cy={15 + 5.5} r="2.4" strokeWidth="1.5" />
  </Drawn>
);
