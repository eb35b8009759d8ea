import { type ComponentType, lazy, Suspense, useState } from 'react';

const load = () => import('./signedInComponents');
type Parts = Awaited<ReturnType<typeof load>>;

let here: Parts | null = null;

/** Bring the parts of the signed-in, for a page that may well need them. */
export async function loadSignedInComponents(): Promise<void> {
  here = await load();
}

/** One of the parts: at once where it was brought in time, else as soon as it comes. */
function part<Props extends object>(pick: (parts: Parts) => ComponentType<Props>) {
  const Late = lazy(async () => ({ default: pick(await load()) }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when this file is read.
  return function Part(props: Props) {
    const [{ Shown }] = useState<{ Shown: ComponentType<Props> }>(() => ({
      Shown: here ? pick(here) : (Late as unknown as ComponentType<Props>),
    }));
    return (
      <Suspense>
        <Shown {...props} />
      </Suspense>
    );
  };
}

export const AvatarMenu = part((parts) => parts.AvatarMenu);
export const Bell = part((parts) => parts.Bell);
export const IdleWarning = part((parts) => parts.IdleWarning);
export const PersonalNav = part((parts) => parts.PersonalNav);
