/** What a page needs of the site's settings before it asks for anything: they come with it. */
interface Site {
  /** ISO 3166 code of addresses that name no country. */
  defaultCountry: string;
  /** How a phone number that is shown without a country code is dialed from anywhere. */
  dialing: { callingCode: string; trunkPrefix: string };
}

const UNITED_STATES: Site = {
  defaultCountry: 'US',
  dialing: { callingCode: '1', trunkPrefix: '1' },
};

let settings: Site | undefined;

export function getSiteSettings(): Site {
  if (typeof document === 'undefined') return UNITED_STATES;
  settings ??= {
    ...UNITED_STATES,
    ...(JSON.parse(
      document.querySelector<HTMLMetaElement>('meta[name="wellhour-config"]')?.content || '{}',
    ) as Partial<Site>),
  };
  return settings;
}
