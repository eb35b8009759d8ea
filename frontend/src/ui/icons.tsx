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
export const PhoneIcon = icon(
  <path d="M5 4h3.5l1.7 4.3-2.2 1.6a12 12 0 0 0 6.1 6.1l1.6-2.2L20 15.5V19a1.5 1.5 0 0 1-1.6 1.5A15.5 15.5 0 0 1 3.5 5.6 1.5 1.5 0 0 1 5 4Z" />,
);
export const MailIcon = icon(
  <>
    <rect x="3" y="5.5" width="18" height="13.5" rx="2.5" />
    <path d="m3.5 7.5 8.5 6 8.5-6" />
  </>,
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
export const PictureIcon = icon(
  <>
    <rect x="3.5" y="4.5" width="17" height="15" rx="2.5" />
    <circle cx="9" cy="9.5" r="1.7" />
    <path d="m5 18 5-5 3.5 3 2.5-2 4 3.5" />
  </>,
);
export const DownloadIcon = icon(<path d="M12 4v11m-4.500-4.500L12 15l4.500-4.500M5 19.500h14" />);
