/** Site settings that are embedded in the page. */
interface Site {
  siteName: string;
  /** ISO 3166 code of addresses without a country. */
  defaultCountry: string;
  /** The country code of phone numbers that are shown without one. */
  dialing: { callingCode: string; trunkPrefix: string };
}

const DEFAULTS: Site = {
  siteName: 'Wellhour',
  defaultCountry: 'US',
  dialing: { callingCode: '1', trunkPrefix: '1' },
};

let settings: Site | undefined;

/** Set the settings of a page that the build prerenders. */
export function setSiteSettings(site: Partial<Site>): void {
  settings = { ...DEFAULTS, ...site };
}

export function getSiteSettings(): Site {
  if (typeof document === 'undefined') return settings ?? DEFAULTS;
  settings ??= {
    ...DEFAULTS,
    ...(JSON.parse(
      document.querySelector<HTMLMetaElement>('meta[name="wellhour-config"]')?.content || '{}',
    ) as Partial<Site>),
  };
  return settings;
}
