import art from '@/ui/illustrations.module.css';

/** A magnifying glass over an empty card. */
export function NoResultsIllustration() {
  return (
    <svg viewBox="0 0 180 120" aria-hidden="true" focusable="false">
      <path className={art.tint} d="M12 104c-14-46 22-92 78-92s92 42 78 92Z" />
      <rect className={`${art.paper} ${art.line}`} x="38" y="30" width="92" height="66" rx="8" />
      <rect className={art.soft} x="49" y="42" width="24" height="24" rx="5" />
      <path className={art.line} d="M84 47h32M84 59h20M49 80h44" />
      <circle className={art.tintLine} cx="121" cy="76" r="19" />
      <path className={art.line} d="m135 90 17 17" />
      <path className={art.thin} d="M114 76h14" />
    </svg>
  );
}
