import { type ComponentType, lazy, Suspense, useState } from 'react';

const load = () => import('./signedInComponents');
type Components = Awaited<ReturnType<typeof load>>;

let loadedComponents: Components | null = null;

/** Load the components for signed-in users before they are needed. */
export async function loadSignedInComponents(): Promise<void> {
  loadedComponents = await load();
}

/** Render a component immediately if it is loaded, otherwise lazily. */
function lazyComponent<Props extends object>(select: (parts: Components) => ComponentType<Props>) {
  const LazyComponent = lazy(async () => ({ default: select(await load()) }));
  // biome-ignore lint/correctness/noComponentHookFactories: called once per component.
  return function SignedInComponent(props: Props) {
    const [{ Shown }] = useState<{ Shown: ComponentType<Props> }>(() => ({
      Shown: loadedComponents
        ? select(loadedComponents)
        : (LazyComponent as unknown as ComponentType<Props>),
    }));
    return (
      <Suspense>
        <Shown {...props} />
      </Suspense>
    );
  };
}

export const AvatarMenu = lazyComponent((parts) => parts.AvatarMenu);
export const Bell = lazyComponent((parts) => parts.Bell);
export const IdleWarning = lazyComponent((parts) => parts.IdleWarning);
export const PersonalNav = lazyComponent((parts) => parts.PersonalNav);
