/** The place of dialogs that any code can open; pages that open none do not load them. */
import { type ComponentType, useSyncExternalStore } from 'react';

let dialogs: ComponentType | null = null;
let notifyHost: () => void = () => {};

/** Register the component that shows the dialogs. */
export function registerDialogs(component: ComponentType): void {
  dialogs = component;
  notifyHost();
}

const current = () => dialogs;

function subscribe(listener: () => void) {
  notifyHost = listener;
  return () => {
    notifyHost = () => {};
  };
}

/** Render the registered dialogs; the layout contains it once. */
export function DialogHost() {
  const Dialogs = useSyncExternalStore(subscribe, current, () => null);
  return Dialogs && <Dialogs />;
}
