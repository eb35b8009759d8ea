import { icon } from './icons';

/** Icons that some pages show; those of every page are in icons.tsx. */
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
);
export const ChevronRightIcon = icon(<path d="m9.5 6 6 6-6 6" />);
export const PersonIcon = icon(
  <>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5c.6-4 3.7-6 7.5-6s6.9 2 7.5 6" />
  </>,
);
export const RecordIcon = icon(
  <>
    <path d="M6 3.5h8.5L19 8v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19V4.5a1 1 0 0 1 1-1Z" />
    <path d="M14 3.5V8.5h5M8.5 13h7M8.5 16.5h4.5" />
  </>,
);
export const StarIcon = icon(
  <path
    fill="currentColor"
    d="m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8Z"
  />,
);
export const PauseIcon = icon(<path d="M9 5.5v13M15 5.5v13" strokeWidth={2.5} />);
export const MoneyIcon = icon(
  <>
    <rect x="3" y="6" width="18" height="12" rx="2.5" />
    <circle cx="12" cy="12" r="2.7" />
    <path d="M6.5 12v.01M17.5 12v.01" />
  </>,
);
export const BriefcaseIcon = icon(
  <>
    <rect x="3" y="7.5" width="18" height="12" rx="2.5" />
    <path d="M8.5 7.5V5.8a1.8 1.8 0 0 1 1.8-1.8h3.4a1.8 1.8 0 0 1 1.8 1.8v1.7M3 13h18" />
  </>,
);
export const BuildingIcon = icon(
  <>
    <path d="M5 20.5V5A1.5 1.5 0 0 1 6.5 3.5h11A1.5 1.5 0 0 1 19 5v15.5M3 20.5h18" />
    <path d="M12 7v5M9.5 9.5h5M10 20.5V16h4v4.5" />
  </>,
);
export const PrintIcon = icon(
  <>
    <path d="M7 9V3.5h10V9M7 17H4.5A1.5 1.5 0 0 1 3 15.5v-5A1.5 1.5 0 0 1 4.5 9h15a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H17" />
    <path d="M7 14h10v6.5H7Z" />
  </>,
);
