import art from '@/ui/illustrations.module.css';

/** A consulting room: two people talk below a clock with a check mark. Lines and two flat fills. */
export function HeroIllustration({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 480 400" className={className} aria-hidden="true">
      {/* The wall, as a doorway with a round top. */}
      <path className={art.tint} d="M60 372V196a180 180 0 0 1 360 0v176Z" />
      <path className={art.line} d="M24 372h432" />

      {/* The clock. */}
      <circle className={art.paper} cx="240" cy="104" r="50" />
      <path className={art.thin} d="M240 62v7M240 139v7M198 104h7M275 104h7" />
      <path className={art.bold} d="m220 100 17 20 28-34" />

      {/* A framed certificate. */}
      <rect className={art.paper} x="92" y="130" width="46" height="36" rx="3" />
      <path className={art.thin} d="M102 142h26M102 150h16" />
      <circle className={art.soft} cx="127" cy="156" r="5" />

      {/* A plant by the wall. */}
      <path className={art.line} d="M408 372c0-40 0-64 2-92" />
      <path className={art.leaf} d="M409 312c-22-4-34-20-34-42 22 2 35 18 34 42Z" />
      <path className={art.leaf} d="M410 292c4-24 20-38 42-38 0 24-16 40-42 38Z" />
      <path className={art.leaf} d="M408 338c-16 2-30-6-36-20 17-4 31 4 36 20Z" />
      <path className={art.soft} d="M390 340h38l-5 32h-28Z" />

      {/* The patient. */}
      <path className={art.soft} d="M276 372v-52c0-30 20-48 46-48s46 18 46 48v52Z" />
      <path className={art.thin} d="M300 372v-44M344 372v-44" />
      <path className={art.paper} d="M308 252v22c4 10 24 10 28 0v-22Z" />
      <circle className={art.paper} cx="320" cy="232" r="29" />
      <path
        className={art.hair}
        d="M292 238c-8-34 10-48 32-46 26 2 36 24 26 54-4-10-6-16-8-24-18 4-36 2-44-6-2 8-4 14-6 22Z"
      />
      <path className={art.thin} d="M309 233v3M321 233v3M308 246c4 4 9 4 13 1" />

      {/* The doctor, in a white coat. */}
      <path className={art.paper} d="M104 372v-62c0-32 22-50 52-50s52 18 52 50v62Z" />
      <path className={art.tintLine} d="M140 262l16 34 16-34" />
      <path className={art.line} d="M156 296v76M132 372v-44M180 372v-44" />
      <path className={art.thin} d="M138 264c-6 26-2 40 8 46M174 264c4 20 4 30 2 42" />
      <circle className={art.soft} cx="176" cy="312" r="6" />
      <path className={art.paper} d="M143 238v22c4 10 22 10 26 0v-22Z" />
      <circle className={art.paper} cx="157" cy="218" r="29" />
      <path
        className={art.hair}
        d="M128 214c0-24 14-36 32-36 20 0 32 14 28 40-4-8-8-12-10-18-14 8-34 8-44 0-2 6-4 10-6 14Z"
      />
      <path className={art.thin} d="M158 219v3M171 219v3M158 232c4 4 9 4 13 0" />

      {/* The table between them, with a cup. */}
      <path className={art.paper} d="M200 332h84v10h-84Z" />
      <path className={art.line} d="M214 342v30M270 342v30" />
      <path className={art.soft} d="M232 314h20v12a6 6 0 0 1-6 6h-8a6 6 0 0 1-6-6Z" />
      <path
        className={art.thin}
        d="M252 318c8-2 8 9 0 8M238 306c-3-4 3-6 0-10M246 306c-3-4 3-6 0-10"
      />
    </svg>
  );
}
