import art from '@/ui/illustrations.module.css';

/** A calendar with one unchecked day. */
export function CalendarIllustration() {
  return (
    <svg viewBox="0 0 180 120" aria-hidden="true">
      <path className={art.tint} d="M18 112V72a72 54 0 0 1 144 0v40Z" />
      <path className={art.line} d="M8 112h164" />
      <rect className={art.paper} x="46" y="26" width="88" height="78" rx="8" />
      <path className={art.soft} d="M46 48V34a8 8 0 0 1 8-8h72a8 8 0 0 1 8 8v14Z" />
      <path className={art.line} d="M66 18v16M114 18v16" />
      <path className={art.thin} d="M60 62h8M80 62h8M60 76h8M80 76h8M60 90h8M80 90h8M100 90h8" />
      <rect className={art.tintLine} x="97" y="57" width="26" height="24" rx="5" />
      <path className={art.thin} d="m104 69 4.500 4.500 8-9" />
    </svg>
  );
}
