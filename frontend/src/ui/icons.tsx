import type { ReactNode, SVGProps } from 'react';

/** Icons of 24 units with a 1.75 line and round ends. They are decorative; text names things. */

interface IconProps extends SVGProps<SVGSVGElement> {
  size?: number;
}

/**
 * Create an icon. Icons of few pages are defined there, because this file is part of every page.
 */
export function icon(content: ReactNode) {
  return function Icon({ size = 22, ...props }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        {...props}
      >
        {content}
      </svg>
    );
  };
}

export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
);
export const PlaceIcon = icon(
  <>
    <path d="M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21Z" />
    <circle cx="12" cy="9.5" r="2.5" />
  </>,
);
export const CalendarIcon = icon(
  <>
    <rect x="3.5" y="5" width="17" height="15.5" rx="2.5" />
    <path d="M3.5 10h17M8 3v4M16 3v4" />
  </>,
);
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7v5l3.5 2" />
  </>,
);
export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const ChevronDownIcon = icon(<path d="m6 9.5 6 6 6-6" />);
export const ChevronLeftIcon = icon(<path d="m14.5 6-6 6 6 6" />);
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
export const PhoneIcon = icon(
  <path d="M5 4h3.5l1.7 4.3-2.2 1.6a12 12 0 0 0 6.1 6.1l1.6-2.2L20 15.5V19a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6 1.5 1.5 0 0 1 5 4Z" />,
);
export const MailIcon = icon(
  <>
    <rect x="3" y="5.5" width="18" height="13.5" rx="2.5" />
    <path d="m3.5 7.5 8.5 6 8.5-6" />
  </>,
);
export const StarIcon = icon(
  <path
    fill="currentColor"
    d="m12 3.8 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8Z"
  />,
);
export const WarningIcon = icon(
  <>
    <path d="M12 4 2.8 19.5h18.4Z" />
    <path d="M12 10v4.5M12 17v.01" />
  </>,
);
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11v5M12 8v.01" />
  </>,
);
export const VerifiedIcon = icon(
  <>
    <path d="M12 3.5c2.2 1.7 4.6 2.5 7.5 2.5 0 7-2 11.5-7.5 14.5C6.5 17.5 4.5 13 4.5 6c2.9 0 5.3-.8 7.5-2.5Z" />
    <path d="m8.5 11.5 2.5 2.5 4.5-4.5" />
  </>,
);
export const PauseIcon = icon(<path d="M9 5.5v13M15 5.5v13" strokeWidth={2.5} />);
export const PictureIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="2.5" />
    <circle cx="9" cy="9.5" r="1.7" />
    <path d="m5 18 5-5 3.5 3 2.5-2 4 3.5" />
  </>,
);
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
export const DownloadIcon = icon(<path d="M12 4v11m-4.500-4.500L12 15l4.500-4.500M5 19.500h14" />);
