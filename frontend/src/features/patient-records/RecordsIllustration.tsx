import art from '@/ui/illustrations.module.css';

/** A clipboard with a few written lines. */
export function RecordsIllustration() {
  return (
    <svg viewBox="0 0 180 120" aria-hidden="true">
      <path className={art.tint} d="M18 112V72a72 54 0 0 1 144 0v40Z" />
      <path className={art.line} d="M8 112h164" />
      <rect className={art.soft} x="58" y="22" width="64" height="84" rx="7" />
      <rect className={art.paper} x="65" y="32" width="50" height="66" rx="3" />
      <path className={art.leaf} d="M79 17h22a4 4 0 0 1 4 4v8H75v-8a4 4 0 0 1 4-4Z" />
      <path className={art.thin} d="M74 46h32M74 57h32M74 68h20" />
      <path className={art.thin} d="M90 86h4l3-7 4 11 3-4h4" />
    </svg>
  );
}
